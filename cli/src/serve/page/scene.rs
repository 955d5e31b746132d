//! A table as one viewer sees it: the stage of play, the pieces, the question and the story. [`render_scene`] makes the view
//! that `views` keeps and `page` puts into a document.

use super::moves::question_form;
use super::pieces;
use crate::args::public_player;
use crate::game::Seat;
use crate::serve::story::{Story, StoryLine};
use crate::table::{Area, Content, CurrentQuestion, Move, Zone, ending_text, payoff_text};
use ludex_engine::problem::{capitalise_first, join_words};
use ludex_engine::recording::Header;
use ludex_engine::runtime::facts::Fact;
use ludex_engine::runtime::{Outcome, OutcomeResult};
use maud::{Markup, html};
use std::collections::BTreeSet;

/// Maximum number of news lines beside the question; the story has them all.
const MOST_NEWS: usize = 5;
/// Maximum number of nested scopes that are shown; of more, the innermost are.
const MOST_SCOPES: usize = 3;

/// The message while answers cannot be recorded.
const UNWRITTEN: &str = "This table cannot be recorded now: the disk may be full. Until that is fixed, answers do not count; \
                         everything before is kept. Tell the person who runs the table, then answer again.";

/// The content of a view.
pub struct Scene<'a> {
    pub title: &'a str,
    /// The address of the rules.
    pub rules: &'a str,
    pub seat: Option<usize>,
    /// The token in the forms of the seat.
    pub sign: Option<&'a str>,
    /// The table and the sides with their pieces.
    pub areas: Vec<Area>,
    /// The open parts of play, such as a round and a turn, the innermost last.
    pub stage: Vec<String>,
    /// The kind of player of each seat: `a bot`, `a program`, or nothing for a person.
    pub players: Vec<&'static str>,
    /// The name of each seat.
    pub names: &'a [String],
    /// The side whose turn it is.
    pub active: Option<usize>,
    /// The open question to the viewer.
    pub asked: Option<&'a CurrentQuestion>,
    pub story: &'a Story,
    pub wish: Option<Wish>,
    pub outcome: Option<&'a Outcome>,
    /// The game is over and can be played again.
    pub can_be_again: bool,
    pub header: &'a Header,
    /// Whether the names of the winners need a plural verb, as those of a team do.
    pub several_win: bool,
    /// The reason that play has stopped, if it has failed.
    pub stopped: Option<&'a str>,
    /// Whether no answer counts for now, because it cannot be recorded.
    pub is_unwritten: bool,
}

/// The subject of a wish that needs the consent of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WishKind {
    TakeBack,
    Again,
}

/// A wish that waits for consent, from the viewer's perspective. `waiting` are the names of those who have yet to agree, `by`
/// is the name of the seat that wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    Own { wanted: WishKind, waiting: Vec<String> },
    Asked { wanted: WishKind, by: String },
    Others { wanted: WishKind, by: String, waiting: Vec<String> },
}

/// The kind of player of a seat, as others see it.
pub fn player_kind(seat: &Seat) -> &'static str {
    match public_player(&seat.player) {
        _ if !seat.is_bot() => "",
        program if program != seat.player => "a program",
        _ => "a bot",
    }
}

/// The view of a table as HTML.
pub fn render_scene(scene: &Scene) -> String {
    let turn = turn_text(scene);
    html! {
        header .stage data-title=(if scene.asked.is_some() { format!("● {turn} – {}", scene.title) } else { scene.title.to_string() }) {
            h1 { (scene.title) }
            p .turn { (turn) }
            @if !scene.stage.is_empty() {
                p .where { (scene.stage[scene.stage.len().saturating_sub(MOST_SCOPES)..].join(" · ")) }
            }
            p .rules { a href=(scene.rules) target="_blank" { "Rules" } }
            @if scene.is_unwritten { p .bad role="alert" { (UNWRITTEN) } }
        }
        div .board {
            @for area in &scene.areas { (area_markup(scene, area)) }
        }
        div .side {
            section .asked aria-labelledby="asked" {
                (news_section(scene))
                (wish_section(scene))
                @if let (Some(asked), Some(sign)) = (scene.asked, scene.sign) {
                    (question_form(asked, sign, is_on_boards(scene, asked)))
                } @else {
                    (waiting_section(scene))
                }
                (further_forms(scene))
            }
            (history_section(scene))
        }
    }
    .into_string()
}

/// The current turn, in words.
fn turn_text(scene: &Scene) -> String {
    if scene.stopped.is_some() {
        return "Play has stopped".to_string();
    }
    if let Some(outcome) = scene.outcome {
        return result_text(scene, outcome);
    }
    if scene.asked.is_some() {
        return "Your move".to_string();
    }
    match scene.active.filter(|active| Some(*active) != scene.seat).and_then(|active| scene.names.get(active)) {
        Some(name) => format!("It is {name}'s turn"),
        None if scene.seat.is_some() => "Waiting for others".to_string(),
        None => "In play".to_string(),
    }
}

/// The result, addressed to the viewer.
fn result_text(scene: &Scene, outcome: &Outcome) -> String {
    let names: Vec<&str> = outcome.winners.iter().filter_map(|side| scene.names.get(*side)).map(String::as_str).collect();
    match outcome.winners[..] {
        [winner] if outcome.result == OutcomeResult::Win && scene.seat == Some(winner) => "You win the game".to_string(),
        _ => capitalise_first(&ending_text(outcome, &names, scene.several_win)),
    }
}

// --- the table --------------------------------------------------------------------

/// The table itself, or a side with its entrants and zones.
fn area_markup(scene: &Scene, area: &Area) -> Markup {
    let who = area.side.and_then(|side| scene.players.get(side)).copied().unwrap_or("");
    let label = if area.name.is_empty() { "The table" } else { &area.name };
    html! {
        section .area .mine[area.is_mine] .active[area.is_active] aria-label=(label) {
            @if !area.name.is_empty() {
                h2 {
                    (area_name(scene, area))
                    @if area.is_mine { " " small { "you" } }
                    @if !who.is_empty() { " " small { (who) } }
                    @if area.is_active { " " small .on { "▸ current turn" } }
                    @if area.is_out { " " small { "out of the game" } }
                }
            }
            (fact_list(area))
            @for entrant in &area.entrants {
                div .entrant { h3 { (area_name(scene, entrant)) } (fact_list(entrant)) (zones_markup(scene, entrant)) }
            }
            (zones_markup(scene, area))
        }
    }
}

/// The name of an area, with a link to the rules about its entrant.
fn area_name(scene: &Scene, area: &Area) -> Markup {
    let name = html! { (area.name) };
    match &area.called {
        Some(called) => pieces::rules_link(scene.rules, called, name),
        None => name,
    }
}

/// The counters and other facts of an area, then its remarks.
fn fact_list(area: &Area) -> Markup {
    html! {
        @if !area.facts.is_empty() {
            dl .facts {
                @for fact in &area.facts {
                    @match &fact.text {
                        Some(text) => div { dt .unseen { (fact.name.replace('_', " ")) } dd { (text) } },
                        None => div { dt { (fact.name.replace('_', " ")) } dd { (fact.value) } },
                    }
                }
            }
        }
        @if !area.remarks.is_empty() { p .remarks { (area.remarks.join(" · ")) } }
    }
}

fn zones_markup(scene: &Scene, area: &Area) -> Markup {
    html! { @for zone in &area.zones { (zone_markup(scene, zone)) } }
}

fn zone_markup(scene: &Scene, zone: &Zone) -> Markup {
    html! {
        div .zone {
            h3 { (zone.name) @if let Content::Pieces(all) = &zone.content { @if all.len() > 3 { " " small { (all.len()) } } } }
            @match &zone.content {
                Content::Pieces(all) => (pieces::piece_rows(all, scene.asked, scene.rules)),
                Content::Hidden { count, known } => (pieces::hidden_pieces(*count, known)),
                Content::Board(board) => (pieces::board_markup(&zone.name, board, scene.asked, scene.sign)),
            }
        }
    }
}

// --- the question -----------------------------------------------------------------

/// The last lines since the viewer's last answer; nothing for spectators.
fn news_section(scene: &Scene) -> Markup {
    let news: Vec<&StoryLine> =
        if scene.seat.is_some() { scene.story.news_lines().filter(|said| !said.is_title).collect() } else { Vec::new() };
    let shown = &news[news.len().saturating_sub(MOST_NEWS)..];
    html! {
        @if !shown.is_empty() {
            div .news {
                h3 { "Since your last move" }
                ul { @for said in shown { li { (said.text) } } }
            }
        }
    }
}

/// The current wish, with buttons for a viewer whose consent it needs.
fn wish_section(scene: &Scene) -> Markup {
    let sign = scene.sign.unwrap_or_default();
    let answer = |value: &str, words: &str| {
        html! { button name="agrees" value=(value) id=(format!("agrees-{value}")) { (words) } }
    };
    html! {
        @match &scene.wish {
            None => {},
            Some(Wish::Own { wanted, waiting }) => p .wish {
                @match wanted {
                    WishKind::TakeBack => "You want to take back your last decision.",
                    WishKind::Again => "You want to play again.",
                }
                " Waiting for " (join_words(waiting, "and")) "."
            },
            Some(Wish::Others { wanted, by, waiting }) => p .wish {
                (by)
                @match wanted {
                    WishKind::TakeBack => " wants to take back the last decision.",
                    WishKind::Again => " wants to play again.",
                }
                " Waiting for " (join_words(waiting, "and")) "."
            },
            Some(Wish::Asked { wanted, by }) => form .wish method="post" action="consent" hx-post="consent" hx-target="#table" {
                p {
                    (by)
                    @match wanted {
                        WishKind::TakeBack => " wants to take back their last decision: it goes back past a roll, or past an answer of another player.",
                        WishKind::Again => " wants to play again, with the same sides and new dice.",
                    }
                }
                input type="hidden" name="sign" value=(sign);
                (answer("yes", "Agree")) (answer("no", "Do not agree"))
            },
        }
    }
}

/// Whether each move is a cell of a board to press.
fn is_on_boards(scene: &Scene, asked: &CurrentQuestion) -> bool {
    let boards = scene.areas.iter().flat_map(Area::all_zones).filter_map(|zone| match &zone.content {
        Content::Board(board) => Some(board),
        Content::Pieces(_) | Content::Hidden { .. } => None,
    });
    let cells: BTreeSet<&str> = boards.flat_map(|board| &board.rows).flatten().map(|cell| cell.key.as_str()).collect();
    let is_cell = |found: &Move| {
        let place = found.place.as_deref().filter(|place| cells.contains(place));
        place.is_some_and(|place| asked.only_move_at(place) == Some(found))
    };
    !cells.is_empty() && asked.listed_moves().count() > 1 && asked.listed_moves().all(is_cell)
}

/// The section in place of a question: whose turn it is, why play has stopped, or the result.
fn waiting_section(scene: &Scene) -> Markup {
    html! {
        h2 #asked tabindex="-1" { (turn_text(scene)) }
        @if let Some(stopped) = scene.stopped { p { (stopped) } }
        @if let Some(outcome) = scene.outcome {
            @if let Some(text) = &outcome.text { p { (text) } }
            @for area in &scene.areas {
                @let told = final_facts(area, outcome);
                @if !told.is_empty() { p { (area.name) ": " (told.join(" · ")) } }
            }
        }
    }
}

/// The final facts and the payoff of a side.
fn final_facts(area: &Area, outcome: &Outcome) -> Vec<String> {
    let Some(side) = area.side else { return Vec::new() };
    area.facts.iter().map(Fact::fact_text).chain(payoff_text(outcome, side)).collect()
}

/// Forms to take back, to give up and to play again, and the source of the dice.
fn further_forms(scene: &Scene) -> Markup {
    let over = scene.outcome.is_some();
    html! {
        @if let (Some(sign), true, None) = (scene.sign, scene.can_be_again, &scene.wish) {
            form .again method="post" action="again" hx-post="again" hx-target="#table" {
                input type="hidden" name="sign" value=(sign);
                button #again .main { "Play again" }
                span .hint { " With the same sides and new dice. The other players must agree." }
            }
        }
        @if let (Some(sign), false, None) = (scene.sign, over, scene.stopped) {
            form .undo method="post" action="undo" hx-post="undo" hx-target="#table" {
                input type="hidden" name="sign" value=(sign);
                button #undo { "Take back" }
            }
            details .more #more {
                summary { "Give up" }
                form method="post" action="resign" hx-post="resign" hx-target="#table" {
                    input type="hidden" name="sign" value=(sign);
                    p { label { input #sure type="checkbox" name="sure" value="yes" required; " I give up, and the game ends" } }
                    button #resign { "Give up" }
                }
            }
        }
        details .more #dice {
            summary { "The dice" }
            p { "They cannot be predicted from earlier rolls. Before play, the table committed to " code { (scene.header.published_commitment()) }
                @if over { ", which is the SHA-256 of " code { (scene.header.seed) ":" (scene.header.salt) } "." }
                @else { "; when the game is over, this page shows how that number was made." } }
        }
    }
}

/// All lines of the story. `data-n` is the number of a line.
fn history_section(scene: &Scene) -> Markup {
    html! {
        section .story aria-labelledby="story" {
            h2 #story { "What has happened" }
            div .scroll tabindex="0" role="region" aria-labelledby="story" {
                ol {
                    @for said in scene.story.all_lines() {
                        li .part[said.is_title] data-n=(said.number) { (said.text) }
                    }
                }
            }
        }
    }
}
