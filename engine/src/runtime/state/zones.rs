//! Zones and their pieces, stored in one array for all zones, so that a copy needs only one block of memory.
//!
//! A zone's *block* is its part of that array. Pieces are ordered from the start, the bottom, to the end, the top. If shuffles
//! are *dealt late*, the order of a shuffled zone is *undealt* until it is read (`unsettled_order`), and each function that
//! depends on an order records a *look* at it.

use crate::runtime::state::unsettled_order::{Look, UndealtOrders};
use crate::runtime::state::{EntityId, ZoneId};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use std::hash::{Hash, Hasher};

/// All zones, by their ids.
#[derive(Debug, Default)]
pub struct Zones {
    zones: Vec<Zone>,
    /// A block for each zone: its pieces in order, and then unused places. Old blocks of zones that have outgrown them remain
    /// unused.
    places: Vec<EntityId>,
    /// The orders that are still to be dealt; `None` if every shuffle is dealt at once.
    undealt: Option<Box<UndealtOrders>>,
}

/// An ordered place for pieces.
#[derive(Clone, Copy, Debug)]
pub struct Zone {
    /// The owner of the zone.
    pub owner: EntityId,
    /// Index among the owner's zones.
    pub index: u16,
    /// The start of its block, the number of pieces in it, and its capacity.
    start: u32,
    length: u16,
    room: u16,
}

/// Minimum capacity of a zone that holds anything.
const LEAST_ROOM: u16 = 4;
/// Up to this number of zones, each has a capacity of `FIRST_ROOM` before play begins.
const FEW_ZONES: usize = 64;
const FIRST_ROOM: u16 = 8;

impl Clone for Zones {
    fn clone(&self) -> Zones {
        Zones { zones: self.zones.clone(), places: self.places.clone(), undealt: self.undealt.clone() }
    }

    fn clone_from(&mut self, other: &Zones) {
        self.zones.clone_from(&other.zones);
        self.places.clone_from(&other.places);
        self.undealt.clone_from(&other.undealt);
    }
}

/// Compares the contents of zones, and not the places of their blocks.
impl PartialEq for Zones {
    fn eq(&self, other: &Zones) -> bool {
        self.zones.len() == other.zones.len() && self.undealt == other.undealt && self.iter().eq(other.iter())
    }
}

impl Eq for Zones {}

impl Hash for Zones {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.iter().for_each(|zone| zone.hash(state));
    }
}

/// A zone as it is serialised, without its block.
#[derive(Serialize)]
struct SerializedZone<'z> {
    pieces: &'z [EntityId],
    owner: EntityId,
    index: u16,
}

impl Serialize for Zones {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = serializer.serialize_seq(Some(self.len()))?;
        for (owner, index, pieces) in self.iter() {
            all.serialize_element(&SerializedZone { pieces, owner, index })?;
        }
        all.end()
    }
}

impl Zones {
    #[inline]
    pub fn len(&self) -> usize {
        self.zones.len()
    }

    /// The zone with a number.
    #[inline]
    pub fn get(&self, zone: usize) -> Option<&Zone> {
        self.zones.get(zone)
    }

    /// The owner, the index among the owner's zones, and the pieces of each zone.
    pub fn iter(&self) -> impl Iterator<Item = (EntityId, u16, &[EntityId])> {
        self.zones.iter().map(|zone| (zone.owner, zone.index, self.zone_block(zone)))
    }

    /// The pieces of a zone, in order. If the order is undealt, this is a look at all of it.
    #[inline]
    pub fn ordered_pieces(&self, zone: usize) -> &[EntityId] {
        self.record_look(zone, 0);
        self.unordered_pieces(zone)
    }

    /// The topmost pieces of a zone, at most `count`, in order. This is a look at these pieces only.
    #[inline]
    pub fn top_pieces(&self, zone: usize, count: usize) -> &[EntityId] {
        let lying = self.unordered_pieces(zone);
        let from = lying.len().saturating_sub(count);
        self.record_look(zone, from);
        lying.get(from..).unwrap_or(&[])
    }

    /// The pieces of a zone, without a look. Use it only if their order does not matter.
    #[inline]
    pub fn unordered_pieces(&self, zone: usize) -> &[EntityId] {
        self.zones.get(zone).map_or(&[], |zone| self.zone_block(zone))
    }

    /// Number of pieces in a zone.
    #[inline]
    pub fn count_pieces(&self, zone: usize) -> usize {
        self.zones.get(zone).map_or(0, |zone| usize::from(zone.length))
    }

    /// The pieces of a zone.
    #[inline]
    fn zone_block(&self, zone: &Zone) -> &[EntityId] {
        let start = zone.start as usize;
        self.places.get(start..start + usize::from(zone.length)).unwrap_or(&[])
    }

    /// The pieces of a zone, to change them.
    #[inline]
    fn block_mut(&mut self, zone: usize) -> &mut [EntityId] {
        let Some(Zone { start, length, .. }) = self.zones.get(zone).copied() else { return &mut [] };
        let start = start as usize;
        self.places.get_mut(start..start + usize::from(length)).unwrap_or_default()
    }

    /// Adds an empty zone of an owner; `index` is its index among the owner's zones.
    pub fn add_zone(&mut self, owner: EntityId, index: u16) {
        self.zones.push(Zone { owner, index, start: 0, length: 0, room: 0 });
    }

    /// Puts a piece at the end of a zone.
    #[inline]
    pub fn push(&mut self, zone: ZoneId, piece: EntityId) {
        let Some(found) = self.zones.get_mut(usize::from(zone)) else { return };
        if found.length == found.room {
            self.widen_block(zone, 1);
            return self.push(zone, piece);
        }
        let end = found.start as usize + usize::from(found.length);
        if let Some(place) = self.places.get_mut(end) {
            *place = piece;
            found.length += 1;
        }
    }

    /// Puts a piece at the start of a zone.
    pub fn push_front(&mut self, zone: ZoneId, piece: EntityId) {
        // Dealing starts at the top, so a piece at the bottom needs a settled order.
        self.record_look(usize::from(zone), 0);
        self.push(zone, piece);
        self.block_mut(usize::from(zone)).rotate_right(1);
    }

    /// Makes room for `more` pieces in a zone: extends its block at the end of the array, or moves it there.
    #[cold]
    fn widen_block(&mut self, zone: ZoneId, more: usize) {
        let Some(found) = self.zones.get_mut(usize::from(zone)) else { return };
        let (start, length) = (found.start as usize, usize::from(found.length));
        let room = (length + more).max(2 * length).clamp(usize::from(LEAST_ROOM), usize::from(u16::MAX));
        if start + usize::from(found.room) == self.places.len() && found.room > 0 {
            self.places.resize(start + room, 0);
        } else {
            found.start = self.places.len() as u32;
            self.places.extend_from_within(start..start + length);
            self.places.resize(found.start as usize + room, 0);
        }
        found.room = room as u16;
    }

    /// Gives each zone some capacity if there are few zones, because otherwise each match would do so again.
    pub fn make_room(&mut self) {
        if self.zones.len() > FEW_ZONES {
            return;
        }
        for zone in 0..self.zones.len() {
            let Zone { length, room, .. } = self.zones[zone];
            if room < FIRST_ROOM {
                self.widen_block(zone as ZoneId, usize::from(FIRST_ROOM - length));
            }
        }
    }

    /// Takes a piece out of its zone.
    #[inline]
    pub fn remove(&mut self, zone: ZoneId, piece: EntityId) {
        if self.undealt.is_some() {
            self.take_undealt(zone, |taken| taken == piece);
        }
        // The pieces after it move up, from the last one on. Zones are short, and piles lose their top piece.
        let Some((last, rest)) = self.block_mut(usize::from(zone)).split_last_mut() else { return };
        let mut carried = *last;
        for place in rest.iter_mut().rev() {
            if carried == piece {
                break;
            }
            std::mem::swap(place, &mut carried);
        }
        debug_assert_eq!(carried, piece, "only pieces in it are taken out");
        if let Some(found) = self.zones.get_mut(usize::from(zone)) {
            found.length -= 1;
        }
    }

    /// Removes all other pieces from a zone.
    pub fn retain(&mut self, zone: ZoneId, stays: impl Fn(EntityId) -> bool) {
        if self.undealt.is_some() {
            self.take_undealt(zone, |piece| !stays(piece));
        }
        let block = self.block_mut(usize::from(zone));
        let mut kept = 0;
        for place in 0..block.len() {
            if stays(block[place]) {
                block[kept] = block[place];
                kept += 1;
            }
        }
        if let Some(found) = self.zones.get_mut(usize::from(zone)) {
            found.length = kept as u16;
        }
    }

    /// Moves all pieces of a zone to the end of another, in their order.
    pub fn pour_block(&mut self, from: ZoneId, to: ZoneId) {
        self.record_look(usize::from(from), 0);
        let (Some(source), Some(target)) = (self.get(usize::from(from)).copied(), self.get(usize::from(to)).copied()) else {
            return;
        };
        let count = source.length;
        if usize::from(target.length) + usize::from(count) > usize::from(target.room) {
            self.widen_block(to, usize::from(count));
        }
        let Some(target) = self.zones.get_mut(usize::from(to)) else { return };
        let (start, end) = (source.start as usize, target.start as usize + usize::from(target.length));
        self.places.copy_within(start..start + usize::from(count), end);
        target.length += count;
        if let Some(source) = self.zones.get_mut(usize::from(from)) {
            source.length = 0;
        }
    }

    /// Turns on late dealing: from now on a shuffled zone is dealt when it is looked at.
    pub fn deal_late(&mut self) {
        self.undealt = Some(Box::default());
    }

    /// Whether shuffled zones are dealt when they are looked at.
    pub fn are_dealt_late(&self) -> bool {
        self.undealt.is_some()
    }

    /// Whether any zone has an unsettled order.
    pub fn are_undealt(&self) -> bool {
        self.undealt.as_ref().is_some_and(|undealt| undealt.has_undealt())
    }

    /// Settles all undealt orders as they are, and turns late dealing off.
    pub fn settle_orders(&mut self) {
        self.undealt = None;
    }

    /// Number of pieces of a zone, from the bottom up, without a settled order.
    pub fn undealt_count(&self, zone: usize) -> usize {
        self.undealt.as_ref().map_or(0, |undealt| undealt.undealt_count(zone))
    }

    /// Shuffles a zone for late dealing, and stops play.
    pub fn shuffle_late(&mut self, zone: usize) {
        let count = self.count_pieces(zone);
        if let Some(undealt) = &mut self.undealt {
            undealt.shuffle_undealt(zone, count);
        }
    }

    /// Whether play has stopped after a shuffle.
    pub fn are_paused(&self) -> bool {
        self.undealt.as_ref().is_some_and(|undealt| undealt.is_paused())
    }

    /// Lets play go on after a shuffle; false if it has not stopped there.
    pub fn resume_play(&mut self) -> bool {
        self.undealt.as_mut().is_some_and(|undealt| undealt.resume_play())
    }

    /// Takes the first look at an undealt order since the last call.
    pub fn take_look(&mut self) -> Option<Look> {
        self.undealt.as_mut()?.take_look()
    }

    /// For each piece of a look, the number of pieces that chance chooses from, the topmost first.
    pub fn draw_sizes(&self, look: Look) -> impl Iterator<Item = usize> + use<> {
        self.undealt.as_ref().map(|undealt| undealt.draw_sizes(look)).into_iter().flatten().rev()
    }

    /// Deals the topmost undealt pieces of a zone, one for each result. A result is the number of a remaining piece, from 1.
    pub fn deal_top(&mut self, zone: usize, results: &[i64]) {
        let Some(mut undealt) = self.undealt.take() else { return };
        let mut left = undealt.undealt_count(zone);
        for result in results {
            let chosen = usize::try_from(*result).unwrap_or(0).saturating_sub(1);
            let Some(place) = left.checked_sub(1) else { break };
            if let Some(block) = self.block_mut(zone).get_mut(..left) {
                block.swap(place, chosen.min(place));
            }
            left = place;
        }
        undealt.set_undealt_count(zone, left);
        self.undealt = Some(undealt);
    }

    /// Puts all undealt pieces into another order, which must not be noticeable.
    #[cfg(test)]
    pub fn reorder_undealt(&mut self, luck: &mut crate::runtime::random::Generator) {
        for zone in 0..self.len() {
            let count = self.undealt.as_ref().map_or(0, |undealt| undealt.undealt_count(zone));
            if let Some(undealt) = self.block_mut(zone).get_mut(..count) {
                crate::runtime::random::shuffle_slice(undealt, luck);
            }
        }
    }

    /// Records a look at the order of a zone from an index on, counted from the bottom.
    #[inline]
    fn record_look(&self, zone: usize, from: usize) {
        if let Some(undealt) = &self.undealt {
            undealt.record_look(zone, from);
        }
    }

    /// Reduces the undealt pieces of a zone by those that are about to leave it.
    #[cold]
    fn take_undealt(&mut self, zone: ZoneId, leaves: impl Fn(EntityId) -> bool) {
        let zone = usize::from(zone);
        let Some(mut undealt) = self.undealt.take() else { return };
        let count = undealt.undealt_count(zone);
        let leaving = self.unordered_pieces(zone).iter().take(count).filter(|piece| leaves(**piece)).count();
        undealt.set_undealt_count(zone, count - leaving);
        self.undealt = Some(undealt);
    }

    /// Puts the pieces of a zone into another order.
    pub fn set_order(&mut self, zone: usize, order: &[EntityId]) {
        let block = self.block_mut(zone);
        if block.len() == order.len() {
            block.copy_from_slice(order);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What is done to the zones, by their numbers and those of pieces.
    #[derive(Clone, Debug)]
    enum Change {
        Push(u16, u16),
        PushFront(u16, u16),
        Remove(u16, usize),
        Pour(u16, u16),
        RetainEven(u16),
        Reverse(u16),
    }

    fn change() -> impl Strategy<Value = Change> {
        prop_oneof![
            4 => (0..4u16, any::<u16>()).prop_map(|(zone, piece)| Change::Push(zone, piece)),
            1 => (0..4u16, any::<u16>()).prop_map(|(zone, piece)| Change::PushFront(zone, piece)),
            1 => (0..4u16, 0..9usize).prop_map(|(zone, place)| Change::Remove(zone, place)),
            1 => (0..4u16, 0..4u16).prop_map(|(from, to)| Change::Pour(from, to)),
            1 => (0..4u16).prop_map(Change::RetainEven),
            1 => (0..4u16).prop_map(Change::Reverse),
        ]
    }

    /// Four pieces whose order is not dealt, and an empty zone.
    fn shuffled() -> Zones {
        let mut zones = Zones::default();
        (0..2).for_each(|index| zones.add_zone(7, index));
        (10..14).for_each(|piece| zones.push(0, piece));
        zones.deal_late();
        zones.shuffle_late(0);
        zones
    }

    const NOTHING: [usize; 0] = [];

    /// From how many pieces chance chooses each that is looked at first.
    fn look(act: fn(&mut Zones)) -> Vec<usize> {
        let mut zones = shuffled();
        act(&mut zones);
        let look = zones.take_look();
        look.map_or(Vec::new(), |look| zones.draw_sizes(look).collect())
    }

    #[test]
    fn what_depends_on_an_order_is_a_look_at_it() {
        assert_eq!(look(|zones| _ = zones.ordered_pieces(0)), [4, 3, 2]);
        assert_eq!(look(|zones| _ = zones.top_pieces(0, 1)), [4]);
        assert_eq!(look(|zones| _ = (zones.top_pieces(0, 2), zones.ordered_pieces(0))), [4, 3], "the first look counts");
        assert_eq!(look(|zones| zones.push_front(0, 9)), [4, 3, 2]);
        assert_eq!(look(|zones| zones.pour_block(0, 1)), [4, 3, 2]);
        assert_eq!(
            look(|zones| _ = (zones.count_pieces(0), zones.unordered_pieces(0), zones.ordered_pieces(1), zones.top_pieces(0, 0))),
            NOTHING
        );
    }

    #[test]
    fn what_lies_on_top_of_an_order_or_is_taken_out_of_it_is_none_of_it() {
        let above = |zones: &mut Zones| zones.push(0, 9);
        assert_eq!(look(|zones| _ = (zones.push(0, 9), zones.top_pieces(0, 1))), NOTHING);
        assert_eq!(look(|zones| _ = (zones.push(0, 9), zones.top_pieces(0, 2))), [4]);
        assert_eq!(look(|zones| _ = (zones.remove(0, 11), zones.top_pieces(0, 1))), [3]);
        assert_eq!(look(|zones| _ = (zones.retain(0, |piece| piece < 12), zones.ordered_pieces(0))), [2]);
        assert_eq!(
            look(|zones| _ = (zones.retain(0, |piece| piece < 11), zones.ordered_pieces(0))),
            NOTHING,
            "one lies where it lies"
        );
        let mut zones = shuffled();
        above(&mut zones);
        zones.remove(0, 9);
        assert!(zones.are_undealt() && zones.take_look().is_none());
    }

    #[test]
    fn cards_are_dealt_from_the_top() {
        let mut zones = shuffled();
        zones.deal_top(0, &[1, 2]);
        assert_eq!(zones.top_pieces(0, 2), [11, 10]);
        assert_eq!(zones.take_look(), None);
        assert_eq!(zones.ordered_pieces(0).len(), 4);
        let look = zones.take_look().expect("the bottom is not dealt");
        assert!(zones.draw_sizes(look).eq([2]));
        zones.deal_top(0, &[2]);
        assert!(!zones.are_undealt());
        assert_eq!(zones.ordered_pieces(0), [13, 12, 11, 10]);
    }

    proptest! {
        #[test]
        fn zones_are_lists_of_pieces(changes in prop::collection::vec(change(), 0..200)) {
            let mut zones = Zones::default();
            let mut lists: Vec<Vec<u16>> = vec![Vec::new(); 4];
            (0..4).for_each(|index| zones.add_zone(7, index));
            for change in changes {
                match change {
                    Change::Push(zone, piece) => {
                        zones.push(zone, piece);
                        lists[usize::from(zone)].push(piece);
                    }
                    Change::PushFront(zone, piece) => {
                        zones.push_front(zone, piece);
                        lists[usize::from(zone)].insert(0, piece);
                    }
                    Change::Remove(zone, place) => {
                        let list = &mut lists[usize::from(zone)];
                        if let Some(piece) = list.get(place).copied() {
                            zones.remove(zone, piece);
                            let last = list.iter().rposition(|other| *other == piece).unwrap();
                            list.remove(last);
                        }
                    }
                    Change::Pour(from, to) if from != to => {
                        zones.pour_block(from, to);
                        let mut moved = std::mem::take(&mut lists[usize::from(from)]);
                        lists[usize::from(to)].append(&mut moved);
                    }
                    Change::Pour(..) => {}
                    Change::RetainEven(zone) => {
                        zones.retain(zone, |piece| piece % 2 == 0);
                        lists[usize::from(zone)].retain(|piece| piece % 2 == 0);
                    }
                    Change::Reverse(zone) => {
                        lists[usize::from(zone)].reverse();
                        zones.set_order(usize::from(zone), &lists[usize::from(zone)]);
                    }
                }
                for (zone, list) in lists.iter().enumerate() {
                    prop_assert_eq!(zones.ordered_pieces(zone), list.as_slice());
                }
            }
            // Wherever the blocks lie, zones with the same pieces are the same.
            let mut other = Zones::default();
            (0..4).for_each(|index| other.add_zone(7, index));
            for (zone, list) in lists.iter().enumerate() {
                list.iter().for_each(|piece| other.push(zone as u16, *piece));
            }
            prop_assert!(zones == other);
            prop_assert_eq!(serde_json::to_string(&zones).unwrap(), serde_json::to_string(&other).unwrap());
        }
    }
}
