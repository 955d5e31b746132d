//! Programs at a seat, started by `ludex` itself. Here they are scripts of the shell.

use crate::host::SCREENS;
use crate::serve::server::Server;
use crate::support::{Folder, Run, ludex_in, run};
use serde_json::{Value, json};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Takes the first option each time, and writes what it hears to a file.
const FIRST: &str = r#"
while read -r line; do
  echo "$line" >> heard.txt
  case "$line" in
    *'"type":"decision"'*) id=${line#*\"id\":}; echo "{\"choose\":${id%%,*},\"option\":0}" ;;
  esac
done
"#;

/// Answers one time after the other for another decision than is open.
const WRONG: &str = r#"
while read -r line; do
  case "$line" in
    *'"type":"decision"'* | *'"type":"rejected"'*) echo '{"choose":7777,"option":0}' ;;
  esac
done
"#;

/// Is wrong nine times, and then right, at each decision.
const SLOW_TO_LEARN: &str = r#"
while read -r line; do
  case "$line" in
    *'"type":"decision"'*) id=${line#*\"id\":}; id=${id%%,*}; left=8; echo 'what?' ;;
    *'"type":"rejected"'*)
      if [ $left -gt 0 ]; then left=$((left - 1)); echo '{"resign":1}'; else echo "{\"choose\":$id,\"option\":0}"; fi ;;
  esac
done
"#;

const DIES: &str = "read -r line\necho 'all hope is lost' >&2\nexit 3\n";

fn folder(name: &str, bot: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("bot.sh", bot);
    folder
}

fn heard(folder: &Folder) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.file("heard.txt")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Words of a problem, without the breaks of its lines.
fn words(text: &str) -> String {
    text.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

const SEATS: [&str; 4] = ["--seat", "0=sailor-mercury:random", "--seat", "1=kunzite:exec=sh bot.sh"];

fn play(folder: &Folder) -> Run {
    ludex_in(folder, &[&["play", "dice-challenge", "--seed", "7"], &SEATS[..]].concat(), "")
}

fn simulated(folder: &Folder, more: &[&str]) -> Run {
    ludex_in(folder, &[&["sim", "dice-challenge", "--format", "json"], &SEATS[..], more].concat(), "")
}

/// How the game ends for a program that does not play well.
fn fails(name: &str, bot: &str, expected: &str) {
    let folder = folder(name, bot);
    for run in [play(&folder), simulated(&folder, &["--games", "9", "--threads", "3"])] {
        assert_eq!(run.status, 1, "{}", run.stdout);
        // A simulation is asked for JSON.
        let told = words(&format!("{}{}", run.stdout, run.stderr));
        assert!(told.contains(expected), "{told}");
        assert!(told.contains("LX0919") && told.contains("help"), "{told}");
    }
}

#[test]
fn a_program_plays_a_whole_game() {
    let folder = folder("exec-whole", FIRST);
    let run = play(&folder);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let heard = heard(&folder);
    let hello = &heard[0];
    assert_eq!((&hello["type"], &hello["seat"], &hello["protocol"]), (&json!("hello"), &json!(1), &json!(1)));
    assert_eq!(hello["seats"][1]["player"], "a program");
    let numbers = heard.iter().filter(|line| line["type"] == "event").map(|line| line["n"].as_u64().unwrap());
    assert!(numbers.enumerate().all(|(before, number)| number == before as u64 + 1));
    let outcome = &heard[heard.len() - 1];
    assert_eq!((&outcome["type"], &outcome["result"], &outcome["seed"]), (&json!("outcome"), &json!("win"), &json!(7)));
    assert!(heard.iter().filter(|line| line["type"] == "decision").count() > 5);
}

#[test]
fn a_program_hears_what_the_host_tells_its_seat() {
    let hosted = folder("exec-hosted", FIRST);
    hosted.write("rules/screens/game.ludex", SCREENS);
    // The host leaves it to whoever shows the table how sides without names are called.
    let game = ["screens", "--seed", "3", "--seat", "0=:random", "--name", "0=Ada", "--name", "1=Ben"];
    let answer = "{\"choose\":1,\"option\":0}\n";
    let host = run(&hosted, &[&["host"], &game[..], &["--as", "1"]].concat(), answer);
    run(&hosted, &[&["play"], &game[..], &["--seat", "1=:exec=sh bot.sh"]].concat(), "");
    let told: Vec<Value> = host.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let heard = heard(&hosted);
    assert_eq!(heard[1..heard.len() - 1], told[1..told.len() - 1]);
    assert!(heard.iter().any(|line| line["kind"] == "hidden"));
    assert!(heard.iter().all(|line| line.get("to").is_none()));
    let decisions = heard.iter().filter(|line| line["type"] == "decision").map(|line| line["id"].as_u64().unwrap());
    assert!(decisions.enumerate().all(|(before, number)| number == before as u64 + 1));
}

#[test]
fn a_program_learns_what_is_taken_back() {
    let folder = folder("exec-undo", FIRST);
    let seats = ["--seat", "0=rubeus", "--seat", "1=kunzite:exec=sh bot.sh"];
    run(&folder, &[&["play", "dice-challenge", "--seed", "7"], &seats[..]].concat(), "1\nundo\n1\nquit\n");
    let heard = heard(&folder);
    let at = heard.iter().position(|line| line["kind"] == "taken_back").unwrap();
    let chose = heard.iter().find(|line| line["kind"] == "chose").unwrap();
    assert_eq!(heard[at]["seat"], 0);
    assert_eq!(heard[at]["back_to"].as_u64().unwrap() + 1, chose["n"].as_u64().unwrap());
    // The same is chosen again, and told under numbers of its own.
    assert_eq!(heard[at + 1]["key"], chose["key"]);
    assert_eq!(heard[at + 1]["n"].as_u64().unwrap(), heard[at]["n"].as_u64().unwrap() + 1);
}

#[test]
fn a_simulation_with_programs_does_not_depend_on_the_threads() {
    let folder = folder("exec-sim", FIRST);
    let one = simulated(&folder, &["--games", "6", "--threads", "1"]);
    assert_eq!(one.status, 0, "{}", one.stderr);
    // One process for all games: each is told by a `hello`.
    let hellos = heard(&folder).iter().filter(|line| line["type"] == "hello").count();
    assert_eq!(hellos, 6);
    for threads in ["2", "4"] {
        assert_eq!(simulated(&folder, &["--games", "6", "--threads", threads]).stdout, one.stdout);
    }
}

#[test]
fn what_programs_do_in_a_simulation_is_counted() {
    let folder = folder("exec-usage", FIRST);
    let run = simulated(&folder, &["--games", "2", "--usage"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(report["usage"]["actions"]["power_attack"].as_u64() > Some(5), "{report}");
}

#[test]
fn a_program_may_sit_at_a_table_that_is_hosted() {
    let folder = folder("exec-host", FIRST);
    let run = run(&folder, &[&["host", "dice-challenge", "--seed", "7"], &SEATS[..]].concat(), "");
    assert!(run.stdout.lines().last().unwrap().starts_with("{\"type\":\"outcome\""), "{}", run.stdout);
}

#[test]
fn a_wrong_answer_may_be_mended() {
    let folder = folder("exec-learns", SLOW_TO_LEARN);
    let run = play(&folder);
    assert_eq!(run.status, 0, "{}", run.stderr);
}

#[test]
fn ten_wrong_answers_end_the_game() {
    let expected = "the program `sh bot.sh` of seat 1 gave 10 wrong answers in a row, the last because decision 7777 is not open";
    fails("exec-wrong", WRONG, expected);
}

#[test]
fn a_program_that_ends_ends_the_game() {
    let expected = "of seat 1 ended before it answered (exit status: 3); its last line on stderr was: all hope is lost";
    fails("exec-dies", DIES, expected);
}

/// How a program is started, what it has said last, and where files are: seats do not learn it, nor do recordings keep it. Only
/// the stream of the whole table tells where the recording is.
#[test]
fn others_only_learn_that_a_program_has_failed() {
    let folder = folder("exec-others", DIES);
    folder.write("rules/screens/game.ludex", SCREENS);
    let (library, bot) = (folder.path(), format!("1=:exec=sh {}", folder.file("bot.sh").display()));
    let somewhere = Folder::new("exec-elsewhere");
    let game = ["host", "screens", "--library", &library, "--seat", "0=:random", "--seat", &bot];
    for more in [&[][..], &["--as", "0"]] {
        let run = ludex_in(&somewhere, &[&game[..], more].concat(), "");
        assert_eq!(run.status, 1, "{}", run.stdout);
        let last: Value = serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
        let told = (&last["type"], &last["code"], &last["message"]);
        assert_eq!(told, (&json!("error"), &json!("LX0919"), &json!("the program of side 1 has failed")));
        assert!(run.stdout.contains("\"file\":\"rules/screens/game.ludex\""), "{}", run.stdout);
        no_detail(&run.stdout, &library);
        let words = words(&run.stderr);
        assert!(words.contains("bot.sh` of seat 1 ended before") && words.contains("all hope is lost"), "{words}");
    }
    let recordings = std::fs::read_dir(somewhere.file("ludex/hosted")).unwrap().flatten().map(|entry| entry.path());
    let recordings: Vec<_> = recordings.filter(|path| path.extension().is_some_and(|ending| ending == "ludexrec")).collect();
    assert_eq!(recordings.len(), 2);
    for recording in recordings {
        no_detail(&std::fs::read_to_string(recording).unwrap(), &library);
    }
}

fn no_detail(text: &str, folder: &str) {
    let details = [folder, "bot.sh", "exec=", "all hope is lost", "exit status"];
    details.iter().for_each(|detail| assert!(!text.contains(detail), "`{detail}` is told: {text}"));
}

#[test]
fn a_page_does_not_tell_how_a_program_has_failed() {
    let folder = folder("exec-page", DIES);
    let library = folder.write("rules/screens/game.ludex", SCREENS).replace("/rules/screens/game.ludex", "");
    let server = Server::start(&folder, &["screens", "--library", &library, "--seat", "1=:exec=sh bot.sh"]);
    let mut browser = server.seated(0);
    while browser.answer(&mut |_| 0) {}
    while !browser.page().contains("Play has stopped") {
        std::thread::sleep(Duration::from_millis(20));
    }
    no_detail(&browser.received, &library);
}

/// What keeps a game from beginning is for whoever gave the command.
#[test]
fn one_seat_is_not_told_what_was_wrong_with_a_command_line() {
    let folder = folder("exec-command", FIRST);
    let position = folder.file("nowhere.yaml").display().to_string();
    let args = ["host", "screens", "--as", "0", "--position", &position, "--seat", "1=:exec=sh bot.sh"];
    let run = ludex_in(&folder, &args, "");
    assert_eq!(run.status, 1);
    no_detail(&run.stdout, &folder.path());
    assert!(words(&run.stderr).contains("nowhere.yaml"), "{}", run.stderr);
}

#[test]
fn a_line_that_is_too_long_ends_the_game() {
    fails("exec-long", "cat /dev/zero\n", "of seat 1 wrote a line of more than 262144 bytes");
}

#[test]
fn a_program_that_cannot_be_started_is_told() {
    let folder = Folder::new("exec-none");
    let seats = ["--seat", "0=rubeus", "--seat", "1=kunzite:exec=./no-such-bot", "--seed", "7"];
    let run = ludex_in(&folder, &[&["play", "dice-challenge"], &seats[..]].concat(), "1\n");
    assert_eq!(run.status, 1, "{}", run.stdout);
    let told = words(&run.stderr);
    assert!(told.contains("the program `./no-such-bot` of seat 1 cannot be started: "), "{told}");
}

#[test]
fn games_with_programs_are_not_checked_by_playing_them_twice() {
    let folder = folder("exec-check", FIRST);
    let run = simulated(&folder, &["--check"]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(run.stdout.contains("a program may answer differently each time"), "{}", run.stdout);
}

/// Who sends a recording must not have programs started by it.
#[test]
fn a_recording_starts_no_program() {
    let folder = folder("exec-resume", FIRST);
    let seats = ["--seat", "0=rubeus", "--seat", "1=kunzite:exec=sh bot.sh", "--seed", "7"];
    run(&folder, &[&["play", "dice-challenge"], &seats[..]].concat(), "1\nsave kept.ludexrec\nquit\n");
    std::fs::remove_file(folder.file("heard.txt")).unwrap();
    let resume = ["play", "--resume", "kept.ludexrec"];
    let alone = run(&folder, &resume, "quit\n");
    assert!(alone.stdout.contains("Rubeus against Kunzite"), "{}", alone.stdout);
    run(&folder, &[&resume[..], &["--seat", "1=:exec=sh bot.sh"]].concat(), "1\nquit\n");
    let heard = heard(&folder);
    assert_eq!((&heard[0]["type"], &heard[1]["n"]), (&json!("hello"), &json!(1)));
}

// --- what a program starts, and what it uses ----------------------------------------------

/// A short game against the bot.
const SHORT: [&str; 7] = ["screens", "--seed", "3", "--seat", "0=:random", "--seat", "1=:exec=sh bot.sh"];

fn short(name: &str, bot: &str) -> Folder {
    let folder = folder(name, bot);
    folder.write("rules/screens/game.ludex", SCREENS);
    folder
}

/// Leaves a process behind that cares for no signal, and takes part in the game.
fn leaving_one(bot: &str) -> String {
    format!("(trap '' INT TERM HUP; echo started > ready.txt; exec sleep 1000) &\necho $! > left.pid\n{bot}")
}

/// Whether the process that a program has left behind still runs.
fn goes_on(folder: &Folder) -> bool {
    let number = std::fs::read_to_string(folder.file("left.pid")).unwrap();
    let told = Command::new("ps").args(["-o", "stat=", "-p", number.trim()]).output().unwrap();
    let state = String::from_utf8_lossy(&told.stdout).trim().to_string();
    // One that has ended stays listed until it is waited for.
    !state.is_empty() && !state.starts_with('Z')
}

fn is_written(file: &std::path::Path) -> bool {
    std::fs::metadata(file).is_ok_and(|file| file.len() > 0)
}

fn comes_about(what: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !what() {
        if start.elapsed() > Duration::from_secs(20) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}

#[test]
#[cfg(unix)]
fn nothing_that_a_program_starts_outlives_the_game() {
    for (name, bot, status) in [("whole", FIRST, 0), ("dies", DIES, 1), ("wrong", WRONG, 1)] {
        let folder = short(&format!("exec-left-{name}"), &leaving_one(bot));
        let start = Instant::now();
        let run = ludex_in(&folder, &[&["play"], &SHORT[..]].concat(), "");
        assert_eq!(run.status, status, "{name}: {}", run.stderr);
        assert!(!goes_on(&folder), "{name}");
        assert!(start.elapsed() < Duration::from_secs(30), "{name} waited for what was left behind");
    }
}

#[test]
#[cfg(unix)]
fn nothing_that_a_program_starts_outlives_an_interruption() {
    let waits = leaving_one("trap '' INT TERM\nwhile :; do sleep 1; done\n");
    let seats = ["--seat", "0=sailor-mercury:exec=sh bot.sh", "--seat", "1=kunzite", "--seed", "7"];
    for (verb, signal) in [("play", "-INT"), ("host", "-TERM"), ("sim", "-INT")] {
        let folder = folder(&format!("exec-interrupted-{verb}"), &waits);
        let seats = if verb == "sim" { &seats[..2] } else { &seats };
        let mut child = folder.command(&[&[verb, "dice-challenge"], seats].concat()).spawn().unwrap();
        assert!(comes_about(|| ["ready.txt", "left.pid"].iter().all(|file| is_written(&folder.file(file)))), "{verb}");
        interrupt(&child, signal);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{verb}");
        assert!(!goes_on(&folder), "{verb}");
    }
}

#[cfg(unix)]
fn interrupt(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Where the reader of the results goes away, the process ends without more ado.
#[test]
#[cfg(unix)]
fn nothing_that_a_program_starts_outlives_a_closed_pipe() {
    let folder = short("exec-closed", &leaving_one(FIRST));
    let mut child = folder.command(&[&["host"], &SHORT[..]].concat()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(!folder.file("left.pid").exists() || !goes_on(&folder));
}

#[test]
fn what_a_program_says_beside_the_game_is_limited() {
    let chatters = format!(
        "head -c 9000 /dev/zero | tr '\\0' x >&2; echo >&2; yes 'how nice it is to be a bot at this table' | head -n 60000 >&2\n{FIRST}"
    );
    let folder = short("exec-chatters", &chatters);
    let run = ludex_in(&folder, &[&["play"], &SHORT[..]].concat(), "");
    assert_eq!(run.status, 0, "{}", run.stdout);
    assert!((1_000_000..1_100_000).contains(&run.stderr.len()), "{}", run.stderr.len());
    for note in ["a line of more than 8192 bytes on stderr: such lines", "more than 1048576 bytes on stderr: the rest"] {
        assert_eq!(run.stderr.matches(&format!("ludex: `sh bot.sh` has written {note}")).count(), 1, "{note}");
    }
}

/// How play ends for a program under a limit that is set.
fn limited(name: &str, bot: &str, limit: (&str, &str)) -> String {
    let folder = short(name, bot);
    let mut command = folder.command(&[&["play"], &SHORT[..]].concat());
    let run = Run::from(command.env(limit.0, limit.1).output().unwrap());
    assert_eq!(run.status, 1, "{}", run.stdout);
    words(&run.stderr)
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_may_not_use_all_memory() {
    let told = limited("exec-memory", "tail /dev/zero\n", ("LUDEX_BOT_MEMORY", "64"));
    assert!(told.contains("the program `sh bot.sh` of seat 1 was stopped: it used "), "{told}");
    assert!(told.contains("MiB of memory, and 64 MiB are allowed"), "{told}");
    assert!(told.contains("help: to allow more, set `LUDEX_BOT_MEMORY`: the limit is now 64"), "{told}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_may_not_start_any_number_of_others() {
    let bot = "for each in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 1000 & done\necho $! > left.pid\nwait\n";
    let told = limited("exec-tasks", bot, ("LUDEX_BOT_TASKS", "8"));
    assert!(told.contains("was stopped: it had 13 processes and threads at once, and 8 are allowed"), "{told}");
}

#[test]
fn a_program_may_not_take_any_time() {
    let told = limited("exec-silent", "while :; do sleep 1; done\n", ("LUDEX_BOT_SECONDS", "1"));
    assert!(told.contains("of seat 1 wrote no line for 1 second"), "{told}");
    assert!(told.contains("`LUDEX_BOT_SECONDS` gives it more time"), "{told}");
}

#[test]
fn a_limit_that_is_none_is_told() {
    let told = limited("exec-no-limit", FIRST, ("LUDEX_BOT_MEMORY", "4G"));
    assert!(told.contains("is not started: `LUDEX_BOT_MEMORY` is `4G`, and must be a whole number from 1"), "{told}");
}
