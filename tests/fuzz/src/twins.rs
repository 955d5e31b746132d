//! Two worlds that look alike to a seat: whatever it asks, it is told the same in both.

use super::secret_games::{self, LAST_LINE, TELLING_ANSWERS};
use super::with_room;
use ludex::fuzzing::{Others, Setting, Table, preview, steady_choice};
use ludex_engine::Compile;
use ludex_engine::codes::NO_LOOK_AHEAD;
use ludex_engine::json;
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::keys::PASS;
use ludex_engine::runtime::{Choice, Decision, Event, Form, Pending, Session, Viewer};
use serde_json::{Value, json};
use std::sync::Arc;

/// So many answers are given in a game.
const MOST_ANSWERS: usize = 12;
/// So many options of a question are looked ahead of, in so many copies each.
const MOST_OPTIONS: u64 = 4;
const COPIES: u64 = 4;
/// Every so many questions one option is previewed as players preview it.
const PREVIEWED: usize = 7;
/// Instead of this answer, what came before is taken back.
const TAKE_BACK_AT: usize = 3;
/// A copy is followed over so many answers.
const MOST_FOLLOWED: usize = 6;
/// Words that are sent for an answer: of what is hidden, of what there is not, and of what is no answer here.
const WRONG_ANSWERS: [&str; 7] = ["slide(0)", "slide(1)", "slide(99)", "choose(0)", "choose(3)", "number(7)", "peek(2)"];

/// What came of the games of a long run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Games with a fault before the first question.
    pub unplayed: usize,
    pub questions: usize,
    pub copies: usize,
    /// Copies in which it cannot be looked ahead.
    pub refused: usize,
    /// Those of them in games of which `check` does not warn.
    pub unwarned: usize,
    pub taken_back: usize,
}

/// A game with secrets in two worlds.
pub fn twins(input: &[u8]) {
    with_room(|| {
        let mut tally = Tally::default();
        if let Err(difference) = judge(input, &mut tally) {
            panic!("{difference}");
        }
    });
}

/// Plays the game that these bytes stand for in both its worlds.
///
/// # Errors
///
/// The first difference that the seat can see, with the game in one of the worlds; or why a game does not compile, which is a
/// mistake of the writer.
pub fn judge(input: &[u8], tally: &mut Tally) -> Result<(), String> {
    let game = secret_games::write(input);
    let [one, other] = game.worlds.each_ref().map(|text| program(text));
    let [(one, is_warned), (other, _)] = [one?, other?];
    let setting = Setting {
        sides: vec![Vec::new(), Vec::new()],
        others: Others::Steady,
        typed: false,
        trusted: false,
        as_seat: Some(game.seat),
    };
    // Rules may have a fault in one of the worlds before the first question.
    let [Ok(one), Ok(other)] = [one, other].map(|program| Table::new(program, setting.clone())) else {
        tally.unplayed += 1;
        return Ok(());
    };
    let mut twins = Twins { tables: [one, other], seat: game.seat, asked: 0, is_warned, tally };
    twins.play().map_err(|difference| format!("{difference}\n--- the game, for seat {}\n{}", game.seat, game.worlds[0]))
}

/// The program of a game, and whether `check` warns that looking ahead is refused in it.
fn program(text: &str) -> Result<(Arc<Program>, bool), String> {
    let file = File { path: "rules/twins/game.ludex".to_string(), text: text.to_string(), library: BUNDLED.to_string() };
    let (library, mut problems) = Library::new(vec![file]);
    let (program, found) = library.compile("twins", &CompileRequest::default());
    problems.extend(found);
    let told = |problem: &Problem| {
        let place = problem.labels.first().and_then(|(span, _)| text.get(span.start as usize..span.end as usize));
        format!("{} at `{}`\n", problem.message, place.unwrap_or_default())
    };
    let errors: String = problems.iter().filter(|problem| problem.is_error()).map(told).collect();
    let is_warned = problems.iter().any(|problem| problem.code == NO_LOOK_AHEAD);
    program.filter(|_| errors.is_empty()).map(|program| (Arc::new(program), is_warned)).ok_or_else(|| format!("{errors}{text}"))
}

struct Twins<'t> {
    tables: [Table; 2],
    seat: usize,
    /// The number under which the seat is asked.
    asked: u64,
    is_warned: bool,
    tally: &'t mut Tally,
}

/// What is the same in both worlds, or the difference.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, [one, other]: [T; 2]) -> Result<T, String> {
    if one == other {
        return Ok(one);
    }
    // From a little before the first sign that differs.
    let shown = [one, other].map(|world| format!("{world:?}").chars().collect::<Vec<char>>());
    let place = shown[0].iter().zip(&shown[1]).take_while(|(one, other)| one == other).count();
    let part = |shown: &[char]| shown.iter().skip(place.saturating_sub(300)).take(600).collect::<String>();
    Err(format!("{what}:\n  {}\n  {}", part(&shown[0]), part(&shown[1])))
}

/// Some answers to a question, those that lead to a telling among them.
fn answers(decision: &Decision) -> Vec<Choice> {
    match decision.form {
        Form::Number { min, .. } => (0..decision.count.min(MOST_OPTIONS)).map(|more| Choice::Number(min + more as i64)).collect(),
        _ => (0..decision.count.min(MOST_OPTIONS)).map(Choice::Option).collect(),
    }
}

/// A line without the hash of the rules: the worlds have other numbers in theirs.
fn public(mut line: Value) -> Value {
    if let Some(line) = line.as_object_mut() {
        line.shift_remove("package_hash");
    }
    line
}

impl Twins<'_> {
    fn play(&mut self) -> Result<(), String> {
        for answered in 0..MOST_ANSWERS {
            if !self.say(&json!({ "view": self.seat }))? {
                return Ok(());
            }
            let open = [0, 1].map(|world| self.decision(world));
            same("what is asked", open.each_ref().map(|open| open.as_ref().map(|open| (open.id, open.count))))?;
            let [Some(here), Some(there)] = open else { return Err("nobody is asked".to_string()) };
            self.tally.questions += 1;
            self.look_ahead([&here, &there])?;
            for wrong in WRONG_ANSWERS {
                if [0, 1].iter().any(|world| self.tables[*world].session().find_choice(here.id, wrong).is_err())
                    && !self.say(&json!({ "choose": self.asked, "key": wrong }))?
                {
                    return Ok(());
                }
            }
            let line = match self.quiet_answer(&here, answered) {
                _ if answered == TAKE_BACK_AT => json!({ "undo": self.seat }),
                Some(key) => json!({ "choose": self.asked, "key": key }),
                None => return Ok(()),
            };
            self.tally.taken_back += usize::from(answered == TAKE_BACK_AT);
            if !self.say(&line)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Says a line in both worlds. Whether play goes on from there, and nothing was shown that is hidden.
    fn say(&mut self, line: &Value) -> Result<bool, String> {
        let heard = self.tables.each_mut().map(|table| table.pass_line(line.to_string().as_bytes()));
        let lines = heard
            .map(|heard| heard.map(|heard| [heard.told, heard.replies].concat().into_iter().map(public).collect::<Vec<_>>()));
        let is_last = |lines: &Option<Vec<Value>>| match lines {
            Some(lines) => lines.iter().any(|line| line.to_string().contains(LAST_LINE)),
            None => true,
        };
        if lines.iter().all(is_last) {
            return Ok(false);
        }
        let lines = same("what is sent", lines.map(Option::unwrap_or_default))?;
        let asked = lines.iter().rev().find(|line| line["type"] == "decision").and_then(|line| line["id"].as_u64());
        self.asked = asked.unwrap_or(self.asked);
        Ok(true)
    }

    fn decision(&self, world: usize) -> Option<Decision> {
        match self.tables[world].session().pending() {
            Pending::Decisions(open) => open.iter().find(|open| open.seat == self.seat).cloned(),
            _ => None,
        }
    }

    /// An answer that leads to nothing that is hidden, by its key.
    fn quiet_answer(&self, decision: &Decision, turn: usize) -> Option<String> {
        let keys = answers(decision).into_iter().filter_map(|answer| self.tables[0].session().choice_key(decision.id, &answer));
        let quiet: Vec<String> = keys.filter(|key| !TELLING_ANSWERS.iter().any(|telling| key.starts_with(telling))).collect();
        quiet.get(turn % quiet.len().max(1)).cloned().or_else(|| decision.may_pass.then(|| PASS.to_string()))
    }

    // --- looking ahead -----------------------------------------------------------------

    fn look_ahead(&mut self, [here, there]: [&Decision; 2]) -> Result<(), String> {
        let answers = answers(here);
        for answer in &answers {
            let key = |world: usize, decision: &Decision| self.tables[world].session().choice_key(decision.id, answer);
            same("what an answer is called", [key(0, here), key(1, there)])?;
            for seed in 0..COPIES {
                let followed = |world: usize, decision| self.followed(self.tables[world].session(), decision, answer, seed);
                let found = same("what a copy comes to", [followed(0, here), followed(1, there)])?;
                self.tally.copies += 1;
                self.tally.refused += usize::from(found.is_none());
                self.tally.unwarned += usize::from(found.is_none() && !self.is_warned);
            }
        }
        if let Some(answer) = answers.last().filter(|_| self.tally.questions.is_multiple_of(PREVIEWED)) {
            let names = ["Ann", "Ben"].map(str::to_string);
            let preview = |world: usize, decision| preview(self.tables[world].session(), decision, answer, &names, || true);
            same("a preview", [preview(0, here), preview(1, there)])?;
        }
        Ok(())
    }

    /// What a copy comes to in which a seat gives an answer, and all that come after it: what the seat sees of it, and the work it
    /// has cost. None if it cannot look ahead so far.
    fn followed(&self, session: &Session, decision: &Decision, choice: &Choice, seed: u64) -> Option<Vec<String>> {
        let viewer = Viewer::Seat(self.seat);
        let mut copy = session.imagine(self.seat, seed);
        copy.start_watching();
        copy.take_events();
        copy.choose(decision.id, choice.clone()).ok()?;
        let mut seen = Vec::new();
        for turn in 0..MOST_FOLLOWED {
            let events = copy.take_events();
            // Numbers count what others are told, too. What is sent has other ones.
            let told = events.iter().filter_map(|event| event.seen_by(viewer)).map(|event| Event { number: 0, ..event.clone() });
            seen.extend(told.map(|event| format!("{event:?}")));
            seen.push(json::view_json(&copy.view(viewer)).to_string());
            seen.push(format!("{:?} {}", copy.standings(), copy.total_work()));
            let open = match copy.pending() {
                Pending::Decisions(open) => open.first().cloned(),
                other => {
                    seen.push(format!("{other:?}"));
                    None
                }
            };
            let Some(open) = open else { break };
            seen.push(format!("{open:?} {}", copy.prompt(open.id)));
            let answer = steady_choice(&open, turn as u64);
            if copy.choose(open.id, answer).is_err() {
                seen.push("no further".to_string());
                break;
            }
        }
        Some(seen)
    }
}
