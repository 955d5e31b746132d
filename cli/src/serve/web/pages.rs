//! The requests and their replies, one function for each address in `web`. `Keys` are the places whose secrets the browser's
//! cookies show, `PostOrigin` says whether a post surely comes from one of our pages; `guard` adds both to a request.

use super::guard::refusal_page;
use crate::serve::addresses::PostOrigin;
use crate::serve::form::Form;
use crate::serve::links::{Key, Links, Place};
use crate::serve::page::{self, Notice, PageContext, Person, SeatRow};
use crate::serve::rehearsal::Prospect;
use crate::serve::server::{COOKIE, FollowerSlot, Keys, Server, TableViewer};
use crate::serve::sitting::{Act, RequestRefusal, Table};
use crate::serve::startup_messages;
use crate::serve::views::RenderedView;
use axum::body::{Body, Bytes};
use axum::extract::rejection::FormRejection;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use futures_util::stream;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// The time without an event after which a heartbeat is sent.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The heartbeat: a comment in the format of events.
const HERE: &[u8] = b": here\n\n";
/// Maximum length of a search in the rules, in bytes.
const LONGEST_ASKED: usize = 200;
/// The header of requests that a page's script makes.
const BY_SCRIPT: HeaderName = HeaderName::from_static("hx-request");

/// The fields of a form, or why they cannot be read.
type Posted = Result<axum::extract::Form<Vec<(String, String)>>, FormRejection>;

// --- assets and errors ------------------------------------------------------------

/// A file that pages load: style, scripts and icon.
pub async fn serve_asset(Path(name): Path<String>) -> Response {
    let (kind, text) = match name.as_str() {
        "ludex.css" => ("text/css; charset=utf-8", include_str!("../assets/ludex.css")),
        "ludex.js" => ("text/javascript; charset=utf-8", include_str!("../assets/ludex.js")),
        "htmx.min.js" => ("text/javascript; charset=utf-8", include_str!("../assets/htmx.min.js")),
        "htmx-ext-sse.min.js" => ("text/javascript; charset=utf-8", include_str!("../assets/htmx-ext-sse.min.js")),
        "icon.svg" => ("image/svg+xml", include_str!("../assets/icon.svg")),
        _ => return nothing_here().await,
    };
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// The reply to an address that does not exist.
pub async fn nothing_here() -> Response {
    refusal_page(
        StatusCode::NOT_FOUND,
        "This page does not exist",
        "Open the link that you were given. A table that is over is gone when the server ends.",
    )
}

fn missing_table_page() -> Response {
    refusal_page(
        StatusCode::NOT_FOUND,
        "This table or seat does not exist",
        "Open the link that you were given. A table that is over is gone when the server ends.",
    )
}

// --- spectators -------------------------------------------------------------------

/// The page for spectators of a table.
pub async fn show_table(State(server): State<Arc<Server>>, Path(table): Path<String>) -> Response {
    let Some(table) = server.tables.get(&table) else { return missing_table_page() };
    follow_page(table, TableViewer::Anybody, None).await.unwrap_or_else(missing_table_page)
}

/// The events that keep a spectator's page up to date.
pub async fn table_events(State(server): State<Arc<Server>>, Path(table): Path<String>, RawQuery(query): RawQuery) -> Response {
    event_stream(&server, &table, TableViewer::Anybody, None, query)
}

/// The rules of a table's game, or their passages about a subject. A script gets only the passages, to show beside the table.
pub async fn show_rules(
    State(server): State<Arc<Server>>,
    Path(table): Path<String>,
    headers: HeaderMap,
    asked: Posted,
) -> Response {
    let Some(table) = server.tables.get(&table) else { return missing_table_page() };
    let form = asked.map(|form| Form(form.0)).unwrap_or(Form(Vec::new()));
    let about = form.get("about").map(str::trim).filter(|about| !about.is_empty() && about.len() <= LONGEST_ASKED);
    let blocks = about.map_or_else(|| table.rules.all_blocks(), |about| table.rules.find_blocks(&table.program, about));
    match headers.contains_key(BY_SCRIPT) {
        true => Html(page::passages_reply(blocks)).into_response(),
        false => Html(page::rules_page(&table.title, about, &blocks)).into_response(),
    }
}

/// The page of a viewer who follows play; `None` if there is no such seat.
async fn follow_page(table: &Table, who: TableViewer, notice: Option<&Notice>) -> Option<Response> {
    let sight = table.shown.settled_view(who.seat_number()).await?;
    Some(Html(page::table_page(&PageContext { title: &table.title, sight: &sight, notice })).into_response())
}

// --- a seat -----------------------------------------------------------------------

/// The table and the seat in an address.
type AtSeat = Path<(String, usize)>;

/// Shows the table to the holder of the seat; others are asked whether to take it. Looking never takes a seat.
pub async fn show_seat(
    State(server): State<Arc<Server>>,
    Path((table, seat)): AtSeat,
    Extension(keys): Extension<Keys>,
) -> Response {
    let Some((table, place)) = person_seat(&server, &table, seat) else { return missing_table_page() };
    if keys.key_for(place).is_some() {
        return follow_page(table, TableViewer::Seat(seat), None).await.unwrap_or_else(missing_table_page);
    }
    Html(page::claim_page(&table.title, &table.seats[seat].0, false)).into_response()
}

/// The table and the place of a seat; `None` if there is no such seat, or a bot plays it.
fn person_seat<'s>(server: &'s Server, table: &str, seat: usize) -> Option<(&'s Table, Place)> {
    let table = server.tables.get(table)?;
    let (_, is_person) = table.seats.get(seat)?;
    is_person.then_some((table, Place::Seat(seat)))
}

/// Gives a seat to a browser that posts its secret.
pub async fn claim_seat(State(server): State<Arc<Server>>, Path((table, seat)): AtSeat, posted: Posted) -> Response {
    let Some((table, place)) = person_seat(&server, &table, seat) else { return missing_table_page() };
    claim_place(&server, table, place, &table.seats[seat].0, posted).await
}

/// Gives a place to a browser that shows its secret, for as long as the link is valid.
async fn claim_place(server: &Server, table: &Table, place: Place, who: &str, posted: Posted) -> Response {
    let form = match posted {
        Ok(form) => Form(form.0),
        Err(rejection) => return unreadable_reply(&rejection),
    };
    let given = form.get("secret").unwrap_or_default().trim();
    // The whole link is accepted too.
    let secret = given.rsplit('#').next().unwrap_or_default();
    if !table.links.admits_secret(place, secret) {
        return (StatusCode::FORBIDDEN, Html(page::claim_page(&table.title, who, true))).into_response();
    }
    if let Err(problem) = write_links(&table.links, move |links| links.mark_taken(place)).await {
        crate::output::print_failure(&problem.message, problem.help.as_deref());
    }
    let secure = if server.door.main_origin().is_secure { "; Secure" } else { "" };
    let path = format!("/t/{}/{}", table.id, startup_messages::place_path(place));
    let cookie = format!("{COOKIE}={secret}; Path={path}; Max-Age=31536000; HttpOnly; SameSite=Lax{secure}");
    let mut response = Redirect::to("./").into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Writes links on a thread of its own, because a slow disk must not hold up other replies.
async fn write_links<T, W>(links: &Arc<Links>, write: W) -> Result<T, Problem>
where
    T: Send + 'static,
    W: FnOnce(&Links) -> Result<T, Problem> + Send + 'static,
{
    let links = links.clone();
    let written = tokio::task::spawn_blocking(move || write(&links)).await;
    written.unwrap_or_else(|failed| Err(Problem::error(codes::INTERNAL, failed.to_string())))
}

/// Carries out an act of a seat: an answer, a take-back, consent, a resignation or a rematch.
pub async fn carry_out_act(
    State(server): State<Arc<Server>>,
    Path((table, seat, act)): Path<(String, usize, String)>,
    Extension(from): Extension<PostOrigin>,
    Extension(keys): Extension<Keys>,
    headers: HeaderMap,
    posted: Posted,
) -> Response {
    let Some((table, place)) = person_seat(&server, &table, seat) else { return missing_table_page() };
    let form = match signed_form(table, place, from, &keys, posted) {
        Ok(form) => form,
        Err(refused) => return refused,
    };
    let done = match form.requested_act(&act) {
        Ok(act) => table.request_act(seat, act).await,
        Err(refused) => Err(refused),
    };
    act_reply(table, seat, &headers, done.err().map(Notice::Refused)).await
}

/// The reply to a post: to a script the current view with the notice, otherwise the page of the seat.
async fn act_reply(table: &Table, seat: usize, headers: &HeaderMap, notice: Option<Notice>) -> Response {
    let by_script = headers.contains_key(BY_SCRIPT);
    match (by_script, &notice) {
        (true, _) => {
            let Some(sight) = table.shown.latest_view(Some(seat)) else { return missing_table_page() };
            Html(page::post_reply(&sight, notice.as_ref())).into_response()
        }
        (false, None) => Redirect::to("./").into_response(),
        (false, Some(told)) => {
            let page = follow_page(table, TableViewer::Seat(seat), notice.as_ref()).await.unwrap_or_else(missing_table_page);
            let status = if matches!(told, Notice::Refused(_)) { StatusCode::CONFLICT } else { StatusCode::OK };
            (status, page).into_response()
        }
    }
}

/// Replies with the possible results of an answer without giving it.
pub async fn preview_answer(
    State(server): State<Arc<Server>>,
    Path((table, seat)): AtSeat,
    Extension(from): Extension<PostOrigin>,
    Extension(keys): Extension<Keys>,
    headers: HeaderMap,
    posted: Posted,
) -> Response {
    let Some((table, place)) = person_seat(&server, &table, seat) else { return missing_table_page() };
    let form = match signed_form(table, place, from, &keys, posted) {
        Ok(form) => form,
        Err(refused) => return refused,
    };
    let notice = match request_prospect(&server, table, seat, &form).await {
        Ok(prospect) => Notice::Prospect(prospect),
        Err(refused) => Notice::Refused(refused),
    };
    act_reply(table, seat, &headers, Some(notice)).await
}

/// The possible results of the answer in a form. Waits until no other preview is played.
async fn request_prospect(server: &Server, table: &Table, seat: usize, form: &Form) -> Result<Prospect, RequestRefusal> {
    let failed =
        || RequestRefusal { reason: "The possible results cannot be shown: something has failed.".to_string(), help: None };
    let turn = server.rehearsals.clone().acquire_owned().await.map_err(|_| failed())?;
    let rehearsal = table.request_rehearsal(seat, form.previewed_answer()?).await?;
    rehearsal.play_samples(turn).await.ok_or_else(failed)
}

/// The form posted by the holder of a place. If the browser does not name the page it comes from, the form must hold the token of
/// that place.
// A refusal is as large as any reply and is made once.
#[allow(clippy::result_large_err)]
fn signed_form(table: &Table, place: Place, from: PostOrigin, keys: &Keys, posted: Posted) -> Result<Form, Response> {
    if keys.key_for(place).is_none() {
        let mut refused = refusal_page(
            StatusCode::FORBIDDEN,
            "You do not have this seat",
            "Open its link, and take the seat. It may have been renewed.",
        );
        // The page that asks for the seat replaces this one.
        refused.headers_mut().insert(HeaderName::from_static("hx-refresh"), HeaderValue::from_static("true"));
        return Err(refused);
    }
    let form = match posted {
        Ok(form) => Form(form.0),
        Err(rejection) => return Err(unreadable_reply(&rejection)),
    };
    let sign = match place {
        Place::Seat(seat) => table.signs.get(seat),
        Place::Owner => table.signs.last(),
    };
    if from == PostOrigin::Untold && form.get("sign") != sign.map(String::as_str) {
        return Err(refusal_page(
            StatusCode::FORBIDDEN,
            "This page is from before the server was started",
            "Load it again, and play on.",
        ));
    }
    Ok(form)
}

/// The reply to a form that cannot be read.
fn unreadable_reply(rejection: &FormRejection) -> Response {
    let status = rejection.status();
    let title = match status {
        StatusCode::PAYLOAD_TOO_LARGE => "This is longer than any answer",
        _ => "The answer cannot be read",
    };
    refusal_page(status, title, "Load the page again, and answer there.")
}

// --- events -----------------------------------------------------------------------

/// The events that keep the page of a seat's holder up to date.
pub async fn seat_events(
    State(server): State<Arc<Server>>,
    Path((table, seat)): AtSeat,
    Extension(keys): Extension<Keys>,
    RawQuery(query): RawQuery,
) -> Response {
    if person_seat(&server, &table, seat).is_none() {
        return missing_table_page();
    }
    let Some(key) = keys.key_for(Place::Seat(seat)) else {
        return refusal_page(StatusCode::FORBIDDEN, "You do not have this seat", "Open its link, and take the seat.");
    };
    event_stream(&server, &table, TableViewer::Seat(seat), Some(key.clone()), query)
}

/// A browser that is notified of changes while its cookie is valid.
struct Follower {
    view: watch::Receiver<RenderedView>,
    links: Arc<Links>,
    /// `None` for spectators.
    key: Option<Key>,
    /// Whether it still has to get the current view.
    is_new: bool,
    _following: FollowerSlot,
}

impl Follower {
    /// The next bytes to send; `None` at the end.
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Follower)> {
        let is_quiet = match std::mem::take(&mut self.is_new) {
            true => false,
            false => match timeout(HEARTBEAT, self.view.changed()).await {
                Ok(changed) => changed.map(|()| false).ok()?,
                Err(_) => true,
            },
        };
        if !self.is_admitted() {
            return None;
        }
        let bytes = if is_quiet { Bytes::from_static(HERE) } else { self.view.borrow_and_update().event.clone() };
        Some((Ok(bytes), self))
    }

    /// Whether the link that gave the seat has not been renewed.
    fn is_admitted(&self) -> bool {
        self.key.as_ref().is_none_or(|key| self.links.is_valid_key(key))
    }
}

/// The events of a table for one browser. `key` is that of the seat's holder; `query` names the view that the page already
/// shows.
fn event_stream(server: &Arc<Server>, table: &str, who: TableViewer, key: Option<Key>, query: Option<String>) -> Response {
    let Some(found) = server.tables.get(table) else { return missing_table_page() };
    let Some(mut view) = found.shown.watch_view(who.seat_number()).cloned() else { return missing_table_page() };
    let seen = query.as_deref().and_then(|query| query.strip_prefix("seen=")).unwrap_or_default();
    let is_new = view.borrow_and_update().seen != seen;
    let Some(following) = server.add_follower(table, who) else {
        return refusal_page(StatusCode::SERVICE_UNAVAILABLE, "Too many people are watching", "Load the page again later.");
    };
    let follower = Follower { view, links: found.links.clone(), key, is_new, _following: following };
    // Proxies must pass events on at once instead of buffering them.
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (HeaderName::from_static("x-accel-buffering"), "no")];
    (headers, Body::from_stream(stream::unfold(follower, Follower::next))).into_response()
}

// --- the owner --------------------------------------------------------------------

/// The page of a table's owner; others are asked for the secret of its link.
pub async fn show_owner(
    State(server): State<Arc<Server>>,
    Path(table): Path<String>,
    Extension(keys): Extension<Keys>,
) -> Response {
    let Some(table) = server.tables.get(&table) else { return missing_table_page() };
    if keys.key_for(Place::Owner).is_none() {
        return Html(page::claim_page(&table.title, "the owner of the table", false)).into_response();
    }
    owner_reply(&server, table, None, None).await
}

/// Gives the owner's place to a browser that posts its secret.
pub async fn claim_owner(State(server): State<Arc<Server>>, Path(table): Path<String>, posted: Posted) -> Response {
    let Some(table) = server.tables.get(&table) else { return missing_table_page() };
    claim_place(&server, table, Place::Owner, "the owner of the table", posted).await
}

/// The page of the owner; `renewed` is a seat with its new link.
async fn owner_reply(server: &Server, table: &Table, renewed: Option<(usize, String)>, told: Option<&Notice>) -> Response {
    let waited_for = table.shown.awaited_seats().await;
    let row = |(seat, (name, is_person)): (usize, &(String, bool))| SeatRow {
        place: Place::Seat(seat),
        name: name.clone(),
        person: is_person.then(|| Person {
            is_taken: table.links.is_taken(Place::Seat(seat)),
            open: server.lock_open_seats().get(&(table.id.clone(), seat)).copied().unwrap_or(0),
            is_waited_for: waited_for.contains(&seat),
            link: renewed.as_ref().filter(|(other, _)| *other == seat).map(|(_, link)| link.clone()),
        }),
    };
    let seats: Vec<SeatRow> = table.seats.iter().enumerate().map(row).collect();
    let watch = format!("{}/t/{}/", server.door.main_origin(), table.id);
    let sign = table.signs.last().map_or("", String::as_str);
    Html(page::table_owner_page(&table.title, &watch, &seats, sign, told)).into_response()
}

/// Makes a new link for a seat, on behalf of the owner.
pub async fn renew_seat_link(
    State(server): State<Arc<Server>>,
    Path(table): Path<String>,
    Extension(from): Extension<PostOrigin>,
    Extension(keys): Extension<Keys>,
    posted: Posted,
) -> Response {
    let Some(table) = server.tables.get(&table) else { return missing_table_page() };
    let form = match signed_form(table, Place::Owner, from, &keys, posted) {
        Ok(form) => form,
        Err(refused) => return refused,
    };
    let Some((_, place)) = form.seat_number().and_then(|seat| person_seat(&server, &table.id, seat)) else {
        return missing_table_page();
    };
    match write_links(&table.links, move |links| links.renew_link(place)).await {
        Ok(link) => {
            let address = startup_messages::place_address(server.door.main_origin(), table, place, &link.secret);
            owner_reply(&server, table, form.seat_number().map(|seat| (seat, address)), None).await
        }
        Err(problem) => {
            let refused = Notice::Refused(RequestRefusal { reason: problem.message.to_string(), help: problem.help });
            owner_reply(&server, table, None, Some(&refused)).await
        }
    }
}

/// Goes on without the consent of a seat, on behalf of the owner.
pub async fn waive_consent(
    State(server): State<Arc<Server>>,
    Path(table): Path<String>,
    Extension(from): Extension<PostOrigin>,
    Extension(keys): Extension<Keys>,
    posted: Posted,
) -> Response {
    let Some(table) = server.tables.get(&table) else { return missing_table_page() };
    let form = match signed_form(table, Place::Owner, from, &keys, posted) {
        Ok(form) => form,
        Err(refused) => return refused,
    };
    let Some(seat) = form.seat_number().filter(|seat| *seat < table.seats.len()) else { return missing_table_page() };
    match table.request_act(seat, Act::Waive).await {
        Ok(()) => Redirect::to("./").into_response(),
        Err(refused) => owner_reply(&server, table, None, Some(&Notice::Refused(refused))).await,
    }
}
