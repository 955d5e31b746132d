//! Access to places: each seat, and the owner, has a link with a secret of 128 bits. Only the hash of the secret is stored, in
//! a file beside the recording and never in it. A browser that shows the secret gets a cookie with it, and is admitted as long
//! as the link is not renewed.

use crate::game::unpredictable_seed;
use crate::whole_file::{self, Readers, with_ending};
use ludex_engine::problem::Problem;
use ludex_engine::recording::commitment_to_share as sha256;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The ending added to the name of a recording for its file of links.
pub const ENDING: &str = "links";
/// Hexadecimal digits of 128 bits.
const DIGITS: usize = 32;
/// Hexadecimal digits of the name of a table.
const DIGITS_OF_TABLE: usize = 12;
/// Maximum number of cookies hashed. A browser sends one for a place, followed by those of wider paths or domains.
const MOST_HASHED: usize = 8;

/// A place at the table that a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Owner,
    Seat(usize),
}

/// The links of one table.
#[derive(Debug)]
pub struct Links {
    /// `None` if nothing can be stored; the links then end with this process.
    file: Mutex<Option<PathBuf>>,
    known: Mutex<StoredLinks>,
}

/// The links of a table as they are stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredLinks {
    /// The name of the table in addresses.
    table: String,
    places: Vec<StoredLink>,
}

/// The link of one place as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredLink {
    place: Place,
    /// SHA-256 of the secret.
    hash: String,
    /// True if the place has been taken.
    taken: bool,
}

/// The access to a place that a secret gave, valid until the link is renewed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub place: Place,
    hash: String,
}

/// A new link. Its secret cannot be recovered later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLink {
    pub place: Place,
    pub secret: String,
}

impl Links {
    /// Makes new links for the owner and some seats of a table, and stores them beside its recording, if it has one.
    pub fn make_links(recording: Option<&Path>, seats: &[usize]) -> Result<(Links, Vec<NewLink>), Problem> {
        let mut known = StoredLinks { table: random_digits(DIGITS_OF_TABLE)?, places: Vec::new() };
        let places = std::iter::once(Place::Owner).chain(seats.iter().copied().map(Place::Seat));
        let made = places.map(|place| known.renew_link(place)).collect::<Result<_, _>>()?;
        let links = Links { file: Mutex::new(recording.map(links_path)), known: Mutex::new(known) };
        links.save_links().map_err(|error| unsaved_problem(&error))?;
        Ok((links, made))
    }

    /// Loads the links made earlier; `None` if there are none, or if they do not cover these seats.
    pub fn load_links(recording: &Path, seats: &[usize]) -> Option<Links> {
        let file = links_path(recording);
        let known: StoredLinks = serde_json::from_str(&std::fs::read_to_string(&file).ok()?).ok()?;
        let has = |place: Place| known.places.iter().any(|kept| kept.place == place);
        let is_whole = has(Place::Owner) && seats.iter().all(|seat| has(Place::Seat(*seat)));
        is_whole.then(|| Links { file: Mutex::new(Some(file)), known: Mutex::new(known) })
    }

    /// The name of the table in addresses.
    pub fn table_id(&self) -> String {
        self.lock_links().table.clone()
    }

    /// Whether a secret is currently that of a place.
    pub fn admits_secret(&self, place: Place, secret: &str) -> bool {
        self.keys_for_secrets(std::iter::once(secret)).iter().any(|key| key.place == place)
    }

    /// The keys that some secrets give. Each secret is hashed once, and only the first few.
    pub fn keys_for_secrets<'a>(&self, secrets: impl Iterator<Item = &'a str>) -> Vec<Key> {
        let hashes: Vec<String> = secrets.filter(|text| is_secret(text)).take(MOST_HASHED).map(sha256).collect();
        let known = self.lock_links();
        let held = known.places.iter().filter(|kept| hashes.contains(&kept.hash));
        held.map(|kept| Key { place: kept.place, hash: kept.hash.clone() }).collect()
    }

    /// Whether a key is still valid.
    pub fn is_valid_key(&self, key: &Key) -> bool {
        self.lock_links().places.iter().any(|kept| kept.place == key.place && kept.hash == key.hash)
    }

    /// Notes that a place has been taken.
    pub fn mark_taken(&self, place: Place) -> Result<(), Problem> {
        let changed = {
            let mut known = self.lock_links();
            let free = known.places.iter_mut().find(|kept| kept.place == place && !kept.taken);
            free.map(|kept| kept.taken = true).is_some()
        };
        if changed { self.save_links().map_err(|error| unsaved_problem(&error)) } else { Ok(()) }
    }

    /// Whether a browser has taken a place at any time.
    pub fn is_taken(&self, place: Place) -> bool {
        self.lock_links().places.iter().any(|kept| kept.place == place && kept.taken)
    }

    /// Replaces the link of a place; the old one becomes invalid.
    pub fn renew_link(&self, place: Place) -> Result<NewLink, Problem> {
        let made = self.lock_links().renew_link(place)?;
        self.save_links().map_err(|error| unsaved_problem(&error))?;
        Ok(made)
    }

    /// Replaces the links of all places.
    pub fn renew_all_links(&self) -> Result<Vec<NewLink>, Problem> {
        let places: Vec<Place> = self.lock_links().places.iter().map(|kept| kept.place).collect();
        places.into_iter().map(|place| self.renew_link(place)).collect()
    }

    /// Moves the file of links to another recording, because the table plays another game.
    pub fn move_to_recording(&self, recording: Option<&Path>) -> io::Result<()> {
        let old = std::mem::replace(&mut *self.lock_file(), recording.map(links_path));
        self.save_links()?;
        let left = old.filter(|old| Some(old) != self.lock_file().as_ref());
        left.map_or(Ok(()), std::fs::remove_file)
    }

    fn lock_file(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_links(&self) -> MutexGuard<'_, StoredLinks> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the links, if they are kept.
    fn save_links(&self) -> io::Result<()> {
        // Locked while the file is written, so that two changes never write at once.
        let held = self.lock_file();
        let Some(file) = held.as_ref() else { return Ok(()) };
        let text = serde_json::to_string(&*self.lock_links()).map_err(io::Error::other)?;
        whole_file::replace_file(file, &with_ending(file, &format!("draft-{}", std::process::id())), &text, Readers::Owner)
    }
}

/// The file of links beside a recording.
fn links_path(recording: &Path) -> PathBuf {
    with_ending(recording, ENDING)
}

impl StoredLinks {
    /// Makes a new link for a place, in memory only.
    fn renew_link(&mut self, place: Place) -> Result<NewLink, Problem> {
        let secret = random_digits(DIGITS)?;
        let hash = sha256(&secret);
        match self.places.iter_mut().find(|kept| kept.place == place) {
            Some(kept) => kept.hash = hash,
            None => self.places.push(StoredLink { place, hash, taken: false }),
        }
        Ok(NewLink { place, secret })
    }
}

/// Unpredictable hexadecimal digits. Fails on a system without randomness.
pub fn random_digits(digits: usize) -> Result<String, Problem> {
    let mut key = unpredictable_seed()?.to_string();
    key.truncate(digits);
    Ok(key)
}

/// Whether a text has the form of a secret. Anything else is never hashed, however long it is.
fn is_secret(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn unsaved_problem(error: &io::Error) -> Problem {
    let message = format!("the links to the seats cannot be saved: {error}");
    Problem::error(ludex_engine::codes::FILE_NOT_WRITTEN, message).help("make room, or make the folder of recordings writable")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("ludex-links-{}-{name}.ludexrec", std::process::id()))
    }

    #[test]
    fn a_link_is_good_for_its_seat_until_it_is_renewed() {
        let (links, made) = Links::make_links(None, &[0, 1]).unwrap();
        assert_eq!(made.iter().map(|link| link.place).collect::<Vec<_>>(), [Place::Owner, Place::Seat(0), Place::Seat(1)]);
        let secret = &made[1].secret;
        assert!(links.admits_secret(Place::Seat(0), secret));
        assert!(!links.admits_secret(Place::Seat(1), secret) && !links.admits_secret(Place::Owner, secret));
        let other = links.renew_link(Place::Seat(0)).unwrap();
        assert!(!links.admits_secret(Place::Seat(0), secret) && links.admits_secret(Place::Seat(0), &other.secret));
    }

    #[test]
    fn links_outlive_the_process_and_the_file_holds_no_secret() {
        let path = recording("kept");
        let (links, made) = Links::make_links(Some(&path), &[0]).unwrap();
        links.mark_taken(Place::Seat(0)).unwrap();
        let text = std::fs::read_to_string(with_ending(&path, ENDING)).unwrap();
        assert!(made.iter().all(|link| !text.contains(&link.secret)), "{text}");
        let again = Links::load_links(&path, &[0]).unwrap();
        assert_eq!(again.table_id(), links.table_id());
        assert!(again.admits_secret(Place::Seat(0), &made[1].secret) && again.is_taken(Place::Seat(0)));
        assert!(!again.is_taken(Place::Owner));
        assert!(Links::load_links(&path, &[0, 1]).is_none());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(with_ending(&path, ENDING)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        std::fs::remove_file(with_ending(&path, ENDING)).unwrap();
        assert!(Links::load_links(&path, &[0]).is_none());
    }

    #[test]
    fn links_go_on_with_another_recording() {
        let (first, second) = (recording("first"), recording("second"));
        let (links, made) = Links::make_links(Some(&first), &[0]).unwrap();
        links.move_to_recording(Some(&second)).unwrap();
        assert!(Links::load_links(&first, &[0]).is_none());
        links.mark_taken(Place::Seat(0)).unwrap();
        let again = Links::load_links(&second, &[0]).unwrap();
        assert!(again.admits_secret(Place::Seat(0), &made[1].secret) && again.is_taken(Place::Seat(0)));
        links.move_to_recording(None).unwrap();
        assert!(Links::load_links(&second, &[0]).is_none());
        assert!(links.admits_secret(Place::Seat(0), &made[1].secret));
    }

    #[test]
    fn few_secrets_are_hashed_for_a_request() {
        let (links, made) = Links::make_links(None, &[0]).unwrap();
        let wrong: Vec<String> = (0..MOST_HASHED).map(|number| format!("{number:032x}")).collect();
        let opened = |wrong: &[String]| {
            let secrets = wrong.iter().chain([&made[1].secret]).map(String::as_str);
            links.keys_for_secrets(secrets).iter().map(|key| key.place).collect::<Vec<_>>()
        };
        assert_eq!(opened(&wrong[1..]), [Place::Seat(0)]);
        assert_eq!(opened(&wrong), []);
    }

    #[test]
    fn only_what_looks_like_a_secret_is_looked_at() {
        let (links, _) = Links::make_links(None, &[0]).unwrap();
        for wrong in ["", "0", &"g".repeat(32), &"0".repeat(33)] {
            assert!(!links.admits_secret(Place::Seat(0), wrong));
        }
    }
}
