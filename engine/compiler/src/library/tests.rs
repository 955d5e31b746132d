mod order;

use super::*;
use ludex_program::Program;

const POND: &str = "ludex 1\ngame pond \"Pond\"\n";
const OTTER: &str = "name: Otter\nabilities: [hop]\nnest: [4]\n";
const HOP: &str = "//! ability hop \"Hop\"\n";

fn library(files: &[(&str, &str, &str)]) -> (Library, Vec<Problem>) {
    let file = |(library, path, text): &(&str, &str, &str)| File {
        library: library.to_string(),
        path: path.to_string(),
        text: text.to_string(),
    };
    Library::new(files.iter().map(file).collect())
}

fn base() -> Vec<(&'static str, &'static str, &'static str)> {
    vec![
        (BUNDLED, "rules/pond/game.ludex", POND),
        (BUNDLED, "rules/pond/play.ludex", "to play { }\n"),
        (BUNDLED, "rules/pond/scenarios/hops.yaml", "- name: hops\n"),
        (BUNDLED, "rules/pond/README.md", "# Pond\n"),
        (BUNDLED, "characters/pond/otter.yaml", OTTER),
        (BUNDLED, "scripts/pond/hop.rhai", HOP),
    ]
}

fn with(more: &[(&'static str, &'static str, &'static str)]) -> (Library, Vec<Problem>) {
    let mut files = base();
    files.extend_from_slice(more);
    library(&files)
}

/// The codes of what is wrong with one game's files.
fn codes_of(library: &Library, game: &str) -> Vec<&'static str> {
    library.find_game(game).map_or(Vec::new(), |game| game.problems.iter().map(|problem| problem.code).collect())
}

fn sheets(library: &Library, game: &str) -> Vec<String> {
    library.game_sheets(game).into_iter().map(|sheet| sheet.id).collect()
}

/// The file of a sheet.
fn sheet(library: &Library, game: &str, id: &str) -> Option<SourceId> {
    library.game_sheets(game).into_iter().find(|sheet| sheet.id == id).map(|sheet| sheet.source)
}

fn from(library: &Library, source: Option<&SourceId>) -> String {
    source.map_or(String::new(), |source| library.source_library(*source).to_string())
}

#[test]
fn folders_make_a_game() {
    let (library, problems) = library(&base());
    assert_eq!(problems, vec![]);
    assert_eq!(library.game_ids(), ["pond"]);
    assert_eq!(library.find_game("pond").map(|game| game.title.as_str()), Some("Pond"));
    assert_eq!(sheets(&library, "pond"), ["otter"]);
    assert_eq!(library.script_files("pond").keys().collect::<Vec<_>>(), ["hop"]);
    assert_eq!((library.scenario_files("pond").len(), library.readme_files("pond").len()), (1, 1));
}

#[test]
fn a_later_library_adds() {
    let (library, problems) = with(&[("mine", "characters/pond/newt.yaml", "name: Newt\nnest: [4]\n")]);
    assert_eq!(problems, vec![]);
    assert_eq!(codes_of(&library, "pond"), Vec::<&str>::new());
    assert_eq!(from(&library, sheet(&library, "pond", "newt").as_ref()), "mine");
    assert_eq!(from(&library, sheet(&library, "pond", "otter").as_ref()), BUNDLED);
}

#[test]
fn a_later_library_with_the_header_replaces_the_game() {
    let (library, problems) = with(&[("mine", "rules/pond/game.ludex", "game pond \"My Pond\"\n")]);
    assert_eq!(problems, vec![]);
    assert_eq!(library.find_game("pond").map(|game| game.title.as_str()), Some("My Pond"));
    assert!(library.game_sheets("pond").is_empty());
}

#[test]
fn a_taken_name_is_refused_and_the_first_stays() {
    let (library, _) = with(&[("mine", "characters/pond/otter.yaml", OTTER)]);
    assert_eq!(codes_of(&library, "pond"), [ludex_syntax::codes::NAME_TAKEN]);
    assert_eq!(from(&library, sheet(&library, "pond", "otter").as_ref()), BUNDLED);
    // Whoever asks about the refused file is told of the game that refuses it.
    assert_eq!(library.games_of_source(SourceId(base().len() as u32)), ["pond"]);
}

#[test]
fn what_says_that_it_replaces_takes_the_place() {
    let (library, _) = with(&[
        ("mine", "characters/pond/otter.yaml", "replaces: true\nname: Otter\n"),
        ("mine", "scripts/pond/hop.rhai", "//! replaces hop\n//! ability hop \"Hop\"\n"),
        ("mine", "rules/pond/play.ludex", "#! replaces\nto play { }\n"),
    ]);
    assert_eq!(codes_of(&library, "pond"), Vec::<&str>::new());
    assert_eq!(from(&library, sheet(&library, "pond", "otter").as_ref()), "mine");
    assert_eq!(from(&library, library.script_files("pond").get("hop")), "mine");
    let rules = library.find_game("pond").map(|game| game.rules.clone()).unwrap_or_default();
    assert_eq!(rules.iter().map(|rules| library.source_library(*rules)).collect::<Vec<_>>(), [BUNDLED, "mine"]);
}

#[test]
fn replacing_nothing_is_told() {
    let (library, _) = with(&[("mine", "characters/pond/newt.yaml", "replaces: newt\nname: Newt\n")]);
    assert_eq!(codes_of(&library, "pond"), [ludex_syntax::codes::REPLACES_NOTHING]);
}

#[test]
fn loose_files_join_the_only_game() {
    let (library, problems) = with(&[
        ("mine", "newt.yaml", "name: Newt\nabilities: [dive]\nnest: [4]\n"),
        ("mine", "dive.rhai", "//! ability dive \"Dive\"\n"),
    ]);
    assert_eq!(problems, vec![]);
    assert!(sheet(&library, "pond", "newt").is_some());
    assert!(library.script_files("pond").contains_key("dive"));
}

#[test]
fn among_several_games_a_sheet_names_its_own_and_its_scripts_follow() {
    let (library, problems) = with(&[
        ("lake", "rules/lake/game.ludex", "game lake \"Lake\"\n"),
        ("mine", "newt.yaml", "game: lake\nname: Newt\nabilities: [{dive: {deep: 2}}]\n"),
        ("mine", "dive.rhai", "//! ability dive \"Dive\"\n"),
        ("mine", "frog.yaml", "name: Frog\n"),
    ]);
    assert!(sheet(&library, "lake", "newt").is_some());
    assert!(library.script_files("lake").contains_key("dive"));
    assert!(!library.script_files("pond").contains_key("dive"));
    assert_eq!(problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), [ludex_syntax::codes::UNKNOWN_GAME]);
}

/// Two games, of which only the pond has sheets and moments for abilities.
fn pond_and_dunes() -> Vec<(&'static str, &'static str, &'static str)> {
    let mut files = base();
    files.push((BUNDLED, "rules/pond/beasts.ludex", "sheet otter (otters) { zone nest: dice, open }\nhook noon()\n"));
    files.push((BUNDLED, "rules/dunes/game.ludex", "game dunes \"Dunes\"\n"));
    files
}

#[test]
fn what_cannot_be_read_makes_nothing_else_unknown_or_unused() {
    let pond = "game pond \"Pond\"\nsides 2\neach side has { counter fish }\ndefine large = [4][0]\nto hop { say \"hop\" }\nto sit { say \"sits\" }\nto play {\n  let size = large\n  do hop sit\n  let two = large[2]\n  say \"{two} {siez}\"\n  do dive\n}\nto dive(side: side { say \"{side}\" }\n";
    let (library, _) = library(&[(BUNDLED, "rules/pond/game.ludex", pond)]);
    let (_, problems) = library.compile_by(|_, _, _| Ok(None), "pond", &CompileRequest::default());
    let told: Vec<String> = problems.into_iter().map(|problem| problem.message.to_string()).collect();
    insta::assert_debug_snapshot!(told, @r#"
    [
        "expected an operator or the end of the declaration, found `[`",
        "`sit` does not begin a statement",
        "expected the end of the statement, found `[`",
        "this `(` is never closed",
        "nothing here is called `siez`",
    ]
    "#);
}

#[test]
fn nobody_is_warned_of_what_only_a_package_leaves_unused() {
    let pond = "game pond \"Pond\"\nsides 2\nto play { do hop }\nto hop { do splash }\nto splash { say \"splash\" }\nto sleep { say \"zzz\" }\n";
    let marsh = "package marsh \"Marsh\" extends pond\nreplace to hop { say \"hop\" }\nto sink { say \"glug\" }\n";
    let (library, _) = library(&[(BUNDLED, "rules/pond/game.ludex", pond), ("mine", "rules/marsh/game.ludex", marsh)]);
    let warnings = |game: &str| {
        let (_, problems) = library.compile_by(|_, _, _| Ok(None), game, &CompileRequest::default());
        problems.into_iter().map(|problem| problem.message.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(warnings("pond"), ["the procedure `sleep` is never called"]);
    assert_eq!(warnings("marsh"), ["the procedure `sink` is never called"]);
}

#[test]
fn loose_files_join_the_only_game_that_has_a_use_for_them() {
    let mut files = pond_and_dunes();
    files.extend([
        ("mine", "newt.yaml", "name: Newt\nnest: [4]\n"),
        ("mine", "dive.rhai", "//! ability dive \"Dive\"\n"),
        ("mine", "newts.yaml", "- name: newts\n  start: {sides: [{entrants: [newt]}]}\n"),
    ]);
    let (library, problems) = library(&files);
    assert_eq!(problems, vec![]);
    assert!(sheet(&library, "pond", "newt").is_some());
    assert!(library.script_files("pond").contains_key("dive"));
    assert_eq!((library.scenario_files("pond").len(), library.scenario_files("dunes").len()), (2, 0));
}

#[test]
fn loose_scenarios_join_the_game_that_has_their_entrants() {
    let heath = "game heath \"Heath\"\nsides 2 of 1 bird\nsheet bird (birds) { speed: number }\nto play { }\n";
    let scenario = |entrants: &str| format!("- name: meeting\n  start: {{sides: [{{entrants: [{entrants}]}}]}}\n");
    let (known, mixed, loose) = (scenario("heron"), scenario("{otter: {}}, newt"), scenario("newt"));
    let mut files = pond_and_dunes();
    files.extend([
        (BUNDLED, "rules/heath/game.ludex", heath),
        (BUNDLED, "characters/heath/heron.yaml", "name: Heron\nspeed: 4\n"),
        (BUNDLED, "characters/heath/otter.yaml", "name: Otter\nspeed: 2\n"),
        ("mine", "newt.yaml", "name: Newt\nnest: [4]\n"),
        ("mine", "known.yaml", known.as_str()),
        ("mine", "mixed.yaml", mixed.as_str()),
        ("mine", "loose.yaml", loose.as_str()),
    ]);
    let (library, problems) = library(&files);
    assert_eq!(problems, vec![]);
    assert_eq!((library.scenario_files("heath").len(), library.scenario_files("pond").len()), (1, 3));
}

#[test]
fn what_a_game_has_a_use_for_is_not_meant_for_what_extends_it() {
    let mut files = pond_and_dunes();
    files.push(("other", "rules/marsh/game.ludex", "package marsh \"Marsh\" extends pond\n"));
    files.push(("mine", "newt.yaml", "name: Newt\nnest: [4]\n"));
    let (library, problems) = library(&files);
    assert_eq!(problems, vec![]);
    assert!(sheet(&library, "pond", "newt").is_some());
}

#[test]
fn what_no_game_has_a_use_for_must_say_its_game() {
    let mut files = pond_and_dunes();
    files.push(("mine", "newt.yaml", "name: Newt\nnset: [4]\n"));
    let (_, problems) = library(&files);
    assert_eq!(problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), [ludex_syntax::codes::UNKNOWN_GAME]);
}

#[test]
fn a_misspelt_folder_gets_a_suggestion() {
    let (_, problems) = with(&[("mine", "characters/pnod/newt.yaml", "name: Newt\n")]);
    assert_eq!(problems.first().and_then(|problem| problem.help.clone()).as_deref(), Some("did you mean `pond`?"));
}

#[test]
fn a_package_has_its_own_files_and_those_of_the_game_it_changes() {
    let (library, problems) = with(&[
        ("mine", "rules/swamp/game.ludex", "package swamp \"Swamp\" extends pond\n"),
        ("mine", "characters/swamp/newt.yaml", "name: Newt\n"),
        ("mine", "characters/swamp/otter.yaml", "name: Swamp Otter\n"),
    ]);
    assert_eq!(problems, vec![]);
    assert_eq!(sheets(&library, "swamp"), ["newt", "otter"]);
    assert_eq!(sheets(&library, "pond"), ["otter"]);
    let (_, problems) = library.compile_by(|_, _, _| Ok(None), "swamp", &CompileRequest::default());
    assert!(problems.iter().any(|problem| problem.code == ludex_syntax::codes::NAME_TAKEN), "{problems:?}");
    let otter = sheet(&library, "pond", "otter");
    assert_eq!(otter.map(|otter| library.games_of_source(otter)), Some(vec!["pond".to_string(), "swamp".to_string()]));
}

#[test]
fn games_that_extend_each_other_are_refused() {
    let (library, _) = library(&[
        ("mine", "rules/a/a.ludex", "package a \"A\" extends b\n"),
        ("mine", "rules/b/b.ludex", "package b \"B\" extends a\n"),
    ]);
    let (program, problems) = library.compile_by(|_, _, _| Ok(None), "a", &CompileRequest::default());
    assert!(program.is_none());
    assert_eq!(problems.first().map(|problem| problem.code), Some(ludex_syntax::codes::GOES_IN_CIRCLES));
}

#[test]
fn a_game_started_twice_in_one_library_is_refused() {
    let (library, _) = library(&[("mine", "rules/pond/a.ludex", POND), ("mine", "rules/pond/b.ludex", POND)]);
    assert!(codes_of(&library, "pond").contains(&ludex_syntax::codes::GAME_TWICE));
}

#[test]
fn line_ends_of_windows_make_no_difference() {
    let windows = POND.replace('\n', "\r\n");
    let (unix, _) = library(&[("a", "rules/pond/game.ludex", POND)]);
    let (dos, _) = library(&[("a", "rules/pond/game.ludex", &windows)]);
    let text = |library: &Library| library.sources.iter().map(|(_, source)| source.text.clone()).collect::<Vec<_>>();
    assert_eq!(text(&unix), text(&dos));
}

const RAINY: &str = "ludex 1\ngame pond \"Pond\"\nsides 2\nhook dusk() answers cold\nhook dawn() answers warm, cold\n\
    mode dry \"Dry\" {\n  replace ability rain \"Rain\"\n    trigger rain at dusk() do { say \"no rain\" }\n}\n\
    to play {\n  open dusk() { when cold { } when nothing { } }\n  open dawn() { when warm { } when cold { } when nothing { } }\n  \
    finish with sides\n}\n";
const RAIN: &str = "//! ability rain \"Rain\"\n//! trigger rain at dawn() do { answer cold }\n";

fn rainy(mode: Option<&str>) -> (Option<Program>, Vec<Problem>) {
    let (library, _) = library(&[("mine", "rules/pond/game.ludex", RAINY), ("mine", "scripts/pond/rain.rhai", RAIN)]);
    library.compile_by(
        |_, _, _| Ok(None),
        "pond",
        &CompileRequest { mode: mode.map(str::to_string), ..CompileRequest::default() },
    )
}

/// The hook at which the only ability acts.
fn hook_of_rain(program: Option<Program>) -> Option<String> {
    let program = program?;
    let clause = program.clauses.first()?;
    program.hooks.get(clause.hook as usize).map(|hook| hook.name.clone())
}

#[test]
fn a_mode_replaces_an_ability_that_has_a_file() {
    let (standard, _) = rainy(None);
    assert_eq!(hook_of_rain(standard).as_deref(), Some("dawn"));
    let (dry, problems) = rainy(Some("dry"));
    assert!(problems.iter().all(|problem| !problem.is_error()), "{problems:?}");
    assert_eq!(hook_of_rain(dry).as_deref(), Some("dusk"));
}

#[test]
fn an_unknown_name_is_told_once() {
    let (library, _) =
        library(&[("mine", "rules/pond/game.ludex", "ludex 1\ngame pond \"Pond\"\nsides 2\nto play { finish with nobdy }\n")]);
    let (program, problems) = library.compile_by(|_, _, _| Ok(None), "pond", &CompileRequest::default());
    assert!(program.is_none());
    assert_eq!(problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), [ludex_syntax::codes::UNKNOWN_NAME]);
}

/// Packages that each extend all before them, with a long game at their root.
fn long_packages(count: usize) -> Library {
    let rules: String =
        [POND.to_string()].into_iter().chain((0..4_000).map(|number| format!("define d{number:04} = 1 # long\n"))).collect();
    let package = |number: usize| {
        let parents: Vec<String> = (1..number).map(|parent| format!("p{parent:02}")).collect();
        let parents = ["pond".to_string()].into_iter().chain(parents).collect::<Vec<_>>().join(", ");
        let text = format!("ludex 1\npackage p{number:02} \"P\" extends {parents}\n");
        File { library: "mine".to_string(), path: format!("rules/p{number:02}/p.ludex"), text }
    };
    let game = File { library: "mine".to_string(), path: "rules/pond/game.ludex".to_string(), text: rules };
    Library::new([game].into_iter().chain((1..=count).map(package)).collect()).0
}

#[test]
fn games_are_checked_together_up_to_a_total_of_their_rules() {
    let few = long_packages(15);
    assert_eq!(few.games_within_limit(few.game_ids()), (few.game_ids().into_iter().collect(), None));
    let many = long_packages(40);
    let (checked, problem) = many.games_within_limit(many.game_ids());
    assert!(checked.len() < 40 && checked.contains("p15"), "{checked:?}");
    let message = problem.map(|problem| problem.message.to_string());
    assert_eq!(message.as_deref(), Some("there are more than 2621440 bytes of rules to check, counted for each game"));
}

#[test]
fn files_are_added_and_changed_as_if_they_had_always_been_so() {
    let (before, _) = library(&base());
    let file = |path: &str, text: &str| File { library: "mine".to_string(), path: path.to_string(), text: text.to_string() };
    let seal = "name: Seal\nabilities: [hop]\nnest: [6]\n";
    let play = before.sources.iter().find(|(_, source)| source.name == "rules/pond/play.ludex").map(|(id, _)| id);
    let changed = play.into_iter().map(|id| (id, "to play { finish with nobody }\n".to_string())).collect();
    let (after, problems) = before.with_files(&changed, vec![file("characters/pond/seal.yaml", seal)]);
    let mut whole = base();
    whole[1].2 = "to play { finish with nobody }\n";
    whole.push(("mine", "characters/pond/seal.yaml", seal));
    let (expected, expected_problems) = library(&whole);
    assert_eq!(problems, expected_problems);
    let compiled =
        |library: &Library| format!("{:?}", library.compile_each_by(|_, _, _| Ok(None), "pond", &[CompileRequest::default()]));
    assert_eq!(compiled(&after), compiled(&expected));
    assert_eq!(sheets(&after, "pond"), ["otter", "seal"]);
}
