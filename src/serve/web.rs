//! HTTP: pages, what they post, and events that tell browsers of changes.

mod guard;
mod pages;

use super::limits::LONGEST_POST;
use super::server::Server;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

pub async fn serve(listener: TcpListener, server: Server) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let service = router(Arc::new(server)).into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, service).await
}

fn router(server: Arc<Server>) -> Router {
    Router::new()
        .route("/assets/{name}", get(pages::asset))
        .route("/t/{table}/", get(pages::watch))
        .route("/t/{table}/events", get(pages::watch_events))
        .route("/t/{table}/rules", get(pages::rules))
        .route("/t/{table}/seat/{seat}/", get(pages::seat))
        .route("/t/{table}/seat/{seat}/events", get(pages::seat_events))
        .route("/t/{table}/seat/{seat}/claim", post(pages::claim_seat))
        .route("/t/{table}/seat/{seat}/preview", post(pages::preview))
        .route("/t/{table}/seat/{seat}/{act}", post(pages::act))
        .route("/t/{table}/owner/", get(pages::owner))
        .route("/t/{table}/owner/claim", post(pages::claim_owner))
        .route("/t/{table}/owner/renew", post(pages::renew))
        .route("/t/{table}/owner/waive", post(pages::waive))
        .fallback(pages::nothing_here)
        .layer(DefaultBodyLimit::max(LONGEST_POST))
        .layer(from_fn_with_state(server.clone(), guard::guard))
        .with_state(server)
}
