//! The requests and their replies.

use super::guard::refusal;
use crate::serve::door::From;
use crate::serve::form::Form;
use crate::serve::links::{Key, Links, Place};
use crate::serve::page::{self, Frame, Notice, Person, SeatRow};
use crate::serve::rehearsal::Prospect;
use crate::serve::server::{COOKIE, Following, Keys, Server, Who};
use crate::serve::shown::Sight;
use crate::serve::sitting::{Act, Refused, Table};
use crate::serve::told;
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
const HERE: &[u8] = b": here\n\n";
/// Maximum length of a search in the rules, in bytes.
const LONGEST_ASKED: usize = 200;
const BY_SCRIPT: HeaderName = HeaderName::from_static("hx-request");

type Posted = Result<axum::extract::Form<Vec<(String, String)>>, FormRejection>;

// --- assets and errors ------------------------------------------------------------

pub async fn asset(Path(name): Path<String>) -> Response {
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

pub async fn nothing_here() -> Response {
    refusal(
        StatusCode::NOT_FOUND,
        "This page does not exist",
        "Open the link that you were given. A table that is over is gone when the server ends.",
    )
}

fn not_there() -> Response {
    refusal(
        StatusCode::NOT_FOUND,
        "This table or seat does not exist",
        "Open the link that you were given. A table that is over is gone when the server ends.",
    )
}

// --- spectators -------------------------------------------------------------------

pub async fn watch(State(server): State<Arc<Server>>, Path(table): Path<String>) -> Response {
    let Some(table) = server.tables.get(&table) else { return not_there() };
    following(table, Who::Anybody, None).await.unwrap_or_else(not_there)
}

pub async fn watch_events(State(server): State<Arc<Server>>, Path(table): Path<String>, RawQuery(query): RawQuery) -> Response {
    events(&server, &table, Who::Anybody, None, query)
}

/// The rules of a table's game, or their passages about a subject. A script gets only the passages, to show beside the table.
pub async fn rules(State(server): State<Arc<Server>>, Path(table): Path<String>, headers: HeaderMap, asked: Posted) -> Response {
    let Some(table) = server.tables.get(&table) else { return not_there() };
    let form = asked.map(|form| Form(form.0)).unwrap_or(Form(Vec::new()));
    let about = form.get("about").map(str::trim).filter(|about| !about.is_empty() && about.len() <= LONGEST_ASKED);
    let blocks = about.map_or_else(|| table.rules.whole(), |about| table.rules.about(&table.program, about));
    match headers.contains_key(BY_SCRIPT) {
        true => Html(page::passages(blocks)).into_response(),
        false => Html(page::rules(&table.title, about, &blocks)).into_response(),
    }
}

/// The page of a viewer who follows play.
async fn following(table: &Table, who: Who, notice: Option<&Notice>) -> Option<Response> {
    let sight = table.shown.current(who.seat()).await?;
    Some(Html(page::table(&Frame { title: &table.title, sight: &sight, notice })).into_response())
}

// --- a seat -----------------------------------------------------------------------

type AtSeat = Path<(String, usize)>;

/// Shows the table to the holder of the seat; others are asked whether to take it. Looking never takes a seat.
pub async fn seat(State(server): State<Arc<Server>>, Path((table, seat)): AtSeat, Extension(keys): Extension<Keys>) -> Response {
    let Some((table, place)) = person(&server, &table, seat) else { return not_there() };
    if keys.of(place).is_some() {
        return following(table, Who::Seat(seat), None).await.unwrap_or_else(not_there);
    }
    Html(page::claim(&table.title, &table.seats[seat].0, false)).into_response()
}

/// The table and the place of a person's seat.
fn person<'s>(server: &'s Server, table: &str, seat: usize) -> Option<(&'s Table, Place)> {
    let table = server.tables.get(table)?;
    let (_, is_person) = table.seats.get(seat)?;
    is_person.then_some((table, Place::Seat(seat)))
}

pub async fn claim_seat(State(server): State<Arc<Server>>, Path((table, seat)): AtSeat, posted: Posted) -> Response {
    let Some((table, place)) = person(&server, &table, seat) else { return not_there() };
    claim(&server, table, place, &table.seats[seat].0, posted).await
}

/// Gives a place to a browser that shows its secret, for as long as the link is valid.
async fn claim(server: &Server, table: &Table, place: Place, who: &str, posted: Posted) -> Response {
    let form = match posted {
        Ok(form) => Form(form.0),
        Err(rejection) => return unreadable(&rejection),
    };
    let given = form.get("secret").unwrap_or_default().trim();
    // The whole link is accepted too.
    let secret = given.rsplit('#').next().unwrap_or_default();
    if !table.links.admits(place, secret) {
        return (StatusCode::FORBIDDEN, Html(page::claim(&table.title, who, true))).into_response();
    }
    if let Err(problem) = write(&table.links, move |links| links.take(place)).await {
        crate::output::failure(&problem.message, problem.help.as_deref());
    }
    let secure = if server.door.origin().is_secure { "; Secure" } else { "" };
    let path = format!("/t/{}/{}", table.id, told::path(place));
    let cookie = format!("{COOKIE}={secret}; Path={path}; Max-Age=31536000; HttpOnly; SameSite=Lax{secure}");
    let mut response = Redirect::to("./").into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Writes links on a thread of its own, because a slow disk must not hold up other replies.
async fn write<T, W>(links: &Arc<Links>, write: W) -> Result<T, Problem>
where
    T: Send + 'static,
    W: FnOnce(&Links) -> Result<T, Problem> + Send + 'static,
{
    let links = links.clone();
    let written = tokio::task::spawn_blocking(move || write(&links)).await;
    written.unwrap_or_else(|failed| Err(Problem::error(codes::INTERNAL, failed.to_string())))
}

pub async fn act(
    State(server): State<Arc<Server>>,
    Path((table, seat, act)): Path<(String, usize, String)>,
    Extension(from): Extension<From>,
    Extension(keys): Extension<Keys>,
    headers: HeaderMap,
    posted: Posted,
) -> Response {
    let Some((table, place)) = person(&server, &table, seat) else { return not_there() };
    let form = match signed(table, place, from, &keys, posted) {
        Ok(form) => form,
        Err(refused) => return refused,
    };
    let done = match form.act(&act) {
        Ok(act) => table.ask(seat, act).await,
        Err(refused) => Err(refused),
    };
    acted(table, seat, &headers, done.err().map(Notice::Refused)).await
}

/// The reply to a post: to a script the current view, otherwise the page of the seat.
async fn acted(table: &Table, seat: usize, headers: &HeaderMap, notice: Option<Notice>) -> Response {
    let by_script = headers.contains_key(BY_SCRIPT);
    match (by_script, &notice) {
        (true, _) => {
            let Some(sight) = table.shown.sight(Some(seat)) else { return not_there() };
            Html(page::reply(&sight, notice.as_ref())).into_response()
        }
        (false, None) => Redirect::to("./").into_response(),
        (false, Some(told)) => {
            let page = following(table, Who::Seat(seat), notice.as_ref()).await.unwrap_or_else(not_there);
            let status = if matches!(told, Notice::Refused(_)) { StatusCode::CONFLICT } else { StatusCode::OK };
            (status, page).into_response()
        }
    }
}

/// Replies with the possible results of an answer without giving it.
pub async fn preview(
    State(server): State<Arc<Server>>,
    Path((table, seat)): AtSeat,
    Extension(from): Extension<From>,
    Extension(keys): Extension<Keys>,
    headers: HeaderMap,
    posted: Posted,
) -> Response {
    let Some((table, place)) = person(&server, &table, seat) else { return not_there() };
    let form = match signed(table, place, from, &keys, posted) {
        Ok(form) => form,
        Err(refused) => return refused,
    };
    let notice = match prospect(&server, table, seat, &form).await {
        Ok(prospect) => Notice::Prospect(prospect),
        Err(refused) => Notice::Refused(refused),
    };
    acted(table, seat, &headers, Some(notice)).await
}

async fn prospect(server: &Server, table: &Table, seat: usize, form: &Form) -> Result<Prospect, Refused> {
    let failed = || Refused { reason: "The possible results cannot be shown: something has failed.".to_string(), help: None };
    let turn = server.rehearsals.clone().acquire_owned().await.map_err(|_| failed())?;
    let rehearsal = table.rehearsal(seat, form.looked_at()?).await?;
    rehearsal.play(turn).await.ok_or_else(failed)
}

/// The form posted by the holder of a place. If the browser does not name the page it comes from, the form must hold the token of
/// that place.
// A refusal is as large as any reply and is made once.
#[allow(clippy::result_large_err)]
fn signed(table: &Table, place: Place, from: From, keys: &Keys, posted: Posted) -> Result<Form, Response> {
    if keys.of(place).is_none() {
        let mut refused = refusal(
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
        Err(rejection) => return Err(unreadable(&rejection)),
    };
    let sign = match place {
        Place::Seat(seat) => table.signs.get(seat),
        Place::Owner => table.signs.last(),
    };
    if from == From::Untold && form.get("sign") != sign.map(String::as_str) {
        return Err(refusal(
            StatusCode::FORBIDDEN,
            "This page is from before the server was started",
            "Load it again, and play on.",
        ));
    }
    Ok(form)
}

fn unreadable(rejection: &FormRejection) -> Response {
    let status = rejection.status();
    let title = match status {
        StatusCode::PAYLOAD_TOO_LARGE => "This is longer than any answer",
        _ => "The answer cannot be read",
    };
    refusal(status, title, "Load the page again, and answer there.")
}

// --- events -----------------------------------------------------------------------

pub async fn seat_events(
    State(server): State<Arc<Server>>,
    Path((table, seat)): AtSeat,
    Extension(keys): Extension<Keys>,
    RawQuery(query): RawQuery,
) -> Response {
    if person(&server, &table, seat).is_none() {
        return not_there();
    }
    let Some(key) = keys.of(Place::Seat(seat)) else {
        return refusal(StatusCode::FORBIDDEN, "You do not have this seat", "Open its link, and take the seat.");
    };
    events(&server, &table, Who::Seat(seat), Some(key.clone()), query)
}

/// A browser that is notified of changes while its cookie is valid.
struct Follower {
    view: watch::Receiver<Sight>,
    links: Arc<Links>,
    /// `None` for spectators.
    key: Option<Key>,
    /// Whether it still has to get the current view.
    is_new: bool,
    _following: Following,
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

    fn is_admitted(&self) -> bool {
        self.key.as_ref().is_none_or(|key| self.links.opens(key))
    }
}

fn events(server: &Arc<Server>, table: &str, who: Who, key: Option<Key>, query: Option<String>) -> Response {
    let Some(found) = server.tables.get(table) else { return not_there() };
    let Some(mut view) = found.shown.view(who.seat()).cloned() else { return not_there() };
    let seen = query.as_deref().and_then(|query| query.strip_prefix("seen=")).unwrap_or_default();
    let is_new = view.borrow_and_update().seen != seen;
    let Some(following) = server.follow(table, who) else {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "Too many people are watching", "Load the page again later.");
    };
    let follower = Follower { view, links: found.links.clone(), key, is_new, _following: following };
    // Proxies must pass events on at once instead of buffering them.
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (HeaderName::from_static("x-accel-buffering"), "no")];
    (headers, Body::from_stream(stream::unfold(follower, Follower::next))).into_response()
}

// --- the owner --------------------------------------------------------------------

pub async fn owner(State(server): State<Arc<Server>>, Path(table): Path<String>, Extension(keys): Extension<Keys>) -> Response {
    let Some(table) = server.tables.get(&table) else { return not_there() };
    if keys.of(Place::Owner).is_none() {
        return Html(page::claim(&table.title, "the owner of the table", false)).into_response();
    }
    owner_page(&server, table, None, None).await
}

pub async fn claim_owner(State(server): State<Arc<Server>>, Path(table): Path<String>, posted: Posted) -> Response {
    let Some(table) = server.tables.get(&table) else { return not_there() };
    claim(&server, table, Place::Owner, "the owner of the table", posted).await
}

async fn owner_page(server: &Server, table: &Table, renewed: Option<(usize, String)>, told: Option<&Notice>) -> Response {
    let waited_for = table.shown.consenting().await;
    let row = |(seat, (name, is_person)): (usize, &(String, bool))| SeatRow {
        place: Place::Seat(seat),
        name: name.clone(),
        person: is_person.then(|| Person {
            is_taken: table.links.is_taken(Place::Seat(seat)),
            open: server.open().get(&(table.id.clone(), seat)).copied().unwrap_or(0),
            is_waited_for: waited_for.contains(&seat),
            link: renewed.as_ref().filter(|(other, _)| *other == seat).map(|(_, link)| link.clone()),
        }),
    };
    let seats: Vec<SeatRow> = table.seats.iter().enumerate().map(row).collect();
    let watch = format!("{}/t/{}/", server.door.origin(), table.id);
    let sign = table.signs.last().map_or("", String::as_str);
    Html(page::owner(&table.title, &watch, &seats, sign, told)).into_response()
}

pub async fn renew(
    State(server): State<Arc<Server>>,
    Path(table): Path<String>,
    Extension(from): Extension<From>,
    Extension(keys): Extension<Keys>,
    posted: Posted,
) -> Response {
    let Some(table) = server.tables.get(&table) else { return not_there() };
    let form = match signed(table, Place::Owner, from, &keys, posted) {
        Ok(form) => form,
        Err(refused) => return refused,
    };
    let Some((_, place)) = form.seat().and_then(|seat| person(&server, &table.id, seat)) else { return not_there() };
    match write(&table.links, move |links| links.renew(place)).await {
        Ok(link) => {
            let address = told::address(server.door.origin(), table, place, &link.secret);
            owner_page(&server, table, form.seat().map(|seat| (seat, address)), None).await
        }
        Err(problem) => {
            let refused = Notice::Refused(Refused { reason: problem.message.to_string(), help: problem.help });
            owner_page(&server, table, None, Some(&refused)).await
        }
    }
}

pub async fn waive(
    State(server): State<Arc<Server>>,
    Path(table): Path<String>,
    Extension(from): Extension<From>,
    Extension(keys): Extension<Keys>,
    posted: Posted,
) -> Response {
    let Some(table) = server.tables.get(&table) else { return not_there() };
    let form = match signed(table, Place::Owner, from, &keys, posted) {
        Ok(form) => form,
        Err(refused) => return refused,
    };
    let Some(seat) = form.seat().filter(|seat| *seat < table.seats.len()) else { return not_there() };
    match table.ask(seat, Act::Waive).await {
        Ok(()) => Redirect::to("./").into_response(),
        Err(refused) => owner_page(&server, table, None, Some(&Notice::Refused(refused))).await,
    }
}
