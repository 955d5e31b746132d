//! Answers given to a script, for when it is run again.

use crate::runtime::decision::Choice;
use crate::runtime::question::Questions;

impl Questions {
    /// The next answer of the tape, if it is one to a question.
    pub fn taped_answer(&mut self) -> Option<(usize, Choice)> {
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
    pub fn retape_answer(&mut self, place: usize, answer: &Choice) {
        let Some(script) = &mut self.script else { return };
        if let Some((_, taped)) = script.tape.iter_mut().skip(script.group).find(|(found, _)| *found == place) {
            taped.clone_from(answer);
        }
    }

    /// Notes an answer to one of the open questions, as if it had been given.
    pub fn tape_answer(&mut self, place: usize, answer: &Choice) {
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
}
