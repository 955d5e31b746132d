//! What is asked only where a person sits at a keyboard: a terminal of its own stands for it.
#![cfg(unix)]

use crate::support::{Folder, Run};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::Write;
use std::process::Stdio;

/// Runs `ludex` at a terminal, where these lines are typed.
pub fn typed(folder: &Folder, args: &[&str], lines: &[&str]) -> Run {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&keyboard).unwrap();
    unlockpt(&keyboard).unwrap();
    let path = ptsname(&keyboard, Vec::new()).unwrap();
    let terminal = File::options().read(true).write(true).open(path.to_str().unwrap()).unwrap();
    let child = folder.command(args).stdin(Stdio::from(terminal)).spawn().unwrap();
    let mut keyboard = File::from(keyboard);
    lines.iter().for_each(|line| writeln!(keyboard, "{line}").unwrap());
    // Ctrl-D, so that whoever wants more than was typed does not wait for ever.
    keyboard.write_all(&[4]).unwrap();
    Run::from(child.wait_with_output().unwrap())
}

/// A game of two people at one keyboard, who leave at once. The usual rules are taken, and another person is the second player.
fn begun(name: &str, game: &str, names: &[&str]) -> String {
    let classics = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics");
    let folder = Folder::new(name);
    let args = ["play", game, "--library", classics, "--plain"];
    let run = typed(&folder, &args, &[&["", "3"], names, &["", "quit"]].concat());
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    // Prompts are beside what is told.
    format!("{}{}", run.stderr, run.stdout)
}

#[test]
fn people_are_asked_for_their_names() {
    let told = begun("keyboard-names", "pig", &["Ada", "Ben"]);
    assert!(told.contains("who plays as Player 1? Your name [Player 1]:"), "{told}");
    assert!(told.contains("Ada against Ben"), "{told}");
}

#[test]
fn enter_leaves_a_side_its_usual_name() {
    let told = begun("keyboard-enter", "kuhn-poker", &["", "Ben"]);
    assert!(told.contains("who plays as South? Your name [South]:"), "{told}");
    assert!(told.contains("North against Ben"), "{told}");
}

#[test]
fn a_name_that_cannot_be_is_asked_for_again() {
    let long = "a".repeat(41);
    let told = begun("keyboard-wrong", "kuhn-poker", &["South", &long, "Ada", "Ada", "Ben"]);
    for words in ["two sides are called `South`", "a name has 1 to 40 characters on one line", "two sides are called `Ada`"] {
        assert_eq!(told.matches(words).count(), 1, "{told}");
    }
    assert!(told.contains("Ada against Ben"), "{told}");
}
