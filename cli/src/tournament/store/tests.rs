//! The file of a tournament: what is kept, and what is refused.

use super::*;
use crate::tournament::duel::Entrant;
use crate::tournament::rules::{Actor, CountStatus, GameEnding, ReportedResult};
use crate::tournament::state::{Game, OverReason, Settings, Team};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

/// A folder of one test, with a clock that is put by hand.
struct Place {
    folder: PathBuf,
    time: Rc<Cell<Timestamp>>,
}

fn time(clock: &str) -> Timestamp {
    format!("2030-05-01T{clock}Z").parse().unwrap()
}

impl Place {
    fn new(name: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("ludex-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Place { folder, time: Rc::new(Cell::new(time("10:00:00"))) }
    }

    fn file(&self) -> PathBuf {
        self.folder.join("cup.ludextournament")
    }

    fn clock(&self) -> Clock {
        let time = Rc::clone(&self.time);
        Box::new(move || time.get())
    }

    fn create(&self) -> Store {
        Store::create_file(&self.file(), &tournament(), self.clock()).unwrap()
    }

    fn open(&self) -> Result<Store, Problem> {
        Store::open_file(&self.file(), self.clock())
    }

    /// What is said when the file holds this.
    fn refusal(&self, bytes: &[u8]) -> Problem {
        fs::write(self.file(), bytes).unwrap();
        self.open().err().unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn tournament() -> Tournament {
    let game = Game {
        id: "pond".to_string(),
        title: "Pond".to_string(),
        mode: "standard".to_string(),
        options: BTreeMap::from([("depth".to_string(), "3".to_string())]),
        package_hash: "f00d".to_string(),
        team: Some(Team { size: 1, entrants: "animal".to_string() }),
    };
    Tournament::new(Settings {
        game,
        tokens: 3,
        organiser: "Olga".to_string(),
        created: time("10:00:00"),
        deadline: time("11:00:00"),
        time_up: false,
        closed: None,
        page: None,
    })
}

fn act<T>(
    store: &Store,
    name: &str,
    operation: impl FnOnce(&mut Tournament, &Actor, Timestamp) -> Result<T, Problem>,
) -> Result<T, Problem> {
    store.change_tournament(|tournament, now| {
        let actor = Actor::find_by_name(tournament, Some(name))?;
        operation(tournament, &actor, now)
    })
}

fn join(store: &Store, name: &str) {
    store.change_tournament(|tournament, now| rules::join_tournament(tournament, name, now)).unwrap();
}

/// Ann and Bob in a duel that is accepted.
fn accepted(place: &Place) -> Store {
    let store = place.create();
    join(&store, "Ann");
    join(&store, "Bob");
    act(&store, "Ann", |tournament, ann, now| rules::challenge_player(tournament, ann, "Bob", now)).unwrap();
    act(&store, "Bob", |tournament, bob, now| rules::accept_challenge(tournament, bob, None, now)).unwrap();
    store
}

#[test]
fn what_is_written_is_read_again_as_it_was() {
    let place = Place::new("again");
    let store = accepted(&place);
    let line_up = |id: &str| vec![Entrant { id: id.to_string(), name: id.to_string() }];
    act(&store, "Ann", |tournament, ann, now| rules::choose_line_up(tournament, ann, line_up("o'tter \"x\""), now)).unwrap();
    act(&store, "Bob", |tournament, bob, now| rules::choose_line_up(tournament, bob, line_up("newt"), now)).unwrap();
    let mut kept = None;
    act(&store, "Ann", |tournament, ann, now| {
        rules::begin_game(tournament, ann, DuelId(1), "abc", now)?;
        let counted = rules::finish_game(tournament, DuelId(1), "abc", GameEnding::Won(1), "text\n".to_string(), now)?;
        kept = Some(tournament.clone());
        assert_eq!(counted, CountStatus::Yes);
        Ok(())
    })
    .unwrap();
    let kept = kept.map(|kept| Tournament { entries: Vec::new(), recordings: Vec::new(), ..kept });
    assert_eq!(place.open().unwrap().load_tournament().ok(), kept);
    assert_eq!(store.load_recording(DuelId(1)), Ok(Some("text\n".to_string())));
    assert_eq!(store.load_recording(DuelId(2)), Ok(None));
    let journal = store.load_journal(None).unwrap();
    assert_eq!(journal.len(), 9, "{journal:?}");
    assert_eq!(store.load_journal(Some(DuelId(1))).unwrap(), journal[2..]);
}

#[test]
fn what_is_refused_leaves_no_trace() {
    let place = Place::new("refused");
    let store = place.create();
    join(&store, "Ann");
    let before = (store.load_tournament().unwrap(), store.load_journal(None).unwrap());
    let joined = store.change_tournament(|tournament, now| {
        rules::join_tournament(tournament, "Bob", now)?;
        rules::join_tournament(tournament, "ann", now)
    });
    assert!(joined.is_err());
    assert_eq!((store.load_tournament().unwrap(), store.load_journal(None).unwrap()), before);
}

#[test]
fn the_time_is_that_at_which_the_operation_works() {
    let place = Place::new("time");
    let store = place.create();
    place.time.set(time("10:42:00"));
    join(&store, "Ann");
    assert_eq!(store.load_journal(None).unwrap()[0].at, time("10:42:00"));
}

#[test]
fn the_deadline_is_kept_in_utc_and_applied_by_whoever_comes_next() {
    let place = Place::new("deadline");
    let store = accepted(&place);
    place.time.set(time("10:59:59"));
    assert_eq!(store.load_tournament().unwrap().over_reason(), None);
    place.time.set(time("11:00:00"));
    let reported = act(&store, "Ann", |tournament, ann, now| {
        rules::report_result(tournament, ann, None, &ReportedResult::Winner("Ann".to_string()), now)
    });
    assert_eq!(reported.unwrap_err().message.to_string(), "time is up");
    assert_eq!(store.catch_up(), Ok(false), "it is applied already");
    // Put back, as clocks are now and then.
    place.time.set(time("10:30:00"));
    let tournament = place.open().unwrap().load_tournament().unwrap();
    assert_eq!(tournament.over_reason(), Some(OverReason::TimeUp));
    assert!(tournament.duels.values().all(|duel| !duel.is_open()));
    let deadline: String = store.connection.query_row("SELECT deadline FROM tournament", [], |row| row.get(0)).unwrap();
    assert_eq!(deadline, "2030-05-01T11:00:00Z");
}

#[test]
fn who_only_reads_applies_the_deadline_as_well() {
    let place = Place::new("reader");
    let store = accepted(&place);
    assert_eq!(store.catch_up(), Ok(false));
    place.time.set(time("11:00:00"));
    assert_eq!(store.catch_up(), Ok(true));
    assert_eq!(store.load_tournament().unwrap().over_reason(), Some(OverReason::TimeUp));
    assert_eq!(store.load_journal(None).unwrap().len(), 6);
}

#[test]
fn every_commit_reaches_the_disk_before_anybody_hears_of_it() {
    let place = Place::new("pragmas");
    let store = place.create();
    let text = |pragma: &str| store.connection.pragma_query_value(None, pragma, |row| row.get::<_, String>(0)).unwrap();
    let number = |pragma: &str| store.connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(text("journal_mode"), "wal");
    assert_eq!((number("synchronous"), number("busy_timeout")), (2, 60_000));
    assert_eq!(number("foreign_keys"), 1);
}

#[test]
#[cfg(unix)]
fn only_its_owner_reads_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new("owner");
    let store = accepted(&place);
    for ending in ["", "-wal", "-shm"] {
        let file = PathBuf::from(format!("{}{ending}", store.path().display()));
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
    }
}

#[test]
fn nothing_is_written_over() {
    let place = Place::new("over");
    drop(place.create());
    let again = Store::create_file(&place.file(), &tournament(), place.clock()).err().unwrap();
    assert!(again.message.to_string().starts_with("there is a file"), "{}", again.message);
    fs::write(place.file(), "my notes").unwrap();
    assert!(Store::create_file(&place.file(), &tournament(), place.clock()).is_err());
    assert_eq!(fs::read_to_string(place.file()).unwrap(), "my notes");
}

#[test]
fn what_is_left_of_another_tournament_of_that_name_does_not_come_back() {
    let place = Place::new("left");
    let store = accepted(&place);
    let beside = PathBuf::from(format!("{}-wal", store.path().display()));
    let left = fs::read(&beside).unwrap();
    assert!(!left.is_empty());
    drop(store);
    fs::remove_file(place.file()).unwrap();
    fs::write(&beside, left).unwrap();
    let store = place.create();
    assert_eq!(store.load_tournament().unwrap(), tournament());
}

#[test]
fn an_empty_file_that_a_killed_process_has_left_is_used() {
    let place = Place::new("empty");
    fs::write(place.file(), "").unwrap();
    assert_eq!(place.open().err().map(|problem| problem.code), Some(codes::TOURNAMENT_FILE));
    place.create();
    assert!(place.open().is_ok());
}

#[test]
fn a_file_that_is_no_tournament_is_told_from_one() {
    let place = Place::new("none");
    assert_eq!(place.open().err().map(|problem| problem.code), Some(codes::FILE_MISSING));
    for bytes in [&b"my notes, which are longer than the first page of a database would be"[..], &[0; 5000], b"SQLite format 3\0"]
    {
        let problem = place.refusal(bytes);
        assert_eq!(problem.code, codes::TOURNAMENT_FILE, "{}", problem.message);
    }
    fs::remove_file(place.file()).unwrap();
    Connection::open(place.file()).unwrap().execute_batch("CREATE TABLE tournament (x)").unwrap();
    assert_eq!(place.open().err().map(|problem| problem.code), Some(codes::TOURNAMENT_FILE));
    let folder = Store::open_file(&place.folder, place.clock()).err().unwrap();
    assert_eq!(folder.code, codes::FILE_UNREADABLE);
}

#[test]
fn a_file_of_a_newer_version_is_left_alone() {
    let place = Place::new("newer");
    let store = place.create();
    store.connection.pragma_update(None, "user_version", 99).unwrap();
    drop(store);
    let problem = place.open().err().unwrap();
    assert_eq!(problem.code, codes::TOURNAMENT_VERSION);
    assert!(problem.help.is_some_and(|help| help.contains("version 99")));
}

#[test]
fn a_file_that_another_program_has_changed_is_told() {
    let place = Place::new("changed");
    let store = accepted(&place);
    for change in ["UPDATE players SET joined = 'soon'", "UPDATE duels SET challenger_line_up = '{'", "DELETE FROM tournament"] {
        store.connection.execute_batch(change).unwrap();
        let problem = store.load_tournament().unwrap_err();
        assert_eq!(problem.code, codes::TOURNAMENT_FILE, "{change}: {}", problem.message);
    }
    store.connection.execute_batch("DROP TABLE tournament").unwrap();
    assert_eq!(store.load_tournament().unwrap_err().code, codes::TOURNAMENT_FILE);
}

#[test]
fn tables_refuse_half_a_duel_and_half_a_team() {
    let place = Place::new("half");
    let store = accepted(&place);
    for change in [
        "UPDATE duels SET state = 'finished'",
        "UPDATE duels SET winner = 1",
        "UPDATE duels SET state = 'finished', winner = 3, ended = '2030-05-01T10:30:00Z'",
        "UPDATE duels SET state = 'void', ended = '2030-05-01T10:30:00Z'",
        "UPDATE duels SET state = 'refused'",
        "UPDATE duels SET challenged = challenger",
        "INSERT INTO recordings VALUES (7, '')",
        "UPDATE tournament SET team_size = 0",
        "UPDATE tournament SET team_size = NULL",
    ] {
        assert!(store.connection.execute_batch(change).is_err(), "{change}");
    }
}

#[test]
fn an_operation_waits_for_another_one() {
    let place = Place::new("waits");
    let store = place.create();
    let path = place.file();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let other = open_connection(&path).unwrap();
            other.execute_batch("BEGIN IMMEDIATE").unwrap();
            sender.send(()).unwrap();
            std::thread::sleep(Duration::from_millis(300));
            other.execute_batch("COMMIT").unwrap();
        });
        receiver.recv().unwrap();
        join(&store, "Ann");
    });
    assert_eq!(store.load_tournament().unwrap().players.len(), 1);
}
