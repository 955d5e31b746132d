//! The pages: whole documents around a table's view. All game text is escaped, and pages contain no inline script or style.
//! They work without scripts; with them (htmx), posts are replaced by requests whose replies change parts of the page, and
//! events replace the view.

mod moves;
mod pieces;
mod scene;

pub use scene::{Scene, Wish, WishKind, player_kind, render_scene};

use super::links::Place;
use super::rehearsal::Prospect;
use super::sitting::RequestRefusal;
use super::views::RenderedView;
use crate::rulebook::Block;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The configuration of the pages' script: it evaluates nothing in a page and shows refusals like other replies.
const HTMX: &str = r#"{"allowEval":false,"allowScriptTags":false,"includeIndicatorStyles":false,"selfRequestsOnly":true,"historyEnabled":false,"responseHandling":[{"code":"204","swap":false},{"code":"[2345]..","swap":true}]}"#;

/// The context of a page about a table.
pub struct PageContext<'a> {
    pub title: &'a str,
    /// The current view of the table. `events` is asked only for later ones, so that nothing is sent twice.
    pub sight: &'a RenderedView,
    /// A message above the view.
    pub notice: Option<&'a Notice>,
}

/// A message for this browser only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    Refused(RequestRefusal),
    Prospect(Prospect),
    /// The passages of the rules about a subject.
    Rules(Vec<Block>),
}

/// A page that follows play, for a seat or for spectators.
pub fn table_page(frame: &PageContext) -> String {
    whole_page(
        frame.title,
        html! {
            (notice_markup(frame.notice, false))
            main #table hx-ext="sse" sse-connect=(format!("events?seen={}", frame.sight.seen)) sse-swap="table" hx-swap="innerHTML" {
                (PreEscaped(&frame.sight.html))
            }
            p #said .unseen role="status" aria-live="polite" {}
            noscript { p .hint { a href="./" { "Load this page again" } " to see what others have done." } }
        },
    )
}

/// The reply to a post by a page's script: the current view of the table, and a notice beside it.
pub fn post_reply(sight: &RenderedView, told: Option<&Notice>) -> String {
    html! { (PreEscaped(&sight.html)) (notice_markup(told, true)) }.into_string()
}

/// The place for messages. `beside` is true if it comes with a view and replaces the one on the page.
fn notice_markup(told: Option<&Notice>, beside: bool) -> Markup {
    html! {
        div #notice role="alert" hx-swap-oob=[beside.then_some("true")] {
            @match told {
                None => {}
                Some(Notice::Refused(RequestRefusal { reason, help })) => p { (reason) @if let Some(help) = help { " " (help) } },
                Some(Notice::Prospect(Prospect { of, lines })) => {
                    div .prospect {
                        p { "Possible results of " strong { (of) } ":" }
                        ul { @for line in lines { li { (line) } } }
                    }
                }
                Some(Notice::Rules(blocks)) => {
                    div .prospect { @for block in blocks { (passage_markup(block)) } }
                    form { button #close { "Close" } }
                }
            }
        }
    }
}

/// A passage of the rules.
fn passage_markup(block: &Block) -> Markup {
    match block {
        Block::Heading(title) => html! { h2 { (title) } },
        // A line that belongs to the one above is indented.
        Block::Text(text) if text.starts_with("  ") => html! { p .part { (text.trim_start()) } },
        Block::Text(text) => html! { p { (text) } },
        Block::Item(text) => html! { p .part { "• " (text) } },
    }
}

/// The passages of the rules about a subject, for a page that asks by its script.
pub fn passages_reply(blocks: Vec<Block>) -> String {
    notice_markup(Some(&Notice::Rules(blocks)), false).into_string()
}

/// The page of the rules: all of them, or the passages about a subject.
pub fn rules_page(title: &str, about: Option<&str>, blocks: &[Block]) -> String {
    whole_page(
        title,
        html! {
            main .letter .rules {
                h1 { (title) ": the rules" }
                form role="search" method="get" action="rules" {
                    label for="about" { "A word, a card or a character to read about" }
                    input #about type="search" name="about" maxlength="100" autocomplete="off" value=[about];
                    button { "Read" }
                }
                @if let Some(about) = about {
                    @if blocks.is_empty() { p role="status" { "The rules do not mention “" (about) "”." } }
                }
                @for block in blocks { (passage_markup(block)) }
                @if about.is_some() { p { a href="rules" { "All rules" } } }
            }
        },
    )
}

/// The page that asks whether to take a seat, which is that of `who`. The secret is in the part of the link that browsers
/// never send; a script puts it into the form, and without scripts people do. `wrong` is true if a secret was refused.
pub fn claim_page(title: &str, who: &str, wrong: bool) -> String {
    whole_page(
        title,
        html! {
            main .letter {
                h1 { (title) }
                p { "This link is for " strong { (who) } "." }
                @if wrong {
                    p .bad role="alert" { "This is not the link of this seat, or it was renewed. Ask the person who runs the table for the current link." }
                }
                form #claim method="post" action="claim" {
                    p .manual {
                        label for="secret" { "The link you were given, or the part of it after #" }
                        input #secret type="text" name="secret" autocomplete="off" autocapitalize="none" spellcheck="false" required;
                    }
                    p { button .main { "Take this seat" } }
                }
                p .hint { "Your browser then keeps the seat, in a cookie for this seat only. Anyone with the link can take the seat, so keep it to yourself." }
            }
        },
    )
}

/// A page with only a message.
pub fn message_page(title: &str, lines: &[&str]) -> String {
    whole_page(
        title,
        html! {
            main .letter {
                h1 { (title) }
                @for line in lines { p { (line) } }
            }
        },
    )
}

/// A seat on the page of the table's owner.
pub struct SeatRow {
    pub place: Place,
    pub name: String,
    /// `None` for a bot.
    pub person: Option<Person>,
}

/// The person at a seat.
pub struct Person {
    pub is_taken: bool,
    /// The number of browsers in which the seat is open.
    pub open: usize,
    /// True if a request waits for their consent.
    pub is_waited_for: bool,
    /// The link, if it was just renewed.
    pub link: Option<String>,
}

/// The page of a table's owner. It shows nothing of the game that is hidden from spectators. `watch` is the address for
/// spectators, `sign` the token of the owner's forms.
pub fn table_owner_page(title: &str, watch: &str, seats: &[SeatRow], sign: &str, told: Option<&Notice>) -> String {
    whole_page(
        title,
        html! {
            main .letter {
                h1 { (title) ": the table" }
                (notice_markup(told, false))
                p { "To watch: " a href=(watch) { (watch) } }
                @for seat in seats { (seat_row(seat, sign)) }
                p { a href="./" { "Load again" } }
            }
        },
    )
}

/// A seat on the owner's page, with forms to renew its link and to go on without its consent.
fn seat_row(seat: &SeatRow, sign: &str) -> Markup {
    let Place::Seat(number) = seat.place else { return html! {} };
    html! {
        section .seat aria-label=(seat.name) {
            h2 { (seat.name) }
            @match &seat.person {
                None => p { "A bot plays." },
                Some(person) => {
                    p { (presence_text(person)) }
                    @if let Some(link) = &person.link {
                        p { "The new link: " code { (link) } }
                    }
                    form method="post" action="renew" {
                        input type="hidden" name="sign" value=(sign);
                        input type="hidden" name="seat" value=(number);
                        button { "Make a new link" }
                        span .hint { " The old link stops working, also in browsers that have taken the seat with it." }
                    }
                    @if person.is_waited_for {
                        form method="post" action="waive" {
                            input type="hidden" name="sign" value=(sign);
                            input type="hidden" name="seat" value=(number);
                            button { "Go on without asking " (seat.name) }
                        }
                    }
                },
            }
        }
    }
}

/// Whether the person at a seat has come, and is there now.
fn presence_text(person: &Person) -> String {
    match (person.is_taken, person.open) {
        (false, _) => "This seat has not been taken yet.".to_string(),
        (true, 0) => "Taken; away now.".to_string(),
        (true, 1) => "Taken; here.".to_string(),
        (true, open) => format!("Taken; open in {open} browsers."),
    }
}

/// The document around a page's content.
fn whole_page(title: &str, body: Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="htmx-config" content=(HTMX);
                title { (title) }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/ludex.css";
                script src="/assets/htmx.min.js" defer {}
                script src="/assets/htmx-ext-sse.min.js" defer {}
                script src="/assets/ludex.js" defer {}
            }
            body { (body) }
        }
    }
    .into_string()
}
