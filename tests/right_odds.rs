//! Odds that people have asked about, with the right values: worked out with exact fractions apart from Ludex, or published.

use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::odds::{Effort, Odds, OddsMethod, compute_odds};
use std::fs;
use std::path::Path;

/// The games in `tests/right_odds`, and those in a folder of examples.
fn library() -> Library {
    let mut files = Vec::new();
    for folder in [Path::new("tests/right_odds/rules"), Path::new("examples/classics/rules")] {
        for game in fs::read_dir(folder).unwrap() {
            let game = game.unwrap().path();
            let name = game.file_name().unwrap().to_string_lossy().into_owned();
            let Ok(text) = fs::read_to_string(game.join(format!("{name}.ludex"))) else { continue };
            files.push(File { path: format!("rules/{name}/{name}.ludex"), text, library: BUNDLED.to_string() });
        }
    }
    Library::new(files).0
}

#[track_caller]
fn asked(game: &str, expression: &str) -> Odds {
    let mut library = library();
    let source = library.sources.add("expression", expression);
    let found = compute_odds(&library, game, &CompileRequest::default(), &[], source, &Effort::default());
    let odds = found.unwrap_or_else(|problems| panic!("{game}, {expression}: {problems:?}"));
    assert!(matches!(odds.found, OddsMethod::Exactly { .. }), "{game}, {expression}: {:?}", odds.found);
    odds
}

/// Each value with its share, as a fraction.
#[track_caller]
fn shares(game: &str, expression: &str) -> Vec<String> {
    asked(game, expression).values.iter().map(|value| format!("{}: {}", value.shown, value.share)).collect()
}

/// The mean, or the share of yes, with six decimals.
#[track_caller]
fn number(game: &str, expression: &str) -> String {
    let odds = asked(game, expression);
    let yes = odds.values.iter().find(|value| value.shown == "yes").map(|value| value.share.clone());
    odds.mean().or(yes).unwrap().decimal_text(6)
}

#[test]
fn a_throw_is_looked_at_for_each_member_of_another_list() {
    let game = "fold-in-another-list";
    for expression in
        ["different(2d6)", "different_named(2d6)", "faces_shown(2d6)", "rolled", "different_right(2d6)", "looped", "handed(2d6)"]
    {
        assert_eq!(shares(game, expression), ["1: 1/6", "2: 5/6"], "{expression}");
    }
    let commonest = ["1: 2/27", "2: 2/27", "3: 11/108", "4: 17/108", "5: 13/54", "6: 19/54"];
    assert_eq!(shares(game, "commonest(3d6)"), commonest);
    assert_eq!(asked(game, "rolled_again").mean().unwrap().to_string(), "77/12");
    assert_eq!(shares("yahtzee", "in_a_row(5d6, 4)"), ["no: 137/162", "yes: 25/162"]);
    assert_eq!(shares("yahtzee", "in_a_row(5d6, 5)"), ["no: 157/162", "yes: 5/162"]);
}

#[test]
fn a_die_grows_and_shrinks() {
    assert_eq!(number("dice-chain", "size_after(18, 8)"), "8.869686");
    assert_eq!(number("dice-chain", "size_after(22, 8)"), "9.003657");
    // The sum of all shares is 1, also of numbers with thousands of digits.
    let odds = asked("dice-chain", "size_after(200, 8)");
    assert_eq!(odds.cumulative_shares()[0].0.in_lowest_terms().to_string(), "1");
}

#[test]
fn the_best_of_many_dice_are_kept() {
    assert_eq!(number("roll-and-keep", "kept(16, 10, 8)"), "62.690196");
    assert_eq!(number("roll-and-keep", "kept(20, 10, 2)"), "19.396955");
    assert_eq!(number("roll-and-keep", "exploded(10, 5)"), "44.829986");
    assert_eq!(number("roll-and-keep", "highest 8 of 16d10"), "62.690196");
    assert_eq!(number("roll-and-keep", "highest 2 of 20d10"), "19.396955");
}

#[test]
fn a_loop_ends_before_its_cap() {
    assert_eq!(shares("ten-again", "successes(3) >= 5")[1], "yes: 4311/2000000");
    let OddsMethod::Exactly { cut, .. } = asked("ten-again", "successes(3) >= 5").found else { unreachable!() };
    assert!(cut.is_some_and(|power| power < -900), "{cut:?}");
    assert_eq!(number("usage-die", "uses(20, 150)"), "29.999980");
    assert_eq!(shares("death-save", "survives")[1], "yes: 4761/8000");
}

#[test]
fn battles_and_turns_are_played_to_their_end() {
    assert_eq!(number("risk-battle", "wins(10, 10)"), "0.479935");
    assert_eq!(number("risk-battle", "wins(40, 40)"), "0.673702");
    assert_eq!(number("zombie-dice", "turn_worth(3)"), "1.936592");
}

#[test]
fn sums_of_many_dice_are_exact() {
    let share = |expression: &str| shares("highest-and-copies", expression);
    assert_eq!((share("result(3d6)")[0].as_str(), share("result(3d6)")[6].as_str()), ("2: 1/72", "8: 1/216"));
    assert_eq!(number("highest-and-copies", "20d20 = 200"), "0.014272");
    assert_eq!(share("1d24+1d23+1d20+1d16+1d11+1d9+1d7+1d4 >= 65")[1], "yes: 64800983/163215360");
}

#[test]
fn names_and_keys_are_read_where_they_are_declared() {
    let library = library();
    for game in ["named-null", "missing-highest"] {
        let (program, problems) = ludex_engine::Compile::compile(&library, game, &CompileRequest::default());
        assert!(program.is_some() && problems.is_empty(), "{game}: {problems:?}");
    }
}
