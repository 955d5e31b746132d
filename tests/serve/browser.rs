//! As much of a browser as plain forms need, and a record of every byte it receives.

pub use super::forms::{answer, between, borrowed, unescaped};

use super::forms::encoded;
use crate::support::Luck;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A browser at one page of the server.
#[derive(Clone)]
pub struct Browser {
    pub address: SocketAddr,
    /// The page: `/t/TABLE/seat/0/`.
    pub path: String,
    pub cookie: Option<String>,
    /// Everything that was received, heads and bodies.
    pub received: String,
}

#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        let own = |line: &&str| line.split_once(':').is_some_and(|(known, _)| known.eq_ignore_ascii_case(name));
        self.head.lines().find(own).and_then(|line| line.split_once(':')).map(|(_, value)| value.trim())
    }
}

impl Browser {
    pub fn new(address: SocketAddr, path: &str) -> Browser {
        Browser { address, path: path.to_string(), cookie: None, received: String::new() }
    }

    /// Takes the seat of this page.
    pub fn taking(mut self, secret: &str) -> Browser {
        let reply = self.post("claim", &[("secret", secret)]);
        assert_eq!(reply.status, 303, "{reply:?}");
        let cookie = reply.header("set-cookie").unwrap();
        self.cookie = Some(cookie.split(';').next().unwrap().to_string());
        self
    }

    pub fn page(&mut self) -> String {
        let mut reply = self.get("");
        while reply.status == 429 {
            std::thread::sleep(Duration::from_millis(200));
            reply = self.get("");
        }
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.body
    }

    pub fn get(&mut self, what: &str) -> Reply {
        let head = format!("GET {}{what} HTTP/1.1\r\n{}", self.path, self.usual());
        self.send(&format!("{head}\r\n"))
    }

    /// Posts a form as a page of the server does.
    pub fn post(&mut self, what: &str, fields: &[(&str, &str)]) -> Reply {
        self.send(&self.posting(what, fields))
    }

    /// The request that posts a form.
    pub fn posting(&self, what: &str, fields: &[(&str, &str)]) -> String {
        self.posting_from(what, fields, &format!("Origin: http://{}\r\n", self.address))
    }

    /// Posts a form with other headers about where it comes from.
    pub fn post_from(&mut self, what: &str, fields: &[(&str, &str)], from: &str) -> Reply {
        self.send(&self.posting_from(what, fields, from))
    }

    fn posting_from(&self, what: &str, fields: &[(&str, &str)], from: &str) -> String {
        let pairs: Vec<String> = fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        let body = pairs.join("&");
        let kind = "Content-Type: application/x-www-form-urlencoded";
        let head = format!("POST {}{what} HTTP/1.1\r\n{}{from}{kind}\r\n", self.path, self.usual());
        format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())
    }

    fn usual(&self) -> String {
        let cookie = self.cookie.as_ref().map(|cookie| format!("Cookie: {cookie}\r\n")).unwrap_or_default();
        format!("Host: {}\r\nConnection: close\r\n{cookie}", self.address)
    }

    pub fn send(&mut self, request: &str) -> Reply {
        let raw = exchange(self.address, request.as_bytes());
        self.received.push_str(&raw);
        let (head, body) = raw.split_once("\r\n\r\n").unwrap_or((&raw, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_string(), body: body.to_string() }
    }

    /// Follows play: what comes from now on can be read.
    pub fn follow(&self) -> Following {
        let mut stream = connect(self.address);
        let head = format!("GET {}events HTTP/1.1\r\n{}\r\n", self.path, self.usual());
        stream.write_all(head.as_bytes()).unwrap();
        Following { stream, received: String::new() }
    }

    /// Answers the first question of the page as `pick` says, of so many answers; tells whether there was one.
    pub fn answer(&mut self, pick: &mut dyn FnMut(usize) -> usize) -> bool {
        let page = self.page();
        let Some(fields) = answer(&page, pick) else { return false };
        let fields = borrowed(&fields);
        let mut reply = self.post("answer", &fields);
        while reply.status == 429 {
            std::thread::sleep(Duration::from_millis(200));
            reply = self.post("answer", &fields);
        }
        assert_eq!(reply.status, 303, "{fields:?}\n{reply:?}");
        true
    }
}

/// Lets each browser that is asked answer by chance; gives how many were.
pub fn round(browsers: &mut [Browser], luck: &mut Luck) -> usize {
    let mut pick = |count: usize| luck.below(count as u64) as usize;
    browsers.iter_mut().map(|browser| usize::from(browser.answer(&mut pick))).sum()
}

/// Lets one answer at a time until both are asked in secret.
pub fn until_both_are_asked(browsers: &mut [Browser; 2], luck: &mut Luck) {
    for turn in 0..200 {
        let secret = |browser: &mut Browser| browser.page().contains("Others see your choice when everyone has chosen");
        if browsers.iter_mut().all(secret) {
            return;
        }
        round(&mut browsers[turn % 2..][..1], luck);
    }
    panic!("nobody was asked in secret: {}\n{}", browsers[0].page(), browsers[1].page());
}

/// A connection on which events come.
pub struct Following {
    stream: TcpStream,
    pub received: String,
}

impl Following {
    /// Reads until a text has come; what was received until then.
    pub fn until(&mut self, text: &str) -> &str {
        let mut buffer = [0; 4096];
        while !self.received.contains(text) {
            let count =
                self.stream.read(&mut buffer).unwrap_or_else(|error| panic!("{error}, waiting for {text}: {}", self.received));
            assert!(count > 0, "the server has ended it before {text}: {}", self.received);
            self.received.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
        &self.received
    }

    /// Reads until the server ends it.
    pub fn until_end(&mut self) -> &str {
        let mut bytes = Vec::new();
        self.stream.read_to_end(&mut bytes).unwrap();
        self.received.push_str(&String::from_utf8_lossy(&bytes));
        &self.received
    }
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    // A server that says nothing is a failure, not a test that never ends.
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// Sends a request; gives whatever comes until the server ends it. One that has heard enough may end it early.
pub fn exchange(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = connect(address);
    let _ = stream.write_all(request);
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        bytes.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
