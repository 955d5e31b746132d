//! The open connections, with their number per address and their limits. A stranger is a connection whose browser has not
//! shown a seat: strangers of one address are limited, so that they leave room for others. A few connections beyond the limits
//! are accepted, only to reply that there are too many.

use super::limits::MOST_FOLLOWING;
use crate::open_files;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of connections if the system allows it: those that follow play, and as many that load pages.
const MOST_CONNECTIONS: usize = 2 * MOST_FOLLOWING;
/// Minimum number of connections, even if the system allows few files.
const FEWEST_CONNECTIONS: usize = 16;
/// Files that the process needs besides connections: some for itself, and some for each table with its bots.
const OWN_FILES: usize = 64;
const FILES_OF_TABLE: usize = 8;
/// Maximum number of connections from one address whose browsers have not shown a seat.
const MOST_OF_ADDRESS: usize = 256;
/// Maximum number of connections beyond the limits that are read, to reply that there are too many.
const MOST_REFUSED: usize = 32;

/// Raises the limit of open files. Returns the number of connections that fit beside `tables` tables.
pub fn most_connections(tables: usize) -> usize {
    let own = OWN_FILES + tables * FILES_OF_TABLE + MOST_REFUSED;
    let files = open_files::raise_limit((own + MOST_CONNECTIONS) as u64);
    let left = files.map_or(MOST_CONNECTIONS, |files| usize::try_from(files).unwrap_or(usize::MAX).saturating_sub(own));
    left.clamp(FEWEST_CONNECTIONS, MOST_CONNECTIONS)
}

/// All open connections.
#[derive(Debug)]
pub struct Connections {
    /// Maximum number of connections that are served.
    most: usize,
    open: Mutex<Open>,
}

/// The current counts.
#[derive(Debug, Default)]
struct Open {
    /// The connections that are served.
    counted: usize,
    /// The connections that only get a refusal.
    refused: usize,
    /// The counted connections of browsers that have not shown a seat, by address.
    strangers: HashMap<IpAddr, usize>,
}

/// The reason for refusing a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapacityLimit {
    /// Too many connections in total.
    Server,
    /// Too many connections from its address.
    Address,
}

/// The way in which a connection counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConnectionClass {
    /// Towards the total only.
    InAll,
    /// Towards its address too.
    Stranger(IpAddr),
    /// Refused for lack of room.
    Refused,
}

/// An open connection. It counts until it is dropped.
#[derive(Debug)]
pub struct Connection {
    all: Arc<Connections>,
    pub peer: IpAddr,
    /// How it counts now.
    standing: Mutex<ConnectionClass>,
}

impl Connections {
    pub fn new(most: usize) -> Arc<Connections> {
        Arc::new(Connections { most, open: Mutex::default() })
    }

    /// Counts a new connection, towards an address if one is given. Returns `None` if there is no room even to refuse it.
    pub fn open_connection(self: &Arc<Connections>, peer: IpAddr, from: Option<IpAddr>) -> Option<Connection> {
        let mut open = self.lock_counts();
        if open.counted + open.refused >= self.most + MOST_REFUSED {
            return None;
        }
        let (standing, _) = open.add_connection(from, self.most);
        Some(Connection { all: self.clone(), peer, standing: Mutex::new(standing) })
    }

    fn lock_counts(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    /// Counts the connection again: towards an address, or only towards the total. If there is no room, it counts as refused.
    pub fn count_towards(&self, from: Option<IpAddr>) -> Result<(), CapacityLimit> {
        let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
        if *standing == from.map_or(ConnectionClass::InAll, ConnectionClass::Stranger) {
            return Ok(());
        }
        let mut open = self.all.lock_counts();
        open.remove_connection(*standing);
        let (now, counted) = open.add_connection(from, self.all.most);
        *standing = now;
        counted
    }

    /// Whether the connection counts only towards the total.
    pub fn is_known(&self) -> bool {
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) == ConnectionClass::InAll
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let standing = *self.standing.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.all.lock_counts().remove_connection(standing);
    }
}

impl Open {
    /// Counts a connection, towards the address `from` if one is given. Returns how it counts, and the limit if it is refused.
    fn add_connection(&mut self, from: Option<IpAddr>, most: usize) -> (ConnectionClass, Result<(), CapacityLimit>) {
        let own = from.and_then(|address| self.strangers.get(&address)).copied().unwrap_or(0);
        let full = match () {
            () if self.counted >= most => CapacityLimit::Server,
            () if own >= MOST_OF_ADDRESS => CapacityLimit::Address,
            () => {
                self.counted += 1;
                let Some(address) = from else { return (ConnectionClass::InAll, Ok(())) };
                self.strangers.insert(address, own + 1);
                return (ConnectionClass::Stranger(address), Ok(()));
            }
        };
        self.refused += 1;
        (ConnectionClass::Refused, Err(full))
    }

    /// Counts a connection no longer.
    fn remove_connection(&mut self, standing: ConnectionClass) {
        match standing {
            ConnectionClass::Refused => self.refused -= 1,
            ConnectionClass::InAll => self.counted -= 1,
            ConnectionClass::Stranger(address) => {
                self.counted -= 1;
                match self.strangers.get_mut(&address) {
                    Some(count @ 2..) => *count -= 1,
                    _ => drop(self.strangers.remove(&address)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        [127, 0, 0, last].into()
    }

    fn open(all: &Arc<Connections>, count: usize, from: Option<u8>) -> Vec<Connection> {
        (0..count).map_while(|_| all.open_connection(address(1), from.map(address))).collect()
    }

    #[test]
    fn strangers_of_one_address_leave_room_for_others() {
        let all = Connections::new(1_000);
        let mut strangers = open(&all, MOST_OF_ADDRESS + 1, Some(1));
        let last = strangers.pop().unwrap();
        assert_eq!(last.count_towards(Some(address(1))), Err(CapacityLimit::Address));
        assert_eq!(last.count_towards(Some(address(2))), Ok(()));
        // Whoever has a seat is let in, and makes room for a stranger.
        let more = open(&all, 1, Some(1)).remove(0);
        assert_eq!((more.count_towards(None), more.is_known()), (Ok(()), true));
        assert_eq!(strangers[0].count_towards(None), Ok(()));
        assert_eq!(open(&all, 1, Some(1))[0].count_towards(Some(address(1))), Ok(()));
    }

    #[test]
    fn of_all_connections_a_few_too_many_are_refused_in_words() {
        let all = Connections::new(10);
        let mut known = open(&all, 100, None);
        assert_eq!(known.len(), 10 + MOST_REFUSED);
        assert_eq!(known.last().unwrap().count_towards(None), Err(CapacityLimit::Server));
        known.truncate(9);
        assert_eq!(open(&all, 1, Some(1))[0].count_towards(Some(address(1))), Ok(()));
        drop(known);
        let left = all.lock_counts();
        assert_eq!((left.counted, left.refused, left.strangers.len()), (0, 0, 0));
    }
}
