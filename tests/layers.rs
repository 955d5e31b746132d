//! What may use what: no file of the command uses, by whatever way, one that uses it.

mod imports;

use imports::{Module, uses};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The rooms of the command, each above all that it uses.
const ROOMS: &[&str] = &[
    "exit",
    "rng",
    "args",
    "lines",
    "updates",
    "whole_file",
    "running",
    "output",
    "guard",
    "layout",
    "load",
    "protocol",
    "players",
    "game",
    "scenario",
    "simulation",
    "tournament",
    "terminal",
    "host",
    "fuzzing",
    "verbs",
    "cli",
];

type Uses = BTreeMap<Module, BTreeSet<Module>>;

fn root(path: &str) -> Uses {
    uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
}

#[test]
fn no_room_of_the_command_uses_one_above_it() {
    let place = |module: &Module| ROOMS.iter().position(|room| *room == module[0]).unwrap_or_else(|| panic!("{module:?} is new"));
    for (user, used) in root("src").iter().filter(|(user, _)| !user.is_empty()) {
        for used in used {
            assert!(place(user) >= place(used), "{} uses {}", user.join("/"), used.join("/"));
        }
    }
}

#[test]
fn no_files_of_the_command_go_round_in_a_circle() {
    assert_eq!(circle(root("src")), Vec::<Module>::new());
}

/// The files that are left when, again and again, those are taken away that use none of the rest, or that nobody uses.
fn circle(mut uses: Uses) -> Vec<Module> {
    loop {
        let left: BTreeSet<Module> = uses.keys().cloned().collect();
        let used: BTreeSet<Module> = uses.values().flatten().cloned().collect();
        uses.retain(|module, uses| used.contains(module) && uses.iter().any(|used| left.contains(used)));
        if uses.len() == left.len() {
            return left.into_iter().collect();
        }
        let left: BTreeSet<Module> = uses.keys().cloned().collect();
        uses.values_mut().for_each(|used| used.retain(|used| left.contains(used)));
    }
}

#[test]
fn circles_and_ways_round_are_found() {
    let file = |name: &str| vec![name.to_string()];
    let uses = |pairs: &[(&str, &[&str])]| -> Uses {
        pairs.iter().map(|(user, used)| (file(user), used.iter().map(|used| file(used)).collect())).collect()
    };
    assert_eq!(circle(uses(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])])), Vec::<Module>::new());
    assert_eq!(circle(uses(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"]), ("d", &["a"])])), [file("b"), file("c")]);
    // The engine is not there yet: what is found there shows that something would be found here.
    assert!(circle(root("engine/src")).len() > 1);
}
