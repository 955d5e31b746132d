//! A server of a test's own, ended with the test.

use crate::serve::browser::{Browser, answer};
use crate::support::Folder;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Stdio};

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
        let args = [&["serve"], args, &["--port", &port, "--format", "json"]].concat();
        let mut child = folder.command(&args).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let address = told["address"].as_str().and_then(|address| address.strip_prefix("http://")).unwrap();
        let address = address.parse().unwrap();
        Server { child, address, tables: told["tables"].as_array().unwrap().clone() }
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
