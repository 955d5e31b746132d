//! Seats, the links that lead to them, and who may do what there.

use crate::serve::browser::{Browser, answer, between, unescaped};
use crate::serve::server::{Server, path, secret};
use crate::support::Folder;

fn dicewing(name: &str) -> (Folder, Server) {
    let folder = Folder::empty(name);
    let server = Server::start(&folder, &["dicewing"]);
    (folder, server)
}

/// The browser of those who are asked, and the other.
fn asked_first(browsers: [Browser; 2]) -> [Browser; 2] {
    let [mut one, other] = browsers;
    if one.page().contains("class=\"question\"") { [one, other] } else { [other, one] }
}

#[test]
fn looking_takes_no_seat() {
    let (_folder, server) = dicewing("serve-looking");
    let links = std::fs::read_to_string(format!("{}.links", server.recording())).unwrap();
    let mut browser = Browser::new(server.address, &path(&server.link(0)));
    for what in ["", &format!("?secret={}", secret(&server.link(0))), "?claim"] {
        let reply = browser.get(what);
        assert_eq!((reply.status, reply.header("set-cookie")), (200, None));
        assert!(reply.body.contains("Take this seat") && !reply.body.contains("class=\"area"), "{}", reply.body);
    }
    assert_eq!(browser.get("claim").status, 405);
    assert_eq!(std::fs::read_to_string(format!("{}.links", server.recording())).unwrap(), links);
}

#[test]
fn a_cookie_is_for_one_seat_and_for_no_script() {
    let (_folder, server) = dicewing("serve-cookie");
    let mut browser = Browser::new(server.address, &path(&server.link(0)));
    // A whole link is as good as its secret.
    let reply = browser.post("claim", &[("secret", &server.link(0))]);
    let cookie = reply.header("set-cookie").unwrap();
    assert!(cookie.contains(&format!("; Path={};", path(&server.link(0)))), "{cookie}");
    assert!(cookie.contains("; HttpOnly; SameSite=Lax") && !cookie.contains("Secure"), "{cookie}");
    for wrong in ["", "0", &"0".repeat(32), &secret(&server.link(1)), &secret(&server.owner_link())] {
        let reply = browser.post("claim", &[("secret", wrong)]);
        assert_eq!((reply.status, reply.header("set-cookie")), (403, None), "{wrong}");
    }
}

#[cfg(unix)]
#[test]
fn only_hashes_are_kept_and_only_for_their_owner() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, server) = dicewing("serve-hashes");
    let recording = server.recording();
    let file = format!("{recording}.links");
    let (links, recorded) = (std::fs::read_to_string(&file).unwrap(), std::fs::read_to_string(&recording).unwrap());
    for link in [server.link(0), server.link(1), server.owner_link()] {
        assert_eq!(secret(&link).len(), 32);
        assert!(!links.contains(&secret(&link)) && !recorded.contains(&secret(&link)));
    }
    assert!(!recorded.contains("hash\":\"") || !recorded.contains(between(&links, "\"hash\":\"", "\"").unwrap()));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn in_two_browsers_of_a_seat_the_first_answer_counts() {
    let (_folder, server) = dicewing("serve-twice");
    let [mut one, _] = asked_first(server.both());
    let mut two = one.clone();
    let old = answer(&two.page(), &mut |_| 0).unwrap();
    let mut following = two.follow();
    following.until("Draft a die");
    assert!(one.answer(&mut |_| 1));
    following.until("Since your last move");
    let old: Vec<(&str, &str)> = old.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let reply = two.post("answer", &old);
    assert_eq!(reply.status, 409);
    assert!(reply.body.contains("not open any more"), "{}", reply.body);
    assert!(reply.body.contains("class=\"area"), "it shows how things are now");
}

#[test]
fn a_renewed_link_ends_the_old_one() {
    let (_folder, server) = dicewing("serve-renewed");
    let [mut one, mut other] = server.both();
    let owner_path = path(&server.owner_link());
    let mut owner = Browser::new(server.address, &owner_path).taking(&secret(&server.owner_link()));
    let mut following = one.follow();
    following.until("event: table");
    let reply = owner.post("renew", &[("seat", "0")]);
    let link = unescaped(between(&reply.body, "The new link: <code>", "</code>").unwrap_or_else(|| panic!("{reply:?}")));
    assert!(one.page().contains("Take this seat"), "the old cookie is good for nothing");
    assert_eq!(one.post("undo", &[]).status, 403);
    assert_eq!(one.get("events").status, 403);
    let mut again = Browser::new(server.address, &path(&link)).taking(&secret(&link));
    assert!(again.page().contains("class=\"area"));
    // Whoever followed with the old one hears nothing of what comes.
    let mut players = [again, other.clone()];
    while !players.iter_mut().any(|browser| browser.answer(&mut |_| 0)) {}
    let told = following.until_end();
    assert_eq!(told.matches("event: table").count(), 1, "{told}");
    // Nobody but the owner renews.
    other.path = owner_path;
    assert_eq!(other.post("renew", &[("seat", "0")]).status, 403);
}

#[test]
fn taking_back_waits_for_everybody_who_sits_there() {
    let (_folder, server) = dicewing("serve-consent");
    let [mut one, mut other] = asked_first(server.both());
    assert!(one.answer(&mut |_| 0) && other.answer(&mut |_| 0));
    let wish = "wants to take back";
    assert_eq!(one.post("undo", &[]).status, 303);
    assert!(one.page().contains("You want to take back") && other.page().contains(wish));
    assert!(Browser::new(server.address, &server.watch()).page().contains(wish));
    // The one who wants it is not asked.
    assert_eq!(one.post("consent", &[("agrees", "yes")]).status, 409);
    assert_eq!(other.post("consent", &[("agrees", "no")]).status, 303);
    assert!(other.page().contains("does not agree") && !other.page().contains("Do not agree"));
    assert_eq!(one.post("undo", &[]).status, 303);
    assert_eq!(other.post("consent", &[("agrees", "yes")]).status, 303);
    assert!(one.page().contains("takes back the last decision"));
    // Who is away is waived by the owner alone.
    assert!(one.answer(&mut |_| 0) && other.answer(&mut |_| 0));
    assert_eq!(one.post("undo", &[]).status, 303);
    let seat = if other.path.ends_with("seat/1/") { "1" } else { "0" };
    let mut owner = Browser::new(server.address, &path(&server.owner_link())).taking(&secret(&server.owner_link()));
    assert!(owner.page().contains("Go on without asking"));
    assert_eq!(owner.post("waive", &[("seat", seat)]).status, 303);
    assert!(!one.page().contains("You want to take back"));
    let page = one.page();
    let story = between(&page, "class=\"story\"", "</section>").unwrap();
    assert_eq!(story.matches("takes back the last decision").count(), 2);
}

#[test]
fn a_seat_that_nobody_has_taken_is_not_asked() {
    // Dice say who begins: in one of so many games it is seat 0.
    let begins = |_| {
        let (folder, server) = dicewing("serve-untaken");
        let mut one = server.seated(0);
        one.answer(&mut |_| 0).then_some((folder, server, one))
    };
    let (_folder, _server, mut one) = (0..64).find_map(begins).unwrap();
    assert_eq!(one.post("undo", &[]).status, 303);
    assert!(one.page().contains("takes back the last decision"));
}

/// One side rolls again and again, whatever the other does.
const ROLLS: &str = "ludex 1
game rolls \"Rolls\"
sides 2
die sizes 6
each side has { zone tray: dice, open }
to play {
  let first = first of sides
  create die(size: 6) in first.tray for first
  repeat 90 times {
    first must choose number in 1..3 as bid \"How many?\"
    roll first.tray
  }
  finish with nobody
}
";

/// Who is alone at a table of two does not roll until the dice please, and whoever comes later can read what was taken back.
#[test]
fn taking_back_is_counted_and_told_before_the_other_sits_down() {
    let folder = Folder::empty("serve-alone");
    let library = folder.write("rules/rolls/game.ludex", ROLLS).replace("/rules/rolls/game.ludex", "");
    let server = Server::start(&folder, &["rolls", "--library", &library]);
    let mut one = server.seated(0);
    for left in ["2 more in this match", "1 more in this match", "no more in this match"] {
        assert!(one.answer(&mut |_| 0));
        assert_eq!(one.post("undo", &[]).status, 303);
        let page = one.page();
        assert!(page.contains(left), "{left}: {page}");
    }
    assert!(one.answer(&mut |_| 0));
    let refused = one.post("undo", &[]);
    assert!(refused.status == 409 && refused.body.contains("this match allows no more of that"), "{}", refused.body);
    let count = |page: &str, text: &str| between(page, "class=\"story\"", "</section>").unwrap().matches(text).count();
    let mut other = server.seated(1);
    assert_eq!(count(&other.page(), "takes back the last decision"), 3);
    // Who sits there is asked from now on, and old lines go, but not these.
    for _ in 0..70 {
        assert!(one.answer(&mut |_| 0));
    }
    let mut looking = Browser::new(server.address, &server.watch());
    for page in [one.page(), other.page(), looking.page()] {
        assert_eq!(count(&page, "takes back the last decision"), 3);
    }
    assert_eq!(one.post("undo", &[]).status, 303);
    assert!(other.page().contains("wants to take back"));
    // Nor do they go when the server is started again.
    let port = server.address.port();
    server.kill();
    let _server = Server::start_on(&folder, port, &["--library", &library]);
    assert_eq!(count(&other.page(), "took back a decision; from there on, chance was drawn again"), 3);
}

#[test]
fn whoever_gives_up_says_so_twice() {
    let (_folder, server) = dicewing("serve-resigned");
    let [mut one, mut other] = server.both();
    assert_eq!(one.post("resign", &[]).status, 409);
    assert!(!other.page().contains("given up"));
    assert_eq!(one.post("resign", &[("sure", "yes")]).status, 303);
    assert!(other.page().contains("The game is given up, and Player 2 wins"));
}
