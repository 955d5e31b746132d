//! A tournament that many processes use at once, some of which are killed in the middle of what they do.
//!
//! A few workers do what people do: challenge, accept, choose, play, report, correct. Each command is a process of its own.
//! Whatever a process has said to be done is noted, and in the end all of it has to be there.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const GAME: &str = "dice-challenge";
const CHARACTERS: [&str; 4] = ["sailor-mercury", "kunzite", "rubeus", "sailor-moon"];
const TOKENS: i64 = 5;

/// How much is done, and how roughly.
pub struct Plan {
    /// The program under test.
    pub ludex: PathBuf,
    /// An empty folder.
    pub folder: PathBuf,
    pub players: usize,
    /// How many results are entered.
    pub duels: usize,
    /// How many processes work at once.
    pub processes: usize,
    /// Of a hundred commands so many are killed.
    pub killed: u64,
    /// They are killed after up to so many milliseconds.
    pub patience: u64,
    /// Of a hundred duels so many are played by bots; the others are reported.
    pub played: u64,
    pub seed: u64,
}

/// What was done, and found to be there.
#[derive(Debug, Default)]
pub struct Report {
    pub commands: usize,
    pub killed: usize,
    pub refused: usize,
    pub results: usize,
    pub played: usize,
    pub corrected: usize,
    pub entries: usize,
    pub pages: usize,
    pub replayed: usize,
    pub seconds: f64,
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let pace = self.commands as f64 / self.seconds.max(0.001);
        writeln!(formatter, "{} commands in {:.0} s, {pace:.0} a second", self.commands, self.seconds)?;
        writeln!(formatter, "{} killed with SIGKILL, {} refused by the rules", self.killed, self.refused)?;
        writeln!(formatter, "{} results acknowledged and found, {} corrections", self.results, self.corrected)?;
        writeln!(formatter, "{} duels played here, {} of their recordings replayed", self.played, self.replayed)?;
        writeln!(formatter, "{} entries of the journal lead to the state that is kept", self.entries)?;
        writeln!(formatter, "{} readings of the page, each whole", self.pages)?;
        write!(formatter, "tokens conserved, no half-made duel, integrity_check ok")
    }
}

/// Plays the tournament, and says the first thing that is not as it should be.
pub fn run(plan: &Plan) -> Result<Report, String> {
    let soak = Soak::new(plan);
    soak.begin()?;
    let start = Instant::now();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| soak.read_pages(&stop));
        let workers: Vec<_> = (0..plan.processes)
            .map(|number| {
                scope.spawn({
                    let soak = &soak;
                    move || Worker { soak, random: Random(plan.seed.wrapping_add(number as u64 * 7_919) | 1) }.work()
                })
            })
            .collect();
        let worked: Result<Vec<()>, String> =
            workers.into_iter().map(|worker| worker.join().unwrap_or(Err("a worker fell".into()))).collect();
        stop.store(true, Ordering::Relaxed);
        let read = reader.join().unwrap_or(Err("the reader fell".into()));
        worked.and(read)
    })?;
    soak.check(start.elapsed())
}

struct Soak<'a> {
    plan: &'a Plan,
    names: Vec<String>,
    commands: AtomicUsize,
    killed: AtomicUsize,
    refused: AtomicUsize,
    pages: AtomicUsize,
    said: Mutex<Said>,
}

/// What processes have said to be done, and what those may have done that said nothing.
#[derive(Default)]
struct Said {
    /// By duel: who challenged whom.
    challenges: BTreeMap<i64, [String; 2]>,
    accepted: BTreeSet<i64>,
    /// Refused or withdrawn.
    dropped: BTreeSet<i64>,
    /// By duel: who has won.
    results: BTreeMap<i64, String>,
    corrected: BTreeSet<i64>,
    perhaps_corrected: BTreeSet<i64>,
}

/// How a command has ended.
enum Done {
    /// It said what it has done.
    Said(Value),
    Refused,
    /// It was killed before it said anything.
    Killed,
}

/// xorshift: what happens by chance follows from a seed, as far as processes let it.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % most.max(1)
    }

    fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len() as u64) as usize]
    }
}

impl<'a> Soak<'a> {
    fn new(plan: &'a Plan) -> Soak<'a> {
        let names = (1..=plan.players).map(|number| format!("Player <{number}> \"é\" 🎲")).collect();
        let count = || AtomicUsize::new(0);
        Soak { plan, names, commands: count(), killed: count(), refused: count(), pages: count(), said: Mutex::default() }
    }

    fn begin(&self) -> Result<(), String> {
        let tokens = TOKENS.to_string();
        self.must(&["new", "soak", "--game", GAME, "--tokens", &tokens, "--for", "12h"])?;
        for names in self.names.chunks(50) {
            let mut words = vec!["join"];
            words.extend(names.iter().map(String::as_str));
            self.must(&words)?;
        }
        self.must(&["standings", "--html", "wall.html"]).map(|_| ())
    }

    fn said(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.plan.ludex);
        command.arg("tournament").args(words).args(["--format", "json"]).current_dir(&self.plan.folder);
        command.env("XDG_STATE_HOME", &self.plan.folder).env_remove("LUDEX_LIBRARY").env_remove("LUDEX_TOURNAMENT");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// A command that must be done.
    fn must(&self, words: &[&str]) -> Result<Value, String> {
        match self.judge(words, self.command(words).output())? {
            Done::Said(said) => Ok(said),
            _ => Err(format!("{words:?} was refused")),
        }
    }

    /// What a process has left behind. Only the rules may refuse anything: a process that waits for the file does not fail.
    fn judge(&self, words: &[&str], output: std::io::Result<Output>) -> Result<Done, String> {
        let output = output.map_err(|error| format!("{words:?}: {error}"))?;
        self.commands.fetch_add(1, Ordering::Relaxed);
        let stdout = String::from_utf8_lossy(&output.stdout);
        // Whoever has said it has done it, even if killed right afterwards. The last line is what was done.
        let last = stdout.strip_suffix('\n').and_then(|text| text.lines().last());
        let said = last.and_then(|line| serde_json::from_str(line).ok()).filter(Value::is_object);
        let stderr = String::from_utf8_lossy(&output.stderr);
        match (said, output.status.code()) {
            (Some(said), Some(1) | None) if said["problems"][0]["code"] == "LX1006" => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Ok(Done::Refused)
            }
            (Some(said), Some(0) | None) => Ok(Done::Said(said)),
            (None, None) => Ok(Done::Killed),
            (said, status) => Err(format!("{words:?} ended with {status:?} and said {said:?}\n{stderr}")),
        }
    }

    /// Reads the page again and again: it is always whole.
    fn read_pages(&self, stop: &AtomicBool) -> Result<(), String> {
        let page = self.plan.folder.join("wall.html");
        while !stop.load(Ordering::Relaxed) {
            let text = std::fs::read_to_string(&page).map_err(|error| format!("the page is gone: {error}"))?;
            if !text.starts_with("<!doctype html>") || !text.ends_with("</html>\n") {
                return Err(format!("half a page:\n{text}"));
            }
            self.pages.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}

// --- what people do ----------------------------------------------------------------

struct Worker<'s> {
    soak: &'s Soak<'s>,
    random: Random,
}

impl Worker<'_> {
    fn work(mut self) -> Result<(), String> {
        while self.soak.said().results.len() < self.soak.plan.duels {
            self.duel()?;
            if self.random.percent(2) {
                self.correct()?;
            }
        }
        Ok(())
    }

    /// One command, which may be killed.
    fn attempt(&mut self, words: &[&str]) -> Result<Done, String> {
        let soak = self.soak;
        let mut child = soak.command(words).spawn().map_err(|error| format!("{words:?}: {error}"))?;
        if self.random.percent(soak.plan.killed) {
            std::thread::sleep(Duration::from_micros(self.random.below(soak.plan.patience * 1_000)));
            // It may have come to its end before.
            let _ = child.kill();
        }
        let done = soak.judge(words, child.wait_with_output())?;
        if matches!(done, Done::Killed) {
            soak.killed.fetch_add(1, Ordering::Relaxed);
        }
        Ok(done)
    }

    /// Tries until somebody says yes or no: a killed command is typed again, as people do.
    fn insist(&mut self, words: &[&str]) -> Result<Option<Value>, String> {
        loop {
            match self.attempt(words)? {
                Done::Said(said) => return Ok(Some(said)),
                Done::Refused => return Ok(None),
                Done::Killed => {}
            }
        }
    }

    fn duel(&mut self) -> Result<(), String> {
        let names = &self.soak.names;
        let (one, other) = (self.random.pick(names).clone(), self.random.pick(names).clone());
        let Some(duel) = self.challenge(&one, &other)? else { return Ok(()) };
        let number = duel.to_string();
        match self.random.percent(10) {
            true => self.drop_challenge(duel, &["refuse", &number, "--as", &other]),
            false => match self.insist(&["accept", &number, "--as", &other])? {
                Some(said) => {
                    self.soak.said().accepted.insert(number_of(&said)?);
                    self.settle(duel, &one, &other)
                }
                None if self.is_accepted(duel)? => self.settle(duel, &one, &other),
                None => self.drop_challenge(duel, &["withdraw", &number, "--as", &one]),
            },
        }
    }

    fn challenge(&mut self, one: &str, other: &str) -> Result<Option<i64>, String> {
        match self.attempt(&["challenge", other, "--as", one])? {
            Done::Said(said) => {
                let duel = number_of(&said)?;
                self.soak.said().challenges.insert(duel, [one.to_string(), other.to_string()]);
                Ok(Some(duel))
            }
            Done::Refused => Ok(None),
            Done::Killed => self.waiting(one, other),
        }
    }

    /// The challenge that a killed process has made, if it had come so far.
    fn waiting(&self, one: &str, other: &str) -> Result<Option<i64>, String> {
        let duels = self.soak.must(&["duels", "--of", one])?;
        let is_it = |duel: &&Value| duel["challenger"] == one && duel["challenged"] == other && duel["state"] == "challenged";
        Ok(duels["duels"].as_array().and_then(|duels| duels.iter().find(is_it)).and_then(|duel| duel["duel"].as_i64()))
    }

    fn is_accepted(&self, duel: i64) -> Result<bool, String> {
        let shown = self.soak.must(&["show", &duel.to_string()])?;
        Ok(["choosing", "same", "ready"].iter().any(|state| shown["duel"]["state"] == *state))
    }

    fn drop_challenge(&mut self, duel: i64, words: &[&str]) -> Result<(), String> {
        if self.insist(words)?.is_some() {
            self.soak.said().dropped.insert(duel);
        }
        Ok(())
    }

    /// From an accepted challenge to a result.
    fn settle(&mut self, duel: i64, one: &str, other: &str) -> Result<(), String> {
        let number = duel.to_string();
        self.choose(one, other)?;
        if self.random.percent(self.soak.plan.played) {
            let played = self.insist(&["play", &number, "--seat", "0=:random", "--seat", "1=:random"])?;
            if self.note_result(duel, played)? {
                return Ok(());
            }
        }
        let winner = if self.random.percent(50) { one } else { other };
        let reporter = *self.random.pick(&[one, other, "organiser"]);
        let reported = self.insist(&["report", &number, "--winner", winner, "--as", reporter])?;
        self.note_result(duel, reported).map(|_| ())
    }

    /// Both choose, and where both choose the same, they agree to it or choose again.
    fn choose(&mut self, one: &str, other: &str) -> Result<(), String> {
        let [mine, theirs] = [self.random.pick(&CHARACTERS), self.random.pick(&CHARACTERS)];
        self.insist(&["choose", mine, "--as", one])?;
        self.insist(&["choose", theirs, "--as", other])?;
        if mine == theirs {
            self.insist(&["agree", "--as", one])?;
            self.insist(&["agree", "--as", other])?;
        }
        Ok(())
    }

    /// Notes who has won, and tells whether somebody has. A refusal may mean that the killed command before it has done it.
    fn note_result(&mut self, duel: i64, done: Option<Value>) -> Result<bool, String> {
        let said = match done {
            Some(said) => said,
            None => self.soak.must(&["show", &duel.to_string()])?,
        };
        let winner = said["duel"]["winner"].as_str();
        if let Some(winner) = winner {
            self.soak.said().results.insert(duel, winner.to_string());
        }
        Ok(winner.is_some())
    }

    /// The organiser takes a result back.
    fn correct(&mut self) -> Result<(), String> {
        let results: Vec<i64> = self.soak.said().results.keys().copied().collect();
        if results.is_empty() {
            return Ok(());
        }
        let duel = *self.random.pick(&results);
        match self.attempt(&["void", &duel.to_string()])? {
            Done::Said(_) => self.soak.said().corrected.insert(duel),
            Done::Killed => self.soak.said().perhaps_corrected.insert(duel),
            Done::Refused => false,
        };
        Ok(())
    }
}

fn number_of(said: &Value) -> Result<i64, String> {
    said["duel"]["duel"].as_i64().ok_or_else(|| format!("no duel in {said}"))
}

// --- what must be there in the end -----------------------------------------------------

impl Soak<'_> {
    fn check(&self, elapsed: Duration) -> Result<Report, String> {
        let duels = self.must(&["duels", "--all"])?;
        let duels: BTreeMap<i64, &Value> = list(&duels["duels"]).map(|duel| (duel["duel"].as_i64().unwrap_or(0), duel)).collect();
        self.check_said(&duels)?;
        self.check_tokens(&duels)?;
        let log = self.must(&["log"])?;
        let entries = check_log(&log, &duels)?;
        check_file(&self.plan.folder.join("soak.ludextournament"))?;
        let played: Vec<i64> = list(&log["log"])
            .filter(|entry| entry["event"]["event"] == "played")
            .filter_map(|entry| entry["duel"].as_i64())
            .collect();
        let replayed = self.check_recordings(&played)?;
        self.check_page()?;
        let said = self.said();
        let count = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        Ok(Report {
            commands: count(&self.commands),
            killed: count(&self.killed),
            refused: count(&self.refused),
            results: said.results.len(),
            played: played.len(),
            corrected: said.corrected.len(),
            entries,
            pages: count(&self.pages),
            replayed,
            seconds: elapsed.as_secs_f64(),
        })
    }

    /// Everything that was said to be done is there.
    fn check_said(&self, duels: &BTreeMap<i64, &Value>) -> Result<(), String> {
        let said = self.said();
        let duel = |number: &i64| duels.get(number).copied().ok_or_else(|| format!("duel {number} was lost"));
        for (number, [one, other]) in &said.challenges {
            let duel = duel(number)?;
            must(duel["challenger"] == *one && duel["challenged"] == *other, || format!("{one} challenged {other}: {duel}"))?;
        }
        for number in &said.accepted {
            let duel = duel(number)?;
            let undone = ["challenged", "refused", "withdrawn"].iter().any(|state| duel["state"] == *state);
            must(!undone, || format!("it was accepted: {duel}"))?;
        }
        for number in &said.dropped {
            let duel = duel(number)?;
            let dropped = ["refused", "withdrawn"].iter().any(|state| duel["state"] == *state);
            must(dropped, || format!("it was refused or withdrawn: {duel}"))?;
        }
        for (number, winner) in &said.results {
            let duel = duel(number)?;
            let corrected = duel["state"] == "void" && duel["reason"] == "organiser";
            let fits = match (said.corrected.contains(number), said.perhaps_corrected.contains(number)) {
                (true, _) => corrected,
                (false, true) => corrected || duel["winner"] == *winner,
                (false, false) => duel["winner"] == *winner,
            };
            must(fits, || format!("{winner} has won: {duel}"))?;
        }
        Ok(())
    }

    fn check_tokens(&self, duels: &BTreeMap<i64, &Value>) -> Result<(), String> {
        let mut counted: BTreeMap<&str, i64> = self.names.iter().map(|name| (name.as_str(), TOKENS)).collect();
        for duel in duels.values() {
            let Some(winner) = duel["winner"].as_str() else { continue };
            let [one, other] = [&duel["challenger"], &duel["challenged"]].map(|name| name.as_str().unwrap_or_default());
            must(winner == one || winner == other, || format!("a stranger has won: {duel}"))?;
            let loser = if winner == one { other } else { one };
            *counted.entry(winner).or_default() += 1;
            *counted.entry(loser).or_default() -= 1;
        }
        let standings = self.must(&["standings"])?;
        let told: BTreeMap<&str, i64> = list(&standings["players"])
            .map(|player| (player["name"].as_str().unwrap_or_default(), player["tokens"].as_i64().unwrap_or(-1)))
            .collect();
        must(told == counted, || format!("tokens are {told:?}, and counted {counted:?}"))?;
        must(told.values().all(|&tokens| tokens >= 0), || format!("somebody owes tokens: {told:?}"))?;
        let all = TOKENS * self.names.len() as i64;
        must(told.values().sum::<i64>() == all, || format!("of {all} tokens some are missing or too many: {told:?}"))
    }

    /// A duel has a recording where it was played, and only there; each plays again to the same end.
    fn check_recordings(&self, played: &[i64]) -> Result<usize, String> {
        for &duel in played {
            let file = format!("duel-{duel}.ludexrec");
            self.must(&["recording", &duel.to_string(), &file])?;
            let mut replay = Command::new(&self.plan.ludex);
            replay.args(["replay", &file, "--format", "json"]).current_dir(&self.plan.folder).env_remove("LUDEX_LIBRARY");
            let output = replay.output().map_err(|error| error.to_string())?;
            must(output.status.success(), || String::from_utf8_lossy(&output.stdout).into_owned())?;
        }
        Ok(played.len())
    }

    /// The page shows the last operation, not an older one.
    fn check_page(&self) -> Result<(), String> {
        let closed = self.must(&["close"])?;
        let champions: Vec<&str> = list(&closed["standings"]["champions"]).filter_map(Value::as_str).collect();
        let page = std::fs::read_to_string(self.plan.folder.join("wall.html")).map_err(|error| error.to_string())?;
        let escaped = |name: &str| name.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        let shown = champions.iter().all(|name| page.contains(&escaped(name))) && page.contains("Champion");
        must(shown && !champions.is_empty(), || format!("{champions:?} are not on the page"))
    }
}

/// The journal tells of each duel a whole story, and its end is the state that is kept.
fn check_log(log: &Value, duels: &BTreeMap<i64, &Value>) -> Result<usize, String> {
    let mut states: BTreeMap<i64, &str> = BTreeMap::new();
    let mut entries = 0;
    for entry in list(&log["log"]) {
        entries += 1;
        let Some(duel) = entry["duel"].as_i64() else { continue };
        let deed = entry["event"]["event"].as_str().unwrap_or_default();
        let before = states.get(&duel).copied();
        states.insert(duel, after(before, deed).ok_or_else(|| format!("after {before:?} comes {entry}"))?);
    }
    let kept = |duel: &Value| match duel["state"].as_str() {
        Some("choosing" | "same" | "ready") => "accepted",
        Some("challenged") => "challenged",
        Some("refused") => "refused",
        Some("withdrawn") => "withdrawn",
        Some("finished") => "finished",
        Some("void") => "void",
        _ => "?",
    };
    let kept: BTreeMap<i64, &str> = duels.iter().map(|(&number, duel)| (number, kept(duel))).collect();
    must(kept == states, || "the journal tells another story than the duels".to_string()).map(|()| entries)
}

/// The state of a duel after something was done; nothing if that cannot be done then.
fn after(before: Option<&'static str>, deed: &str) -> Option<&'static str> {
    match (before, deed) {
        (None, "challenged") => Some("challenged"),
        (Some("challenged"), "accepted") => Some("accepted"),
        (Some("challenged"), "refused") => Some("refused"),
        (Some("challenged"), "withdrawn") => Some("withdrawn"),
        (Some("accepted"), "chose" | "revealed" | "agreed" | "game_began") => Some("accepted"),
        (Some("accepted"), "played" | "reported") => Some("finished"),
        (Some("challenged" | "accepted" | "finished"), "voided") => Some("void"),
        _ => None,
    }
}

fn check_file(file: &Path) -> Result<(), String> {
    let connection = rusqlite::Connection::open(file).map_err(|error| error.to_string())?;
    let integrity: String =
        connection.pragma_query_value(None, "integrity_check", |row| row.get(0)).map_err(|error| error.to_string())?;
    must(integrity == "ok", || integrity.clone())?;
    let count = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0)).map_err(|error| error.to_string());
    must(count("SELECT count(*) FROM pragma_foreign_key_check")? == 0, || "a row points nowhere".to_string())?;
    let unplayed = "SELECT count(*) FROM recordings WHERE duel NOT IN (SELECT duel FROM journal WHERE event LIKE '%game_began%')";
    must(count(unplayed)? == 0, || "a recording of a duel that was not played".to_string())
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn must(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
