//! What strangers and cheats may send: nothing is lost, nothing shown, and others play on.

use crate::serve::browser::{Browser, borrowed, exchange};
use crate::serve::server::{Server, path, secret};
use crate::support::Folder;
use std::sync::atomic::{AtomicUsize, Ordering};

fn dicewing(name: &str) -> (Folder, Server) {
    let folder = Folder::empty(name);
    let server = Server::start(&folder, &["dicewing"]);
    (folder, server)
}

fn recorded(server: &Server) -> String {
    std::fs::read_to_string(server.recording()).unwrap()
}

#[test]
fn only_pages_of_the_server_post_to_it() {
    let (_folder, server) = dicewing("serve-origin");
    let (mut one, _, fields) = server.asked();
    let before = recorded(&server);
    let foreign =
        ["Origin: http://evil.example\r\n", "Origin: null\r\nSec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n"];
    for from in foreign {
        assert_eq!(one.post_from("answer", &borrowed(&fields), from).status, 403, "{from}");
    }
    // Where a browser does not say where a form is from, the form must show it.
    let unsigned: Vec<(&str, &str)> = borrowed(&fields).into_iter().filter(|(name, _)| *name != "sign").collect();
    for from in ["", "Origin: null\r\n"] {
        assert_eq!(one.post_from("answer", &unsigned, from).status, 403, "{from}");
    }
    assert_eq!(recorded(&server), before);
    assert_eq!(one.post_from("answer", &borrowed(&fields), "Origin: null\r\n").status, 303);
}

#[test]
fn another_name_for_the_server_is_refused() {
    let (_folder, server) = dicewing("serve-host");
    let path = server.watch();
    for host in ["evil.example", "evil.example:80", &format!("127.0.0.1:{}", server.address.port() ^ 1), ""] {
        let reply =
            exchange(server.address, format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes());
        assert!(reply.starts_with("HTTP/1.1 421"), "{host}: {reply}");
        assert!(!reply.contains("class=\"area"), "{host}");
    }
    let named = format!("GET {path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n", server.address.port());
    assert!(exchange(server.address, named.as_bytes()).starts_with("HTTP/1.1 200"));
}

#[test]
fn nobody_answers_for_another_seat() {
    let (_folder, server) = dicewing("serve-other");
    let (one, mut other, fields) = server.asked();
    let before = recorded(&server);
    // With their own cookie at the page of the other seat, and with the other's question at their own.
    let mut thief = Browser { path: one.path.clone(), ..other.clone() };
    assert_eq!(thief.post("answer", &borrowed(&fields)).status, 403);
    assert_eq!(other.post("answer", &borrowed(&fields)).status, 409);
    let mut nobody = Browser::new(server.address, &one.path);
    assert_eq!(nobody.post("answer", &borrowed(&fields)).status, 403);
    assert_eq!(nobody.get("events").status, 403);
    assert_eq!(recorded(&server), before);
}

#[test]
fn old_questions_and_nonsense_change_nothing() {
    let (_folder, server) = dicewing("serve-nonsense");
    let (mut one, _, fields) = server.asked();
    assert_eq!(one.post("answer", &borrowed(&fields)).status, 303);
    let before = recorded(&server);
    assert_eq!(one.post("answer", &borrowed(&fields)).status, 409);
    let wrong: &[&[(&str, &str)]] = &[
        &[],
        &[("decision", "x")],
        &[("decision", "99999999999999999999")],
        &[("decision", "1"), ("key", "")],
        &[("decision", "1"), ("step", "7"), ("key", "a")],
        &[("decision", "1"), ("number", "NaN")],
        &[("agrees", "maybe")],
    ];
    for fields in wrong {
        for what in ["answer", "consent", "dance"] {
            assert_eq!(one.post(what, fields).status, 409, "{what} {fields:?}");
        }
    }
    let path = one.path.clone();
    for lost in [
        "/",
        "/t/",
        "/t/x/",
        "/t/x/seat/0/",
        "/assets/../Cargo.toml",
        &format!("{path}../7/"),
        &path.replace("/seat/", "/seat/-"),
    ] {
        let reply = Browser::new(server.address, lost).get("");
        assert!((400..500).contains(&reply.status), "{lost}: {}", reply.status);
    }
    assert_eq!(recorded(&server), before);
}

#[test]
fn keys_that_are_not_legal_are_refused_with_a_reason() {
    let (_folder, server) = dicewing("serve-illegal");
    let (mut one, _, mut fields) = server.asked();
    let before = recorded(&server);
    let key = fields.iter_mut().find(|(name, _)| name == "key").unwrap();
    key.1 = "choose(<b>nothing</b>)".to_string();
    let reply = one.post("answer", &borrowed(&fields));
    assert_eq!(reply.status, 409);
    assert!(!reply.body.contains("<b>nothing"), "{}", reply.body);
    assert_eq!(recorded(&server), before);
}

#[test]
fn what_is_too_much_is_not_read() {
    let (_folder, server) = dicewing("serve-large");
    let (mut one, ..) = server.asked();
    let large = "x".repeat(10 << 20);
    let reply = one.post("answer", &[("decision", "1"), ("key", &large)]);
    assert!([413, 0].contains(&reply.status), "{}", reply.status);
    let chunked = format!(
        "POST {}answer HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\nCookie: {}\r\nConnection: close\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n{}0\r\n\r\n",
        one.path,
        server.address,
        server.address,
        one.cookie.clone().unwrap(),
        format!("{:x}\r\n{}\r\n", 1 << 16, "y".repeat(1 << 16)).repeat(20),
    );
    let reply = one.send(&chunked);
    assert!([413, 0].contains(&reply.status), "{}", reply.status);
    for garbage in [&b"\x16\x03\x01\x02\x00\x01"[..], b"GET", b"\r\n\r\n\r\n", &[b'a'; 200_000]] {
        exchange_and_leave(&server, garbage);
    }
    assert!(one.page().contains("class=\"area"), "the table is still there");
}

/// Sends bytes and goes, whatever the server makes of them.
fn exchange_and_leave(server: &Server, bytes: &[u8]) {
    use std::io::Write;
    let mut stream = std::net::TcpStream::connect(server.address).unwrap();
    let _ = stream.write_all(bytes);
}

#[test]
fn a_thousand_posts_at_once_stop_nobody() {
    let (_folder, server) = dicewing("serve-burst");
    let (mut one, _, fields) = server.asked();
    let before = recorded(&server);
    let refused = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut stranger = Browser::new(server.address, &path(&server.link(0)));
                for _ in 0..125 {
                    let reply = stranger.post("answer", &[("decision", "1"), ("key", "pass")]);
                    assert!([403, 429].contains(&reply.status), "{reply:?}");
                    refused.fetch_add(usize::from(reply.status == 429), Ordering::Relaxed);
                }
            });
        }
    });
    assert!(refused.into_inner() > 500, "most are not even looked at");
    assert_eq!(recorded(&server), before);
    // Pages are not held up by posts, and soon answers are taken again.
    assert!(one.page().contains("class=\"area"));
    let mut reply = one.post("answer", &borrowed(&fields));
    while reply.status == 429 {
        assert_eq!(reply.header("retry-after"), Some("1"));
        std::thread::sleep(std::time::Duration::from_millis(300));
        reply = one.post("answer", &borrowed(&fields));
    }
    assert_eq!(reply.status, 303);
}

#[test]
fn secrets_cannot_be_tried_out() {
    let (_folder, server) = dicewing("serve-guessing");
    let mut stranger = Browser::new(server.address, &path(&server.link(0)));
    let tried: Vec<u16> =
        (0..100).map(|number| stranger.post("claim", &[("secret", &format!("{number:032x}"))]).status).collect();
    assert!(tried.iter().filter(|status| **status == 429).count() > 40, "{tried:?}");
    assert!(!tried.contains(&303));
    assert_ne!(secret(&server.link(0)), secret(&server.link(1)));
}

#[test]
fn browsers_are_told_to_run_and_keep_nothing_else() {
    let (_folder, server) = dicewing("serve-headers");
    let [mut one, _] = server.both();
    let mut owner = Browser::new(server.address, &path(&server.owner_link())).taking(&secret(&server.owner_link()));
    let mut looking = Browser::new(server.address, &server.watch());
    for browser in [&mut one, &mut owner, &mut looking, &mut Browser::new(server.address, &path(&server.link(1)))] {
        let reply = browser.get("");
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        for (start, _) in reply.body.match_indices("<script") {
            assert!(reply.body[start..].starts_with("<script src=\"/assets/"), "{}", &reply.body[start..start + 60]);
        }
        for inline in [" style=", "<style", " onclick=", " onload=", "javascript:"] {
            assert!(!reply.body.contains(inline), "{inline}");
        }
    }
}
