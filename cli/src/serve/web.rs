//! HTTP: pages, posts, and events that notify browsers of changes. Every request passes `guard`, then a function of `pages`.

mod guard;
mod pages;
mod stream;

use super::limits::{LONGEST_HEAD, LONGEST_POST};
use super::server::Server;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioTimer;
use hyper_util::service::TowerToHyperService;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use stream::Stream;
use tokio::time::sleep;

/// The time a browser may take to send the head of a request, and the time a connection may stay idle.
const LONGEST_HEAD_WAIT: Duration = Duration::from_secs(10);
/// The time a browser may take to read pending data.
const LONGEST_SENDING: Duration = Duration::from_secs(60);
/// The pause after a failure to accept a connection; the process may have too many files open.
const PAUSE: Duration = Duration::from_millis(100);

/// Accepts connections until the process ends. A connection that cannot even be refused is dropped.
pub async fn serve(listener: TcpListener, server: Server) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let server = Arc::new(server);
    let router = TowerToHyperService::new(build_router(server.clone()));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(LONGEST_HEAD_WAIT).max_buf_size(LONGEST_HEAD);
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let Some(connection) = server.count_connection(peer.ip()) else { continue };
        // Replies are sent whole, so delaying packets gains nothing.
        let _ = stream.set_nodelay(true);
        let (connection, router) = (Arc::new(connection), router.clone());
        let answer = service_fn(move |mut request| {
            request.extensions_mut().insert(connection.clone());
            router.call(request)
        });
        let conversation = http.serve_connection(Stream::new(stream, LONGEST_SENDING), answer);
        // The client has seen the error, or is gone.
        tokio::spawn(async move { drop(conversation.await) });
    }
}

/// The addresses of the server.
fn build_router(server: Arc<Server>) -> Router {
    Router::new()
        .route("/assets/{name}", get(pages::serve_asset))
        .route("/t/{table}/", get(pages::show_table))
        .route("/t/{table}/events", get(pages::table_events))
        .route("/t/{table}/rules", get(pages::show_rules))
        .route("/t/{table}/seat/{seat}/", get(pages::show_seat))
        .route("/t/{table}/seat/{seat}/events", get(pages::seat_events))
        .route("/t/{table}/seat/{seat}/claim", post(pages::claim_seat))
        .route("/t/{table}/seat/{seat}/preview", post(pages::preview_answer))
        .route("/t/{table}/seat/{seat}/{act}", post(pages::carry_out_act))
        .route("/t/{table}/owner/", get(pages::show_owner))
        .route("/t/{table}/owner/claim", post(pages::claim_owner))
        .route("/t/{table}/owner/renew", post(pages::renew_seat_link))
        .route("/t/{table}/owner/waive", post(pages::waive_consent))
        .fallback(pages::nothing_here)
        .layer(DefaultBodyLimit::max(LONGEST_POST))
        .layer(from_fn_with_state(server.clone(), guard::guard_requests))
        .with_state(server)
}
