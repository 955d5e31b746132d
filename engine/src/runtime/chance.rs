//! Dice that are no pieces: a pool of them is rolled, and only what they show is kept.

use super::event::Happening;
use super::machine::{Machine, Rules};
use super::session::{RandomDraw, RandomKind};
use crate::program::{TextId, Value};

/// The most dice of one pool, and the most faces of one of its dice.
const MOST_IN_POOL: Value = 1_000;
const MOST_FACES: Value = 1_000_000;

impl Machine {
    /// Rolls so many dice of one size: the list of what they show, in the order they fell. None if results must be
    /// waited for, or something is wrong.
    pub fn roll_pool(&mut self, rules: Rules, base: usize, count: Value, size: Value, reason: Option<TextId>) -> Option<Value> {
        if !(0..=MOST_IN_POOL).contains(&count) || !(1..=MOST_FACES).contains(&size) {
            self.fault(&format!(
                "{count} d{size} are to be rolled, but it must be 0 to {MOST_IN_POOL} dice of 1 to {MOST_FACES} faces"
            ));
            return None;
        }
        let reason = match reason {
            Some(reason) if self.is_told() => self.render(rules, base, reason),
            _ => String::new(),
        };
        if self.wants_results() && count > 0 {
            let draw = RandomDraw { piece: None, size: i64::from(size), faces: None };
            self.want(RandomKind::Roll, vec![draw; count as usize], reason);
            return None;
        }
        let at = self.begin_list();
        for _ in 0..count {
            let value = self.draw(size);
            self.state.lists.push(value);
        }
        let list = self.end_list(at);
        if self.watched && count > 0 {
            let values = self.state.list(list).to_vec();
            let shown: Vec<String> = values.iter().map(Value::to_string).collect();
            let why = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
            let text = format!("{count}d{size} shows {}{why}", shown.join(" "));
            self.announce(rules, "rolled_pool", Happening::RolledPool { size, values }, None, Some(text));
        }
        Some(list)
    }
}
