//! No byte that a seat receives holds what only another may know.

use crate::serve::browser::{Browser, between, round, unescaped, until_both_are_asked};
use crate::serve::server::Server;
use crate::support::{Folder, Luck};
use std::collections::BTreeSet;

/// The names of the cards in a zone of the viewer's own side.
fn own_cards(page: &str, zone: &str) -> BTreeSet<String> {
    let Some(own) = page.find("class=\"area mine").map(|start| &page[start..]) else { return BTreeSet::new() };
    let own = &own[..own.find("</section>").unwrap()];
    let Some(cards) = between(own, &format!("<h3>{zone}"), "<div class=\"zone\">")
        .or_else(|| own.split_once(&format!("<h3>{zone}")).map(|(_, rest)| rest))
    else {
        return BTreeSet::new();
    };
    names(cards)
}

/// The names of all cards that are drawn.
fn names(page: &str) -> BTreeSet<String> {
    let labels = page.match_indices("aria-label=\"").map(|(place, start)| {
        let label = &page[place + start.len()..];
        unescaped(&label[..label.find('"').unwrap()])
    });
    labels.map(|label| label.split(", ").next().unwrap_or_default().to_string()).collect()
}

/// What a page says by name that is no secret to whoever reads it: their own list of cards, and what they were shown.
fn told(page: &str) -> String {
    let known = between(page, "<details class=\"known\">", "</details>").unwrap_or_default().to_string();
    let shown = page.split("<li").filter(|line| line.contains(" sees ")).collect::<String>();
    unescaped(&format!("{known}{shown}"))
}

#[test]
fn hands_stay_in_the_hands_they_are_in() {
    let folder = Folder::empty("serve-hands");
    let server = Server::start(&folder, &["sailor-moon-ccg", "--seat", "0=moon", "--seat", "1=future"]);
    let mut browsers = server.both();
    let mut looking = Browser::new(server.address, &server.watch());
    let mut luck = Luck(3);
    let mut legitimate = [String::new(), String::new()];
    let mut checked = 0;
    let mut dealt = false;
    for _ in 0..60 {
        let pages = [browsers[0].page(), browsers[1].page()];
        let open = looking.page();
        // What all have been told is no secret: another copy of a card may have been played.
        let public = unescaped(&looking.received);
        legitimate.iter_mut().zip(&pages).for_each(|(all, page)| all.push_str(&told(page)));
        for (seat, other) in [(0, 1), (1, 0)] {
            let hand = own_cards(&pages[seat], "hand");
            let secret = |name: &&String| name.len() > 4 && !public.contains(name.as_str());
            for name in hand.iter().filter(secret).filter(|name| !legitimate[other].contains(name.as_str())) {
                checked += 1;
                let received = unescaped(&browsers[other].received);
                let place =
                    received.find(name.as_str()).map(|place| received[..place].chars().rev().take(200).collect::<String>());
                assert_eq!(place, None, "seat {other} has received `{name}` of seat {seat}");
            }
            // Nothing has been played yet when cards are dealt: what is open then is on the table.
            if !dealt && !hand.is_empty() {
                let on_table = names(&open);
                let hidden = hand.iter().filter(|name| name.len() > 4 && !on_table.contains(*name));
                hidden.for_each(|name| assert!(!public.contains(name.as_str()), "who looks on has received `{name}`"));
            }
        }
        dealt |= !own_cards(&pages[0], "hand").is_empty();
        if round(&mut browsers, &mut luck) == 0 {
            break;
        }
    }
    assert!(checked > 50, "only {checked} names were looked for");
}

#[test]
fn a_secret_answer_changes_no_byte_that_others_receive() {
    let folder = Folder::empty("serve-secret");
    let server = Server::start(&folder, &["dicewing"]);
    let mut browsers = server.both();
    let mut looking = Browser::new(server.address, &server.watch());
    until_both_are_asked(&mut browsers, &mut Luck(9));
    let before = [browsers[1].page(), looking.page()];
    let mut following = browsers[1].follow();
    following.until("event: table");
    assert!(browsers[0].answer(&mut |_| 0));
    assert_eq!([browsers[1].page(), looking.page()], before);
    // Taking it back and answering otherwise shows to nobody, either.
    assert_eq!(browsers[0].post("undo", &[]).status, 303);
    assert!(browsers[0].answer(&mut |count| count - 1));
    assert_eq!([browsers[1].page(), looking.page()], before);
    assert!(browsers[1].answer(&mut |_| 0));
    following.until("What has happened");
    // What was open came at first, and then what both had chosen; nothing between.
    browsers[1].page();
    let changes = following.received.matches("event: table").count();
    assert!(changes <= 2, "{changes} changes were told");
}

/// A page has the number of its question. It counts what the seat has answered, and nothing of what others have.
#[test]
fn the_number_of_a_question_counts_no_answers_of_others() {
    let folder = Folder::empty("serve-numbers");
    let server = Server::start(&folder, &["dicewing"]);
    let mut browsers = server.both();
    let (mut luck, mut answered) = (Luck(4), [0, 0]);
    for _ in 0..12 {
        for (browser, answered) in browsers.iter_mut().zip(&mut answered) {
            let page = browser.page();
            let number = between(&page, "name=\"decision\" value=\"", "\"");
            assert!(number.is_none_or(|number| number == (*answered + 1).to_string()), "{number:?} after {answered} answers");
            *answered += usize::from(browser.answer(&mut |count| luck.below(count as u64) as usize));
        }
    }
}

#[test]
fn who_looks_on_has_nothing_to_answer() {
    let folder = Folder::empty("serve-look");
    let server = Server::start(&folder, &["dicewing"]);
    let page = Browser::new(server.address, &server.watch()).page();
    assert!(!page.contains("<form") && !page.contains("name=\"sign\""), "{page}");
    assert!(page.contains("DiceWing"));
    let path = server.recording();
    assert!(!page.contains(&path) && !server.both()[0].page().contains(&path), "pages do not tell where files are");
}
