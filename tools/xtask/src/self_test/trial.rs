//! Judges a library with one mistake: the report of `check`, and play if it was accepted. An accepted mistake is *unsound* if
//! play then has a fault that no page documents.

use crate::self_test::mistake::Mistake;
use ludex::tooling::{Family, LoadedLibraries, Plan, catch_panic, test_short_game};
use ludex_engine::Compile;
use ludex_engine::codes;
use ludex_engine::library::{CompileRequest, Library};
use ludex_engine::problem::Problem;
use ludex_engine::source::{SourceId, Sources};
use ludex_validator::Report;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Checks a library like the verb.
pub type Check<'c> = dyn Fn(&LoadedLibraries) -> Report + Sync + 'c;

/// Faults possible in play although `check` accepts the rules, since they cannot be predicted. `rules/LIMITS.md` and the pages of
/// these codes describe them.
const DOCUMENTED: &[&str] = &[
    codes::NUMBER_OVERFLOW,
    codes::DIVISION_BY_ZERO,
    codes::UNEVEN_DIVISION,
    codes::EMPTY_CHOICE,
    codes::PIECE_LIMIT,
    codes::STEP_LIMIT,
    codes::SCRIPT_LIMIT,
    codes::TOO_MANY_MOVES,
    codes::NOT_ADMITTED,
    codes::OUTSIDE_RANGE,
    codes::CAP_REACHED,
    codes::ZONE_FULL,
    codes::CALLS_TOO_DEEP,
];

/// Maximum number of answers before a game is abandoned.
const MOST_ANSWERS: usize = 2_000;

/// The problems of a library without the mistake, which do not count.
#[derive(Clone, Debug, Default)]
pub struct Known(BTreeSet<(&'static str, String, String)>);

impl Known {
    /// The problems of a report.
    pub fn of(report: &Report, sources: &Sources) -> Known {
        Known(report.problems().iter().map(|problem| key(problem, sources)).collect())
    }
}

/// Identifies a problem without its line, since lines move.
fn key(problem: &Problem, sources: &Sources) -> (&'static str, String, String) {
    let file = problem.labels.first().map_or(String::new(), |(span, _)| sources.get(span.source).name.clone());
    (problem.code, problem.message.to_string(), file)
}

/// One mistake and its result.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The file and the line of the mistake, and the text there before and after.
    pub file: String,
    pub line: usize,
    pub before: String,
    pub after: String,
    /// Number of reported problems; 0 if it was accepted silently.
    pub problems: usize,
    /// The first problem in one line, and its place.
    pub first: Option<String>,
    /// Whether the first problem is on the right line; `None` if there is none.
    pub right_line: Option<bool>,
    /// Whether the right word is suggested first; `None` if there is none.
    pub right_word: Option<bool>,
    /// The checker itself failed.
    pub panic: Option<String>,
    /// Set if it was accepted, and then had an undocumented fault in play.
    pub unsound: Option<String>,
    /// Time of the check.
    pub time: Duration,
}

/// The games that accepted mutants play.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    /// Number of games of every mode.
    pub games: u64,
    pub seed: u64,
}

/// Makes the mistake, checks it, and plays it if accepted. `original` is the name and the text of the changed file.
pub fn trial(family: &Family, known: &Known, original: (&str, &str), change: &Mistake, check: &Check, play: Play) -> Trial {
    let (name, text) = original;
    let changed = change.apply_to(text);
    let lines = change.lines(&changed);
    let (before, after) = change.before_and_after(text);
    let mut trial = Trial {
        file: name.to_string(),
        line: change.start_line(text),
        before,
        after,
        problems: 0,
        first: None,
        right_line: None,
        right_word: None,
        panic: None,
        unsound: None,
        time: Duration::ZERO,
    };
    let start = Instant::now();
    let checked = catch_panic(|| {
        let loaded = family.with_text(change.source, changed.clone());
        let report = check(&loaded);
        (loaded, report)
    });
    trial.time = start.elapsed();
    let (loaded, report) = match checked {
        Ok(checked) => checked,
        Err(bug) => return Trial { panic: Some(bug.message.to_string()), ..trial },
    };
    let sources = &loaded.library.sources;
    let new: Vec<&Problem> = report.problems().iter().filter(|problem| !known.0.contains(&key(problem, sources))).collect();
    trial.problems = new.len();
    if let Some(first) = new.first() {
        let there = family.id_in_family(change.source);
        trial.first = Some(told(first, sources));
        trial.right_line = (!change.anywhere).then(|| is_at(first, there, &lines, sources));
        trial.right_word = change.right.as_ref().map(|right| suggested(first).is_some_and(|word| word == right));
    }
    if !new.iter().any(|problem| problem.is_error()) {
        trial.unsound = family.games.iter().find_map(|game| fault(&loaded.library, game, play, DOCUMENTED));
    }
    trial
}

/// The problem on one line: its file, line, code and message.
fn told(problem: &Problem, sources: &Sources) -> String {
    let place = problem
        .labels
        .first()
        .map_or(String::new(), |(span, _)| format!("{}:{}: ", sources.get(span.source).name, sources.line_column(*span).0));
    format!("{place}{} {}", problem.code, problem.message)
}

/// Whether the main place of a problem is on one of these lines of a text.
fn is_at(problem: &Problem, source: Option<SourceId>, lines: &BTreeSet<usize>, sources: &Sources) -> bool {
    let place = problem.labels.first().map(|(span, _)| *span);
    place.is_some_and(|span| Some(span.source) == source && lines.contains(&sources.line_column(span).0))
}

/// The first suggested word in backticks.
fn suggested(problem: &Problem) -> Option<&str> {
    let remarks = problem.labels.iter().map(|(_, remark)| remark.as_str());
    problem.help.as_deref().into_iter().chain(remarks).find_map(|words| words.split('`').nth(1))
}

/// The first undocumented fault in some games of every mode.
fn fault(library: &Library, game: &str, play: Play, documented: &[&str]) -> Option<String> {
    let each = library.requests_by_mode(game, &CompileRequest::default());
    each.into_iter().find_map(|wanted| fault_in_mode(library, game, &wanted, play, documented))
}

/// The first fault in games of one mode whose code is not among `documented`.
fn fault_in_mode(library: &Library, game: &str, wanted: &CompileRequest, play: Play, documented: &[&str]) -> Option<String> {
    let told = format!("{game}{}", wanted.mode.as_ref().map_or(String::new(), |mode| format!(" in mode {mode}")));
    let compiled = catch_panic(|| library.compile(game, wanted).0);
    let program = match compiled {
        Ok(program) => Arc::new(program?),
        Err(bug) => return Some(format!("{told}: {}", bug.message)),
    };
    // A game without a possible line-up is not played.
    let plan = Plan::random_plan(&program, play.games, play.seed)?;
    let faults = (0..play.games).filter_map(|index| test_short_game(&program, &plan, index, MOST_ANSWERS).err());
    let fault = faults.into_iter().find(|fault| !documented.contains(&fault.code))?;
    let place = fault.labels.first().filter(|(span, _)| (span.source.0 as usize) < library.sources.iter().count());
    let place = place.map_or(String::new(), |(span, _)| {
        format!(" ({}:{})", library.sources.get(span.source).name, library.sources.line_column(*span).0)
    });
    Some(format!("{told}: {} {}{place}", fault.code, fault.message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::library::{BUNDLED, File};

    const RULES: &str = "ludex 1
game stones \"Stones\"
sides 2
each side has { counter stones = 5 in 0..9 }
to play {
  let leader = first of sides
  add 1 to leader.stones
  set leader.stones to 6 divided by (leader.stones - 6) rounded down
  finish with nobody
}
";

    fn stones() -> LoadedLibraries {
        let text = RULES.to_string();
        LoadedLibraries::from_texts(vec![File {
            path: "rules/stones/game.ludex".to_string(),
            text,
            library: BUNDLED.to_string(),
        }])
    }

    fn check(loaded: &LoadedLibraries) -> Report {
        let (_, problems) = loaded.library.compile("stones", &CompileRequest::default());
        Report::new(problems)
    }

    fn tried(change: impl Fn(&str) -> Mistake, check: &Check) -> Trial {
        let loaded = stones();
        let source = SourceId(0);
        let text = loaded.library.sources.get(source).text.clone();
        let family = Family::for_source(&loaded.library, source);
        let known = Known::of(&check(&loaded), &loaded.library.sources);
        trial(&family, &known, ("stones.ludex", &text), &change(&text), check, Play { games: 1, seed: 1 })
    }

    fn misspelt(text: &str) -> Mistake {
        let at = text.rfind("stones - 6").unwrap();
        Mistake::slip(SourceId(0), at..at + 6, "stones").written("stonse".to_string())
    }

    #[test]
    fn a_mistake_is_told_at_its_line_with_the_right_word() {
        let trial = tried(misspelt, &check);
        assert_eq!((trial.problems, trial.right_line, trial.right_word), (1, Some(true), Some(true)));
        assert!(trial.panic.is_none() && trial.unsound.is_none() && trial.line == 8, "{trial:?}");
    }

    #[test]
    fn a_mistake_that_nobody_tells_has_escaped() {
        let trial = tried(misspelt, &|_| Report::default());
        assert_eq!((trial.problems, trial.right_line, trial.right_word), (0, None, None));
    }

    #[test]
    fn what_is_told_elsewhere_is_counted_apart() {
        let problem =
            Problem::error(codes::SYNTAX, "this").with_label(ludex_engine::source::Span::new(SourceId(0), 0, 1), "here");
        let told = |loaded: &LoadedLibraries| match loaded.library.sources.get(SourceId(0)).text.contains("stonse") {
            true => Report::new(vec![problem.clone()]),
            false => Report::default(),
        };
        let trial = tried(misspelt, &told);
        assert_eq!((trial.problems, trial.right_line, trial.right_word), (1, Some(false), Some(false)));
    }

    #[test]
    fn what_was_wrong_before_does_not_count() {
        let told = |_: &LoadedLibraries| Report::new(vec![Problem::warning(codes::SYNTAX, "always")]);
        assert_eq!(tried(misspelt, &told).problems, 0);
    }

    #[test]
    fn a_checker_that_fails_is_told_of() {
        let failing = |loaded: &LoadedLibraries| match loaded.library.sources.get(SourceId(0)).text.contains("stonse") {
            true => panic!("a bug"),
            false => Report::default(),
        };
        assert!(tried(misspelt, &failing).panic.is_some_and(|words| words.contains("a bug")));
    }

    #[test]
    fn faults_in_play_count_unless_they_are_documented() {
        let loaded = stones();
        let play = Play { games: 1, seed: 1 };
        assert_eq!(fault(&loaded.library, "stones", play, DOCUMENTED), None);
        let unsound = fault(&loaded.library, "stones", play, &[]).unwrap();
        assert!(unsound.starts_with("stones: LX0911 "), "{unsound}");
        assert!(unsound.ends_with("(rules/stones/game.ludex:8)"), "{unsound}");
    }
}
