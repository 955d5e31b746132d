//! Measures how soon an answer is acknowledged and reaches all followers of a table while many other tables are played, and how
//! much memory the server needs.
//!
//! ```sh
//! cargo build --release
//! cargo run --release --example serve_load                       # 200 look on at one table, 50 others are played, for a minute
//! cargo run --release --example serve_load -- --followers 2000   # as many as the server lets follow
//! cargo run --release --example serve_load -- --seconds 3600     # an hour: does what the server holds grow?
//! ```
//!
//! Every table has a player who answers at random as soon as the page asks, then waits (`--pause`, in milliseconds), against a
//! bot. A new game starts when one is over. `--tables` sets the number of other tables. `--dice 1000` plays a game with that many
//! dice on the table, whose pages are large. Browsers connect from several addresses of this machine (127.0.0.0/8), so that
//! limits per address do not apply.

#[path = "../tests/serve/forms.rs"]
mod forms;
#[path = "shared/program.rs"]
mod program;
#[path = "shared/words.rs"]
mod words;

use forms::{answer, borrowed, encoded};
use serde_json::Value;
use socket2::{Domain, Socket, Type};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// Number of addresses that followers connect from.
const ADDRESSES: usize = 10;

/// A game with many dice on the table.
const LARGE: &str = r#"ludex 1
game large "Many dice"
sides 2
die sizes 6
each side has { zone tray: dice, open }
to play {
  let first = first of sides
  repeat DICE times { create die(size: 6) in first.tray for first }
  repeat at most 100000 times {
    first must choose number in 1..3 as bid "How many?"
    say "{first} says {bid}"
  }
  finish with nobody
}
"#;

/// Not a limit to compare with: a page that does not arrive within it is a failure.
const LONGEST: Duration = Duration::from_secs(60);

fn main() {
    let (seconds, pause) = (words::number("--seconds", 60), Duration::from_millis(words::number("--pause", 500)));
    let (followers, tables) = (words::number("--followers", 200) as usize, words::number("--tables", 50) as usize);
    let folder = std::env::temp_dir().join(format!("ludex-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the recordings");
    let server = Server::start(&folder, tables + 1);
    println!("{followers} browsers follow one table, {tables} others are played, an answer every {} ms", pause.as_millis());

    let done = Arc::new(AtomicBool::new(false));
    let answers = Arc::new(Mutex::new(Vec::new()));
    let arrivals: Vec<Arc<Mutex<Vec<Instant>>>> = (0..followers).map(|_| Arc::default()).collect();
    let ready = server.follow(&arrivals);
    for _ in 0..followers {
        ready.recv_timeout(LONGEST).expect("every browser is shown the table");
    }
    let players: Vec<_> = (1..=tables)
        .map(|table| {
            let (mut seat, done, answers) = (server.seat(table), done.clone(), answers.clone());
            std::thread::spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    answers.lock().expect("nobody fails here").extend(seat.answer().map(|(_, took)| took));
                    std::thread::sleep(pause);
                }
            })
        })
        .collect();

    let (mut seat, mut sent) = (server.seat(0), Vec::new());
    let (begin, before) = (Instant::now(), server.usage());
    let mut told = begin;
    while begin.elapsed() < Duration::from_secs(seconds) {
        sent.extend(seat.answer().map(|(sent, took)| {
            answers.lock().expect("nobody fails here").push(took);
            sent
        }));
        std::thread::sleep(pause);
        if told.elapsed() > Duration::from_secs(300) {
            println!("after {:>5} s the server holds {} MiB", begin.elapsed().as_secs(), server.usage().held >> 20);
            told = Instant::now();
        }
    }
    done.store(true, Ordering::Relaxed);
    players.into_iter().for_each(|player| player.join().expect("a player plays on"));
    let after = server.usage();
    report(&sent, &arrivals);
    let answers = std::mem::take(&mut *answers.lock().expect("nobody fails here"));
    println!(
        "{} answers, {:.1} a second: {}",
        answers.len(),
        answers.len() as f64 / begin.elapsed().as_secs_f64(),
        summary(answers)
    );
    println!(
        "the server held {} MiB at first and {} MiB at last, and used {:.0} % of one processor",
        before.held >> 20,
        after.held >> 20,
        (after.seconds - before.seconds) / begin.elapsed().as_secs_f64() * 100.0
    );
    drop(server);
    let _ = std::fs::remove_dir_all(&folder);
}

/// Reports the time from an answer to the first news after it, over all browsers.
fn report(sent: &[Instant], arrivals: &[Arc<Mutex<Vec<Instant>>>]) {
    let mut waits: Vec<Duration> = Vec::new();
    let mut missed = 0;
    for arrivals in arrivals {
        let arrivals = arrivals.lock().expect("who follows does not fail");
        for sent in sent {
            match arrivals.get(arrivals.partition_point(|arrival| arrival < sent)) {
                Some(arrival) => waits.push(*arrival - *sent),
                None => missed += 1,
            }
        }
    }
    println!("{} moves, {} times news, {missed} missed: {}", sent.len(), waits.len(), summary(waits));
}

fn summary(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |place: usize| times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1000.0);
    let (median, most, last) = (at(times.len() / 2), at(times.len() * 95 / 100), at(times.len().saturating_sub(1)));
    format!("median {median:.1} ms, 95 of 100 within {most:.1} ms, the last after {last:.1} ms")
}

// --- the server -------------------------------------------------------------------

struct Server {
    child: Child,
    address: SocketAddr,
    tables: Vec<Value>,
}

struct Usage {
    /// Memory in bytes.
    held: u64,
    /// Processor time.
    seconds: f64,
}

impl Server {
    fn start(folder: &std::path::Path, tables: usize) -> Server {
        let tables = tables.to_string();
        let library = folder.to_string_lossy();
        let game = match words::number("--dice", 0) {
            0 => ["dice-challenge", "--option", "victory_tokens=9"],
            dice => {
                let rules = folder.join("rules/large");
                std::fs::create_dir_all(&rules).expect("a folder for the rules");
                std::fs::write(rules.join("game.ludex"), LARGE.replace("DICE", &dice.to_string())).expect("the rules");
                ["large", "--library", &library]
            }
        };
        let args = ["serve", "--seat", "1=:random", "--tables", &tables];
        let mut command = program::ludex(folder);
        let mut child = command
            .args(args)
            .args(game)
            .args(["--port", "0", "--format", "json"])
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let told = child.stdout.take().expect("a pipe");
        BufReader::new(told).read_line(&mut line).expect("what the server says");
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let address =
            told["address"].as_str().and_then(|address| address.strip_prefix("http://")?.parse().ok()).expect("an address");
        Server { child, address, tables: told["tables"].as_array().cloned().unwrap_or_default() }
    }

    /// Starts browsers that follow the first table, each on a thread. Each reports when it first sees the table.
    fn follow(&self, arrivals: &[Arc<Mutex<Vec<Instant>>>]) -> mpsc::Receiver<()> {
        let (is_ready, ready) = mpsc::channel();
        let watch = self.path(self.tables[0]["watch"].as_str().expect("where to look on"));
        for (number, arrivals) in arrivals.iter().enumerate() {
            let browser = Browser { address: self.address, from: number % ADDRESSES, path: watch.clone(), cookie: String::new() };
            let (is_ready, arrivals) = (is_ready.clone(), arrivals.clone());
            let thread = std::thread::Builder::new().stack_size(256 << 10);
            let follows = move || {
                browser.follow(|count| match count {
                    0 => drop(is_ready.send(())),
                    _ => arrivals.lock().expect("nobody fails here").push(Instant::now()),
                })
            };
            thread.spawn(follows).expect("a thread");
        }
        ready
    }

    /// The browser with the first seat of a table.
    fn seat(&self, table: usize) -> Browser {
        let links = self.tables[table]["links"].as_array().expect("links");
        let link = links.iter().find(|link| link["seat"] == 0).and_then(|link| link["link"].as_str()).expect("a link");
        let (path, secret) = link.split_once('#').expect("a secret");
        let mut browser =
            Browser { address: self.address, from: ADDRESSES + table, path: self.path(path), cookie: String::new() };
        let reply = browser.post("claim", &[("secret", secret)]);
        let cookie = reply.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("the seat is free");
        browser.cookie = cookie.split(';').next().unwrap_or_default().to_string();
        browser
    }

    fn path(&self, link: &str) -> String {
        link.trim_start_matches(&format!("http://{}", self.address)).to_string()
    }

    fn usage(&self) -> Usage {
        let process = self.child.id();
        let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
        let (status, stat) = (read("status"), read("stat"));
        let held = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        // The fields after the program's name, in hundredths of a second.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |place: usize| fields.get(place).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
        Usage { held: held.unwrap_or(0) << 10, seconds: (ticks(11) + ticks(12)) / 100.0 }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

// --- a browser --------------------------------------------------------------------

struct Browser {
    address: SocketAddr,
    /// Index of the address that it connects from.
    from: usize,
    path: String,
    cookie: String,
}

impl Browser {
    /// Answers the question of its page at random, or starts a new game if this one is over. Returns when the answer was sent,
    /// and how long it took.
    fn answer(&mut self) -> Option<(Instant, Duration)> {
        let page = self.ask("GET", "", "");
        let (what, fields) = match answer(&page, &mut |count| page.len() % count.max(1)) {
            Some(fields) => ("answer", fields),
            None if page.contains("action=\"again\"") => ("again", Vec::new()),
            None => return None,
        };
        let sent = Instant::now();
        let reply = self.post(what, &borrowed(&fields));
        assert!(reply.starts_with("HTTP/1.1 303"), "{what} {fields:?}: {}", reply.lines().next().unwrap_or_default());
        Some((sent, sent.elapsed()))
    }

    fn post(&self, what: &str, fields: &[(&str, &str)]) -> String {
        let pairs: Vec<String> = fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        self.ask("POST", what, &pairs.join("&"))
    }

    fn ask(&self, method: &str, what: &str, body: &str) -> String {
        let mut stream = self.connect();
        let kind = format!("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n", body.len());
        let head = format!("{method} {}{what} HTTP/1.1\r\nConnection: close\r\n{}{kind}\r\n{body}", self.path, self.head());
        stream.write_all(head.as_bytes()).expect("the server listens");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("a reply");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Follows the table. `arrived` receives the number of each piece of news, from 0, once it is complete.
    fn follow(&self, arrived: impl Fn(usize)) {
        let mut stream = self.connect();
        let head = format!("GET {}events HTTP/1.1\r\n{}\r\n", self.path, self.head());
        stream.write_all(head.as_bytes()).expect("the server listens");
        let (mut reader, mut line, mut count, mut is_news) = (BufReader::new(stream), Vec::new(), 0, false);
        // The stream ends with the server.
        while matches!(reader.read_until(b'\n', &mut line), Ok(1..)) {
            is_news |= line.starts_with(b"event: table");
            if is_news && line == b"\n" {
                arrived(count);
                (count, is_news) = (count + 1, false);
            }
            line.clear();
        }
    }

    fn connect(&self) -> TcpStream {
        let own = SocketAddr::from(([127, 0, (self.from / 250) as u8, (self.from % 250 + 2) as u8], 0));
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        socket.bind(&own.into()).and_then(|()| socket.connect(&self.address.into())).expect("the server is there");
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(LONGEST)).expect("a time");
        stream
    }

    fn head(&self) -> String {
        format!("Host: {0}\r\nOrigin: http://{0}\r\nCookie: {1}\r\n", self.address, self.cookie)
    }
}
