//! Shuffled zones of which it is not settled yet which piece lies where.
//!
//! Somebody looks when play does something that may depend on the order. Only the first look since the last one was taken is kept:
//! what is done after it may follow from an order that chance has not dealt.

use crate::runtime::state::ZoneId;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is still to be dealt.
#[derive(Debug, Default)]
pub struct Undealt {
    /// Of each zone how many pieces, from the bottom up; zones beyond the end have none. Any of these pieces may lie in any of these
    /// places, each order as likely as every other.
    counts: Vec<u16>,
    /// The first look, packed; 0 for none. It is written where the board is only read, by one thread at a time.
    look: AtomicU32,
    /// Play has stopped behind a shuffle: before it, what lies there could not be dealt.
    paused: bool,
}

/// A look at an order that was not dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whose order.
    pub zone: ZoneId,
    /// How many of the pieces that were still to be dealt, from the top down.
    pub count: u16,
}

impl Look {
    fn packed(self) -> u32 {
        u32::from(self.zone) << 16 | u32::from(self.count)
    }

    fn unpacked(packed: u32) -> Option<Look> {
        (packed != 0).then_some(Look { zone: (packed >> 16) as ZoneId, count: packed as u16 })
    }
}

/// A copy has not looked.
impl Clone for Undealt {
    fn clone(&self) -> Undealt {
        Undealt { counts: self.counts.clone(), look: AtomicU32::default(), paused: self.paused }
    }
}

impl PartialEq for Undealt {
    fn eq(&self, other: &Undealt) -> bool {
        let zones = self.counts.len().max(other.counts.len());
        self.paused == other.paused && (0..zones).all(|zone| self.count(zone) == other.count(zone))
    }
}

impl Eq for Undealt {}

impl Undealt {
    /// How many pieces of a zone are still to be dealt.
    pub fn count(&self, zone: usize) -> usize {
        self.counts.get(zone).copied().map_or(0, usize::from)
    }

    /// Whether there is anything to be dealt.
    pub fn is_any(&self) -> bool {
        self.counts.iter().any(|count| *count > 0)
    }

    /// So many pieces are still to be dealt: none where one is left, which can lie nowhere else.
    pub fn set(&mut self, zone: usize, count: usize) {
        if self.counts.len() <= zone {
            // Zones beyond the end have none. What lies nowhere has the highest number of a zone.
            if count < 2 {
                return;
            }
            self.counts.resize(zone + 1, 0);
        }
        if let Some(known) = self.counts.get_mut(zone) {
            *known = if count < 2 { 0 } else { u16::try_from(count).unwrap_or(u16::MAX) };
        }
    }

    /// From how many pieces chance chooses each that a look is at, the last of them first. Where one is left it needs no choice.
    pub fn sizes(&self, look: Look) -> RangeInclusive<usize> {
        let left = self.count(usize::from(look.zone));
        (left.saturating_sub(usize::from(look.count)) + 1).max(2)..=left
    }

    /// A zone of so many pieces is shuffled, and play stops behind it.
    pub fn shuffle(&mut self, zone: usize, count: usize) {
        self.set(zone, count);
        self.paused = true;
    }

    /// Whether play has stopped behind a shuffle.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Lets play that has stopped behind a shuffle go on; false if it has not.
    pub fn resume(&mut self) -> bool {
        std::mem::take(&mut self.paused)
    }

    /// The places of a zone from one on, counted from the bottom, are looked at.
    #[cold]
    pub fn look(&self, zone: usize, from: usize) {
        let left = self.count(zone);
        if left > from && self.look.load(Ordering::Relaxed) == 0 {
            let look = Look { zone: zone as ZoneId, count: (left - from) as u16 };
            self.look.store(look.packed(), Ordering::Relaxed);
        }
    }

    /// The first look since this was asked last.
    pub fn take_look(&mut self) -> Option<Look> {
        Look::unpacked(std::mem::take(self.look.get_mut()))
    }
}
