//! Shuffled zones whose order is not settled yet.
//!
//! Reading an order is called a look. Only the first look since the last one was taken is kept, because anything done after it
//! may depend on an order that chance has not dealt.
//!
//! [`Zones`](super::Zones) uses this if shuffles are *dealt late*: a shuffled zone keeps its pieces in any order, and chance
//! deals them only once an order is read. `session::dealing` then asks chance for the pieces of the look.

use crate::runtime::state::ZoneId;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU32, Ordering};

/// The orders that are still to be dealt.
#[derive(Debug, Default)]
pub struct UndealtOrders {
    /// For each zone, the number of undealt pieces, from the bottom up; zones beyond the end have none. All orders of these
    /// pieces are equally likely.
    counts: Vec<u16>,
    /// The first look, packed; 0 for none. It is atomic because it is written while the board is only borrowed; only one thread
    /// at a time does so.
    look: AtomicU32,
    /// Play has stopped after a shuffle: before the shuffle its order could not be dealt.
    paused: bool,
}

/// A look at an order that was not dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The zone.
    pub zone: ZoneId,
    /// Number of undealt pieces that were looked at, from the top down.
    pub count: u16,
}

impl Look {
    /// The look as a number other than 0.
    fn pack_bits(self) -> u32 {
        u32::from(self.zone) << 16 | u32::from(self.count)
    }

    fn unpack_bits(packed: u32) -> Option<Look> {
        (packed != 0).then_some(Look { zone: (packed >> 16) as ZoneId, count: packed as u16 })
    }
}

/// A copy starts without a look.
impl Clone for UndealtOrders {
    fn clone(&self) -> UndealtOrders {
        UndealtOrders { counts: self.counts.clone(), look: AtomicU32::default(), paused: self.paused }
    }
}

impl PartialEq for UndealtOrders {
    fn eq(&self, other: &UndealtOrders) -> bool {
        let zones = self.counts.len().max(other.counts.len());
        self.paused == other.paused && (0..zones).all(|zone| self.undealt_count(zone) == other.undealt_count(zone))
    }
}

impl Eq for UndealtOrders {}

impl UndealtOrders {
    /// Number of undealt pieces of a zone.
    pub fn undealt_count(&self, zone: usize) -> usize {
        self.counts.get(zone).copied().map_or(0, usize::from)
    }

    /// Whether any order is undealt.
    pub fn has_undealt(&self) -> bool {
        self.counts.iter().any(|count| *count > 0)
    }

    /// Sets the number of undealt pieces. A single piece has only one possible place, so it counts as none.
    pub fn set_undealt_count(&mut self, zone: usize, count: usize) {
        if self.counts.len() <= zone {
            // Zones beyond the end have none. The pseudo-zone of pieces that are nowhere has the highest number.
            if count < 2 {
                return;
            }
            self.counts.resize(zone + 1, 0);
        }
        if let Some(known) = self.counts.get_mut(zone) {
            *known = if count < 2 { 0 } else { u16::try_from(count).unwrap_or(u16::MAX) };
        }
    }

    /// For each piece of a look, the number of pieces that chance chooses from, the last piece first. A single piece needs no
    /// choice.
    pub fn draw_sizes(&self, look: Look) -> RangeInclusive<usize> {
        let left = self.undealt_count(usize::from(look.zone));
        (left.saturating_sub(usize::from(look.count)) + 1).max(2)..=left
    }

    /// Shuffles a zone of `count` pieces, and stops play after it.
    pub fn shuffle_undealt(&mut self, zone: usize, count: usize) {
        self.set_undealt_count(zone, count);
        self.paused = true;
    }

    /// Whether play has stopped after a shuffle.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Lets play go on that has stopped after a shuffle; false if it has not.
    pub fn resume_play(&mut self) -> bool {
        std::mem::take(&mut self.paused)
    }

    /// Records a look at the places of a zone from an index on, counted from the bottom.
    #[cold]
    pub fn record_look(&self, zone: usize, from: usize) {
        let left = self.undealt_count(zone);
        if left > from && self.look.load(Ordering::Relaxed) == 0 {
            let look = Look { zone: zone as ZoneId, count: (left - from) as u16 };
            self.look.store(look.pack_bits(), Ordering::Relaxed);
        }
    }

    /// Takes the first look since the last call.
    pub fn take_look(&mut self) -> Option<Look> {
        Look::unpack_bits(std::mem::take(self.look.get_mut()))
    }
}
