//! Admission of requests: only those for this server, posts only from its own pages, and neither too many nor too slow ones. Also
//! sets the headers that every reply carries.

use crate::serve::connections::{CapacityLimit, Connection};
use crate::serve::limits::RateClass;
use crate::serve::page;
use crate::serve::server::Server;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time a request may take to arrive.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// The content security policy: no inline script or style, no foreign resources, no framing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Replies to a request, or refuses it, and sets the headers of the reply.
pub async fn guard_requests(State(server): State<Arc<Server>>, mut request: Request, next: Next) -> Response {
    let mut response = match check_request(&server, &mut request) {
        Ok(()) => tokio::time::timeout(LONGEST_WAIT, next.run(request))
            .await
            .unwrap_or_else(|_| refusal_page(StatusCode::REQUEST_TIMEOUT, "That took too long", "Load the page again.")),
        Err(refused) => refused,
    };
    let headers = response.headers_mut();
    let mut say = |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    say(header::CONTENT_SECURITY_POLICY, POLICY);
    say(header::REFERRER_POLICY, "no-referrer");
    say(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    say(header::X_FRAME_OPTIONS, "DENY");
    say(header::CACHE_CONTROL, "no-store");
    say(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    say(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    response
}

/// Checks a request before it is handled, and adds the keys of its cookies and the origin of a post to it. The error is the
/// reply that refuses it.
// A refusal is as large as any reply and is made once.
#[allow(clippy::result_large_err)]
fn check_request(server: &Server, request: &mut Request) -> Result<(), Response> {
    let headers = request.headers();
    let path = request.uri().path();
    let Some(connection) = request.extensions().get::<Arc<Connection>>() else {
        return Err(refusal_page(StatusCode::INTERNAL_SERVER_ERROR, "That did not work", "Load the page again."));
    };
    let (asker, keys) = (server.door.client_address(headers, connection.peer), server.keys_from_cookies(path, headers));
    server.recount_connection(connection, asker, &keys).map_err(capacity_refusal)?;
    if server.door.requested_origin(headers).is_none() {
        let help = format!("Open {} instead.", server.door.main_origin());
        return Err(refusal_page(StatusCode::MISDIRECTED_REQUEST, "This server has another address", &help));
    }
    let is_post = request.method() == Method::POST;
    let asking = match is_post {
        true if path.ends_with("/claim") => RateClass::Claim,
        true if path.ends_with("/preview") => RateClass::Rehearsal,
        true => RateClass::Act,
        false => RateClass::Page,
    };
    if !server.limits.admit_request(asker, asking, Instant::now()) {
        let mut refused =
            refusal_page(StatusCode::TOO_MANY_REQUESTS, "Too many requests", "Wait a moment, then load the page again.");
        refused.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        return Err(refused);
    }
    if is_post {
        let Some(from) = server.door.post_origin(headers) else {
            return Err(refusal_page(
                StatusCode::FORBIDDEN,
                "This was not sent from a page of this table",
                "Open your link, and play there.",
            ));
        };
        request.extensions_mut().insert(from);
    }
    request.extensions_mut().insert(keys);
    Ok(())
}

/// The refusal of a connection for lack of room. It closes the connection.
fn capacity_refusal(full: CapacityLimit) -> Response {
    let (status, title) = match full {
        CapacityLimit::Server => (StatusCode::SERVICE_UNAVAILABLE, "Too many browsers are connected"),
        CapacityLimit::Address => (StatusCode::TOO_MANY_REQUESTS, "Too many browsers are connected from your address"),
    };
    let mut refused = refusal_page(status, title, "Wait a moment, then load the page again.");
    refused.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    refused.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("10"));
    refused
}

/// A page with the reason for a refusal.
pub fn refusal_page(status: StatusCode, title: &str, line: &str) -> Response {
    (status, Html(page::message_page(title, &[line]))).into_response()
}
