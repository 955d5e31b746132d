//! Rate limits for the requests of an address, and other limits of the server. Each address has an allowance for each class of
//! request, which fills up again over time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Maximum size of a post in bytes; answers are short.
pub const LONGEST_POST: usize = 16 << 10;
/// Maximum size of a request head in bytes, with its cookies.
pub const LONGEST_HEAD: usize = 16 << 10;
/// Maximum number of browsers that follow play at once, over all tables.
pub const MOST_FOLLOWING: usize = 2_000;
/// Maximum number of previews played at once; the tables go on beside them.
pub const MOST_REHEARSALS: usize = 1;
/// Number of addresses beyond which idle ones are forgotten.
const MOST_ADDRESSES: usize = 4_096;

/// The class of a request; each has its own rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RateClass {
    /// A page, one of its files, or its events.
    Page,
    /// An answer, or anything else that changes play.
    Act,
    /// A preview of a move, for which many games are played.
    Rehearsal,
    /// Taking a seat, or the owner's place, with the secret of its link.
    Claim,
}

impl RateClass {
    /// The burst size, and the rate per second after that.
    fn rate_allowance(self) -> (f64, f64) {
        match self {
            RateClass::Page => (600.0, 100.0),
            RateClass::Act => (100.0, 25.0),
            RateClass::Rehearsal => (10.0, 1.0),
            RateClass::Claim => (30.0, 1.0),
        }
    }
}

/// The remaining allowance of each address.
#[derive(Debug, Default)]
pub struct Limits {
    left: Mutex<HashMap<(IpAddr, RateClass), RemainingAllowance>>,
}

/// The number of requests that were left at a time.
#[derive(Clone, Copy, Debug)]
struct RemainingAllowance {
    count: f64,
    at: Instant,
}

impl Limits {
    /// Whether an address may make one more request now; if so, it is counted. If too many addresses are known, new ones are
    /// refused.
    pub fn admit_request(&self, address: IpAddr, asking: RateClass, now: Instant) -> bool {
        let (most, a_second) = asking.rate_allowance();
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.len() >= MOST_ADDRESSES {
            left.retain(|(_, asking), left| left.count_after(now, *asking) < asking.rate_allowance().0);
        }
        if left.len() >= MOST_ADDRESSES && !left.contains_key(&(address, asking)) {
            return false;
        }
        let own = left.entry((address, asking)).or_insert(RemainingAllowance { count: most, at: now });
        let count = (own.count + now.saturating_duration_since(own.at).as_secs_f64() * a_second).min(most);
        let admitted = count >= 1.0;
        *own = RemainingAllowance { count: if admitted { count - 1.0 } else { count }, at: now };
        admitted
    }
}

impl RemainingAllowance {
    /// The number of requests left at a later time.
    fn count_after(self, now: Instant, asking: RateClass) -> f64 {
        let (most, a_second) = asking.rate_allowance();
        (self.count + now.saturating_duration_since(self.at).as_secs_f64() * a_second).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::time::Duration;

    fn address(number: u32) -> IpAddr {
        Ipv4Addr::from_bits(number).into()
    }

    #[test]
    fn who_asks_too_often_waits_and_others_do_not() {
        let (limits, start) = (Limits::default(), Instant::now());
        let admitted = (0..1_000).filter(|_| limits.admit_request(address(1), RateClass::Act, start)).count();
        assert_eq!(admitted, 100);
        assert!(
            limits.admit_request(address(2), RateClass::Act, start) && limits.admit_request(address(1), RateClass::Page, start)
        );
        let later = start + Duration::from_secs(1);
        assert_eq!((0..1_000).filter(|_| limits.admit_request(address(1), RateClass::Act, later)).count(), 25);
    }

    #[test]
    fn memory_for_addresses_is_bounded() {
        let (limits, start) = (Limits::default(), Instant::now());
        let admitted = (0..20_000).filter(|number| limits.admit_request(address(*number), RateClass::Page, start)).count();
        assert_eq!((admitted, limits.left.lock().unwrap().len()), (MOST_ADDRESSES, MOST_ADDRESSES));
        // Those that were quiet make room.
        assert!(limits.admit_request(address(30_000), RateClass::Page, start + Duration::from_secs(60)));
    }
}
