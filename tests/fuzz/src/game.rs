//! The game around an input: a pond with frogs, dice and cards, in which most of the language occurs.

use ludex_engine::Compile;
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::program::{KindSort, Program};
use ludex_engine::runtime::{Dice, Setup};
use std::sync::{Arc, LazyLock};

pub const GAME: &str = "pond";
pub const RULES: &str = "rules/pond/game.ludex";
pub const SHEETS: &str = "characters/pond/frogs.yaml";
pub const SCRIPT: &str = "scripts/pond/act.rhai";
pub const SCENARIOS: &str = "rules/pond/scenarios/all.yaml";

const FILES: [(&str, &str); 3] = [
    (RULES, include_str!("../pond/game.ludex")),
    (SHEETS, include_str!("../pond/frogs.yaml")),
    (SCRIPT, include_str!("../pond/act.rhai")),
];

/// More sides or entrants are not set up: it would take long and show nothing new.
const MOST_SIDES: usize = 8;
const MOST_ENTRANTS: usize = 40;

static PROGRAM: LazyLock<Arc<Program>> = LazyLock::new(|| {
    let (program, problems) = Library::new(files_with(&[])).0.compile(GAME, &CompileRequest::default());
    Arc::new(program.unwrap_or_else(|| panic!("{problems:#?}")))
});

/// The pond as it stands.
pub fn program() -> Arc<Program> {
    PROGRAM.clone()
}

/// The files of the pond, with others added or in their place.
pub fn files_with(changed: &[(&str, &str)]) -> Vec<File> {
    let file =
        |(path, text): &(&str, &str)| File { path: path.to_string(), text: text.to_string(), library: BUNDLED.to_string() };
    let unchanged = FILES.iter().filter(|(path, _)| !changed.iter().any(|(other, _)| other == path));
    unchanged.chain(changed).map(file).collect()
}

/// Entrants as the rules want them, if the game is not too large for a quick look.
pub fn sides(program: &Program, seed: u64) -> Option<Vec<Vec<String>>> {
    let of_entrants = program.sheets.iter().filter(|(_, sheet)| program.kind(sheet.kind).sort == KindSort::Entrant);
    let ids: Vec<String> = of_entrants.map(|(id, _)| id.to_string()).collect();
    let (sides, entrants) = (program.sides.least.max(1), program.sides.entrants_least);
    if sides > MOST_SIDES || entrants > MOST_ENTRANTS || (entrants > 0 && ids.is_empty()) {
        return None;
    }
    let id = |index: usize| ids[(seed as usize % ids.len() + index) % ids.len()].clone();
    Some((0..sides).map(|side| (0..entrants).map(|entrant| id(side + entrant)).collect()).collect())
}

pub fn setup(sides: Vec<Vec<String>>, seed: u64, watched: bool) -> Setup {
    Setup { sides, seed: seed.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched }
}

/// A number that an input always comes to: what chance and choice draw from.
pub fn seed_of(input: &[u8]) -> u64 {
    input.iter().fold(0xcbf2_9ce4_8422_2325, |seed, byte| (seed ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)) >> 12
}
