//! Odds for people: a table with bars, no longer than a screen.

use super::answer::{Answer, Chance};
use super::numbers::{self, DECIMALS, Style};
use super::rows::Rows;
use crate::layout::{self, group_digits};
use crate::output;
use ludex_engine::odds::{OddsMethod, Reason};

/// Number of values above which they are grouped in rows, unless all are requested.
const MOST_ROWS: usize = 20;

/// Length of the report in that case, in lines.
const MOST_LINES: usize = 20;

/// Minimum number of rows of a table, however long the rest is.
const LEAST_ROWS: usize = 5;

/// Minimum number of values for which bars are drawn.
const LEAST_VALUES: usize = 3;

/// Minimum and maximum length of the longest bar, in columns.
const LEAST_BAR: usize = 8;
const LONGEST_BAR: usize = 32;

/// Width at which a label is cut off.
const LONGEST_LABEL: usize = 30;

/// The style of the report.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub style: Style,
    /// True to give each value its own row.
    pub all: bool,
}

/// The report on one or several expressions.
pub fn odds_text(game: &str, answers: &[Answer], look: Look) -> String {
    let mut head = match answers {
        [one] => format!("{game}: {}\n", one.expression),
        _ => format!("{game}: {} expressions\n", answers.len()),
    };
    let names = column_names(answers);
    if names.are_letters {
        head.push('\n');
        for (name, answer) in names.names.iter().zip(answers) {
            head.push_str(&format!("  {name}  {}\n", answer.expression));
        }
    }
    let notes = answers.iter().zip(&names.names).filter_map(|(answer, name)| answer_note(answer, name, answers.len() > 1));
    notes.for_each(|note| head.push_str(&format!("\n{}\n", layout::wrap_text(&note, output::output_width(), 0))));
    head.push('\n');
    let foot = foot_text(answers, &names);
    let lines = head.lines().count() + foot.lines().count();
    let room = |other: usize| MOST_LINES.saturating_sub(lines + other).max(LEAST_ROWS);
    let (table, rows) = match answers {
        [one] => {
            let others = usize::from(one.unsettled_chance() > 0.0);
            let rows = fitting_rows(answers, look, room(1 + others));
            (single_table(one, answers, &rows, look), rows)
        }
        _ => {
            let moments = if answers.iter().any(|answer| answer.mean_and_variance().is_some()) { 3 } else { 0 };
            let rows = fitting_rows(answers, look, room(2 + moments));
            (side_by_side(answers, &names, &rows, look), rows)
        }
    };
    let folded = match rows.are_folded() {
        true => format!("\n{} values in {} rows; `--all` prints a row for each\n", rows.value_count(), rows.rows.len()),
        false => String::new(),
    };
    format!("{head}{table}{foot}{folded}")
}

/// The rows of the table. If values share rows, a line says so; it and the blank line above it need room too.
fn fitting_rows(answers: &[Answer], look: Look, room: usize) -> Rows {
    let all = Rows::one_per_value(answers);
    match look.all || all.rows.len() <= MOST_ROWS {
        true => all,
        false => Rows::fold_to(answers, room.saturating_sub(2).max(LEAST_ROWS)),
    }
}

// --- words ---------------------------------------------------------------------

/// A remark about the probabilities, to be read before them. `name` is the name of the expression's column, which is mentioned
/// if there are several. `None` for exact odds.
pub fn answer_note(answer: &Answer, name: &str, is_named: bool) -> Option<String> {
    let which = if is_named { format!("{name}: ") } else { String::new() };
    let (too_little, seed) = (answer.effort.exceeded_limit_text(), answer.effort.seed);
    match answer.odds.found {
        OddsMethod::Exactly { .. } => None,
        OddsMethod::ByTrying { samples } => {
            let often = match answer.stop_reason() {
                Some(reason) => {
                    format!(
                        "{} of {} times at random, until {}",
                        group_digits(samples),
                        group_digits(answer.effort.samples),
                        end_reason_text(reason)
                    )
                }
                None => format!("{} times at random", group_digits(samples)),
            };
            let bounds = match is_named {
                true => "`--format csv` prints the bounds of each share",
                false => "Each share is between its bounds",
            };
            Some(format!(
                "{which}The exact odds need {too_little}, so Ludex rolled {often}, seed {seed}. {bounds} with 95 % confidence. A higher --limit or --memory may find exact odds.",
            ))
        }
        OddsMethod::Between { reason } => Some(format!(
            "{which}Ludex worked until {}. Each chance is between its bounds, `from` and `to`: {} is not settled.",
            end_reason_text(reason),
            Style { percent: false }.format_number(answer.unsettled_chance()),
        )),
    }
}

/// The reason that the work stopped, after `until`.
fn end_reason_text(reason: Reason) -> &'static str {
    match reason {
        Reason::Time => "its time was up (--time)",
        Reason::Memory => "its memory was full (--memory)",
        Reason::Interrupted => "it was interrupted",
    }
}

/// The lines below the table.
fn foot_text(answers: &[Answer], names: &Names) -> String {
    let mut foot = String::new();
    if let [answer] = answers
        && let Some((mean, variance)) = answer.mean_and_variance()
    {
        let deviation = variance.to_f64().sqrt();
        let told = match answer.is_exact() {
            true => [
                format!("mean {}, variance {}", numbers::format_exact(&mean), numbers::format_exact(&variance)),
                format!("standard deviation {deviation:.*}", DECIMALS as usize),
            ],
            false => [
                format!("mean about {}, variance about {}", mean.decimal_text(3), variance.decimal_text(3)),
                format!("standard deviation about {deviation:.3}"),
            ],
        };
        let line = told.join(", ");
        let lines = if cell_width(&line) <= output::output_width() { line } else { told.join("\n") };
        foot.push_str(&format!("\n{lines}\n"));
    }
    for (answer, name) in answers.iter().zip(&names.names) {
        if let Some(cut) = answer.cutoff_bound() {
            let which = if answers.len() > 1 { format!("{name}: ") } else { String::new() };
            let told = format!("{which}The cases left out are less likely than {cut}: a loop could go on longer.");
            foot.push_str(&format!("\n{}\n", layout::wrap_text(&told, output::output_width(), 2)));
        }
    }
    foot
}

/// The bare table of one expression.
pub fn bare_table(answer: &Answer, look: Look) -> String {
    let answers = std::slice::from_ref(answer);
    single_table(answer, answers, &fitting_rows(answers, look, MOST_LINES), look)
}

// --- one expression ------------------------------------------------------------

/// A row for each value or group of values.
fn single_table(answer: &Answer, answers: &[Answer], rows: &Rows, look: Look) -> String {
    let chances: Vec<Chance> = rows.rows.iter().filter_map(|row| rows.row_chance(row, answers, 0)).collect();
    let mut columns = chance_columns(answer, &chances, look);
    if rows.are_numbers && !answer.has_bounds_only() {
        let style = look.style;
        columns.push(make_column("at least", rows.rows.iter().map(|row| style.format_fraction(&rows.at_least(row, answers, 0)))));
        columns.push(make_column("at most", rows.rows.iter().map(|row| style.format_fraction(&rows.at_most(row, answers, 0)))));
    }
    let label = rows.rows.iter().map(|row| cell_width(&row.label)).max().unwrap_or(0).min(LONGEST_LABEL);
    while total_width(&columns) + label + 2 > output::output_width() && columns.len() > 1 {
        // The decimals matter most, so they stay longest.
        match columns[1][0].is_empty() {
            true => {
                columns.remove(0);
                columns[0][0] = "chance".to_string();
            }
            false => drop(columns.pop()),
        }
    }
    let room = output::output_width().saturating_sub(total_width(&columns));
    let most = room.saturating_sub(2).min(LONGEST_LABEL.max(room / 2));
    let mut labels = make_column("", rows.rows.iter().map(|row| shorten_text(&row.label, most)));
    if answer.unsettled_chance() > 0.0 {
        labels.push("others".to_string());
    }
    let room = room.saturating_sub(column_width(&labels) + 4);
    if rows.rows.len() >= LEAST_VALUES && room >= LEAST_BAR {
        let heights: Vec<f64> = chances.iter().map(bar_length).collect();
        let highest = heights.iter().copied().fold(0.0, f64::max);
        let bars = heights.iter().map(|height| draw_bar(height / highest, room.min(LONGEST_BAR)));
        columns.push(std::iter::once(String::new()).chain(bars).collect());
        columns.insert(0, labels);
        return align_columns(&columns, true);
    }
    columns.insert(0, labels);
    align_columns(&columns, false)
}

/// The columns for probabilities: a fraction and decimals, or a share with its bounds.
fn chance_columns(answer: &Answer, chances: &[Chance], look: Look) -> Vec<Vec<String>> {
    let style = look.style;
    match answer.odds.found {
        OddsMethod::Exactly { .. } => {
            let decimals = chances.iter().map(|chance| style.format_chance(chance));
            let fractions: Vec<Option<String>> = chances
                .iter()
                .map(|chance| match chance {
                    Chance::Exact(share) => numbers::short_fraction(&share.in_lowest_terms()),
                    _ => None,
                })
                .collect();
            let short = fractions.iter().flatten().count();
            if style.percent || short * 2 < chances.len() {
                return vec![make_column("chance", decimals)];
            }
            vec![make_column("chance", fractions.into_iter().map(Option::unwrap_or_default)), make_column("", decimals)]
        }
        OddsMethod::ByTrying { .. } => {
            let part = |of: fn(&Chance) -> f64| chances.iter().map(move |chance| style.format_number(of(chance)));
            vec![
                make_column("share", part(bar_length)),
                make_column("from", part(|chance| chance_bounds(chance).0)),
                make_column("to", part(|chance| chance_bounds(chance).1)),
            ]
        }
        OddsMethod::Between { .. } => {
            let part = |of: fn(&Chance) -> f64| chances.iter().map(move |chance| style.format_number(of(chance)));
            let others = |number: f64| (answer.unsettled_chance() > 0.0).then(|| style.format_number(number));
            let from = part(|chance| chance_bounds(chance).0).chain(others(0.0));
            let to = part(|chance| chance_bounds(chance).1).chain(others(answer.unsettled_chance()));
            vec![make_column("from", from), make_column("to", to)]
        }
    }
}

/// The length of a bar. It is the probability, or its lower bound if only bounds are known.
pub fn bar_length(chance: &Chance) -> f64 {
    match chance {
        Chance::Exact(share) => share.to_f64(),
        Chance::Rolled(share) => share.rate,
        Chance::Between { low, .. } => *low,
    }
}

/// The bounds of a probability; of an exact one both are the same.
pub fn chance_bounds(chance: &Chance) -> (f64, f64) {
    match chance {
        Chance::Exact(share) => (share.to_f64(), share.to_f64()),
        Chance::Rolled(share) => (share.low, share.high),
        Chance::Between { low, high } => (*low, *high),
    }
}

/// A bar of blocks, in eighths of a column; of `#` if colours are off.
fn draw_bar(part: f64, longest: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let columns = if part.is_finite() { part * longest as f64 } else { 0.0 };
    if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        return "#".repeat(columns.round() as usize);
    }
    let eighths = (columns * 8.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

// --- several expressions -------------------------------------------------------

/// The column names of several expressions.
struct Names {
    names: Vec<String>,
    are_letters: bool,
}

/// The expressions themselves if they are short, otherwise letters.
fn column_names(answers: &[Answer]) -> Names {
    const LONGEST: usize = 18;
    let own: Vec<String> = answers.iter().map(|answer| answer.expression.clone()).collect();
    let room = output::output_width().saturating_sub(LONGEST);
    let widths = own.iter().map(|name| layout::display_width(name) + 2);
    let fit = own.iter().all(|name| layout::display_width(name) <= LONGEST) && widths.sum::<usize>() <= room;
    if fit || answers.len() == 1 {
        return Names { names: own, are_letters: false };
    }
    let letter = |number: usize| match u8::try_from(number) {
        Ok(number @ 0..26) => char::from(b'A' + number).to_string(),
        _ => (number + 1).to_string(),
    };
    Names { names: (0..answers.len()).map(letter).collect(), are_letters: true }
}

/// A column for each expression, or two if they fit: chance, and at least. Columns that do not fit go below.
fn side_by_side(answers: &[Answer], names: &Names, rows: &Rows, look: Look) -> String {
    let mut labels: Vec<String> = vec![String::new(), String::new()];
    labels.extend(rows.rows.iter().map(|row| shorten_text(&row.label, LONGEST_LABEL)));
    let have_moments = answers.iter().any(|answer| answer.mean_and_variance().is_some());
    if have_moments {
        labels.extend(["", "mean", "deviation"].map(String::from));
    }
    let with_sums = rows.are_numbers && answers.iter().all(|answer| !answer.has_bounds_only());
    let columns = |with_sums: bool| -> Vec<Vec<Vec<String>>> {
        let of = |(number, name): (usize, &String)| answer_columns(answers, number, name, rows, look, (with_sums, have_moments));
        names.names.iter().enumerate().map(of).collect()
    };
    let room = output::output_width().saturating_sub(column_width(&labels) + 2);
    let mut groups = columns(with_sums);
    if groups.iter().map(|group| total_width(group)).sum::<usize>() > room {
        groups = columns(false);
    }
    let mut text = String::new();
    while !groups.is_empty() {
        let mut used = 0;
        let fit = groups.iter().take_while(|group| {
            used += total_width(group);
            used <= room
        });
        let rest = groups.split_off(fit.count().max(1));
        let columns: Vec<Vec<String>> = std::iter::once(labels.clone()).chain(groups.into_iter().flatten()).collect();
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&align_columns(&columns, false));
        groups = rest;
    }
    text
}

/// The columns of one expression. `number` is its index. The flags say whether there are columns for sums, and rows for the
/// mean and the deviation.
fn answer_columns(
    answers: &[Answer],
    number: usize,
    name: &str,
    rows: &Rows,
    look: Look,
    (with_sums, have_moments): (bool, bool),
) -> Vec<Vec<String>> {
    let answer = &answers[number];
    let style = look.style;
    let chances = rows
        .rows
        .iter()
        .map(|row| rows.row_chance(row, answers, number).map_or(String::new(), |chance| style.format_chance(&chance)));
    let word = if answer.has_bounds_only() { "from, to" } else { "chance" };
    let mut first: Vec<String> = vec![String::new(), word.to_string()];
    first.extend(chances);
    if have_moments {
        let moments = answer.mean_and_variance();
        let shown = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.*}", DECIMALS as usize));
        let mean = moments.as_ref().map(|(mean, _)| mean.to_f64());
        let deviation = moments.as_ref().map(|(_, variance)| variance.to_f64().sqrt());
        first.extend([String::new(), shown(mean), shown(deviation)]);
    }
    let mut columns = vec![first];
    if with_sums {
        let mut second = vec![String::new(), "at least".to_string()];
        second.extend(rows.rows.iter().map(|row| style.format_fraction(&rows.at_least(row, answers, number))));
        columns.push(second);
    }
    // The name is above all of them, aligned to the right.
    let name_width = layout::display_width(name);
    let all = total_width(&columns) - 2;
    let last = columns.len() - 1;
    if name_width > all {
        for cell in &mut columns[0] {
            let missing = (name_width - all + layout::display_width(cell)).max(cell_width(cell));
            *cell = format!("{cell:>missing$}");
        }
    }
    columns[last][0] = name.to_string();
    columns
}

// --- columns -------------------------------------------------------------------

/// A column with its heading.
fn make_column(heading: &str, cells: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(heading.to_string()).chain(cells).collect()
}

/// The display width of a cell.
fn cell_width(cell: &str) -> usize {
    layout::display_width(cell)
}

/// The width of columns, with the blanks before each.
pub fn total_width(columns: &[Vec<String>]) -> usize {
    columns.iter().map(|column| column_width(column) + 2).sum()
}

fn column_width(column: &[String]) -> usize {
    column.iter().map(|cell| cell_width(cell)).max().unwrap_or(0)
}

/// A text cut to at most `most` columns.
pub fn shorten_text(text: &str, most: usize) -> String {
    if cell_width(text) <= most {
        return text.to_string();
    }
    let mut short = String::new();
    for sign in text.chars() {
        if cell_width(&short) + 2 > most {
            break;
        }
        short.push(sign);
    }
    format!("{}…", short.trim_end())
}

/// Columns side by side, aligned to the right; a last column of bars is aligned to the left.
pub fn align_columns(columns: &[Vec<String>], bars: bool) -> String {
    let widths: Vec<usize> = columns.iter().map(|column| column_width(column)).collect();
    let lines = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for number in 0..lines {
        let mut line = String::new();
        for (place, (column, width)) in columns.iter().zip(&widths).enumerate() {
            let cell = column.get(number).map_or("", String::as_str);
            let blanks = if bars && place + 1 == columns.len() { 0 } else { width.saturating_sub(cell_width(cell)) };
            line.push_str(&format!("  {}{cell}", " ".repeat(blanks)));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
