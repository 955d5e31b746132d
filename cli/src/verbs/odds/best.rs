//! Best play: the value of an expression, and its decision table.
//!
//! A side that is asked takes the answer with the best expected value; with two sides, the second wants a low value. The
//! decision table has a row for each question that best play reaches, with the state that distinguishes it.

use super::answer::Answer;
use super::machine;
use super::numbers::{self, DECIMALS, Style};
use super::text::{self, Look};
use crate::layout;
use crate::output;
use ludex_engine::odds::{Best, Effort, Question, Worth};
use ludex_engine::program::Shape;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Maximum number of questions printed unless all are requested.
pub const MOST_ROWS: usize = 10;

/// Width at which a cell of the decision table is cut off.
const LONGEST_CELL: usize = 24;

/// The report for people. `policy` is the name of the rules' policy that was also played, if any.
pub fn best_play_text(game: &str, expression: &str, best: &Best, effort: &Effort, policy: Option<&str>, look: Look) -> String {
    let mut report = format!("{game}: {expression}, {}\n", who_plays(best));
    report.push_str(&format!("\n  {} {}\n", value_label(best), worth_text(best, &best.worth, look.style)));
    if let (Some(name), Some(followed)) = (policy, &best.policy) {
        let less = (best.worth.to_f64() - followed.to_f64()).abs();
        let side = best.sides.first().map_or("", String::as_str);
        report.push_str(&format!(
            "  {} if {side} plays `{name}`, {} less\n",
            worth_text(best, followed, look.style),
            number_text(best, less, look.style)
        ));
    }
    if let Some(odds) =
        best.odds.as_ref().filter(|odds| look.all || odds.are_numbers() && odds.values.len() > 2 && !best.is_match)
    {
        let answer = Answer::new(expression, odds.clone(), effort);
        match look.all {
            true => report.push_str(&format!("\n{}", text::bare_table(&answer, look))),
            false => answer.mean_and_variance().into_iter().for_each(|(_, variance)| {
                report.push_str(&format!("  standard deviation {:.*}\n", DECIMALS as usize, variance.to_f64().sqrt()));
            }),
        }
    }
    report.push_str(&decision_table(best, look));
    report
}

/// The sides that decide, in a few words.
fn who_plays(best: &Best) -> String {
    match &best.sides[..] {
        [] => "no side decides".to_string(),
        [side] => format!("under best play of {side}"),
        [side, other, ..] => format!("under best play of {side} against {other}"),
    }
}

/// The name of the value: a chance, a share won, or a mean.
fn value_label(best: &Best) -> &'static str {
    match best.shape {
        _ if best.is_match => "share won",
        Shape::Flag => "chance of yes",
        _ => "mean",
    }
}

/// Whether values are printed as probabilities rather than numbers.
fn is_chance(best: &Best) -> bool {
    best.is_match || best.shape == Shape::Flag
}

/// The value of the expression, exact or with the bound of its error.
fn worth_text(best: &Best, worth: &Worth, style: Style) -> String {
    match worth {
        Worth::Exactly(value) if is_chance(best) => match numbers::short_fraction(value) {
            Some(text) if text.contains('/') && !style.percent => format!("{text} ({})", style.format_fraction(value)),
            _ => style.format_fraction(value),
        },
        Worth::Exactly(value) => numbers::format_exact(value),
        Worth::About { value, within } => {
            format!("{} (within {within:.1e})", number_text(best, *value, style))
        }
    }
}

/// Formats a value that is not exact.
fn number_text(best: &Best, value: f64, style: Style) -> String {
    if is_chance(best) { style.format_number(value) } else { format!("{value:.*}", DECIMALS as usize) }
}

/// The decision table, as far as it fits.
fn decision_table(best: &Best, look: Look) -> String {
    if best.questions.is_empty() {
        return String::new();
    }
    let rows: Vec<&Question> = best.questions.iter().take(if look.all { usize::MAX } else { MOST_ROWS }).collect();
    let names = columns_of_state(rows.iter().copied());
    let mut columns: Vec<Vec<String>> = Vec::new();
    let mut add = |heading: &str, cell: &dyn Fn(&Question) -> String| {
        let cells = rows.iter().map(|question| text::shorten_text(&cell(question), LONGEST_CELL));
        columns.push(std::iter::once(heading.to_string()).chain(cells).collect());
    };
    add("reached", &|question| look.style.format_number(question.chance));
    if best.sides.len() > 1 {
        add("side", &|question| question.side.clone());
    }
    let prompts: BTreeSet<&str> = rows.iter().map(|question| question.prompt.as_str()).collect();
    if prompts.len() > 1 {
        add("question", &|question| question.prompt.clone());
    }
    for name in &names {
        add(name, &|question| state_value(question, name));
    }
    add("best", &|question| best_answers(question));
    add("worth", &|question| {
        question.answers.first().map_or(String::new(), |answer| number_text(best, answer.worth, look.style))
    });
    add("next best", &|question| {
        question.second_best_loss().map_or(String::new(), |loss| format!("-{}", number_text(best, loss, look.style)))
    });
    // Columns of state that do not fit are dropped from the right; JSON and CSV have them all.
    while text::total_width(&columns) > output::output_width() && columns.len() > 4 {
        let place = columns.len() - 4;
        columns.remove(place);
    }
    let table = text::align_columns(&columns, false);
    let heading = match prompts.iter().next() {
        Some(prompt) if prompts.len() == 1 && !prompt.is_empty() => format!("{prompt}\n"),
        _ => String::new(),
    };
    let more = if rows.len() < best.asked {
        let told =
            format!("the likeliest of {} questions; `--all` or `--format csv` prints all that best play reaches", best.asked);
        format!("\n{}\n", layout::wrap_text(&told, output::output_width(), 0))
    } else {
        String::new()
    };
    format!("\n{heading}{table}{more}")
}

/// The names of the state that differs between questions, in order of appearance.
fn columns_of_state<'q>(questions: impl Iterator<Item = &'q Question>) -> Vec<&'q str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in questions.flat_map(|question| &question.state) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// The value of a question's state; empty if the question lacks it.
fn state_value(question: &Question, name: &str) -> String {
    question.state.iter().find(|(known, _)| known == name).map_or(String::new(), |(_, value)| value.clone())
}

/// The best answer, and the number of ties, or that it is certain.
fn best_answers(question: &Question) -> String {
    let first = question.answers.first().map_or("", |answer| answer.text.as_str());
    match question.best {
        0 | 1 if question.left_out > 0 => format!("{first} (certain)"),
        0 | 1 => first.to_string(),
        several => format!("{first} (or {} more)", several - 1),
    }
}

/// The report for programs.
pub fn best_play_json(game: &str, mode: &str, expression: &str, best: &Best, effort: &Effort, policy: Option<&str>) -> Value {
    let mut report = json!({ "ludex": 1, "command": "odds", "game": game, "mode": mode, "expression": expression });
    report["best"] = json!({ "sides": best.sides, "worth": worth_json(&best.worth), "states": best.states, "questions": best.asked, "work": best.work });
    if let (Some(name), Some(followed)) = (policy, &best.policy) {
        report["best"]["policy"] = json!({ "name": name, "worth": worth_json(followed) });
    }
    if let Some(odds) = &best.odds {
        report["best"]["odds"] = machine::answer_json(&Answer::new(expression, odds.clone(), effort));
    }
    report["best"]["decisions"] = best.questions.iter().map(question_json).collect();
    report
}

fn worth_json(worth: &Worth) -> Value {
    match worth {
        Worth::Exactly(value) => json!({ "exact": true, "fraction": value.to_string(), "decimal": value.to_f64() }),
        Worth::About { value, within } => json!({ "exact": false, "decimal": value, "within": within }),
    }
}

fn question_json(question: &Question) -> Value {
    let state: serde_json::Map<String, Value> = question.state.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let answers: Vec<Value> =
        question.answers.iter().map(|answer| json!({ "text": answer.text, "worth": answer.worth })).collect();
    json!({
        "side": question.side,
        "prompt": question.prompt,
        "state": state,
        "reached": question.chance,
        "best": question.best,
        "left_out": question.left_out,
        "answers": answers,
    })
}

/// A row for each question reached under best play.
pub fn best_play_csv(best: &Best) -> (Vec<String>, Vec<Vec<String>>) {
    let names = columns_of_state(best.questions.iter());
    let fixed = ["reached", "side", "question"];
    let behind = ["best", "worth", "ties", "next best", "loss"];
    let header = fixed.iter().chain(&names).chain(&behind).map(|name| (*name).to_string()).collect();
    let rows = best.questions.iter().map(|question| {
        let mut row = vec![question.chance.to_string(), question.side.clone(), question.prompt.clone()];
        row.extend(names.iter().map(|name| state_value(question, name)));
        let first = question.answers.first();
        let next = question.answers.get(question.best);
        row.push(first.map_or(String::new(), |answer| answer.text.clone()));
        row.push(first.map_or(String::new(), |answer| answer.worth.to_string()));
        row.push(
            question.answers.iter().take(question.best).skip(1).map(|answer| answer.text.clone()).collect::<Vec<_>>().join("; "),
        );
        row.push(next.map_or(String::new(), |answer| answer.text.clone()));
        row.push(question.second_best_loss().map_or(String::new(), |loss| loss.to_string()));
        row
    });
    (header, rows.collect())
}
