//! How soon a move reaches everybody who follows a table while many other tables are played, and what the server holds then.
//!
//! ```sh
//! cargo build --release
//! cargo run --release --example serve_load                      # 200 look on at one table, 50 others are played, for a minute
//! cargo run --release --example serve_load -- --seconds 3600    # an hour: does what the server holds grow?
//! ```
//!
//! Every table has somebody who answers by chance as soon as the page asks, then waits (`--pause`, in milliseconds), against a bot,
//! and plays again when a game is over.
//! Other numbers: `--followers`, `--tables`. Each browser asks from an address of its own, as a proxy would tell it.

#[path = "../tests/serve/forms.rs"]
mod forms;
#[path = "shared/program.rs"]
mod program;
#[path = "shared/words.rs"]
mod words;

use forms::{answer, borrowed, encoded};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// What the server is called where people open it.
const HOST: &str = "play.example.org";

/// Nothing is compared with a time: a page that does not come at all is a failure.
const LONGEST: Duration = Duration::from_secs(60);

fn main() {
    let (seconds, pause) = (words::number("--seconds", 60), Duration::from_millis(words::number("--pause", 500)));
    let (followers, tables) = (words::number("--followers", 200) as usize, words::number("--tables", 50) as usize);
    let folder = std::env::temp_dir().join(format!("ludex-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the recordings");
    let server = Server::start(&folder, tables + 1);
    println!("{followers} browsers follow one table, {tables} others are played, an answer every {} ms", pause.as_millis());

    let done = Arc::new(AtomicBool::new(false));
    let answers = Arc::new(AtomicUsize::new(0));
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
                    answers.fetch_add(usize::from(seat.answer().is_some()), Ordering::Relaxed);
                    std::thread::sleep(pause);
                }
            })
        })
        .collect();

    let (mut seat, mut sent) = (server.seat(0), Vec::new());
    let (begin, before) = (Instant::now(), server.usage());
    let mut told = begin;
    while begin.elapsed() < Duration::from_secs(seconds) {
        sent.extend(seat.answer());
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
    let elsewhere = answers.load(Ordering::Relaxed);
    println!("{elsewhere} answers at the other tables, {:.1} a second", elsewhere as f64 / begin.elapsed().as_secs_f64());
    println!(
        "the server held {} MiB at first and {} MiB at last, and used {:.0} % of one processor",
        before.held >> 20,
        after.held >> 20,
        (after.seconds - before.seconds) / begin.elapsed().as_secs_f64() * 100.0
    );
    drop(server);
    let _ = std::fs::remove_dir_all(&folder);
}

/// From an answer to the first news after it, for every browser.
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
    waits.sort_unstable();
    let at = |share: usize| waits.get(waits.len() * share / 100).map_or(0.0, |wait| wait.as_secs_f64() * 1000.0);
    let longest = waits.last().map_or(0.0, |wait| wait.as_secs_f64() * 1000.0);
    println!(
        "{} moves, {} times news: median {:.1} ms, 95 of 100 within {:.1} ms, the last after {longest:.1} ms, {missed} missed",
        sent.len(),
        waits.len(),
        at(50),
        at(95)
    );
}

// --- the server -------------------------------------------------------------------

struct Server {
    child: Child,
    address: SocketAddr,
    tables: Vec<Value>,
}

struct Usage {
    /// Bytes.
    held: u64,
    /// Of a processor.
    seconds: f64,
}

impl Server {
    fn start(folder: &std::path::Path, tables: usize) -> Server {
        // One that is free now.
        let address = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port");
        let (port, tables) = (address.port().to_string(), tables.to_string());
        let public = format!("https://{HOST}");
        let args = ["serve", "dice-challenge", "--seat", "1=:random", "--option", "victory_tokens=9", "--tables", &tables];
        let proxy = ["--port", &port, "--public-url", &public, "--forwarded-header", "X-Forwarded-For", "--format", "json"];
        let mut command = program::ludex(folder);
        let mut child = command.args(args).args(proxy).stderr(Stdio::inherit()).spawn().expect("the server starts");
        let mut line = String::new();
        let told = child.stdout.take().expect("a pipe");
        BufReader::new(told).read_line(&mut line).expect("what the server says");
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        Server { child, address, tables: told["tables"].as_array().cloned().unwrap_or_default() }
    }

    /// Browsers that follow the first table, each on a thread; each tells when it is shown it.
    fn follow(&self, arrivals: &[Arc<Mutex<Vec<Instant>>>]) -> mpsc::Receiver<()> {
        let (is_ready, ready) = mpsc::channel();
        let watch = self.tables[0]["watch"]
            .as_str()
            .expect("where to look on")
            .trim_start_matches(&format!("https://{HOST}"))
            .to_string();
        for (number, arrivals) in arrivals.iter().enumerate() {
            let browser = Browser { address: self.address, from: number, path: watch.clone(), cookie: String::new() };
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

    /// Whoever has the first seat of a table.
    fn seat(&self, table: usize) -> Browser {
        let links = self.tables[table]["links"].as_array().expect("links");
        let link = links.iter().find(|link| link["seat"] == 0).and_then(|link| link["link"].as_str()).expect("a link");
        let (path, secret) = link.split_once('#').expect("a secret");
        let path = path.trim_start_matches(&format!("https://{HOST}")).to_string();
        let mut browser = Browser { address: self.address, from: 1000 + table, path, cookie: String::new() };
        let reply = browser.post("claim", &[("secret", secret)]);
        let cookie = reply.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("the seat is free");
        browser.cookie = cookie.split(';').next().unwrap_or_default().to_string();
        browser
    }

    fn usage(&self) -> Usage {
        let process = self.child.id();
        let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
        let (status, stat) = (read("status"), read("stat"));
        let held = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        // Behind the name of the program; hundredths of a second.
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
    /// Where it asks from, by number.
    from: usize,
    path: String,
    cookie: String,
}

impl Browser {
    /// Answers the question of its page by chance, if there is one, or else plays again if the game is over: when it was sent.
    fn answer(&mut self) -> Option<Instant> {
        let page = self.ask("GET", "", "");
        let (what, fields) = match answer(&page, &mut |count| page.len() % count.max(1)) {
            Some(fields) => ("answer", fields),
            None if page.contains("action=\"again\"") => ("again", Vec::new()),
            None => return None,
        };
        let sent = Instant::now();
        let reply = self.post(what, &borrowed(&fields));
        assert!(reply.starts_with("HTTP/1.1 303"), "{what} {fields:?}: {}", reply.lines().next().unwrap_or_default());
        Some(sent)
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

    /// Follows the table: `arrived` is told the number of each piece of news, from 0, when all of it is there.
    fn follow(&self, arrived: impl Fn(usize)) {
        let mut stream = self.connect();
        let head = format!("GET {}events HTTP/1.1\r\n{}\r\n", self.path, self.head());
        stream.write_all(head.as_bytes()).expect("the server listens");
        let (mut reader, mut line, mut count, mut is_news) = (BufReader::new(stream), Vec::new(), 0, false);
        // It ends with the server.
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
        let stream = TcpStream::connect(self.address).expect("the server is there");
        stream.set_read_timeout(Some(LONGEST)).expect("a time");
        stream
    }

    fn head(&self) -> String {
        let from = format!("10.0.{}.{}", self.from / 250, self.from % 250 + 1);
        format!("Host: {HOST}\r\nOrigin: https://{HOST}\r\nX-Forwarded-For: {from}\r\nCookie: {}\r\n", self.cookie)
    }
}
