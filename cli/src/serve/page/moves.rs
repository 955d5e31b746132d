//! The question, as a form that works without scripts. Each form of answer (one move, several things, a number, an order,
//! amounts) has fields of its own, which `form` reads. `sign` is the token by which the server recognises its own forms.

use crate::table::{AnswerForm, CurrentQuestion, Move, MoveGroup, MoveKind};
use maud::{Markup, html};

/// Number of moves beyond which each group of them is folded.
const MOST_OPEN: usize = 14;

/// The question with its answers. If each answer is a cell of a board to press, their list is folded.
pub fn question_form(asked: &CurrentQuestion, sign: &str, is_on_boards: bool) -> Markup {
    html! {
        form .question method="post" action="answer" hx-post="answer" hx-target="#table" aria-labelledby="asked" {
            h2 #asked tabindex="-1" { (asked.prompt) }
            @if let Some((number, of, about)) = &asked.step { p .hint { "Step " (number) " of " (of) ": " (about) } }
            @if asked.is_secret { p .hint { "Others see your choice when everyone has chosen." } }
            (hidden_fields(asked, sign))
            @if is_on_boards {
                p .hint { "Press a cell." }
                details #list { summary { "As a list" } (answers_with_preview(asked)) }
            } @else {
                (answers_with_preview(asked))
            }
            @if asked.step.as_ref().is_some_and(|(number, ..)| *number > 1) {
                button #back name="key" value="back" { "Back a step" }
            }
            @if asked.may_pass { button #pass name="pass" value="yes" formnovalidate { "None" } }
        }
    }
}

/// The hidden fields of each form of a question, so that an answer cannot reach a different question.
pub fn hidden_fields(asked: &CurrentQuestion, sign: &str) -> Markup {
    html! {
        input type="hidden" name="sign" value=(sign);
        input type="hidden" name="decision" value=(asked.decision);
        @if let Some((number, ..)) = &asked.step { input type="hidden" name="step" value=(number); }
    }
}

/// The answers, with a preview. A move asked in steps cannot be previewed before it is complete.
fn answers_with_preview(asked: &CurrentQuestion) -> Markup {
    html! {
        (answer_fields(asked))
        @if asked.step.is_none() { (preview_form(asked)) }
    }
}

/// The form that previews an answer without giving it.
fn preview_form(asked: &CurrentQuestion) -> Markup {
    let button = html! { button #look formaction="preview" hx-post="preview" hx-target="#table" { "Show possible results" } };
    let one = |kinds: &[MoveKind]| {
        html! {
            details id=(format!("ahead{}", asked.decision)) {
                summary { "Look ahead" }
                p .hint { "Plays on from what you know. Your move is not made yet." }
                label for="looked" { "A move" }
                select #looked name="look" {
                    @for found in kinds.iter().flat_map(|kind| &kind.groups).flat_map(|group| &group.moves) {
                        option value=(found.key) { (found.text) }
                    }
                }
                (button)
            }
        }
    };
    match &asked.how {
        AnswerForm::One(kinds) if asked.listed_moves().count() > 0 => one(kinds),
        AnswerForm::One(_) => html! {},
        _ => button.clone(),
    }
}

/// The fields for the form of the answer.
fn answer_fields(asked: &CurrentQuestion) -> Markup {
    match &asked.how {
        AnswerForm::One(kinds) => one_move_fields(asked, kinds),
        AnswerForm::Some { min, max, things } => selection_fields(asked, *min, *max, things),
        AnswerForm::Number { min, max } => number_field(asked, *min, *max),
        AnswerForm::Order(things) => order_fields(asked, things),
        AnswerForm::Split { total, step, things } => split_fields(asked, *total, *step, things),
    }
}

// --- one move ---------------------------------------------------------------------

/// A button for each move, by kind and piece.
fn one_move_fields(asked: &CurrentQuestion, kinds: &[MoveKind]) -> Markup {
    let count = asked.listed_moves().count();
    let mut numbers = 0..;
    html! {
        @if count == 1 { p .hint { "This is the only move." } }
        div .moves {
            @for (place, kind) in kinds.iter().enumerate() {
                @if !kind.name.is_empty() && kinds.len() < count { h3 { (kind.name) } }
                @for (within, group) in kind.groups.iter().enumerate() {
                    (move_group_markup(asked, group, &format!("{place}-{within}"), count, &mut numbers))
                }
            }
        }
    }
}

/// The buttons of a group of moves. `place` distinguishes the group, `count` is the number of all moves, and `numbers` numbers
/// the buttons of the whole question.
fn move_group_markup(
    asked: &CurrentQuestion,
    group: &MoveGroup,
    place: &str,
    count: usize,
    numbers: &mut impl Iterator<Item = usize>,
) -> Markup {
    let buttons = html! {
        div .buttons { @for found in &group.moves { (move_button(asked, found, numbers.next().unwrap_or(0))) } }
    };
    match group.name.is_empty() {
        true => buttons,
        false => html! {
            details id=(format!("g{}-{place}", asked.decision)) open[count <= MOST_OPEN] {
                summary { (group.name) " " small { "· " (group.moves.len()) @if group.moves.len() == 1 { " move" } @else { " moves" } } }
                (buttons)
            }
        },
    }
}

/// The button that makes a move; `number` is that of the button.
fn move_button(asked: &CurrentQuestion, found: &Move, number: usize) -> Markup {
    html! { button id=(input_id(asked, number)) name="key" value=(found.key) { (move_text(found)) } }
}

fn move_text(found: &Move) -> Markup {
    html! { (found.text) @if !found.detail.is_empty() { " " small { (found.detail) } } }
}

/// An id that stays the same while the question does, so that focus is kept.
fn input_id(asked: &CurrentQuestion, number: usize) -> String {
    format!("m{}-{}-{number}", asked.decision, asked.step.as_ref().map_or(0, |(number, ..)| *number))
}

// --- other forms ------------------------------------------------------------------

fn selection_fields(asked: &CurrentQuestion, min: u64, max: u64, things: &[Move]) -> Markup {
    let wanted = if min == max { format!("Choose {min}.") } else { format!("Choose {min} to {max}.") };
    html! {
        fieldset {
            legend { (wanted) }
            @for (number, thing) in things.iter().enumerate() {
                label .choice { input type="checkbox" id=(input_id(asked, number)) name="thing" value=(thing.key); " " (move_text(thing)) }
            }
        }
        button .main #choose { "Choose" }
    }
}

fn number_field(asked: &CurrentQuestion, min: i64, max: i64) -> Markup {
    html! {
        label .choice for=(input_id(asked, 0)) { "From " (min) " to " (max) }
        input id=(input_id(asked, 0)) type="number" name="number" min=(min) max=(max) value=(min) required inputmode="numeric";
        button .main #choose { "Choose" }
    }
}

fn order_fields(asked: &CurrentQuestion, things: &[Move]) -> Markup {
    html! {
        fieldset {
            legend { "Number them in the order you want." }
            @for (number, thing) in things.iter().enumerate() {
                label .choice {
                    input id=(input_id(asked, number)) type="number" name="place" min="1" max=(things.len()) value=(number + 1) required inputmode="numeric";
                    " " (move_text(thing))
                }
            }
        }
        button .main #choose { "Put them in this order" }
    }
}

fn split_fields(asked: &CurrentQuestion, total: i64, step: i64, things: &[Move]) -> Markup {
    let multiples = if step == 1 { String::new() } else { format!(", in multiples of {step}") };
    html! {
        fieldset {
            legend { "Share out " (total) (multiples) "." }
            @for (number, thing) in things.iter().enumerate() {
                label .choice {
                    input id=(input_id(asked, number)) type="number" name="amount" min="0" max=(total) step=(step) value="0" required inputmode="numeric";
                    " " (move_text(thing))
                }
            }
        }
        button .main #choose { "Share out" }
    }
}
