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
    pub checkpoint: State,
    pub meter: Meter,
    /// Whether play stopped, when it began, at questions that have only one answer: those on the tape were answered so.
    pub pauses: bool,
    pub listener: Listener,
    pub values: Vec<Value>,
    /// Every answer since, with its place among several questions put at once.
    pub tape: Vec<(usize, Choice)>,
    pub cursor: usize,
    /// Where the answers to the questions begin that are open now.
    pub group: usize,
    /// Every result of chance since: a second run gets the same, wherever the next ones come from.
    pub drawn: Vec<Value>,
    pub redrawn: usize,
    /// The scripts that are running, outermost first, each with the line it is at.
    pub open: Vec<OpenScript>,
    pub prompt: Option<String>,
    /// What has been announced since the script began; a second run must announce the same.
    pub happened: Vec<EventKind>,
    pub compared: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct OpenScript {
    pub instance: u16,
    pub clause: u16,
    /// The line of the last call.
    pub line: Option<usize>,
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
}
