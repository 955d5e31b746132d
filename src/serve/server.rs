//! All tables, and who may see and do what at them.

use super::door::Door;
use super::limits::{Limits, MOST_FOLLOWING, MOST_REHEARSALS};
use super::links::{Place, random};
use super::shown::Sight;
use super::sitting::Table;
use crate::stop::Stop;
use axum::http::{HeaderMap, header};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// What a cookie is called. Its path says for which table and seat it is.
pub const COOKIE: &str = "ludex";

/// All tables, and who may ask for what.
pub struct Server {
    pub tables: BTreeMap<String, Table>,
    pub door: Door,
    pub limits: Limits,
    /// Held by whoever is told what may come of a move.
    pub rehearsals: Semaphore,
    /// Tells what this process has shown from what another has.
    run: String,
    following: AtomicUsize,
    /// In how many browsers each seat is open.
    open: Mutex<BTreeMap<(String, usize), usize>>,
}

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Seat(usize),
    Anybody,
}

impl Server {
    pub fn new(tables: Vec<Table>, door: Door) -> Result<Server, Stop> {
        Ok(Server {
            tables: tables.into_iter().map(|table| (table.id.clone(), table)).collect(),
            door,
            limits: Limits::default(),
            rehearsals: Semaphore::new(MOST_REHEARSALS),
            run: random(8)?,
            following: AtomicUsize::new(0),
            open: Mutex::new(BTreeMap::new()),
        })
    }

    /// Whether the cookie of a request is that of a place.
    pub fn admits(&self, table: &Table, place: Place, headers: &HeaderMap) -> bool {
        cookies(headers).any(|secret| table.links.admits(place, secret))
    }

    /// What somebody sees now, and the number by which their browser knows it again.
    pub fn sight(&self, table: &Table, who: Who) -> Option<(String, Sight)> {
        let seat = if let Who::Seat(seat) = who { Some(seat) } else { None };
        let sight = table.shown.borrow().to(seat)?.clone();
        Some((format!("{}-{}", self.run, sight.number), sight))
    }

    /// Counts a browser that follows play, unless there are too many; it is counted as long as what is given is held.
    pub fn follow(self: &Arc<Server>, table: &str, who: Who) -> Option<Following> {
        let count = |count: usize| (count < MOST_FOLLOWING).then_some(count + 1);
        self.following.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count).ok()?;
        let key = if let Who::Seat(seat) = who { Some((table.to_string(), seat)) } else { None };
        if let Some(key) = &key {
            *self.open().entry(key.clone()).or_default() += 1;
        }
        Some(Following { server: self.clone(), key })
    }

    pub fn open(&self) -> MutexGuard<'_, BTreeMap<(String, usize), usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A browser that follows play.
pub struct Following {
    server: Arc<Server>,
    key: Option<(String, usize)>,
}

impl Drop for Following {
    fn drop(&mut self) {
        self.server.following.fetch_sub(1, Ordering::Relaxed);
        let mut open = self.server.open();
        if let Some(count) = self.key.as_ref().and_then(|key| open.get_mut(key)) {
            *count = count.saturating_sub(1);
        }
    }
}

/// The secrets in the cookies of a request: a browser sends those of the place that it asks for.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = all.flat_map(|all| all.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value)
}
