//! Disks that are full: the files of a process may not grow beyond a limit, which is set while it plays. Whatever was
//! acknowledged is in the recording, and nothing else; and once there is room, play goes on.

use crate::host::Table;
use crate::serve::browser::{answer, borrowed};
use crate::serve::server::Server;
use crate::support::{Folder, Luck, ludex_in};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const REFUSED: &str = "LX0012";

/// Two people choose in secret, and then one of them alone, six times.
const CHOICES: &str = r#"ludex 1
game choices "Choices"

sides 2
type sign is one of rock, paper, scissors, well_that_has_a_long_name

to play {
  repeat 6 times {
    each side in sides at once in secret must choose a sign as shown "Your sign"
    each side in sides { say "{side} shows {shown(side)}" }
    each side in sides { side must choose a sign as seen "Your open sign"  say "{side} has {seen}" }
  }
  finish with nobody
}
"#;

/// Limits the files of a process to so many bytes; none: to no size at all.
fn limit(process: u32, bytes: Option<u64>) {
    let pid = Pid::from_raw(process.cast_signed());
    prlimit(pid, Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
}

fn recordings(folder: &Folder, place: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder.file("ludex").join(place)).into_iter().flatten().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "ludexrec")).collect()
}

fn only(folder: &Folder, place: &str) -> PathBuf {
    let found = recordings(folder, place);
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

/// What `replay` says of a recording that is whole.
fn replayed(folder: &Folder, path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'), "{text}");
    let run = ludex_in(folder, &["replay", &path.to_string_lossy(), "--format", "json"], "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["warnings"], json!([]));
    report
}

/// A table of `host`, and what was acknowledged at it.
struct Told {
    table: Table,
    /// What is asked, by decision.
    open: Vec<Value>,
    /// All that was ever asked.
    asked: Vec<u64>,
    /// Decisions with the keys of their answers.
    acknowledged: Vec<(u64, String)>,
    texts: Vec<Value>,
    is_over: bool,
    /// How often everybody was told that the recording cannot be written.
    notices: usize,
}

impl Told {
    fn begin(folder: &Folder, game: &[&str]) -> Told {
        let table = Table::of(folder, game, &[]);
        let (open, asked, acknowledged, texts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut told = Told { table, open, asked, acknowledged, texts, is_over: false, notices: 0 };
        told.hear_all();
        told
    }

    /// Hears all that comes before the reply to a line that changes nothing; gives the decision whose answer is refused.
    fn hear_all(&mut self) -> Option<u64> {
        self.table.tell(json!({ "view": 0 }));
        let mut refused = None;
        loop {
            let line = self.table.hear();
            match line["type"].as_str().unwrap() {
                "view" => return refused,
                "outcome" => {
                    self.is_over = true;
                    return refused;
                }
                "decision" => {
                    self.asked.extend(line["id"].as_u64());
                    self.open.push(line);
                }
                "event" => self.texts.push(line["text"].clone()),
                "rejected" => {
                    assert_eq!(line["code"], REFUSED, "{line}");
                    refused = refused.or(line["in_reply_to"].as_u64());
                    self.notices += usize::from(line["to"] == "all");
                }
                "hello" | "accepted" => {}
                other => panic!("{other}: {line}"),
            }
        }
    }

    /// Answers one of the open decisions; tells whether it was acknowledged.
    fn answer(&mut self, luck: &mut Luck) -> bool {
        let line = self.open.remove(luck.below(self.open.len() as u64) as usize);
        let (id, options) = (line["id"].as_u64().unwrap(), line["options"].as_array().unwrap());
        let key = options[luck.below(options.len() as u64) as usize]["key"].as_str().unwrap().to_string();
        self.table.tell(json!({ "choose": id, "key": key }));
        let refused = self.hear_all();
        match refused {
            Some(refused) => {
                assert_eq!(refused, id);
                self.open.push(line);
            }
            None => self.acknowledged.push((id, key)),
        }
        refused.is_none()
    }

    /// Ends it as a failure of the machine would, or when its bot has tried once more. The recording holds what was
    /// acknowledged, and nothing else that anybody was asked; and whoever goes on with it may do so.
    fn end(self, folder: &Folder, has_bot: bool) {
        match has_bot {
            true => drop(self.table.leave()),
            false => self.table.kill(),
        }
        let path = only(folder, "hosted");
        let mut events = replayed(folder, &path)["events"].as_array().unwrap().clone().into_iter();
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let answers = lines.filter_map(|line| Some((line["decision"].as_u64()?, line["key"].as_str()?.to_string())));
        let own: Vec<_> = answers.filter(|(id, _)| self.asked.contains(id)).collect();
        assert_eq!(own, self.acknowledged, "{text}");
        assert!(self.texts.iter().all(|text| events.any(|event| event["text"] == *text)), "what was told is replayed");
        // Who is asked in secret presses Enter first.
        let resumed = ludex_in(folder, &["resume", "--plain", &path.to_string_lossy()], "\nquit\n");
        assert_eq!(resumed.status, i32::from(self.is_over), "{}", resumed.stderr);
    }
}

/// A game of `host` whose disk becomes full somewhere, and stays so in every other case.
fn host(case: u64) {
    let luck = &mut Luck(case + 1);
    let folder = Folder::outside(&format!("full-disk-{case}"));
    folder.write("rules/choices/choices.ludex", CHOICES);
    let has_bot = case.is_multiple_of(3);
    let seats: &[&str] = if has_bot { &["--seat", "1=:random"] } else { &[] };
    let mut told = Told::begin(&folder, &[&["choices"], seats].concat());
    for _ in 0..luck.below(8) {
        assert!(told.answer(luck));
    }
    let path = only(&folder, "hosted");
    limit(told.table.id(), Some(size(&path) + luck.below(400)));
    let mut refused = 0;
    while !told.is_over && !told.open.is_empty() && refused < 3 {
        refused += usize::from(!told.answer(luck));
        // A bot may just try again.
        assert!(has_bot || fs::read_to_string(&path).unwrap().ends_with('\n'), "there is no half line");
    }
    assert!(told.is_over || told.notices > 0, "everybody is told");
    if case.is_multiple_of(2) {
        limit(told.table.id(), None);
        while !told.is_over {
            match told.open.is_empty() {
                // A bot tries again with any line.
                true => drop(told.hear_all()),
                false => assert!(told.answer(luck)),
            }
        }
    }
    told.end(&folder, has_bot);
}

#[test]
fn what_a_host_acknowledges_is_kept_on_a_full_disk() {
    (0..6).for_each(host);
}

#[test]
#[ignore = "takes some minutes; docs/checks.md"]
fn three_hundred_full_disks() {
    (0..300).for_each(host);
}

#[test]
fn a_take_back_and_a_resignation_count_only_if_they_are_recorded() {
    let (folder, luck) = (Folder::outside("full-disk-undo"), &mut Luck(3));
    folder.write("rules/choices/choices.ludex", CHOICES);
    let mut told = Told::begin(&folder, &["choices", "--seat", "1=:random"]);
    (0..3).for_each(|_| assert!(told.answer(luck)));
    let path = only(&folder, "hosted");
    let before = fs::read_to_string(&path).unwrap();
    limit(told.table.id(), Some(size(&path)));
    for (asked, word) in [(json!({ "undo": { "seat": 0 } }), "undo"), (json!({ "resign": 0 }), "resign")] {
        told.table.tell(asked);
        let line = told.table.hear();
        assert_eq!((&line["code"], &line["in_reply_to"]), (&json!(REFUSED), &json!(word)), "{line}");
        told.hear_all();
    }
    assert_eq!(told.notices, 1, "everybody is told once, and not of each attempt");
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    limit(told.table.id(), None);
    told.table.tell(json!({ "undo": { "seat": 0 } }));
    assert_eq!(told.table.wait_for("event")["kind"], "taken_back");
    told.table.kill();
    assert!(fs::read_to_string(&path).unwrap().contains("{\"undo\":{"));
    replayed(&folder, &path);
}

#[test]
fn a_table_in_browsers_tells_everybody_and_goes_on_when_there_is_room() {
    let folder = Folder::empty("full-disk-serve");
    let server = Server::start(&folder, &["dicewing"]);
    let (mut one, mut other, fields) = server.asked();
    let path = PathBuf::from(server.recording());
    let before = fs::read_to_string(&path).unwrap();
    limit(server.id(), Some(size(&path) + 20));
    let mut looking = crate::serve::browser::Browser::new(server.address, &server.watch());
    let banner = "This table cannot be recorded now";
    assert!(!one.page().contains(banner));
    for _ in 0..2 {
        let reply = one.post("answer", &borrowed(&fields));
        assert_eq!(reply.status, 409, "{reply:?}");
        assert!(reply.body.contains("so this was not done"), "{}", reply.body);
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
        for page in [one.page(), other.page(), looking.page()] {
            assert!(page.contains(banner), "{page}");
        }
        // What is asked stays as it was.
        assert_eq!(answer(&one.page(), &mut |_| 0), Some(fields.clone()));
    }
    limit(server.id(), None);
    assert_eq!(one.post("answer", &borrowed(&fields)).status, 303);
    for page in [one.page(), other.page(), looking.page()] {
        assert!(!page.contains(banner), "{page}");
    }
    server.kill();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(&before) && text.len() > before.len(), "{text}");
    replayed(&folder, &path);
}

#[test]
fn a_bot_in_browsers_tries_again_by_itself() {
    let folder = Folder::outside("full-disk-bot");
    let open: Vec<&str> = CHOICES.lines().filter(|line| !line.contains("shown")).collect();
    folder.write("rules/choices/choices.ludex", &open.join("\n"));
    let server = Server::start(&folder, &["choices", "--seat", "1=:random"]);
    let mut one = server.seated(0);
    let path = PathBuf::from(server.recording());
    let lines = || fs::read_to_string(&path).unwrap().lines().count();
    // There is room for the first answer of the person, and not for that of the bot.
    let before = lines();
    limit(server.id(), Some(size(&path) + 20));
    let fields = answer(&one.page(), &mut |_| 0).unwrap();
    assert_eq!(one.post("answer", &borrowed(&fields)).status, 409);
    assert_eq!(lines(), before);
    limit(server.id(), Some(size(&path) + 100));
    assert_eq!(one.post("answer", &borrowed(&fields)).status, 303);
    let mut following = one.follow();
    following.until("This table cannot be recorded now");
    limit(server.id(), None);
    following.until("Your open sign");
    server.kill();
    replayed(&folder, &path);
}

/// Runs `ludex` in a shell that limits files to so many blocks of 512 bytes.
fn in_blocks(folder: &Folder, blocks: u64, verb: &str) -> std::process::Command {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" {verb}"), env!("CARGO_BIN_EXE_ludex")]);
    command.current_dir(folder.path()).env("XDG_STATE_HOME", folder.path()).env("HOME", folder.path());
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    command
}

#[test]
fn no_game_begins_that_cannot_be_recorded() {
    let folder = Folder::outside("full-disk-start");
    folder.write("rules/choices/choices.ludex", CHOICES);
    for (verb, place) in [("host choices", "hosted"), ("serve choices --port 0", "served")] {
        for blocks in [0, 1] {
            let output = in_blocks(&folder, blocks, verb).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{said}");
            assert!(said.contains("make room on the disk"), "{said}");
            assert_eq!(recordings(&folder, place), Vec::<PathBuf>::new());
        }
    }
}

#[test]
fn people_at_a_terminal_are_told_of_a_full_disk() {
    use std::io::Write;
    let folder = Folder::outside("full-disk-play");
    folder.write("rules/choices/choices.ludex", CHOICES);
    let run = |blocks: u64| {
        let mut child = in_blocks(&folder, blocks, "play choices --seat 0=:human --seat 1=:random --plain").spawn().unwrap();
        let answers = format!("{}quit\n", "choose(rock)\n".repeat(30));
        let _ = child.stdin.take().unwrap().write_all(answers.as_bytes());
        let output = child.wait_with_output().unwrap();
        (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (_, said) = run(3);
    assert!(said.contains("the recording cannot be written"), "{said}");
    let path = only(&folder, "recordings");
    replayed(&folder, &path);
    assert!(fs::read_to_string(&path).unwrap().lines().count() > 2);
    let resumed = ludex_in(&folder, &["resume", "--plain", &path.to_string_lossy()], "choose(rock)\nquit\n");
    assert_eq!(resumed.status, 0, "{}", resumed.stderr);
}
