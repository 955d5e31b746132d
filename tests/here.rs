//! Which library is read where we are: the current folder, or the one that it is part of.

use crate::support::{Folder, ludex_in, run};

const POND: &str = "ludex 1
game pond \"Pond\"
sides 2
to play {
  let leader = first of sides
  leader may \"Leap?\" as leaps
  if leaps { finish with leader }
  finish with nobody
}
";

/// Whoever leaps wins.
fn leap(game: &str) -> String {
    format!("- {game}name: Whoever leaps wins\n  start: {{}}\n  play: [0: yes]\n  then: {{outcome: {{winner: 0}}}}\n")
}

#[test]
fn within_a_library_the_whole_of_it_is_read() {
    let library = Folder::empty("here-within");
    library.write("rules/pond/pond.ludex", POND);
    library.write("rules/pond/scenarios/leaps.yaml", &leap(""));
    library.write("docs/notes.md", "");
    let places = [("rules/pond/scenarios", "../../../"), ("rules/pond", "../../"), ("rules", "../")];
    // None is removed before all have been looked at.
    let folders = places.map(|(within, up)| (Folder::new(&format!("here-within/{within}")), within, up));
    for (folder, within, up) in &folders {
        assert_eq!(run(folder, &["test", "pond"], "").stdout, "pond: 1 scenario, 0 failed\n", "{within}");
        library.write("rules/pond/scenarios/wrong.yaml", &leap("").replace("then", "thne"));
        let checked = ludex_in(folder, &["check", "--format", "concise"], "").stdout;
        assert!(checked.starts_with(&format!("{up}rules/pond/scenarios/wrong.yaml:4:3: error LX0212")), "{checked}");
        library.remove("rules/pond/scenarios/wrong.yaml");
    }
    // Elsewhere in it nobody goes up: any folder may lie above.
    let docs = Folder::new("here-within/docs");
    assert_ne!(ludex_in(&docs, &["test", "pond"], "").status, 0);
}

#[test]
fn scenarios_beside_the_folders_of_a_library_are_read() {
    let folder = Folder::empty("here-beside");
    folder.write("rules/pond/pond.ludex", POND);
    folder.write("leaps.yaml", &leap("game: pond\n  "));
    assert_eq!(run(&folder, &["test", "pond"], "").stdout, "pond: 1 scenario, 0 failed\n");
    folder.write("leaps.yaml", &leap("game: pond\n  ").replace("then", "thne"));
    let checked = ludex_in(&folder, &["check", "--format", "concise"], "").stdout;
    assert!(checked.starts_with("leaps.yaml:5:3: error LX0212"), "{checked}");
}
