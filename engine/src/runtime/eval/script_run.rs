//! A script that is left at a question, and run again with the answer: what it needs for that.

use crate::program::{Program, Value};
use crate::runtime::context::Listener;
use crate::runtime::decision::Choice;
use crate::runtime::eval::Eval;
use crate::runtime::eval::meter::Meter;
use crate::runtime::event::EventKind;
use crate::runtime::state::{Board, State};

/// The outermost script that is running.
#[derive(Clone, Debug)]
pub struct ScriptRun {
    /// The state when the script began, and what play had cost by then.
    checkpoint: State,
    meter: Meter,
    /// Whether play stopped, when it began, at questions that have only one answer: those on the tape were answered so.
    pauses: bool,
    listener: Listener,
    values: Vec<Value>,
    /// Every answer since, with its place among several questions put at once.
    tape: Vec<(usize, Choice)>,
    cursor: usize,
    /// Where the answers to the questions begin that are open now.
    group: usize,
    /// Every result of chance since: a second run gets the same, wherever the next ones come from.
    drawn: Vec<Value>,
    redrawn: usize,
    /// The scripts that are running, outermost first, each with the line it is at.
    open: Vec<OpenScript>,
    prompt: Option<String>,
    /// What has been announced since the script began; a second run must announce the same.
    happened: Vec<EventKind>,
    compared: usize,
}

#[derive(Clone, Copy, Debug)]
struct OpenScript {
    instance: u16,
    clause: u16,
    /// The line of the last call.
    line: Option<usize>,
}

impl Default for ScriptRun {
    fn default() -> ScriptRun {
        ScriptRun {
            checkpoint: State::empty(),
            meter: Meter::default(),
            pauses: false,
            listener: Listener { clause: 0, instance: 0 },
            values: Vec::new(),
            tape: Vec::new(),
            cursor: 0,
            group: 0,
            drawn: Vec::new(),
            redrawn: 0,
            open: Vec::new(),
            prompt: None,
            happened: Vec::new(),
            compared: 0,
        }
    }
}

impl ScriptRun {
    /// Makes it a run of a listener's script from a state on.
    pub fn begin(&mut self, eval: &Eval, pauses: bool, listener: Listener, values: &[Value]) {
        self.checkpoint.clone_from(&eval.state);
        self.meter.clone_from(&eval.meter);
        self.pauses = pauses;
        self.listener = listener;
        self.values.clear();
        self.values.extend_from_slice(values);
        self.tape.clear();
        self.drawn.clear();
        self.happened.clear();
    }

    /// It is run again from its beginning: of which listener, and with which values.
    pub fn restart(&mut self) -> (Listener, Vec<Value>) {
        (self.cursor, self.redrawn, self.compared, self.prompt) = (0, 0, 0, None);
        self.open.clear();
        (self.listener, self.values.clone())
    }

    /// Takes the state back to where the script began, and the meter to what play had cost by then.
    pub fn restore(&self, state: &mut State, meter: &mut Meter) {
        state.clone_from(&self.checkpoint);
        meter.repeat_from(&self.meter);
    }

    /// The board when the script began.
    pub fn board_at_start(&mut self) -> &mut Board {
        &mut self.checkpoint.board
    }

    /// The ability whose script is running innermost.
    pub fn acting(&self) -> Option<u16> {
        self.open.last().map(|open| open.instance)
    }

    /// The line that the innermost script is at, if it has called anything.
    pub fn line(&self) -> Option<usize> {
        self.open.last()?.line
    }

    /// File, line and rules of the innermost script.
    pub fn place(&self, program: &Program) -> Option<(String, usize, Vec<String>)> {
        let open = self.open.last()?;
        let clause = &program.clauses[open.clause as usize];
        let file = program.sources.get(clause.span.source).name.clone();
        let line = open.line.unwrap_or_else(|| program.sources.line_column(clause.span).0);
        let ability = &program.abilities[clause.ability as usize];
        let cited = if clause.rules.is_empty() { &ability.rules } else { &clause.rules };
        Some((file, line, cited.clone()))
    }

    /// How many answers and results of chance have been asked for.
    pub fn asked(&self) -> usize {
        self.tape.len()
    }

    pub fn prompt(&self) -> Option<String> {
        self.prompt.clone()
    }

    pub fn set_prompt(&mut self, prompt: Option<String>) {
        self.prompt = prompt;
    }

    pub fn set_line(&mut self, line: usize) {
        if let Some(open) = self.open.last_mut() {
            open.line = Some(line);
        }
    }

    // --- scripts inside each other ---------------------------------------------------

    pub fn depth(&self) -> usize {
        self.open.len()
    }

    pub fn enter(&mut self, listener: Listener) {
        self.open.push(OpenScript { instance: listener.instance, clause: listener.clause, line: None });
    }

    /// So many scripts are left open.
    pub fn leave_to(&mut self, depth: usize) {
        self.open.truncate(depth);
    }

    // --- answers -----------------------------------------------------------------------

    /// Whether play stopped, when the script began, at questions that have only one answer.
    pub fn pauses(&self) -> bool {
        self.pauses
    }

    /// Notes an answer to one of the open questions.
    pub fn note_answer(&mut self, place: usize, answer: Choice) {
        self.tape.push((place, answer));
    }

    /// The next answer, if it has been given, with its place among several questions put at once.
    pub fn next_answer(&mut self) -> Option<(usize, Choice)> {
        let answer = self.tape.get(self.cursor).cloned()?;
        self.cursor += 1;
        Some(answer)
    }

    /// Several questions are put at once.
    pub fn begin_group(&mut self) {
        self.group = self.cursor;
    }

    /// Puts another answer in the place of one given to one of the open questions.
    pub fn replace_answer(&mut self, place: usize, answer: &Choice) {
        if let Some((_, taped)) = self.tape.iter_mut().skip(self.group).find(|(found, _)| *found == place) {
            taped.clone_from(answer);
        }
    }

    /// Forgets an answer given to one of the open questions.
    pub fn forget_answer(&mut self, place: usize) {
        if let Some(since) = self.tape.iter().skip(self.group).position(|(found, _)| *found == place) {
            self.tape.remove(self.group + since);
        }
    }

    // --- chance, and what happens --------------------------------------------------------

    /// Whether a second run has results of chance left from before.
    pub fn has_draws(&self) -> bool {
        self.redrawn < self.drawn.len()
    }

    /// The result of chance that came at this place before.
    pub fn next_draw(&mut self) -> Option<Value> {
        let drawn = self.drawn.get(self.redrawn).copied()?;
        self.redrawn += 1;
        Some(drawn)
    }

    pub fn note_draw(&mut self, result: Value) {
        self.drawn.push(result);
        self.redrawn += 1;
    }

    pub fn note_event(&mut self, kind: &EventKind) {
        self.happened.push(kind.clone());
    }

    /// Whether a second run does at this place what the first did.
    pub fn does_as_before(&mut self, kind: &EventKind) -> bool {
        let same = self.happened.get(self.compared).is_none_or(|first| first == kind);
        self.compared += 1;
        same
    }
}
