//! Output that cannot be written.

use crate::support::{Folder, Run};
use std::fs::File;
use std::io::Write;
use std::process::Stdio;

/// A disk on which nothing fits.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").unwrap().into()
}

/// Runs `ludex` with stderr on a full disk.
fn without_stderr(folder: &Folder, args: &[&str], input: &str) -> Run {
    let mut child = folder.command(args).stderr(full()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    Run::from(child.wait_with_output().unwrap())
}

#[test]
fn words_for_people_that_cannot_be_written_are_dropped() {
    let folder = Folder::new("output-stderr");
    let play = ["play", "dicewing", "--seed", "3", "--seat", "0=:human", "--seat", "1=:random"];
    let left = without_stderr(&folder, &play, "save left.ludexrec\nquit\n");
    assert_eq!(left.status, 0, "{}", left.stdout);
    assert_eq!(without_stderr(&folder, &play, "\n").status, 1);
    assert_eq!(without_stderr(&folder, &["replay", "left.ludexrec"], "").status, 0);
    let host = without_stderr(&folder, &["host", "dicewing"], "");
    assert_eq!(host.status, 1);
    assert!(host.stdout.ends_with("\"message\":\"the input ended before the game did\"}\n"), "{}", host.stdout);
}

#[test]
fn results_that_cannot_be_written_are_a_problem_that_is_told() {
    let folder = Folder::new("output-stdout");
    for args in [
        &["list"][..],
        &["--help"],
        &["play", "--help"],
        &["--version"],
        &["show", "dicewing"],
        &["sim", "dicewing", "--games", "1", "--format", "json"],
        &["host", "dicewing"],
        &["play", "dicewing", "--seat", "0=:human"],
    ] {
        let run = Run::from(folder.command(args).stdout(full()).output().unwrap());
        assert_eq!(run.status, 1, "{args:?}");
        assert!(
            run.stderr.starts_with("ludex: the results cannot be written: No space left on device"),
            "{args:?}: {}",
            run.stderr
        );
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_problem() {
    let folder = Folder::new("output-pipe");
    for args in [&["list"][..], &["--help"], &["show", "dicewing"], &["host", "dicewing"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let run = Run::from(folder.command(args).stdout(writer).output().unwrap());
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{args:?}");
    }
}

#[test]
fn a_wrong_command_line_stays_one_where_nothing_can_be_written() {
    let folder = Folder::new("output-usage");
    assert_eq!(without_stderr(&folder, &["lst"], "").status, 2);
    assert_eq!(without_stderr(&folder, &[], "").status, 2);
}
