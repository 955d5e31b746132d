//! Nothing is lost: a server that is killed goes on where it was, and links stay good.

use crate::serve::browser::{Browser, between, round};
use crate::serve::server::{Server, path, secret};
use crate::support::{Folder, Luck, ludex_in};

/// What a page shows of the table, and what it asks.
fn shown(page: &str) -> (String, Option<String>) {
    let board = between(page, "<div class=\"board\">", "<div class=\"side\">").unwrap().to_string();
    (board, between(page, "<h2 id=\"asked\" tabindex=\"-1\">", "</h2>").map(str::to_string))
}

#[test]
fn a_server_that_is_killed_goes_on_where_it_was() {
    let folder = Folder::empty("serve-killed");
    let mut server = Server::start(&folder, &["dicewing"]);
    let mut browsers = server.both();
    let links: Vec<String> = (0..2).map(|seat| server.link(seat)).collect();
    let mut luck = Luck(21);
    for _ in 0..4 {
        // Dice are still drafted: however they fall, the game is not over so soon.
        for _ in 0..2 {
            round(&mut browsers, &mut luck);
        }
        let before: Vec<_> = browsers.iter_mut().map(|browser| shown(&browser.page())).collect();
        let watch = server.watch();
        server.kill();
        server = Server::start(&folder, &[]);
        assert_eq!(server.watch(), watch, "the table has the address it had");
        assert_eq!(server.tables[0]["goes_on"], true);
        // Cookies are as good as they were, and so are links.
        browsers.iter_mut().for_each(|browser| browser.address = server.address);
        let after: Vec<_> = browsers.iter_mut().map(|browser| shown(&browser.page())).collect();
        assert_eq!(after, before);
        browsers = [0, 1].map(|seat| Browser::new(server.address, &path(&links[seat])).taking(&secret(&links[seat])));
    }
    while round(&mut browsers, &mut luck) > 0 {}
    let file = format!("{}.links", server.recording());
    let replayed = ludex_in(&folder, &["replay", &server.recording()], "");
    assert_eq!(replayed.status, 0, "{}", replayed.stderr);
    server.kill();
    // A game that is over does not go on, and nothing is kept of its links.
    let ended = ludex_in(&folder, &["serve", "--port", "0"], "");
    assert_eq!(ended.status, 1, "{}", ended.stdout);
    assert!(ended.stderr.contains("there are no unfinished tables"), "{}", ended.stderr);
    assert!(!std::path::Path::new(&file).exists());
}

#[test]
fn new_links_end_those_that_were_given_out() {
    let folder = Folder::empty("serve-new-links");
    let server = Server::start(&folder, &["dicewing"]);
    let [mut one, _] = server.both();
    server.kill();
    let server = Server::start(&folder, &["--new-links"]);
    one.address = server.address;
    assert!(one.page().contains("Take this seat"));
    assert!(server.seated(0).page().contains("class=\"area"));
}

#[test]
fn who_comes_back_sees_at_once_what_has_happened() {
    let folder = Folder::empty("serve-back");
    let server = Server::start(&folder, &["dicewing"]);
    let mut browsers = server.both();
    let page = browsers[0].page();
    let seen = between(&page, "sse-connect=\"events", "\"").unwrap().to_string();
    drop(browsers[0].follow());
    // Asleep, while the other side plays and so does another browser of this seat.
    let mut again = browsers[0].clone();
    for _ in 0..3 {
        browsers[1].answer(&mut |_| 0);
        again.answer(&mut |_| 0);
    }
    let now = shown(&browsers[0].page());
    let mut following = browsers[0].follow();
    let told = following.until("What has happened").replace("\ndata: ", "\n");
    assert!(told.contains(&now.0), "{told}\nlacks {}", now.0);
    assert!(seen.starts_with("?seen="), "{seen}");
}
