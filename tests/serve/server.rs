//! A server of a test's own, ended with the test.

use crate::serve::browser::{Browser, answer};
use crate::support::Folder;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};

pub struct Server {
    child: Child,
    pub address: SocketAddr,
    /// What it says of its tables.
    pub tables: Vec<Value>,
}

impl Server {
    /// A server with its state in a folder, on a port that is free.
    pub fn start(folder: &Folder, args: &[&str]) -> Server {
        Server::start_on(folder, 0, args)
    }

    pub fn start_on(folder: &Folder, port: u16, args: &[&str]) -> Server {
        let port = port.to_string();
        Server::begin(folder.command(&["serve", "--port", &port]).args(args).stderr(Stdio::null()), None)
    }

    /// A server that may have only so many files open.
    pub fn start_with_files(folder: &Folder, files: u32, args: &[&str]) -> Server {
        let limited = format!("ulimit -n {files} && exec {} serve --port 0 \"$@\"", env!("CARGO_BIN_EXE_ludex"));
        Server::begin(folder.program("sh").args(["-c", &limited, "sh"]).args(args).stderr(Stdio::null()), None)
    }

    /// A server that is reached through a proxy under another name.
    pub fn start_behind_proxy(folder: &Folder, args: &[&str]) -> Server {
        // A port that is free now.
        let address = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).unwrap();
        let port = address.port().to_string();
        let public = ["--port", &port, "--public-url", "https://play.example.org"];
        Server::begin(folder.command(&["serve"]).args(public).args(args), Some(address))
    }

    fn begin(command: &mut Command, address: Option<SocketAddr>) -> Server {
        let mut child = command.args(["--format", "json"]).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let named = || told["address"].as_str().and_then(|address| address.strip_prefix("http://")).unwrap().parse().unwrap();
        let (address, tables) = (address.unwrap_or_else(named), told["tables"].as_array().unwrap().clone());
        Server { child, address, tables }
    }

    /// What a server behind a proxy says beside that, as far as `until`.
    pub fn remarks(&mut self, until: &str) -> String {
        let mut told = String::new();
        let mut errors = BufReader::new(self.child.stderr.take().unwrap());
        while !told.contains(until) && errors.read_line(&mut told).unwrap() > 0 {}
        told
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The link of a seat of the only table.
    pub fn link(&self, seat: u64) -> String {
        let links = self.tables[0]["links"].as_array().unwrap();
        let own = links.iter().find(|link| link["seat"] == seat).unwrap_or_else(|| panic!("{links:?}"));
        own["link"].as_str().unwrap().to_string()
    }

    pub fn owner_link(&self) -> String {
        let links = self.tables[0]["links"].as_array().unwrap();
        links.iter().find(|link| link["owner"] == true).unwrap()["link"].as_str().unwrap().to_string()
    }

    /// The path where anybody may look on.
    pub fn watch(&self) -> String {
        path(self.tables[0]["watch"].as_str().unwrap())
    }

    pub fn recording(&self) -> String {
        self.tables[0]["recording"].as_str().unwrap().to_string()
    }

    /// A browser that has taken a seat.
    pub fn seated(&self, seat: u64) -> Browser {
        let browser = Browser::new(self.address, &path(&self.link(seat)));
        browser.taking(&secret(&self.link(seat)))
    }

    /// Browsers at both seats.
    pub fn both(&self) -> [Browser; 2] {
        [self.seated(0), self.seated(1)]
    }

    /// The browser that is asked, and the other, with the fields of an answer.
    pub fn asked(&self) -> (Browser, Browser, Vec<(String, String)>) {
        let [mut one, mut other] = self.both();
        match answer(&one.page(), &mut |_| 0) {
            Some(fields) => (one, other, fields),
            None => {
                let fields = answer(&other.page(), &mut |_| 0).unwrap();
                (other, one, fields)
            }
        }
    }

    /// Ends it as a crash would.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The path in a link, without the secret.
pub fn path(link: &str) -> String {
    let rest = link.split_once("://").map_or(link, |(_, rest)| rest);
    let path = &rest[rest.find('/').unwrap()..];
    path.split('#').next().unwrap().to_string()
}

pub fn secret(link: &str) -> String {
    link.split_once('#').unwrap().1.to_string()
}
