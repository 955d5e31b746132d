//! An expansion of which the order matters: what its abilities do after a re-roll, one after the other.

use crate::support::{Folder, run};
use std::path::Path;

const ORDER: &str = "\
dice_rerolled(active, dice)
  trigger  taieron-crystal  taieron_crystal  early
  trigger  silence-glaive   silence_glaive   late

attack_rerolled(active, attack)
  offer  dark-kingdom    dark_kingdom
  offer  planet-power    planet_power
  offer  talisman-power  talisman_power
";

/// What `show` tells of the order, but for the headline.
fn order(folder: &Folder, game: &str) -> String {
    run(folder, &["show", game, "order"], "").stdout
}

#[test]
fn the_order_after_a_re_roll_is_declared() {
    let told = order(&Folder::outside("order-declared"), "season-3");
    assert!(told.contains(ORDER), "{told}");
}

/// The files of the package in another folder, named so that they are read in the opposite order.
#[test]
fn the_order_does_not_depend_on_the_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::outside("order-shuffled");
    let files = |part: &str| {
        let mut files: Vec<_> = std::fs::read_dir(root.join(part).join("season-3")).unwrap().flatten().collect();
        files.retain(|file| file.path().is_file());
        files.sort_by_key(|file| file.file_name());
        files
    };
    let game = |text: String| text.replace("package season-3 ", "package season-three ");
    let rules = files("rules").into_iter().filter(|file| file.path().extension().is_some_and(|ending| ending == "ludex"));
    for (place, file) in rules.rev().enumerate() {
        folder.write(&format!("rules/season-three/{place}.ludex"), &game(std::fs::read_to_string(file.path()).unwrap()));
    }
    for part in ["scripts", "characters"] {
        for file in files(part) {
            let name = file.file_name().to_string_lossy().into_owned();
            folder.write(&format!("{part}/season-three/{name}"), &std::fs::read_to_string(file.path()).unwrap());
        }
    }
    assert_eq!(order(&folder, "season-three"), order(&folder, "season-3"));
    let args = ["--seat", "0=sailor-saturn", "--seat", "1=mistress-9", "--games", "40", "--format", "json"];
    let digest = |game: &str| {
        let report = run(&folder, &[&["sim", game], &args[..]].concat(), "").stdout;
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        report["digest"].as_str().unwrap().to_string()
    };
    assert_eq!(digest("season-three"), digest("season-3"));
}
