//! Dice that nobody can foretell, and seeds that nobody has picked alone.

use crate::host::Table;
use crate::support::{Folder, ludex_in, unsealed};
use ludex_engine::recording::{Chain, Share, Shares, commitment_to_seed, commitment_to_share};
use serde_json::{Value, json};

const TWO: [&str; 5] = ["dice-challenge", "--seat", "0=kunzite", "--seat", "1=rubeus"];

fn is_key(seed: &Value) -> bool {
    seed.as_str().is_some_and(|digits| digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The lines of the recording that an outcome names.
fn recording(outcome: &Value) -> String {
    std::fs::read_to_string(outcome["recording"].as_str().unwrap()).unwrap()
}

fn header(text: &str) -> Value {
    serde_json::from_str(text.lines().next().unwrap()).unwrap()
}

fn replayed(folder: &Folder, text: &str) -> (i32, String) {
    let path = folder.write("again.ludexrec", text);
    let run = ludex_in(folder, &["replay", &path], "");
    (run.status, run.stderr)
}

fn sealed(text: &str) -> String {
    let mut chain = Chain::default();
    unsealed(text).lines().map(|line| chain.seal_line(line)).collect()
}

#[test]
fn without_a_seed_no_rolls_tell_the_next() {
    let folder = Folder::new("dice-key");
    let mut table = Table::of(&folder, &TWO, &[]);
    let hello = table.wait_for("hello");
    assert_eq!(hello["generator"], "chacha20");
    let decision = table.wait_for("decision");
    table.tell(json!({ "choose": decision["id"], "option": 0 }));
    let next = table.wait_for("decision");
    table.tell(json!({ "undo": { "seat": decision["seat"] } }));
    // Whoever is not asked has to agree.
    if table.hear()["type"] == "consent" {
        table.tell(json!({ "consent": true }));
    }
    table.tell(json!({ "resign": next["seat"] }));
    let outcome = loop {
        let line = table.hear();
        if line["type"] == "outcome" {
            break line;
        }
    };
    assert!(is_key(&outcome["seed"]) && outcome["generator"] == "chacha20", "{outcome}");
    let (seed, salt) = (outcome["seed"].as_str().unwrap(), outcome["salt"].as_str().unwrap());
    assert_eq!(hello["seed_commitment"], commitment_to_seed(seed, salt));
    let text = recording(&outcome);
    let undo: Value =
        text.lines().find(|line| line.starts_with("{\"undo\"")).map(|line| serde_json::from_str(line).unwrap()).unwrap();
    assert!(is_key(&undo["undo"]["seed"]) && undo["undo"]["seed"] != outcome["seed"], "{undo}");
    assert_eq!(replayed(&folder, &text), (0, String::new()));
}

#[test]
fn a_number_gives_the_dice_of_old_and_those_who_meet_are_told() {
    let folder = Folder::new("dice-number");
    let said = |args: &[&str]| ludex_in(&folder, &[&["host", "--seed", "7"], args].concat(), "{\"quit\":true}\n");
    let two = said(&TWO);
    assert!(two.stdout.contains("\"generator\":\"pcg32\"") && two.stdout.contains("\"seed\":7,"), "{}", two.stdout);
    assert!(two.stderr.contains("can predict all others"), "{}", two.stderr);
    let alone = said(&["dice-challenge", "--seat", "0=kunzite", "--seat", "1=rubeus:random"]);
    assert!(!alone.stderr.contains("can predict"), "{}", alone.stderr);
}

/// Plays the exchange of shares up to `hello`; gives that and the table's promise.
fn exchange(table: &mut Table, shares: [&str; 2]) -> (Value, String) {
    let asked = table.hear();
    assert_eq!((&asked["type"], &asked["seats"], &asked["to"]), (&json!("shares"), &json!([0, 1]), &json!([0, 1])));
    let promise = |seat: usize| json!({ "share": { "seat": seat, "commitment": commitment_to_share(shares[seat]) } });
    table.tell(promise(1));
    table.tell(promise(1));
    assert!(table.hear()["reason"].as_str().unwrap().contains("has promised already"));
    table.tell(json!({ "reveal": { "seat": 1, "share": shares[1] } }));
    assert_eq!(table.hear()["type"], "rejected", "nobody shows anything before all have promised");
    table.tell(promise(0));
    let reveal = table.hear();
    assert_eq!(reveal["commitments"][0], json!({ "seat": 0, "commitment": commitment_to_share(shares[0]) }));
    table.tell(json!({ "reveal": { "seat": 0, "share": "another" } }));
    assert!(table.hear()["reason"].as_str().unwrap().contains("not the share that seat 0 has promised"));
    (0..2).for_each(|seat| table.tell(json!({ "reveal": { "seat": seat, "share": shares[seat] } })));
    (table.hear(), asked["commitment"].as_str().unwrap().to_string())
}

#[test]
fn a_seed_is_made_of_the_shares_of_all() {
    let folder = Folder::new("dice-shares");
    let mut table = Table::of(&folder, &TWO, &["--shares"]);
    let (hello, promise) = exchange(&mut table, ["otter", "4711"]);
    assert_eq!((&hello["type"], &hello["seed_commitment"]), (&json!("hello"), &json!(promise)));
    table.wait_for("decision");
    table.tell(json!({ "resign": 0 }));
    let outcome = table.wait_for("outcome");
    let own = outcome["shares"]["own"].as_str().unwrap();
    assert_eq!(commitment_to_seed(own, outcome["salt"].as_str().unwrap()), promise);
    let share = |seat, share: &str| Share { seat, share: share.to_string() };
    let shares = Shares { own: own.to_string(), seats: vec![share(0, "otter"), share(1, "4711")] };
    assert_eq!(outcome["seed"], shares.combined_seed().to_string());
    let text = recording(&outcome);
    assert_eq!(replayed(&folder, &text), (0, String::new()));
    let (status, said) = replayed(&folder, &sealed(&text.replace("\"otter\"", "\"heron\"")));
    assert!(status == 1 && said.contains("all shares make the seed"), "{said}");
}

#[test]
fn people_at_one_screen_are_asked_for_their_shares() {
    let folder = Folder::new("dice-shares-play");
    let args = ["play", "--plain", "--shares", "dice-challenge", "--seat", "0=kunzite:human", "--seat", "1=rubeus:human"];
    let run = ludex_in(&folder, &args, "not this!\notter\n4711\nresign\nyes\n");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("kunzite, 1 to 128 letters and digits for the dice:"), "{}", run.stderr);
    // Before anybody gives a share, whoever keeps the dice is bound to their own.
    assert!(run.stdout.starts_with("seed commitment "), "{}", run.stdout);
    assert!(run.stdout.contains(":otter:4711"), "{}", run.stdout);
    let path = run.stdout.lines().find_map(|line| line.strip_prefix("kept in ")).unwrap();
    let kept = header(&std::fs::read_to_string(path).unwrap());
    assert_eq!(kept["shares"]["seats"][1], json!({ "seat": 1, "share": "4711" }));
    assert_eq!(ludex_in(&folder, &["play", "--shares", "--seed", "7"], "").status, 2);
}

#[test]
fn the_command_dice_says_what_decides_them() {
    let folder = Folder::new("dice-command");
    let seats = ["--seat", "0=kunzite:human", "--seat", "1=rubeus:human"];
    let words = |flags: &[&str], before: &str| {
        let run = ludex_in(
            &folder,
            &[&["play", "--plain", "dice-challenge"], &seats[..], flags].concat(),
            &format!("{before}dice\nquit\n"),
        );
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.stdout
    };
    let seeded = words(&["--seed", "7"], "");
    assert!(seeded.contains("the dice were fixed before play") && seeded.contains("the SHA-256 of `SEED:SALT`"), "{seeded}");
    let shared = words(&["--shares"], "otter\n4711\n");
    assert!(shared.contains("the SHA-256 of `SHARE:SALT`, with the table's share"), "{shared}");
    let listed = words(&["--rolls", "4,6,1,2,3,4,5,6,1,2,3,4,5,6,1,2,3,4,5,6"], "");
    assert!(listed.contains("the results of chance were listed before play") && !listed.contains("SHA-256"), "{listed}");
}
