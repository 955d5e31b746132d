//! Chance: dice that are pieces, pools of other dice, and shuffles; drawn, listed, or thrown by people.
//!
//! *Results* of chance come from the seeded generator, from a list, or from outside: then a request is made, play waits, and the
//! instruction starts again with the results in `supplied`. For exact odds, a shuffle is *dealt late*: the order is drawn when it
//! is read, and play stops after the shuffle. A *pool* is rolled dice that are not pieces. `reason` is the rules' text for a throw.

use crate::runtime::context::Context;
use crate::runtime::dice::{Dice, RandomDraw, RandomKind, RandomRequest};
use crate::runtime::effect::Effects;
use crate::runtime::event::EventKind;
use crate::runtime::limits::{MOST_FACES, MOST_IN_POOL, TOLD_PER_CHANGE};
use crate::runtime::random::{Generator, random_below, random_below_plain};
use crate::runtime::state::{Board, EntityId, State, members_of};
use ludex_program::{DIE_SIZE, DIE_VALUE, Faces, TextId, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::join_words;
use smallvec::SmallVec;

impl Effects {
    /// Rolls the dice of a list for a reason given by the rules. True if results must be waited for.
    pub fn roll_dice(&mut self, context: &Context, base: usize, list: Value, reason: Option<TextId>) -> bool {
        // Without dice there is no roll to give a reason for.
        let reason = reason.filter(|_| !self.state.list_values(list).is_empty());
        if !self.check_reason(context, base, reason) {
            return false;
        }
        if !self.announces_fully() && matches!(self.dice, Dice::Seeded) {
            self.roll_quietly(context, list);
            return false;
        }
        let reason = reason.map(|reason| self.render(context, base, reason));
        self.roll_with_events(context, list, reason)
    }

    /// Checks the text of the reason for errors; false if it has failed.
    fn check_reason(&mut self, context: &Context, base: usize, reason: Option<TextId>) -> bool {
        if let Some(reason) = reason {
            self.check_text(context, base, reason);
        }
        self.fault.is_none()
    }

    /// Rolls the dice of a list, with events and requests. True if results must be waited for.
    pub fn roll_with_events(&mut self, context: &Context, list: Value, reason: Option<String>) -> bool {
        let count = self.state.list_values(list).len();
        if self.needs_results() && count > 0 {
            let draws: Vec<RandomDraw> = self
                .state
                .list_values(list)
                .iter()
                .map(|die| RandomDraw {
                    piece: Some(self.number_of_piece(context, *die)),
                    size: i64::from(self.state.board.field(*die, DIE_SIZE).unwrap_or(1)),
                    faces: self.faces_of(context, *die).cloned(),
                })
                .collect();
            if self.request_results(RandomKind::Roll, draws, reason.clone().unwrap_or_default()) {
                return true;
            }
        }
        if !self.spend_on_changes(count) {
            return false;
        }
        for index in 0..count {
            let die = self.state.list_member(list, index);
            let Some(size) = self.state.board.field(die, DIE_SIZE) else {
                self.raise("only dice can be rolled, and this is not a die");
                return false;
            };
            let value = self.draw_face(size, self.faces_of(context, die));
            if let Some(cell) = self.board_mut().field_mut(die, DIE_VALUE) {
                *cell = value;
            }
            self.forget_dice(&[die as EntityId]);
            if self.announces_fully() {
                let view = self.piece_view(context, die);
                let why = reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
                let text = format!("{}{} shows {value}{why}", self.owner_words(context, die), view.display_name());
                self.announce(context, EventKind::Rolled { piece: view, value }, self.owner_side(context, die), Some(text));
            }
        }
        false
    }

    /// Rolls in an unwatched game: the same draws, without words.
    fn roll_quietly(&mut self, context: &Context, list: Value) {
        let count = self.state.list_values(list).len();
        if !self.spend_on_changes(count) {
            return;
        }
        let State { lists, board, generator, .. } = &mut self.state;
        let dice = members_of(lists, list);
        let all_are_dice = match generator {
            // A local copy, so that it stays in registers from die to die.
            Generator::Plain(plain) => {
                let mut drawing = plain.clone();
                let all_are_dice = board.roll_on_board(context, dice, |size| random_below_plain(&mut drawing, size));
                *plain = drawing;
                all_are_dice
            }
            keyed => board.roll_on_board(context, dice, |size| random_below(keyed, size)),
        };
        if !all_are_dice {
            self.raise("only dice can be rolled, and this is not a die");
            return;
        }
        if !self.state.known.is_empty() {
            let dice: SmallVec<[EntityId; 16]> = self.state.list_values(list).iter().map(|die| *die as EntityId).collect();
            self.forget_dice(&dice);
        }
    }

    /// Whether the reason for a roll is shown.
    pub fn shows_reasons(&self) -> bool {
        self.announces_fully() || self.dice.are_external()
    }

    /// Whether the next results of chance must come from outside and have not arrived yet.
    pub fn needs_results(&self) -> bool {
        self.dice.are_external() && self.supplied.is_empty()
    }

    /// Requests results of chance from outside, except those with only one possible value. False if there are no others. `reason`
    /// is for people.
    #[must_use]
    fn request_results(&mut self, kind: RandomKind, mut draws: Vec<RandomDraw>, reason: String) -> bool {
        if self.dice == Dice::External {
            draws.retain(|draw| draw.size > 1);
            if draws.is_empty() {
                return false;
            }
        }
        // The number of the first result, which no later throw has.
        self.request = Some(RandomRequest { id: u64::from(self.state.results) + 1, kind, draws, reason });
        true
    }

    /// The faces of a die that has its own.
    fn faces_of<'p>(&self, context: &'p Context<'p>, die: Value) -> Option<&'p Faces> {
        context.program.faces_of(self.state.board.entities.get(die as usize)?.kind)
    }

    /// A result from 1 to `size`.
    pub fn draw_number(&mut self, size: Value) -> Value {
        self.draw_face(size, None)
    }

    /// A random face of a die, uniformly distributed: 1 to `size`, if it has no faces of its own.
    fn draw_face(&mut self, size: Value, faces: Option<&Faces>) -> Value {
        let result = self.next_result(size, faces);
        if let Some(trace) = &mut self.trace {
            trace.results.push(i64::from(result));
        }
        result
    }

    /// The next result for a die of `size` faces, from the source of chance. After a fault it is 1.
    fn next_result(&mut self, size: Value, faces: Option<&Faces>) -> Value {
        match &self.dice {
            Dice::Seeded => {
                let index = random_below(&mut self.state.generator, size.max(1) as u32);
                faces.and_then(|faces| faces.values.get(index as usize)).copied().unwrap_or(index as Value + 1)
            }
            Dice::Listed(results) => {
                let Some(&result) = results.get(self.state.results as usize) else {
                    let name = die_name(size, faces);
                    let message = format!("a {name} is rolled, but no listed result is left ({} were given)", results.len());
                    self.raise_as(codes::RANDOM_MISSING, &message);
                    return 1;
                };
                self.state.results += 1;
                let shows = match faces {
                    Some(faces) => faces.values.iter().any(|face| i64::from(*face) == result),
                    None => (1..=i64::from(size)).contains(&result),
                };
                if !shows {
                    let name = die_name(size, faces);
                    let message = format!("result {} of the list is {result}, which a {name} cannot show", self.state.results);
                    self.raise_as(codes::RANDOM_RESULT, &message);
                    return 1;
                }
                result as Value
            }
            Dice::External if size <= 1 => faces.and_then(|faces| faces.values.first()).copied().unwrap_or(1),
            Dice::External | Dice::ExternalAll => {
                if self.supplied.is_empty() {
                    self.raise("a result from outside is missing");
                    return 1;
                }
                self.state.results += 1;
                self.supplied.remove(0) as Value
            }
        }
    }

    /// Shuffles a zone. True if results must be waited for, or if the shuffle is dealt late, so that play stops.
    pub fn shuffle_zone(&mut self, context: &Context, zone: Value) -> bool {
        // With late dealing, play stops after the shuffle, and then resumes here.
        if self.state.board.zones.resume_play() {
            return false;
        }
        let (count, is_dealt_late) = (self.state.board.count_pieces(zone), self.state.board.zones.are_dealt_late());
        if self.needs_results() && count > 1 && !is_dealt_late {
            return self.request_order((2..=count).rev());
        }
        if !self.spend_on_changes(1 + count / TOLD_PER_CHANGE) || !self.spend_on(count * 2) {
            return false;
        }
        match is_dealt_late {
            true => self.board_mut().zones.shuffle_late(zone as usize),
            false => self.put_in_random_order(zone),
        }
        self.forget_zone(zone);
        self.renumber_copies(context, zone as u16);
        if self.announces_fully() {
            let name = self.zone_name(context, zone as u16);
            let text = format!("{} is shuffled", self.describe_zone(context, zone as u16));
            let order = self.state.board.unordered_pieces(zone).iter().map(|piece| *piece as usize).collect();
            let by = name.side;
            self.announce(context, EventKind::Shuffled { zone: name, order }, by, Some(text));
        }
        is_dealt_late
    }

    /// Draws the order of a zone like `random::shuffle_slice`, but with results that may be listed or thrown by people.
    fn put_in_random_order(&mut self, zone: Value) {
        let mut pieces: Vec<EntityId> = self.state.board.unordered_pieces(zone).to_vec();
        for last in (1..pieces.len()).rev() {
            let chosen = (self.draw_number(last as Value + 1) as usize).saturating_sub(1);
            pieces.swap(last, chosen.min(last));
        }
        self.board_mut().zones.set_order(zone as usize, &pieces);
    }

    /// Requests the order of pieces from the top down; each size is the number of pieces left to choose from.
    pub fn request_order(&mut self, sizes: impl Iterator<Item = usize>) -> bool {
        self.request_draws(RandomKind::Shuffle, sizes, "shuffle".to_string())
    }

    /// Requests one draw from each of some sizes.
    fn request_draws(&mut self, kind: RandomKind, sizes: impl Iterator<Item = usize>, reason: String) -> bool {
        let draws = sizes.map(|size| RandomDraw { piece: None, size: size as i64, faces: None }).collect();
        self.request_results(kind, draws, reason)
    }

    /// Draws `count` of some members uniformly, without putting any back. `None` if results must be waited for, or on an error.
    pub fn draw_members(
        &mut self,
        context: &Context,
        base: usize,
        count: Value,
        mut members: Vec<Value>,
        reason: Option<TextId>,
    ) -> Option<Vec<Value>> {
        let count = usize::try_from(count).unwrap_or(0).min(members.len());
        let reason = reason.filter(|_| count > 0);
        if !self.check_reason(context, base, reason) {
            return None;
        }
        let reason = match reason {
            Some(reason) if self.shows_reasons() => self.render(context, base, reason),
            _ => String::new(),
        };
        if self.needs_results() && count > 0 {
            let sizes = (0..count).map(|drawn| members.len() - drawn);
            if self.request_draws(RandomKind::Pick, sizes, reason.clone()) {
                return None;
            }
        }
        if !self.spend_on_changes(1 + count) {
            return None;
        }
        let mut drawn = Vec::with_capacity(count);
        while drawn.len() < count
            && let Some(last) = members.len().checked_sub(1)
        {
            let index = (self.draw_number(members.len() as Value) as usize).saturating_sub(1);
            drawn.push(members.remove(index.min(last)));
        }
        if self.announces_fully() && count > 0 {
            let places: Vec<u16> = drawn.iter().filter_map(|piece| Some(self.state.board.entity(*piece)?.place)).collect();
            let audience = self.audience_of(context, &places);
            let names: Vec<String> = drawn.iter().map(|piece| self.describe_piece(context, *piece)).collect();
            let why = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
            let is = if count == 1 { "is" } else { "are" };
            let text = format!("{} {is} drawn at random{why}", join_words(&names, "and"));
            let pieces = drawn.iter().map(|piece| self.piece_view(context, *piece)).collect();
            self.announce_to(context, EventKind::Drawn { pieces }, None, Some(text), audience);
        }
        Some(drawn)
    }

    // --- pools ---

    /// Rolls a pool of dice of one size, and returns the list of their values, in the order they fell. `None` if results must be
    /// waited for, or on an error.
    pub fn roll_pool(
        &mut self,
        context: &Context,
        base: usize,
        count: Value,
        size: Value,
        reason: Option<TextId>,
    ) -> Option<Value> {
        if !(0..=MOST_IN_POOL).contains(&count) || !(1..=MOST_FACES).contains(&size) {
            let dice = context.fault_words(format!("{count} d{size}"), "these dice");
            let message = format!("{dice} cannot be rolled: a throw has 0 to {MOST_IN_POOL} dice of 1 to {MOST_FACES} faces");
            self.raise_as(codes::OUTSIDE_RANGE, message);
            return None;
        }
        let reason = reason.filter(|_| count > 0);
        if !self.check_reason(context, base, reason) {
            return None;
        }
        let reason = match reason {
            Some(reason) if self.shows_reasons() => self.render(context, base, reason),
            _ => String::new(),
        };
        if self.needs_results() && count > 0 {
            let draw = RandomDraw { piece: None, size: i64::from(size), faces: None };
            if self.request_results(RandomKind::Roll, vec![draw; count as usize], reason.clone()) {
                return None;
            }
        }
        if !self.spend_on_changes(1 + count as usize / TOLD_PER_CHANGE) {
            return None;
        }
        let at = self.begin_list();
        for _ in 0..count {
            let value = self.draw_number(size);
            self.state.lists.push(value);
        }
        let list = self.end_list(at);
        if self.announces_fully() && count > 0 {
            let values = self.state.list_values(list).to_vec();
            let shown: Vec<String> = values.iter().map(Value::to_string).collect();
            let why = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
            let text = format!("{count}d{size} shows {}{why}", shown.join(" "));
            self.announce(context, EventKind::RolledPool { size, values }, None, Some(text));
        }
        Some(list)
    }
}

impl Board {
    /// Rolls dice. Returns false at the first thing that is not a die; the dice before it have been rolled.
    #[inline(always)]
    pub fn roll_on_board(&mut self, context: &Context, dice: &[Value], mut draw: impl FnMut(u32) -> u32) -> bool {
        let all_plain = context.program.faces.is_empty();
        for die in dice {
            let Some((kind, Some([_, size, value, ..]))) =
                self.entities.get(*die as usize).map(|die| (die.kind, self.cells.get_mut(die.cells as usize..)))
            else {
                return false;
            };
            let drawn = draw((*size).max(1) as u32);
            *value = match all_plain {
                true => drawn as Value + 1,
                false => context
                    .program
                    .faces_of(kind)
                    .map_or(drawn as Value + 1, |faces| faces.values.get(drawn as usize).copied().unwrap_or(1)),
            };
        }
        true
    }
}

/// `d8`, or the name of a die with its own faces.
fn die_name(size: Value, faces: Option<&Faces>) -> String {
    faces.map_or_else(|| format!("d{size}"), |faces| faces.title.clone())
}
