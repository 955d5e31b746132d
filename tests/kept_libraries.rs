//! A game of a library goes on with the command that is printed, though nobody names the library again.

use crate::serve::server::Server;
use crate::support::{Folder, Run, ludex_in, run};
use std::fs;
use std::path::PathBuf;

const POND: &str = "ludex 1\ngame pond \"Pond\"\nsides 2\nto play {\n  repeat 3 times {\n\
                    \x20   each side in sides { side may \"Leap?\" as leaps  if leaps { finish with side } }\n  }\n  finish with nobody\n}\n";

/// A folder with a library in it, and a game of that library that was left before its end.
fn left(name: &str) -> (Folder, Run) {
    let folder = Folder::empty(name);
    folder.write("my games/rules/pond/pond.ludex", POND);
    let played = run(
        &folder,
        &["play", "pond", "--library", "my games", "--seat", "1=:human", "--seat", "0=:human", "--plain"],
        "no\nquit\n",
    );
    (folder, played)
}

fn recording(folder: &Folder, place: &str) -> PathBuf {
    let files = fs::read_dir(folder.file("ludex").join(place)).unwrap().map(|entry| entry.unwrap().path());
    files.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "ludexrec")).unwrap()
}

#[test]
fn the_command_that_is_printed_goes_on_with_the_game() {
    let (folder, played) = left("kept-libraries");
    let recording = recording(&folder, "recordings");
    let command = format!("ludex play --resume {}", recording.display());
    assert!(played.stderr.contains(&command) || played.stdout.contains(&command), "{}{}", played.stdout, played.stderr);
    let path = recording.to_str().unwrap();
    for args in [&["play", "--resume", path, "--plain"][..], &["resume", "1", "--plain"], &["replay", path]] {
        let again = run(&folder, args, "quit\n");
        assert!(again.stdout.contains("Leap?"), "{args:?}: {}", again.stdout);
    }
    let listed = run(&folder, &["resume"], "").stdout;
    assert!(listed.contains(&format!(", with `{}`", folder.file("my games").canonicalize().unwrap().display())), "{listed}");
}

#[test]
fn a_recording_does_not_say_where_the_library_is() {
    let (folder, _) = left("kept-libraries-secret");
    let recording = recording(&folder, "recordings");
    assert!(!fs::read_to_string(&recording).unwrap().contains("my games"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let beside = format!("{}.libraries", recording.display());
        assert_eq!(fs::metadata(beside).unwrap().permissions().mode() & 0o777, 0o600);
    }
    // Beside a recording that came from somebody else such a file means nothing.
    fs::copy(&recording, folder.file("copy.ludexrec")).unwrap();
    fs::copy(format!("{}.libraries", recording.display()), folder.file("copy.ludexrec.libraries")).unwrap();
    let copied = ludex_in(&folder, &["replay", "copy.ludexrec"], "");
    assert_eq!(copied.status, 1);
    assert!(copied.stderr.contains("name the library that has it with `--library DIR`"), "{}", copied.stderr);
}

#[test]
fn a_copy_that_was_saved_in_play_goes_on_with_its_library() {
    let (folder, _) = left("kept-libraries-copied");
    let saved = run(&folder, &["resume", "1", "--plain"], "save copy.ludexrec\nquit\n");
    assert!(saved.stdout.contains("ludex play --resume copy.ludexrec"), "{}", saved.stdout);
    for args in [&["play", "--resume", "copy.ludexrec", "--plain"][..], &["replay", "copy.ludexrec"]] {
        let again = run(&folder, args, "quit\n");
        assert!(again.stdout.contains("Leap?"), "{args:?}: {}", again.stdout);
    }
    // The copy itself says nothing of it, and in another place it is a file that came from somebody else.
    assert!(!fs::read_to_string(folder.file("copy.ludexrec")).unwrap().contains("my games"));
    fs::copy(folder.file("copy.ludexrec"), folder.file("sent.ludexrec")).unwrap();
    assert_eq!(ludex_in(&folder, &["replay", "sent.ludexrec"], "").status, 1);
}

#[test]
fn a_library_that_has_moved_is_named_once() {
    let (folder, _) = left("kept-libraries-moved");
    fs::rename(folder.file("my games"), folder.file("moved")).unwrap();
    let lost = ludex_in(&folder, &["resume", "1", "--plain"], "");
    assert_eq!(lost.status, 1);
    let told = lost.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("which no longer exists: name the folder with `--library DIR`"), "{told}");
    run(&folder, &["resume", "1", "--plain", "--library", "moved"], "no\nquit\n");
    run(&folder, &["resume", "1", "--plain"], "quit\n");
}

#[test]
fn what_was_kept_of_a_game_goes_with_its_recording() {
    let (folder, _) = left("kept-libraries-tidied");
    let first = recording(&folder, "recordings");
    let beside = PathBuf::from(format!("{}.libraries", first.display()));
    run(&folder, &["resume", "1", "--plain"], "yes\n");
    assert!(beside.exists());
    let mut next = folder.command(&["play", "pond", "--library", "my games", "--seat", "0=:random", "--seat", "1=:random"]);
    assert!(next.env("LUDEX_KEEP", "0").status().unwrap().success());
    assert!(!first.exists() && !beside.exists());
}

#[test]
fn tables_of_a_library_go_on_and_one_that_cannot_is_told_in_two_lines() {
    let folder = Folder::empty("kept-libraries-served");
    folder.write("games/rules/pond/pond.ludex", POND);
    folder.write("more/rules/pool/pool.ludex", &POND.replace("pond", "pool").replace("Pond", "Pool"));
    let mut server = Server::start(&folder, &["pond", "--library", "games"]);
    server.kill();
    server = Server::start(&folder, &[]);
    assert_eq!(server.tables[0]["goes_on"], true);
    server.kill();
    Server::start(&folder, &["pool", "--library", "more"]).kill();
    fs::remove_dir_all(folder.file("games")).unwrap();
    fs::remove_dir_all(folder.file("more")).unwrap();
    let none = ludex_in(&folder, &["serve", "--port", "0"], "");
    assert_eq!(none.status, 1);
    let told: Vec<&str> = none.stderr.lines().filter(|line| line.contains("does not continue: there is no game")).collect();
    assert_eq!(told.len(), 2, "{}", none.stderr);
}
