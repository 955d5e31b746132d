//! Running a script, leaving it at a question, and running it again with the answer.

use crate::codes;
use crate::program::{ClauseBody, Value};
use crate::runtime::context::Listener;
use crate::runtime::decision::Choice;
use crate::runtime::eval::Eval;
use crate::runtime::eval::script_run::ScriptRun;
use crate::runtime::flow::{Machine, PlayContext, Stop};
use crate::scripting::host;
use crate::scripting::host::Stopped;

/// The most scripts that may run inside each other.
const MOST_DEPTH: usize = 6;

impl Machine {
    /// Runs a clause's function. True if a question is open.
    pub fn start_script(&mut self, context: &PlayContext, listener: Listener, values: &[Value]) -> bool {
        if self.script.is_some() {
            return self.run_function(context, listener, values) == Stop::Waiting;
        }
        let mut script = self.scratch.script.take().unwrap_or_else(|| Box::new(ScriptRun::default()));
        script.begin(self, self.pauses, listener, values);
        self.script = Some(script);
        self.run_outermost(context)
    }

    /// Runs the outermost script from its beginning. True if a question is open.
    fn run_outermost(&mut self, context: &PlayContext) -> bool {
        let Some(script) = &mut self.script else { return false };
        let (listener, values) = script.restart();
        host::begin_counting();
        match self.run_function(context, listener, &values) {
            Stop::Waiting => true,
            Stop::Done | Stop::Over => {
                self.scratch.script = self.script.take();
                false
            }
        }
    }

    /// Puts an answer on the tape, if one has come, runs the script again, and goes on with play when it is through.
    pub fn resume_script(&mut self, context: &PlayContext, answer: Option<(usize, Choice)>) -> Stop {
        if let (Some(script), Some((place, answer))) = (&mut self.script, answer) {
            script.note_answer(place, answer);
        }
        if self.rewind(context) { Stop::Waiting } else { self.run(context, 0) }
    }

    /// Takes the state back to where the outermost script began, and runs it again. True if a question is open.
    pub fn rewind(&mut self, context: &PlayContext) -> bool {
        let eval: &mut Eval = self;
        let Eval { state, meter, script: Some(script), .. } = eval else { return false };
        // What has been drawn comes from the tape, so chance goes on from where it is.
        let (generator, results) = (state.generator.clone(), state.results);
        script.restore(state, meter);
        (self.state.generator, self.state.results) = (generator, results);
        self.scratch.ready = false;
        self.request = None;
        self.decisions.clear();
        self.run_outermost(context)
    }

    fn run_function(&mut self, context: &PlayContext, listener: Listener, values: &[Value]) -> Stop {
        let clause = &context.program.clauses[listener.clause as usize];
        let ClauseBody::Script { function, known, .. } = &clause.body else { return Stop::Done };
        let depth = self.script.as_ref().map_or(0, |script| script.depth());
        if depth >= MOST_DEPTH {
            self.raise_as(
                codes::SCRIPT_LIMIT,
                format!("abilities set each other off without end: {MOST_DEPTH} are running inside each other"),
            );
            return Stop::Over;
        }
        if let Some(script) = &mut self.script {
            script.enter(listener);
        }
        let floor = self.state.frames.len();
        let result = host::call(self, context, clause.ability, function, known, values);
        let stop = match result {
            // What the script has set off and not yet finished is finished now.
            Ok(()) if self.state.frames.len() > floor => self.run(context, floor),
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
            script.leave_to(depth);
        }
        stop
    }
}
