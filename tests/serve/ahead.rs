//! What may come of a move is told before it is made: nothing is done by it, and nothing secret is in it.

use crate::serve::browser::{Browser, answer, between, borrowed, until_both_are_asked};
use crate::serve::server::Server;
use crate::support::{Folder, Luck};

/// The fields of a form that looks ahead at the move of an answer.
fn looking(fields: &[(String, String)]) -> Vec<(String, String)> {
    let looked = |name: &String| if name == "key" { "look".to_string() } else { name.clone() };
    fields.iter().map(|(name, value)| (looked(name), value.clone())).collect()
}

/// What a browser is told that looks ahead at the first of its moves.
fn prospect(browser: &mut Browser) -> String {
    let fields = answer(&browser.page(), &mut |_| 0).expect("a question");
    let reply = browser.post("preview", &borrowed(&looking(&fields)));
    assert_eq!(reply.status, 200, "{reply:?}");
    between(&reply.body, "<div class=\"prospect\">", "</div>").expect("what may come of it").to_string()
}

#[test]
fn what_may_come_of_a_move_is_told_and_nothing_is_done() {
    let folder = Folder::empty("serve-ahead");
    let server = Server::start(&folder, &["dice-challenge", "--seat", "0=sailor-moon", "--seat", "1=rubeus"]);
    let (mut one, mut other, fields) = server.asked();
    let recorded = || std::fs::read_to_string(server.recording()).unwrap();
    let before = (recorded(), one.page(), other.page());
    assert!(before.1.contains("formaction=\"preview\""), "{}", before.1);
    let told = prospect(&mut one);
    assert!(told.contains("<li>always: ") || told.contains("<li>about "), "{told}");
    assert_eq!((recorded(), one.page(), other.page()), before);
    // It can still be made.
    assert_eq!(one.post("answer", &borrowed(&fields)).status, 303);
}

#[test]
fn the_first_page_tells_how_play_has_begun() {
    let folder = Folder::empty("serve-first-page");
    let server = Server::start(&folder, &["dice-challenge", "--seat", "0=sailor-moon", "--seat", "1=rubeus"]);
    let (mut one, mut other, _) = server.asked();
    // Once it has looked ahead, the table has done all that it does before it waits.
    prospect(&mut one);
    for page in [one.page(), other.page()] {
        let seen = between(&page, "data-seen=\"", "\"").expect("a scene");
        assert!(seen.ends_with("-1") && page.contains("round begins"), "{page}");
    }
}

#[test]
fn nobody_looks_ahead_for_another_seat_or_at_an_old_question() {
    let folder = Folder::empty("serve-ahead-others");
    let server = Server::start(&folder, &["dice-challenge", "--seat", "0=sailor-moon", "--seat", "1=rubeus"]);
    let (mut one, mut other, fields) = server.asked();
    let looking = looking(&fields);
    assert_eq!(other.post("preview", &borrowed(&looking)).status, 409);
    let mut stranger = Browser::new(one.address, &one.path);
    assert_eq!(stranger.post("preview", &borrowed(&looking)).status, 403);
    assert_eq!(one.post_from("preview", &borrowed(&looking), "Origin: http://evil.example\r\n").status, 403);
    assert_eq!(one.post("answer", &borrowed(&fields)).status, 303);
    assert_eq!(one.post("preview", &borrowed(&looking)).status, 409);
}

#[test]
fn what_others_have_chosen_in_secret_is_in_no_prospect() {
    let folder = Folder::empty("serve-ahead-secret");
    let server = Server::start(&folder, &["dicewing"]);
    let mut browsers = server.both();
    until_both_are_asked(&mut browsers, &mut Luck(9));
    let before = prospect(&mut browsers[1]);
    assert!(browsers[0].answer(&mut |_| 0));
    assert_eq!(prospect(&mut browsers[1]), before);
    assert_eq!(browsers[0].post("undo", &[]).status, 303);
    assert!(browsers[0].answer(&mut |count| count - 1));
    assert_eq!(prospect(&mut browsers[1]), before);
}

/// One move is looked at after the other, even if those who have asked do not wait.
#[cfg(target_os = "linux")]
#[test]
fn whoever_looks_ahead_and_goes_takes_no_more_of_the_machine() {
    use std::io::Write;
    let folder = Folder::empty("serve-ahead-gone");
    let server = Server::start(&folder, &["sailor-moon-ccg", "--seat", "0=moon", "--seat", "1=future"]);
    let (mut one, _, fields) = server.asked();
    let looking = looking(&fields);
    let threads = || {
        let all = std::fs::read_dir(format!("/proc/{}/task", server.id())).unwrap();
        let names = all.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("comm")).ok());
        names.filter(|name| name.trim_end() == "rehearsal").count()
    };
    let (mut most, mut streams) = (0, Vec::new());
    for _ in 0..9 {
        let mut stream = std::net::TcpStream::connect(server.address).unwrap();
        stream.write_all(one.posting("preview", &borrowed(&looking)).as_bytes()).unwrap();
        // It has been read when it is played, or has been.
        for _ in 0..20 {
            most = most.max(threads());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        streams.push(stream);
    }
    // A thread that has just given up its turn may still be there.
    assert!(most <= 2, "{most} at once");
    drop(streams);
    assert!(one.page().contains("class=\"area"));
}

#[test]
fn whoever_looks_ahead_all_the_time_waits_and_others_do_not() {
    let folder = Folder::empty("serve-ahead-often");
    let server = Server::start(&folder, &["dicewing"]);
    let (mut one, mut other, fields) = server.asked();
    let looking = looking(&fields);
    let refused = (0..40).filter(|_| one.post("preview", &borrowed(&looking)).status == 429).count();
    assert!(refused > 10, "only {refused} were refused");
    assert!(other.page().contains("DiceWing"));
    assert_eq!(one.post("answer", &borrowed(&fields)).status, 303);
}
