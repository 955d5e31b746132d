//! Long results at a terminal: through a pager, or all at once.
#![cfg(unix)]

use crate::support::Folder;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

/// What a pager leaves on the screen that shows two lines and ends.
const SHORT: &str = "#!/bin/sh\necho PAGED\nhead -n 2\n";

/// What somebody reads on a terminal of so many columns and twenty lines, and the exit status.
fn at_terminal(folder: &Folder, args: &[&str], columns: u16, environment: &[(&str, &str)]) -> (String, i32) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let path = ptsname(&master, Vec::new()).unwrap();
    let terminal = File::options().read(true).write(true).open(path.to_str().unwrap()).unwrap();
    tcsetwinsize(&terminal, Winsize { ws_row: 20, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let end = || Stdio::from(terminal.try_clone().unwrap());
    let mut command = folder.command(args);
    command.env("TERM", "xterm-256color").env("NO_COLOR", "1").env_remove("PAGER").env_remove("LUDEX_PAGER");
    command.envs(environment.iter().copied());
    let mut child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
    drop(command);
    drop(terminal);
    let (mut shown, mut chunk) = (Vec::new(), [0; 4096]);
    // When the last process has left the terminal there is nothing more to read.
    let mut output = File::from(master);
    while let Ok(length @ 1..) = output.read(&mut chunk) {
        shown.extend_from_slice(&chunk[..length]);
    }
    let status = child.wait().unwrap().code().unwrap();
    (String::from_utf8_lossy(&shown).replace("\r\n", "\n"), status)
}

fn with_pager(name: &str) -> (Folder, String) {
    let folder = Folder::empty(name);
    let pager = folder.write("my pager", SHORT);
    std::fs::set_permissions(&pager, std::fs::Permissions::from_mode(0o755)).unwrap();
    (folder, format!("'{pager}'"))
}

#[test]
fn what_is_longer_than_the_terminal_goes_through_the_pager_and_whoever_has_seen_enough_leaves() {
    let (folder, pager) = with_pager("paged");
    for args in [&["explain"][..], &["rules", "dice-challenge", "all"], &["show", "dice-challenge"]] {
        let (shown, status) = at_terminal(&folder, args, 80, &[("PAGER", &pager)]);
        assert_eq!((shown.starts_with("PAGED\n"), shown.lines().count(), status), (true, 3, 0), "{args:?}: {shown}");
    }
    let (shown, _) = at_terminal(&folder, &["explain"], 80, &[("PAGER", "false"), ("LUDEX_PAGER", &pager)]);
    assert!(shown.starts_with("PAGED\n"), "ours counts before the other: {shown}");
}

#[test]
fn what_fits_and_what_is_wanted_at_once_needs_no_pager() {
    let (folder, pager) = with_pager("not paged");
    let all = at_terminal(&folder, &["explain"], 80, &[("PAGER", "")]).0;
    assert!(all.lines().count() > 100 && all.contains("LX0601"), "{all}");
    let is_same = |args: &[&str], environment: &[(&str, &str)]| {
        assert_eq!(at_terminal(&folder, args, 80, environment), (all.clone(), 0), "{args:?} {environment:?}");
    };
    is_same(&["explain", "--no-pager"], &[("PAGER", &pager)]);
    is_same(&["explain"], &[("PAGER", &pager), ("TERM", "dumb")]);
    is_same(&["explain"], &[("PAGER", "there-is-no-such-pager -R")]);
    is_same(&["explain"], &[("PAGER", "cat")]);
    let (short, _) = at_terminal(&folder, &["rules", "dice-challenge", "DC-021"], 80, &[("PAGER", &pager)]);
    assert!(!short.contains("PAGED"), "{short}");
    let json = at_terminal(&folder, &["explain", "--format", "json"], 80, &[("PAGER", &pager)]).0;
    assert!(json.starts_with('{'), "{json}");
    let mut piped = folder.command(&["explain"]);
    let piped = piped.env("PAGER", &pager).output().unwrap();
    assert!(!String::from_utf8_lossy(&piped.stdout).contains("PAGED"));
}

#[test]
fn tables_are_as_wide_as_the_terminal() {
    let folder = Folder::empty("wide");
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap();
    for columns in [60, 80, 120] {
        let (shown, _) = at_terminal(&folder, &["list", "--no-pager"], columns, &[]);
        assert!(widest(&shown) <= usize::from(columns), "{columns}: {shown}");
    }
    let (named, _) = at_terminal(&folder, &["list", "--no-pager"], 120, &[("COLUMNS", "60")]);
    assert!(widest(&named) <= 60, "{named}");
}
