//! Running a script, leaving it at a question, and running it again with the answer.

use super::host::{self, Stopped};
use crate::codes;
use crate::program::{ClauseBody, Program, Value};
use crate::runtime::event::Happening;
use crate::runtime::machine::{Listener, Machine, Rules, Stop};
use crate::runtime::meter::Meter;
use crate::runtime::state::{Board, Sealed, State};

/// The most scripts that may run inside each other.
const MOST_DEPTH: usize = 6;

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
    tape: Vec<(usize, Sealed)>,
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
    pub happened: Vec<Happening>,
    compared: usize,
}

#[derive(Clone, Copy, Debug)]
struct OpenScript {
    instance: u16,
    clause: u16,
    /// The line of the last call.
    line: Option<usize>,
}

impl ScriptRun {
    fn new() -> ScriptRun {
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

    /// Makes it a run of a listener's script from a state on.
    fn begin(&mut self, machine: &Machine, listener: Listener, values: &[Value]) {
        self.checkpoint.clone_from(&machine.state);
        self.meter.clone_from(&machine.meter);
        self.pauses = machine.pauses;
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

impl Machine {
    /// Runs a clause's function. True if a question is open.
    pub fn start_script(&mut self, rules: Rules, listener: Listener, values: &[Value]) -> bool {
        if self.script.is_some() {
            return self.run_function(rules, listener, values) == Stop::Waiting;
        }
        let mut script = self.scratch.script.take().unwrap_or_else(|| Box::new(ScriptRun::new()));
        script.begin(self, listener, values);
        self.script = Some(script);
        self.run_outermost(rules)
    }

    /// Runs the outermost script from its beginning. True if a question is open.
    fn run_outermost(&mut self, rules: Rules) -> bool {
        let Some(script) = &mut self.script else { return false };
        script.cursor = 0;
        script.redrawn = 0;
        script.compared = 0;
        script.prompt = None;
        script.open.clear();
        let (listener, values) = (script.listener, script.values.clone());
        host::begin_counting();
        match self.run_function(rules, listener, &values) {
            Stop::Waiting => true,
            Stop::Done | Stop::Over => {
                self.scratch.script = self.script.take();
                false
            }
        }
    }

    /// Puts an answer on the tape, if one has come, runs the script again, and goes on with play when it is through.
    pub fn resume_script(&mut self, rules: Rules, answer: Option<(usize, Sealed)>) -> Stop {
        if let Some(script) = &mut self.script {
            script.tape.extend(answer);
        }
        if self.rewind(rules) { Stop::Waiting } else { self.run(rules, 0) }
    }

    /// Takes the state back to where the outermost script began, and runs it again. True if a question is open.
    pub fn rewind(&mut self, rules: Rules) -> bool {
        let Some(script) = &self.script else { return false };
        // What has been drawn comes from the tape, so chance goes on from where it is.
        let (generator, results) = (self.state.generator.clone(), self.state.results);
        self.state.clone_from(&script.checkpoint);
        self.meter.repeat_from(&script.meter);
        (self.state.generator, self.state.results) = (generator, results);
        self.scratch.ready = false;
        self.request = None;
        self.decisions.clear();
        self.run_outermost(rules)
    }

    fn run_function(&mut self, rules: Rules, listener: Listener, values: &[Value]) -> Stop {
        let clause = &rules.program.clauses[listener.clause as usize];
        let ClauseBody::Script { function, known, .. } = &clause.body else { return Stop::Done };
        let depth = self.script.as_ref().map_or(0, |script| script.open.len());
        if depth >= MOST_DEPTH {
            self.fault_as(
                codes::SCRIPT_LIMIT,
                format!("abilities set each other off without end: {MOST_DEPTH} are running inside each other"),
            );
            return Stop::Over;
        }
        if let Some(script) = &mut self.script {
            script.open.push(OpenScript { instance: listener.instance, clause: listener.clause, line: None });
        }
        let floor = self.state.frames.len();
        let result = host::call(self, rules, clause.ability, function, known, values);
        let stop = match result {
            // What the script has set off and not yet finished is finished now.
            Ok(()) if self.state.frames.len() > floor => self.run(rules, floor),
            Ok(()) => Stop::Done,
            Err(Stopped::Waiting) => Stop::Waiting,
            Err(Stopped::Over) => Stop::Over,
            Err(Stopped::Fault(problem)) => {
                if self.fault.is_none() {
                    self.fault = Some(problem);
                }
                Stop::Over
            }
        };
        // A script that waits stays open; any other is over, also one that was stopped with the scope around it.
        if stop != Stop::Waiting
            && let Some(script) = &mut self.script
        {
            script.open.truncate(depth);
        }
        stop
    }

    /// The next answer of the tape, if it is one to a question.
    pub fn taped_answer(&mut self) -> Option<(usize, Sealed)> {
        let script = self.script.as_mut()?;
        let answer = script.tape.get(script.cursor).cloned()?;
        script.cursor += 1;
        Some(answer)
    }

    /// Several questions are put at once.
    pub fn begin_group(&mut self) {
        if let Some(script) = &mut self.script {
            script.group = script.cursor;
        }
    }

    /// Puts another answer in the place of one given to one of the open questions.
    pub fn retape_answer(&mut self, place: usize, answer: &Sealed) {
        let Some(script) = &mut self.script else { return };
        if let Some((_, taped)) = script.tape.iter_mut().skip(script.group).find(|(found, _)| *found == place) {
            taped.clone_from(answer);
        }
    }

    /// Notes an answer to one of the open questions, as if it had been given.
    pub fn tape_answer(&mut self, place: usize, answer: &Sealed) {
        if let Some(script) = &mut self.script {
            script.tape.push((place, answer.clone()));
        }
    }

    /// Forgets an answer given to one of the open questions.
    pub fn untape_answer(&mut self, place: usize) {
        if let Some(script) = &mut self.script
            && let Some(since) = script.tape.iter().skip(script.group).position(|(found, _)| *found == place)
        {
            script.tape.remove(script.group + since);
        }
    }

    /// Whether play stops at questions that have only one answer where that must not show. A script that is run again does
    /// as it did.
    pub fn pauses_now(&self) -> bool {
        self.script.as_ref().map_or(self.pauses, |script| script.pauses)
    }

    /// Whether a script that is run again has results of chance left from before.
    pub fn has_taped_draws(&self) -> bool {
        self.script.as_ref().is_some_and(|script| script.redrawn < script.drawn.len())
    }

    /// The result of chance that came at this place before the script was run again.
    pub fn taped_draw(&mut self) -> Option<Value> {
        let script = self.script.as_mut()?;
        let drawn = script.drawn.get(script.redrawn).copied()?;
        script.redrawn += 1;
        Some(drawn)
    }

    /// Notes a result of chance for when the script is run again.
    pub fn tape_draw(&mut self, result: Value) {
        if let Some(script) = &mut self.script {
            script.drawn.push(result);
            script.redrawn += 1;
        }
    }

    /// A second run of a script must do what the first did.
    pub fn compare_with_tape(&mut self, happening: &Happening) {
        let Some(script) = &mut self.script else { return };
        let same = script.happened.get(script.compared).is_none_or(|first| first == happening);
        script.compared += 1;
        if !same {
            self.fault_as(codes::SCRIPT_DIVERGED, "an ability did something else when it was run again with the same answers");
        }
    }
}
