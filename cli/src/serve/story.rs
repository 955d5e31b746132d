//! The lines shown to one viewer: what has happened, as far as they may know it. Lines are numbered and never removed by a
//! take-back, which is itself a line.

use crate::game::Seat;
use crate::terminal::event_text::{Line, is_routine_answer, story_lines};
use ludex_engine::runtime::{Event, Viewer};
use std::collections::VecDeque;

/// Maximum number of lines kept, apart from permanent ones; `replay` has them all.
const MOST_KEPT: usize = 120;

/// The lines of one seat, or of spectators.
#[derive(Clone, Debug, Default)]
pub struct Story {
    lines: VecDeque<StoryLine>,
    /// The total number of lines, including forgotten ones.
    told: u64,
    /// The total when the viewer last answered.
    answered: u64,
}

/// One line of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryLine {
    /// The number of the line, from 1.
    pub number: u64,
    pub text: String,
    /// True for the start of a part of play.
    pub is_title: bool,
    /// True if the line is never forgotten.
    is_for_good: bool,
}

impl Story {
    /// Adds the events that a viewer may know. `sides` holds the names of the sides.
    pub fn add_events(&mut self, events: &[Event], viewer: Viewer, sides: &[String], seats: &[Seat]) {
        let seen = events.iter().filter(|event| event.seen_by(viewer).is_some() && !is_routine_answer(event, seats));
        let seen: Vec<Event> = seen.cloned().collect();
        for line in story_lines(&seen, sides) {
            match line {
                Line::Title(text) => self.add_text(text, true),
                Line::Plain(text) => self.add_line(text),
            }
        }
    }

    /// Adds a line, or the title of a part of play.
    pub fn add_text(&mut self, text: String, is_title: bool) {
        self.push_line(text, is_title, false);
    }

    pub fn add_line(&mut self, text: String) {
        self.push_line(text, false, false);
    }

    /// Adds a line that stays readable for the rest of this game.
    pub fn add_permanent_line(&mut self, text: String) {
        self.push_line(text, false, true);
    }

    /// Adds a line. If too many are kept, the oldest that is not permanent is forgotten.
    fn push_line(&mut self, text: String, is_title: bool, is_for_good: bool) {
        self.told += 1;
        self.lines.push_back(StoryLine { number: self.told, text, is_title, is_for_good });
        let mut others = self.lines.iter().enumerate().filter(|(_, said)| !said.is_for_good).map(|(place, _)| place);
        let oldest = others.next();
        if others.count() >= MOST_KEPT {
            oldest.map(|place| self.lines.remove(place));
        }
    }

    /// Clears the lines of the last game, because another begins.
    pub fn begin_new_game(&mut self) {
        self.lines.clear();
        self.answered = self.told;
    }

    /// Notes that the viewer has answered; later lines are news.
    pub fn mark_answered(&mut self) {
        self.answered = self.told;
    }

    pub fn all_lines(&self) -> impl DoubleEndedIterator<Item = &StoryLine> {
        self.lines.iter()
    }

    /// The lines since the viewer last answered.
    pub fn news_lines(&self) -> impl Iterator<Item = &StoryLine> {
        self.lines.iter().filter(|said| said.number > self.answered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<'s>(lines: impl Iterator<Item = &'s StoryLine>) -> Vec<&'s str> {
        lines.map(|said| said.text.as_str()).collect()
    }

    #[test]
    fn news_is_what_was_told_since_the_last_answer() {
        let mut story = Story::default();
        story.add_text("one".to_string(), false);
        story.mark_answered();
        story.add_text("two".to_string(), false);
        assert_eq!(texts(story.news_lines()), ["two"]);
        assert_eq!(texts(story.all_lines()), ["one", "two"]);
    }

    #[test]
    fn what_is_told_for_good_is_not_forgotten() {
        let mut story = Story::default();
        story.add_permanent_line("kept".to_string());
        (0..MOST_KEPT + 5).for_each(|line| story.add_line(line.to_string()));
        assert_eq!(texts(story.all_lines())[..2], ["kept", "5"]);
        assert_eq!(story.all_lines().count(), MOST_KEPT + 1);
        story.begin_new_game();
        assert_eq!(story.all_lines().count(), 0);
    }

    #[test]
    fn numbers_go_on_where_old_lines_are_forgotten() {
        let mut story = Story::default();
        (0..MOST_KEPT + 5).for_each(|line| story.add_text(line.to_string(), false));
        let numbers: Vec<u64> = story.all_lines().map(|said| said.number).collect();
        assert_eq!((numbers.len(), numbers.first(), numbers.last()), (MOST_KEPT, Some(&6), Some(&(MOST_KEPT as u64 + 5))));
    }
}
