//! What a script did the first time is done again when it is run again.

use crate::codes;
use crate::program::Value;
use crate::runtime::effect::Effects;
use crate::runtime::event::EventKind;

impl Effects {
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
    pub fn compare_with_tape(&mut self, kind: &EventKind) {
        let Some(script) = &mut self.script else { return };
        let same = script.happened.get(script.compared).is_none_or(|first| first == kind);
        script.compared += 1;
        if !same {
            self.raise_as(codes::SCRIPT_DIVERGED, "an ability did something else when it was run again with the same answers");
        }
    }
}
