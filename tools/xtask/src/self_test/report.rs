//! The report of a self-test: a table of classes, sums by group, and poorly reported mistakes.

use super::classes::{Class, Group, Judged};
use super::measure::SelfTest;
use super::trial::Trial;
use ludex::tooling::{Table, count_text};
use serde_json::{Value, json as object};

/// Counts over some trials.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    mutants: usize,
    /// Reported at all.
    told: usize,
    /// Reported, with a known line.
    with_line: usize,
    /// Of these, at that line.
    at_line: usize,
    /// Reported, with a word to suggest.
    with_word: usize,
    /// Of these, with that word.
    right_word: usize,
    /// Reported by a single problem.
    one: usize,
    panics: usize,
    unsound: usize,
    /// The time of all checks, in microseconds.
    micros: u128,
}

impl Sums {
    fn of<'t>(trials: impl Iterator<Item = &'t Trial>) -> Sums {
        trials.fold(Sums::default(), |sums, trial| {
            let told = trial.problems > 0;
            Sums {
                mutants: sums.mutants + 1,
                told: sums.told + usize::from(told),
                with_line: sums.with_line + usize::from(trial.right_line.is_some()),
                at_line: sums.at_line + usize::from(trial.right_line == Some(true)),
                with_word: sums.with_word + usize::from(trial.right_word.is_some()),
                right_word: sums.right_word + usize::from(trial.right_word == Some(true)),
                one: sums.one + usize::from(trial.problems == 1),
                panics: sums.panics + usize::from(trial.panic.is_some()),
                unsound: sums.unsound + usize::from(trial.unsound.is_some()),
                micros: sums.micros + trial.time.as_micros(),
            }
        })
    }

    /// A row of the table, which begins with this name.
    fn cells(&self, name: &str) -> Vec<String> {
        let milliseconds = self.micros.checked_div(1000 * self.mutants as u128).unwrap_or(0);
        vec![
            name.to_string(),
            self.mutants.to_string(),
            share(self.told, self.mutants),
            share(self.at_line, self.with_line),
            share(self.right_word, self.with_word),
            share(self.one, self.told),
            self.panics.to_string(),
            self.unsound.to_string(),
            milliseconds.to_string(),
        ]
    }

    fn json(&self) -> Value {
        object!({
            "mutants": self.mutants,
            "told": self.told,
            "with_line": self.with_line,
            "at_line": self.at_line,
            "with_word": self.with_word,
            "right_word": self.right_word,
            "one_problem": self.one,
            "panics": self.panics,
            "unsound": self.unsound,
            "milliseconds": (self.micros / 1000) as u64,
        })
    }
}

/// A share in per cent; `-` without a total.
fn share(part: usize, all: usize) -> String {
    match (part * 1000).checked_div(all) {
        None => "-".to_string(),
        Some(1000) => "100".to_string(),
        Some(share) => format!("{}.{}", share / 10, share % 10),
    }
}

/// Describes what went wrong with one mistake, if anything.
fn defect(class: &Class, trial: &Trial) -> Option<String> {
    if let Some(bug) = &trial.panic {
        return Some(format!("failed: {bug}"));
    }
    if let Some(fault) = &trial.unsound {
        return Some(format!("accepted, and faults in play: {fault}"));
    }
    let first = trial.first.as_deref().unwrap_or("");
    match trial {
        Trial { problems: 0, .. } if class.judged == Judged::ByPlay => None,
        Trial { problems: 0, .. } => Some("not told".to_string()),
        Trial { right_line: Some(false), .. } => Some(format!("told elsewhere first: {first}")),
        Trial { right_word: Some(false), .. } => Some(format!("the right word is not suggested: {first}")),
        Trial { problems: 1, .. } => None,
        _ => Some(format!("{}: {first}", count_text(trial.problems, "problem", "problems"))),
    }
}

/// Whether the checker never failed, and no accepted mutant had an undocumented fault.
pub fn is_sound(found: &SelfTest) -> bool {
    found.classes.iter().flat_map(|(_, trials)| trials).all(|trial| trial.panic.is_none() && trial.unsound.is_none())
}

/// The report as text. With `show_escaped`, also each mistake that was poorly reported.
pub fn text(found: &SelfTest, show_escaped: bool) -> String {
    let mut table = Table::default();
    let head = ["", "made", "told", "line", "word", "one", "panic", "fault", "ms"];
    table.add_row(head);
    for (class, trials) in &found.classes {
        table.add_row(Sums::of(trials.iter()).cells(class.name));
    }
    let mut sums = Table::default();
    sums.add_row(head);
    for (group, trials) in groups(found) {
        sums.add_row(Sums::of(trials.into_iter()).cells(group.words()));
    }
    let all = found.classes.iter().flat_map(|(_, trials)| trials);
    sums.add_row(Sums::of(all).cells("all"));
    let mut text = format!("{}\n{}", table.to_text(), sums.to_text());
    if show_escaped {
        for (class, trial, what) in defects(found) {
            text.push_str(&format!("\n{}:{}: {}\n", trial.file, trial.line, class.name));
            text.push_str(&format!("  `{}`\n  becomes `{}`\n  {what}\n", trial.before, trial.after));
        }
    }
    text
}

/// Each group that has classes, with its trials.
fn groups(found: &SelfTest) -> Vec<(Group, Vec<&Trial>)> {
    let of = |group: Group| -> Vec<&Trial> {
        found.classes.iter().filter(|(class, _)| class.group == group).flat_map(|(_, trials)| trials).collect()
    };
    Group::ALL.into_iter().map(|group| (group, of(group))).filter(|(_, trials)| !trials.is_empty()).collect()
}

/// Each trial with a defect, in words.
fn defects(found: &SelfTest) -> impl Iterator<Item = (&Class, &Trial, String)> {
    let trials = found.classes.iter().flat_map(|(class, trials)| trials.iter().map(move |trial| (*class, trial)));
    trials.filter_map(|(class, trial)| Some((class, trial, defect(class, trial)?)))
}

/// The report as JSON. Includes poorly reported mistakes if requested.
pub fn json(found: &SelfTest, show_escaped: bool) -> Value {
    let class = |(class, trials): &(&Class, Vec<Trial>)| {
        let mut value = Sums::of(trials.iter()).json();
        value["name"] = object!(class.name);
        value["group"] = object!(class.group.words());
        value["must_be_told"] = object!(class.judged == Judged::ByCheck);
        value
    };
    let group = |(group, trials): (Group, Vec<&Trial>)| {
        let mut value = Sums::of(trials.into_iter()).json();
        value["name"] = object!(group.words());
        value
    };
    let mut value = object!({
        "ludex": 1,
        "command": "self-test",
        "classes": found.classes.iter().map(class).collect::<Vec<_>>(),
        "groups": groups(found).into_iter().map(group).collect::<Vec<_>>(),
        "all": Sums::of(found.classes.iter().flat_map(|(_, trials)| trials)).json(),
    });
    if show_escaped {
        let escaped = defects(found).map(|(class, trial, what)| {
            object!({
                "class": class.name, "file": trial.file, "line": trial.line,
                "before": trial.before, "after": trial.after, "what": what, "first": trial.first,
            })
        });
        value["escaped"] = escaped.collect();
    }
    value
}
