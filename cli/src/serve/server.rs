//! All tables, and the access to them: who has shown which link, and how many browsers are connected.

use super::addresses::{CountingMode, Door};
use super::connections::{CapacityLimit, Connection, Connections, most_connections};
use super::limits::{Limits, MOST_FOLLOWING, MOST_REHEARSALS};
use super::links::{Key, Place};
use super::sitting::Table;
use axum::http::{HeaderMap, header};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// The name of a cookie. Its path names the table and the seat.
pub const COOKIE: &str = "ludex";

/// All tables, with their access rules and limits.
pub struct Server {
    /// The tables by id, the name in their addresses.
    pub tables: BTreeMap<String, Table>,
    /// The addresses of the server, and the way to find that of a client.
    pub door: Door,
    pub limits: Limits,
    /// Held while a preview is played.
    pub rehearsals: Arc<Semaphore>,
    connections: Arc<Connections>,
    /// The number of browsers that follow play.
    following: AtomicUsize,
    /// The number of browsers in which each seat is open.
    open: Mutex<BTreeMap<(String, usize), usize>>,
}

/// The keys that the cookies of a request give.
#[derive(Clone, Debug)]
pub struct Keys(Arc<[Key]>);

impl Keys {
    /// The key of a place, if a cookie gave it.
    pub fn key_for(&self, place: Place) -> Option<&Key> {
        self.0.iter().find(|key| key.place == place)
    }
}

/// The viewer of a table: the holder of a seat, or a spectator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableViewer {
    Seat(usize),
    Anybody,
}

impl TableViewer {
    pub fn seat_number(self) -> Option<usize> {
        if let TableViewer::Seat(seat) = self { Some(seat) } else { None }
    }
}

impl Server {
    /// A server for some tables, without any browsers yet.
    pub fn new(tables: Vec<Table>, door: Door) -> Server {
        Server {
            connections: Connections::new(most_connections(tables.len())),
            tables: tables.into_iter().map(|table| (table.id.clone(), table)).collect(),
            door,
            limits: Limits::default(),
            rehearsals: Arc::new(Semaphore::new(MOST_REHEARSALS)),
            following: AtomicUsize::new(0),
            open: Mutex::new(BTreeMap::new()),
        }
    }

    /// Counts a new connection. Returns `None` if there is no room even to refuse it.
    pub fn count_connection(&self, peer: IpAddr) -> Option<Connection> {
        self.connections.open_connection(peer, (self.door.counting_mode() == CountingMode::Peer).then_some(peer))
    }

    /// Counts a connection again, now that its request shows the client, `asker`. A browser that has shown a seat counts only
    /// towards the total. The error is the limit that leaves no room for it.
    pub fn recount_connection(&self, connection: &Connection, asker: IpAddr, keys: &Keys) -> Result<(), CapacityLimit> {
        let is_known = !keys.0.is_empty();
        connection.count_towards(match self.door.counting_mode() {
            CountingMode::Peer if !is_known && !connection.is_known() => Some(connection.peer),
            CountingMode::Header if !is_known => Some(asker),
            _ => None,
        })
    }

    /// The keys in the cookies of a request, for the table it asks for.
    pub fn keys_from_cookies(&self, path: &str, headers: &HeaderMap) -> Keys {
        let table = path.strip_prefix("/t/").and_then(|path| self.tables.get(path.split('/').next()?));
        Keys(table.map(|table| table.links.keys_for_secrets(cookie_secrets(headers))).unwrap_or_default().into())
    }

    /// Counts a browser that follows play, unless there are too many. It is counted until the returned slot is dropped.
    pub fn add_follower(self: &Arc<Server>, table: &str, who: TableViewer) -> Option<FollowerSlot> {
        let count = |count: usize| (count < MOST_FOLLOWING).then_some(count + 1);
        self.following.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count).ok()?;
        let key = who.seat_number().map(|seat| (table.to_string(), seat));
        if let Some(key) = &key {
            *self.lock_open_seats().entry(key.clone()).or_default() += 1;
        }
        Some(FollowerSlot { server: self.clone(), key })
    }

    /// The number of browsers in which each seat is open, by table and seat.
    pub fn lock_open_seats(&self) -> MutexGuard<'_, BTreeMap<(String, usize), usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A browser that follows play.
pub struct FollowerSlot {
    server: Arc<Server>,
    /// The table and the seat; `None` for a spectator.
    key: Option<(String, usize)>,
}

impl Drop for FollowerSlot {
    fn drop(&mut self) {
        self.server.following.fetch_sub(1, Ordering::Relaxed);
        let mut open = self.server.lock_open_seats();
        if let Some(count) = self.key.as_ref().and_then(|key| open.get_mut(key)) {
            *count = count.saturating_sub(1);
        }
    }
}

/// The secrets in the cookies of a request; a browser sends those for the path it asks for.
fn cookie_secrets(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = all.flat_map(|all| all.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value)
}
