//! Returns to the state before an entry. It keeps only a handful of sessions, however long play gets.
//!
//! [`RecordedSession`](crate::recording::RecordedSession) adds its entries here. *Depth* is a number of entries on the path. A
//! take-back branches off: its parent is the entry before the answer that was taken back. If it has no new seed, it changes
//! nothing and is left off the path. A *pick* is an answer that stays secret until all seats of its group have answered.

use crate::recording::{Entries, Entry, TakeBack};
use crate::runtime::{Choice, Session};

/// The start of play, before the first entry.
const START: u32 = u32::MAX;
/// The depth of an entry that is not part of any play, such as a withdrawn pick, its withdrawal, or a take-back without a new
/// seed.
const NOWHERE: u32 = u32::MAX;

/// The entries as a tree, in which each has a parent. The entries from the start to the current state form the path.
#[derive(Clone, Debug)]
pub struct History {
    /// For each entry, its parent and its depth.
    nodes: Vec<Node>,
    /// The entries in force, in order.
    path: Vec<u32>,
    /// Sessions along the path, the start first: close together near its end, and further and further apart before.
    kept: Vec<SessionCopy>,
    /// The seats of human players.
    people: Vec<usize>,
}

/// The place of an entry in the tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The parent entry, or [`START`].
    from: u32,
    /// Number of entries on the path to this one, itself included.
    depth: u32,
}

/// A session after the first `depth` entries of the path.
#[derive(Clone, Debug)]
struct SessionCopy {
    depth: usize,
    session: Session,
}

impl History {
    /// The history of a session that has just started. `people` are the seats of human players.
    pub fn new(start: &Session, people: Vec<usize>) -> History {
        let kept = vec![SessionCopy { depth: 0, session: without_events(start) }];
        History { nodes: Vec::new(), path: Vec::new(), kept, people }
    }

    /// Gives chance the seed of a take-back, if it has one, and deals hidden pieces again.
    pub fn renew_chance(&self, session: &mut Session, undo: TakeBack) {
        let Some(seed) = undo.seed else { return };
        session.reseed(seed);
        if undo.redeals {
            let seats: Vec<usize> = self.people.iter().copied().chain([undo.seat]).collect();
            session.deal_unseen_again(&seats);
        }
    }

    /// Keeps a copy of the current session, to return to.
    pub fn keep_session(&mut self, session: &Session) {
        self.keep_at(self.path.len(), session);
    }

    /// Keeps a copy of a session at a depth, unless one as deep is kept.
    fn keep_at(&mut self, depth: usize, session: &Session) {
        if self.kept.last().is_some_and(|last| last.depth < depth) {
            self.kept.push(SessionCopy { depth, session: without_events(session) });
            self.drop_dense_sessions(depth);
        }
    }

    /// Drops kept sessions between others that are close together, relative to the end. The number of sessions grows with the
    /// logarithm of the path, and going back replays at most half of what is taken back.
    fn drop_dense_sessions(&mut self, end: usize) {
        let mut index = 1;
        while index + 1 < self.kept.len() {
            let (before, after) = (self.kept[index - 1].depth, self.kept[index + 1].depth);
            match after - before <= (end - after) / 2 {
                true => drop(self.kept.remove(index)),
                false => index += 1,
            }
        }
    }

    /// Number of kept sessions.
    #[cfg(test)]
    pub fn session_count(&self) -> usize {
        self.kept.len()
    }

    /// Adds an entry after the current state.
    pub fn add_on_path(&mut self) {
        let from = self.path.last().copied().unwrap_or(START);
        self.push_entry(from, self.path.len());
    }

    /// Adds an entry that leads nowhere: play never returns to the state before it.
    pub fn add_off_path(&mut self) {
        self.nodes.push(Node { from: START, depth: NOWHERE });
    }

    /// Removes a withdrawn secret pick, the entry at `index`, from the path: the picks after it take over its parent.
    pub fn remove_from_path(&mut self, index: usize) {
        let Some(place) = self.path.iter().rposition(|&entry| entry as usize == index) else { return };
        let later = self.path.split_off(place).split_off(1);
        self.kept.retain(|kept| kept.depth <= place);
        self.nodes[index].depth = NOWHERE;
        for entry in later {
            let from = self.path.last().copied().unwrap_or(START);
            self.path.push(entry);
            self.nodes[entry as usize] = Node { from, depth: self.path.len() as u32 };
        }
    }

    /// Whether play can return to the state before the entry at an index.
    pub fn is_in_force(&self, index: usize) -> bool {
        self.depth_before(index).is_some()
    }

    /// Whether the entry at an index is, or once was, part of play.
    pub fn is_known(&self, index: usize) -> bool {
        self.nodes.get(index).is_some_and(|node| node.depth != NOWHERE)
    }

    /// The entries in force, the last first.
    pub fn path_backwards(&self) -> impl Iterator<Item = usize> {
        self.path.iter().rev().map(|&entry| entry as usize)
    }

    /// The session before the entry at an index; `None` if that state is no longer on the path.
    pub fn session_before(&self, entries: &Entries, index: usize) -> Option<Session> {
        let depth = self.depth_before(index)?;
        let kept = self.kept.iter().rfind(|kept| kept.depth <= depth)?;
        let mut session = kept.session.clone();
        self.path[kept.depth..depth].iter().for_each(|&entry| self.replay_entry(&mut session, entries.get(entry as usize)));
        Some(session)
    }

    /// Goes back to the state before the entry at `index`, for a take-back that is the next entry, and returns that session. If
    /// chance is seeded again (`is_fresh`), play continues through the take-back itself; otherwise as if nothing had happened.
    pub fn back_to(&mut self, entries: &Entries, index: usize, is_fresh: bool) -> Option<Session> {
        let depth = self.depth_before(index)?;
        self.path.truncate(depth);
        self.kept.retain(|kept| kept.depth <= depth);
        let session = self.play_again(entries)?;
        if is_fresh {
            self.remove_last_take_backs(entries);
        }
        if is_fresh {
            self.add_on_path()
        } else {
            self.add_off_path()
        }
        Some(session)
    }

    /// The session at the end of the path, replayed from the last one kept. Copies on the way are kept, so that the next step
    /// back costs less.
    fn play_again(&mut self, entries: &Entries) -> Option<Session> {
        let SessionCopy { depth, session } = self.kept.last()?;
        let (depth, mut session) = (*depth, session.clone());
        for place in depth..self.path.len() {
            self.replay_entry(&mut session, entries.get(self.path[place] as usize));
            self.keep_at(place + 1, &session);
        }
        Some(session)
    }

    /// Removes take-backs at the end of the path: of several in a row, only the last counts.
    fn remove_last_take_backs(&mut self, entries: &Entries) {
        while self.path.last().is_some_and(|&entry| entries.is_take_back(entry as usize)) {
            self.path.pop();
        }
        self.kept.retain(|kept| kept.depth <= self.path.len());
    }

    /// The depth of the parent of the entry at an index, if play can return there.
    fn depth_before(&self, index: usize) -> Option<usize> {
        let from = self.nodes.get(index).filter(|node| node.depth != NOWHERE)?.from;
        if from == START {
            return Some(0);
        }
        let depth = self.nodes[from as usize].depth as usize;
        (depth <= self.path.len() && self.path[depth - 1] == from).then_some(depth)
    }

    /// Adds an entry to the end of the path. `from` is its parent, and `depth` the number of entries before it.
    fn push_entry(&mut self, from: u32, depth: usize) {
        self.path.push(self.nodes.len() as u32);
        self.nodes.push(Node { from, depth: depth as u32 + 1 });
    }

    /// Repeats the effect of an entry. It was possible the first time, so it is possible now, and errors are ignored.
    fn replay_entry(&self, session: &mut Session, entry: Option<Entry>) {
        let _ = match entry {
            Some(Entry::Answer { decision, key, .. }) => session.choose(decision, Choice::Key(key)),
            Some(Entry::Thrown { result, .. }) => session.supply(&result),
            Some(Entry::TakenBack { undo }) => {
                self.renew_chance(session, undo);
                Ok(())
            }
            Some(Entry::Resigned { resign }) => {
                session.resign(resign);
                Ok(())
            }
            Some(Entry::Withdrawn { .. }) | None => Ok(()),
        };
        session.take_events();
    }
}

/// A copy of a session without pending events.
fn without_events(session: &Session) -> Session {
    let mut session = session.clone();
    session.take_events();
    session
}
