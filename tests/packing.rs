//! Libraries in one file: packed the same each time, read from memory, and refused where they try anything.

use crate::support::{Folder, Run, ludex_in, run};
use serde_json::Value;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const SHEET: &str =
    "name: Night Owl\ngame: dice-challenge\nstarting: [6, 6, 8, 12]\nreserve: [4, 10, 10, 20]\nabilities: [planet-power]\n";
const MANIFEST: &str = "ludex-library: 1\nname: owls\nversion: 1.0.0\nauthor: Ada\nlicence: CC0-1.0\n";
const SAID: [&str; 8] = ["--name", "owls", "--set-version", "1.0.0", "--author", "Ada", "--licence", "CC0-1.0"];

fn folder(name: &str) -> Folder {
    let folder = Folder::empty(name);
    folder.write("owls/characters/dice-challenge/night-owl.yaml", SHEET);
    folder
}

fn pack(folder: &Folder, more: &[&str]) -> Run {
    ludex_in(folder, &[&["pack", "owls"], &SAID[..], more].concat(), "")
}

fn list(folder: &Folder, zip: &str) -> Run {
    ludex_in(folder, &["list", "--no-local", "--library", zip], "")
}

#[test]
fn a_packed_library_is_played_with_and_tells_what_it_is() {
    let folder = folder("packing-whole");
    folder.write("owls/LICENSE.txt", "Do with it what you like.\n");
    assert_eq!(pack(&folder, &[]).status, 0);
    assert!(!folder.file("owls/ludex.yaml").exists(), "nothing was asked, so nothing is kept");
    let listed = run(&folder, &["list", "--no-local", "--library", "owls-1.0.0.zip"], "");
    assert!(listed.stdout.contains("owls  1.0.0 by Ada, CC0-1.0"), "{}", listed.stdout);
    let games = ["sim", "dice-challenge", "--library", "owls-1.0.0.zip", "--seat", "0=night-owl", "--games", "5"];
    assert!(run(&folder, &games, "").stdout.contains("night-owl (random)"));
    let shown = run(&folder, &["show", "dice-challenge", "--library", "owls-1.0.0.zip", "--format", "json"], "");
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let library = &shown["overview"]["libraries"][0];
    assert_eq!(library["manifest"]["name"], "owls");
    assert_eq!(library["manifest"]["made_for"][0]["game"], "dice-challenge");
    assert_eq!(library["base_changes"], serde_json::json!([]));
    let checked = run(&folder, &["check", "owls-1.0.0.zip"], "");
    assert_eq!(checked.stdout, "no problems\n");
}

#[test]
fn the_same_library_gives_the_same_bytes() {
    let folder = folder("packing-bytes");
    assert_eq!(pack(&folder, &["-o", "one.zip"]).status, 0);
    // Lines that end as on another system, and another time, make no difference.
    folder.write("owls/characters/dice-challenge/night-owl.yaml", &SHEET.replace('\n', "\r\n"));
    assert_eq!(pack(&folder, &["-o", "two.zip"]).status, 0);
    assert_eq!(std::fs::read(folder.file("one.zip")).unwrap(), std::fs::read(folder.file("two.zip")).unwrap());
}

#[test]
fn what_is_not_said_is_asked_for_and_kept() {
    let folder = folder("packing-asked");
    let packed = run(&folder, &["pack", "owls"], "Not a name\nnight-owls\n\nAda\nCC0-1.0\n");
    assert!(packed.stderr.contains("this cannot be the name of a library"), "{}", packed.stderr);
    assert!(packed.stdout.starts_with("night-owls 1.0.0 by Ada, CC0-1.0\n"), "{}", packed.stdout);
    let kept = std::fs::read_to_string(folder.file("owls/ludex.yaml")).unwrap();
    assert!(kept.contains("name: night-owls\n") && !kept.contains("made-for"), "{kept}");
    let again = run(&folder, &["pack", "owls", "-o", "again.zip"], "");
    assert!(!again.stderr.contains('?'), "{}", again.stderr);
    let left = ludex_in(&self::folder("packing-left"), &["pack", "owls"], "owls\n");
    assert_eq!(left.status, 1);
    assert!(left.stderr.contains("--set-version"), "{}", left.stderr);
}

#[test]
fn nothing_is_written_over_and_nothing_with_mistakes_is_packed() {
    let folder = folder("packing-refused");
    folder.write("owls.zip", "something of mine");
    let refused = pack(&folder, &["-o", "owls.zip"]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("`owls.zip` already exists"), "{}", refused.stderr);
    assert_eq!(std::fs::read_to_string(folder.file("owls.zip")).unwrap(), "something of mine");
    assert_eq!(pack(&folder, &["-o", "owls.zip", "--force"]).status, 0);
    assert_eq!(list(&folder, "owls.zip").status, 0);
    folder.write("owls/characters/dice-challenge/night-owl.yaml", &SHEET.replace("8, 12", "7, 12"));
    let wrong = pack(&folder, &["-o", "wrong.zip"]);
    assert_eq!(wrong.status, 1);
    assert!(wrong.stderr.contains("there is no d7") && wrong.stderr.contains("`owls` is not packed"), "{}", wrong.stderr);
    assert!(!folder.file("wrong.zip").exists());
}

#[test]
fn a_library_says_what_has_changed_under_it() {
    let folder = folder("packing-older");
    folder.write(
        "base/rules/hop/hop.ludex",
        "ludex 1\ngame hop \"Hop\"\nsides 2\neach side has { counter flies }\nto play { finish with nobody }\n",
    );
    folder.write("owls/rules/hop-more/hop-more.ludex", "ludex 1\npackage hop-more \"Hop more\" extends hop\n");
    let packed = pack(&folder, &["--library", "base", "-o", "owls.zip"]);
    assert_eq!(packed.status, 0, "{}", packed.stderr);
    let with_base = ["check", "owls.zip", "--library", "base"];
    assert_eq!(run(&folder, &with_base, "").stdout, "hop-more extends hop\nno problems\n");
    folder.write("base/rules/hop/more.ludex", "define none_left(side: side) = side.flies = 0\n");
    folder.write(
        "base/rules/hop/hop.ludex",
        "ludex 1\ngame hop \"Hop\"\nsides 2\neach side has { counter flies }\nto play { finish with nobody }\n# other\n",
    );
    let told = run(&folder, &with_base, "").stdout;
    assert!(told.contains("`owls` was made for another version of `hop`"), "{told}");
    let listed = run(&folder, &["list", "--no-local", "--library", "base", "--library", "owls.zip"], "").stdout;
    let listed = listed.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = "made for another version of hop: `rules/hop/hop.ludex` has changed; `rules/hop/more.ludex` is new";
    assert!(listed.contains(wanted), "{listed}");
}

// --- what tries something -----------------------------------------------------------

type Entry<'e> = (&'e str, &'e [u8]);

fn plain() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)
}

fn zip(entries: &[Entry]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [("ludex.yaml", MANIFEST.as_bytes())].iter().chain(entries) {
        // What is empty becomes no smaller, and starting to make it so takes time.
        let method = if content.is_empty() { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        zip.start_file(*name, plain().compression_method(method)).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A zip in which a name is written otherwise: as many bytes take its place wherever it stands.
fn renamed(mut bytes: Vec<u8>, old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let places: Vec<usize> = (0..bytes.len() - old.len()).filter(|at| bytes[*at..].starts_with(old)).collect();
    assert_eq!(places.len(), 2, "once where the file is, and once in the directory");
    for at in places {
        bytes[at..at + new.len()].copy_from_slice(new);
    }
    bytes
}

#[track_caller]
fn is_refused(name: &str, bytes: &[u8], code: &str, words: &str) {
    let folder = Folder::empty(&format!("packing-hostile-{name}"));
    std::fs::write(folder.file("bad.zip"), bytes).unwrap();
    let refused = list(&folder, "bad.zip");
    assert_eq!(refused.status, 1, "{name}: {}", refused.stdout);
    assert!(refused.stderr.contains(code), "{name}: {}", refused.stderr);
    let said = refused.stderr.replace('│', "").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(words) && said.contains("bad.zip") && said.contains("help:"), "{name}: {said}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["bad.zip"], "nothing is written anywhere");
}

#[test]
fn the_zip_of_these_tests_is_sound_by_itself() {
    let folder = Folder::empty("packing-sound");
    let bytes = zip(&[("characters/dice-challenge/night-owl.yaml", SHEET.as_bytes()), ("notes/draft.bin", b"\xff\xfe")]);
    std::fs::write(folder.file("good.zip"), bytes).unwrap();
    let listed = list(&folder, "good.zip");
    assert_eq!(listed.status, 0, "{}", listed.stderr);
    assert!(listed.stdout.contains("from good.zip: night-owl"), "{}", listed.stdout);
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let sheet = SHEET.as_bytes();
    for (name, path, words) in [
        ("up", "../night-owl.yaml", "leads out of the library"),
        ("inside-up", "characters/../../night-owl.yaml", "leads out of the library"),
        ("absolute", "/etc/night-owl.yaml", "starts outside the library"),
        ("drive", "C:/night-owl.yaml", "starts outside the library"),
        ("no-name", "characters//night-owl.yaml", "has a folder without a name"),
        ("bell", "night\u{7}owl.yaml", "has characters that cannot be shown"),
        ("deep", "a/b/c/d/e/f/g/h/i/j/night-owl.yaml", "is nested too deeply in folders"),
    ] {
        let bytes = renamed(zip(&[(&"x".repeat(path.len()), sheet)]), "x".repeat(path.len()).as_bytes(), path.as_bytes());
        is_refused(name, &bytes, "LX0842", words);
    }
    let back = renamed(zip(&[("characters/owl.yaml", sheet)]), b"characters/owl.yaml", b"characters\\owl.yaml");
    is_refused("back-slash", &back, "LX0842", "has a `\\` in it");
    let wide = renamed(zip(&[("characters/owl.yaml", sheet)]), b"characters/owl.yaml", b"characters/\xffwl.yaml");
    is_refused("not-utf-8", &wide, "LX0842", "is not UTF-8");
}

#[test]
fn two_files_of_one_name_are_refused() {
    let sheet = SHEET.as_bytes();
    let twice = renamed(zip(&[("owl-a.yaml", sheet), ("owl-b.yaml", sheet)]), b"owl-b.yaml", b"owl-a.yaml");
    is_refused("twice", &twice, "LX0842", "have the same name");
    is_refused("case", &zip(&[("owl.yaml", sheet), ("Owl.yaml", sheet)]), "LX0842", "differ only in upper and lower case");
}

#[test]
fn links_are_refused() {
    let mut linked = ZipWriter::new(Cursor::new(Vec::new()));
    linked.start_file("ludex.yaml", plain()).unwrap();
    linked.write_all(MANIFEST.as_bytes()).unwrap();
    linked.add_symlink("characters/owl.yaml", "/etc/passwd", plain()).unwrap();
    is_refused("link", &linked.finish().unwrap().into_inner(), "LX0842", "is a link, not a file");
}

#[test]
fn locked_and_oddly_packed_files_are_refused() {
    // The first bit of the flags, and the method, of the only entry besides the manifest, in both of its headers.
    let flagged = |local: usize, central: usize, value: u8| {
        let mut bytes = zip(&[("owl.yaml", SHEET.as_bytes())]);
        let at = |bytes: &[u8], sign: &[u8]| (0..bytes.len() - 4).rev().find(|at| bytes[*at..].starts_with(sign)).unwrap();
        let (first, second) = (at(&bytes, b"PK\x03\x04"), at(&bytes, b"PK\x01\x02"));
        bytes[first + local] = value;
        bytes[second + central] = value;
        bytes
    };
    is_refused("locked", &flagged(6, 8, 1), "LX0841", "is locked with a password");
    is_refused("method", &flagged(8, 10, 12), "LX0841", "is packed in a way that Ludex cannot read");
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    is_refused("bomb", &zip(&[("owl.yaml", &vec![b' '; 1 << 20])]), "LX0843", "times as large when it is unpacked");
    is_refused("large", &zip(&[("owl.yaml", &vec![b' '; (1 << 20) + 1])]), "LX0843", "is larger than 1 MiB");
    // A size that is a lie shows when the file is unpacked.
    let mut lying = zip(&[("owl.yaml", SHEET.as_bytes())]);
    let central = (0..lying.len() - 4).rev().find(|at| lying[*at..].starts_with(b"PK\x01\x02")).unwrap();
    lying[central + 24] -= 1;
    is_refused("lie", &lying, "LX0841", "`owl.yaml` in `bad.zip` is damaged");
    // Little by little is too much all the same.
    let text: Vec<u8> = (0..200_000_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_string().into_bytes()).collect();
    let names: Vec<String> = (0..6).map(|number| format!("owl-{number}.yaml")).collect();
    let entries: Vec<Entry> = names.iter().map(|name| (name.as_str(), &text[..1_000_000])).collect();
    is_refused("together", &zip(&entries), "LX0843", "holds more than 4 MiB of text");
    let dense: Vec<u8> = text[..900_000].iter().map(|sign| if sign % 2 == 0 { b',' } else { *sign }).collect();
    let entries: Vec<Entry> = names.iter().take(3).map(|name| (name.as_str(), dense.as_slice())).collect();
    is_refused("dense", &zip(&entries), "LX0843", "holds more than 750000 values");
}

#[test]
fn what_stands_around_or_over_something_is_refused() {
    let sound = zip(&[("owl.yaml", SHEET.as_bytes())]);
    is_refused("behind", &[sound.as_slice(), b"#!/bin/sh\n"].concat(), "LX0841", "there is data after the end");
    is_refused("before", &[b"#!/bin/sh\n", sound.as_slice()].concat(), "LX0841", "there is data before the beginning");
    is_refused("cut", &sound[..sound.len() - 30], "LX0841", "it does not end like a zip");
    is_refused("empty", b"", "LX0841", "it does not end like a zip");
    // Both entries of the directory are made to lead to the same file.
    let mut over = zip(&[("owl-a.yaml", SHEET.as_bytes()), ("owl-b.yaml", SHEET.as_bytes())]);
    let centrals: Vec<usize> = (0..over.len() - 4).filter(|at| over[*at..].starts_with(b"PK\x01\x02")).collect();
    let offset: [u8; 4] = over[centrals[1] + 42..centrals[1] + 46].try_into().unwrap();
    over[centrals[2] + 42..centrals[2] + 46].copy_from_slice(&offset);
    is_refused("over", &over, "LX0841", "overlap");
    let mut damaged = zip(&[("owl.yaml", SHEET.as_bytes())]);
    let central = (0..damaged.len() - 4).find(|at| damaged[*at..].starts_with(b"PK\x01\x02")).unwrap();
    damaged[central - 20] ^= 0xff;
    is_refused("damaged", &damaged, "LX0841", "is damaged");
}

#[test]
fn a_hundred_thousand_files_are_refused_whatever_the_zip_says_of_their_number() {
    let names: Vec<String> = (0..3_000).map(|number| format!("characters/owl-{number}.yaml")).collect();
    let entries: Vec<Entry> = names.iter().map(|name| (name.as_str(), b"" as &[u8])).collect();
    is_refused("many", &zip(&entries), "LX0843", "holds 3001 files");
    let names: Vec<String> = (0..100_000).map(|number| format!("o/{number}")).collect();
    let entries: Vec<Entry> = names.iter().map(|name| (name.as_str(), b"" as &[u8])).collect();
    let mut hundred_thousand = zip(&entries);
    is_refused("very-many", &hundred_thousand, "LX0843", "holds 65535 or more files");
    let end = hundred_thousand.len() - 22;
    hundred_thousand[end + 8..end + 12].copy_from_slice(&[1, 0, 1, 0]);
    is_refused("very-many-lied", &hundred_thousand, "LX0843", "is larger than 8 MiB");
}

#[test]
fn a_manifest_that_is_wrong_or_missing_is_told() {
    let bytes = |manifest: &str| bare(&[("owl.yaml", SHEET.as_bytes()), ("ludex.yaml", manifest.as_bytes())]);
    let folder = Folder::empty("packing-manifest");
    for (manifest, words) in [
        (MANIFEST.replace("author", "auhtor"), "did you mean `author`?"),
        (MANIFEST.replace("owls", "My Owls"), "a library cannot be called `My Owls`"),
        (MANIFEST.replace("1.0.0", "1/2"), "`1/2` cannot be a version"),
        (MANIFEST.replace("ludex-library: 1", "ludex-library: 2"), "the version of the manifest cannot be 2"),
    ] {
        std::fs::write(folder.file("bad.zip"), bytes(&manifest)).unwrap();
        let listed = list(&folder, "bad.zip");
        let line = "`bad.zip/ludex.yaml` has an error and is left out: `ludex check bad.zip` shows it\n";
        assert_eq!((listed.status, listed.stderr.as_str()), (0, line));
        let told = ludex_in(&folder, &["check", "bad.zip"], "");
        assert_eq!(told.status, 1);
        assert!(told.stdout.contains(words) && told.stdout.contains("bad.zip/ludex.yaml"), "{}", told.stdout);
    }
    is_refused("without", &bare(&[("owl.yaml", SHEET.as_bytes())]), "LX0844", "has no `ludex.yaml`");
    let deeper = bare(&[("owls-main/ludex.yaml", MANIFEST.as_bytes()), ("owls-main/owl.yaml", SHEET.as_bytes())]);
    is_refused("deeper", &deeper, "LX0844", "in its folder `owls-main`");
}

/// A zip without a manifest of its own.
fn bare(entries: &[Entry]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        zip.start_file(*name, plain()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}
