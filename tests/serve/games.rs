//! Whole games by plain forms, as browsers without scripts play them.

use crate::large_choices::birds;
use crate::orders_and_amounts::ferry;
use crate::serve::browser::{Browser, answer, between, round};
use crate::serve::server::Server;
use crate::support::{Folder, Luck, ludex_in};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

const MOST_ANSWERS: usize = 3_000;

/// Plays with both browsers until nobody is asked any more; gives how many answers that took.
fn play(browsers: &mut [Browser], luck: &mut Luck) -> usize {
    let mut answers = 0;
    loop {
        let given = round(browsers, luck);
        if given == 0 {
            return answers;
        }
        answers += given;
        assert!(answers < MOST_ANSWERS, "{}", browsers[0].page());
    }
}

/// Whether a page says how the game has ended.
fn ends(page: &str) -> bool {
    ["win the game", "wins the game", "is tied", "without a winner"].iter().any(|end| page.contains(end))
}

fn whole_game(name: &str, args: &[&str], library: &[&str]) {
    let folder = Folder::empty(name);
    let server = Server::start(&folder, &[args, library].concat());
    let mut browsers = server.both();
    let answers = play(&mut browsers, &mut Luck(5));
    for browser in &mut browsers {
        let page = browser.page();
        assert!(ends(&page), "{page}");
    }
    let mut looking = Browser::new(server.address, &server.watch());
    assert!(ends(&looking.page()));
    assert!(answers > 4, "{answers}");
    let replayed = ludex_in(&folder, &[&["replay", &server.recording()], library].concat(), "");
    assert_eq!(replayed.status, 0, "{}", replayed.stderr);
}

#[test]
fn two_people_play_dicewing_to_the_end() {
    whole_game("serve-dicewing", &["dicewing"], &[]);
}

#[test]
fn two_people_play_the_card_game_to_the_end() {
    whole_game("serve-cards", &["sailor-moon-ccg", "--seat", "0=moon", "--seat", "1=past", "--option", "turn_cap=30"], &[]);
}

#[test]
fn two_people_play_a_board_of_a_library() {
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics");
    whole_game("serve-board", &["tic-tac-toe"], &["--library", library]);
}

#[test]
fn a_bot_plays_at_a_seat_that_nobody_has() {
    let folder = Folder::empty("serve-bot");
    let server = Server::start(&folder, &["dice-challenge", "--seat", "1=:random"]);
    assert_eq!(server.tables[0]["links"].as_array().unwrap().len(), 2, "the owner and one seat have links");
    let mut browsers = [server.seated(0)];
    let mut luck = Luck(7);
    // Whoever asks for the page while the bot thinks is not asked anything yet.
    while !ends(&browsers[0].page()) {
        play(&mut browsers, &mut luck);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // A bot's seat has no page.
    let mut other = Browser::new(server.address, &browsers[0].path.replace("seat/0", "seat/1"));
    assert_eq!(other.get("").status, 404);
}

#[test]
fn several_tables_have_links_of_their_own() {
    let folder = Folder::empty("serve-tables");
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics");
    let server = Server::start(&folder, &["tic-tac-toe", "--library", library, "--tables", "3"]);
    let mut paths: Vec<&str> = server.tables.iter().map(|table| table["watch"].as_str().unwrap()).collect();
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths.len(), 3);
}

#[test]
fn a_move_among_many_is_put_in_steps() {
    let folder = birds("serve-steps");
    let server = Server::start(&folder, &["birds", "--library", &folder.path()]);
    let [mut one, other] = server.both();
    assert!(one.page().contains("Step 1 of"), "{}", one.page());
    let first = answer(&one.page(), &mut |_| 0).unwrap();
    assert!(one.answer(&mut |_| 0));
    let page = one.page();
    assert!(page.contains("Step 2 of") && page.contains("value=\"back\""), "{page}");
    // Another window of the seat has not come so far, and what it answers is no answer to this step.
    let mut behind = one.clone();
    let first: Vec<(&str, &str)> = first.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let reply = behind.post("answer", &first);
    assert_eq!(reply.status, 409);
    assert!(reply.body.contains("gone further in another window"), "{}", reply.body);
    let second = answer(&page, &mut |_| 0).unwrap();
    let back = second.iter().map(|(name, value)| (name.as_str(), if name == "key" { "back" } else { value.as_str() }));
    assert_eq!(one.post("answer", &back.collect::<Vec<_>>()).status, 303);
    assert!(one.page().contains("Step 1 of"));
    let mut both = [one, other];
    play(&mut both, &mut Luck(13));
    assert!(ends(&both[0].page()), "{}", both[0].page());
}

#[test]
fn things_are_put_in_order_and_totals_are_divided() {
    let folder = ferry("serve-ferry");
    let server = Server::start(&folder, &["ferry", "--library", &folder.path()]);
    let mut both = server.both();
    let page = both[0].page();
    let order = answer(&page, &mut |_| 0).unwrap();
    assert!(order.iter().any(|(name, _)| name == "place"), "{page}");
    let twice: Vec<(&str, &str)> =
        order.iter().map(|(name, value)| (name.as_str(), if name == "place" { "1" } else { value.as_str() })).collect();
    let reply = both[0].post("answer", &twice);
    assert!(reply.status == 409 && reply.body.contains("Two of them have the same number"), "{}", reply.body);
    play(&mut both, &mut Luck(17));
    assert!(ends(&both[0].page()), "{}", both[0].page());
}

#[test]
fn the_same_people_play_again_when_both_want_to() {
    let folder = Folder::empty("serve-again");
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics");
    let server = Server::start(&folder, &["tic-tac-toe", "--library", library]);
    let (first, mut browsers, mut luck) = (server.recording(), server.both(), Luck(3));
    let page = browsers[0].page();
    assert!(!page.contains("Play again"), "{page}");
    assert_eq!(browsers[0].post("again", &[]).status, 409, "the game is not over");
    play(&mut browsers, &mut luck);
    let pages: Vec<String> = browsers.iter_mut().map(Browser::page).collect();
    assert!(pages.iter().all(|page| ends(page) && page.contains("Play again")));
    let mut looking = Browser::new(server.address, &server.watch());
    assert!(!looking.page().contains("Play again"));

    // One wants to, and the other is asked.
    assert_eq!(browsers[0].post("again", &[]).status, 303);
    assert!(browsers[0].page().contains("You want to play again. Waiting for"));
    assert!(looking.page().contains("wants to play again. Waiting for"));
    let asked = browsers[1].page();
    assert!(asked.contains("wants to play again, with the same sides and new dice."), "{asked}");
    assert_eq!(browsers[1].post("consent", &[("agrees", "no")]).status, 303);
    assert!(browsers[0].page().contains("does not want to play again"));

    // Both want to: it begins, at the same seats and with the same links.
    for browser in &mut browsers {
        assert_eq!(browser.post("again", &[]).status, 303);
    }
    assert!(browsers.iter_mut().all(|browser| !ends(&browser.page())));
    round(&mut browsers, &mut luck);

    // What is played now is kept like the game before, and goes on after a crash.
    let port = server.address.port();
    server.kill();
    let server = Server::start_on(&folder, port, &["--library", library]);
    assert_ne!(server.recording(), first);
    play(&mut browsers, &mut luck);
    assert!(browsers.iter_mut().all(|browser| ends(&browser.page())));
    for recording in [first, server.recording()] {
        let replayed = ludex_in(&folder, &["replay", &recording, "--library", library], "");
        assert_eq!(replayed.status, 0, "{}", replayed.stderr);
    }
}

#[test]
fn bots_always_play_again() {
    let folder = Folder::empty("serve-again-bot");
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics");
    let server = Server::start(&folder, &["tic-tac-toe", "--library", library, "--seat", "1=:random"]);
    let (mut browsers, mut luck) = ([server.seated(0)], Luck(3));
    for _ in 0..2 {
        while !ends(&browsers[0].page()) {
            play(&mut browsers, &mut luck);
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert_eq!(browsers[0].post("again", &[]).status, 303);
    }
    assert!(!ends(&browsers[0].page()));
}

/// Two cards that are alike, on the table.
const TWO_ALIKE: &str = "\
ludex-position: 1
game: sailor-moon-ccg
sides:
- {entrants: [moon], zones: {allies: [sailor-moon-1], hand: [love-letter], draw_pile: {power-soul: 4}}, counters: {turns_had: 1}}
- {entrants: [mercury], zones: {enemies: [racy, racy], hand: [love-letter], draw_pile: {power-soul: 9}}, counters: {turns_had: 1}}
table: {on_turn: 0, next_up: 1}
at: actions(active: 0)
";

#[test]
fn the_rules_and_every_card_can_be_read_beside_the_table() {
    let folder = Folder::empty("serve-rules");
    let position = folder.write("two-alike.yaml", TWO_ALIKE);
    let server = Server::start(&folder, &["sailor-moon-ccg", "--position", &position, "--seat", "1=:random"]);
    let mut seat = server.seated(0);
    let page = seat.page();
    let rules = between(&page, "class=\"rules\"><a href=\"", "\"").unwrap().to_string();
    let mut reader = Browser::new(server.address, "");
    let read = reader.get(&rules).body;
    assert!(read.contains("Goal: be the first with 4 Victory Points") && read.contains("<h2>Combined attack</h2>"), "{read}");
    // A card of the game, whoever has it; nothing of where it is.
    let card = reader.get(&format!("{rules}?about=Rats%21")).body;
    assert!(card.contains("Rats!: event"), "{card}");
    // A card on the table leads to itself: the second of those that are alike, too.
    let told: Vec<&str> = page.split("class=\"told\" href=\"").skip(1).filter(|link| link.contains(" #2")).collect();
    assert!(!told.is_empty(), "{page}");
    for link in told {
        let read = reader.get(link.split('"').next().unwrap()).body;
        assert!(read.contains("Racy: ") && !read.contains("The rules do not mention"), "{read}");
    }
    let nothing = reader.get(&format!("{rules}?about=%3Cb%3Ezzz")).body;
    assert!(nothing.contains("The rules do not mention “&lt;b&gt;zzz”."), "{nothing}");
    assert_eq!(reader.get("/t/000000000000/rules").status, 404);
    assert_eq!(reader.get(&format!("{rules}?about={}", "z".repeat(5_000))).status, 200);
    assert!(reader.get(&format!("{rules}?about=%ff%fe")).status < 500);
}

#[test]
fn who_serves_a_game_is_told_what_is_good_for_a_first_one() {
    let folder = Folder::empty("serve-first");
    let told = |args: &[&str]| {
        let mut child = folder.command(&[&["serve"], args, &["--port", "0"]].concat()).stdout(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        line
    };
    assert!(told(&["sailor-moon-ccg"]).contains("for a first game: `ludex serve sailor-moon-ccg --mode basic`"));
    assert!(told(&["sailor-moon-ccg", "--mode", "basic"]).contains("Ctrl-C ends the server"));
}
