//! The line of a package: which games are put together, in which order, and what cannot be put together.

use super::tells;
use crate::testing::{Texts, game};
use ludex_compiler::library::Library;

const POND: &str = "sides 2\nto play { finish with sides }\n";

fn pond() -> Texts {
    game(POND)
}

fn line(library: &Library, game: &str) -> Vec<String> {
    library.package_line(game).iter().map(|game| game.id.clone()).collect()
}

/// Two packages of the pond, and one that extends both.
fn diamond(extends: &str) -> Texts {
    pond().package("marsh", "pond", "").package("lake", "pond", "").package("delta", extends, "")
}

#[test]
fn each_comes_once_and_after_all_that_it_extends_in_the_order_written() {
    assert_eq!(line(&diamond("marsh, lake").library(), "delta"), ["pond", "marsh", "lake", "delta"]);
    assert_eq!(line(&diamond("lake, marsh").library(), "delta"), ["pond", "lake", "marsh", "delta"]);
}

#[test]
fn what_is_named_although_another_extends_it_comes_where_it_must() {
    let sea = diamond("lake, marsh").package("sea", "marsh, delta, pond", "");
    assert_eq!(line(&sea.library(), "sea"), ["pond", "marsh", "lake", "delta", "sea"]);
    let bay = sea.package("bay", "sea", "");
    assert_eq!(line(&bay.library(), "bay"), ["pond", "marsh", "lake", "delta", "sea", "bay"]);
    assert_eq!(bay.problem_report("bay", "standard"), "");
}

#[test]
fn a_program_says_what_it_extends() {
    let program = diamond("lake, marsh").program_of("delta", "standard");
    assert_eq!((program.game.as_str(), program.title.as_str()), ("delta", "Delta"));
    assert_eq!(program.parents.iter().map(|parent| parent.id.as_str()).collect::<Vec<_>>(), ["pond", "lake", "marsh"]);
    assert_eq!(pond().program().parents, []);
}

#[test]
fn the_hash_of_a_game_is_the_same_for_whatever_extends_it() {
    let games = diamond("lake, marsh");
    let (pond, marsh, delta) =
        (games.program_of("pond", "standard"), games.program_of("marsh", "standard"), games.program_of("delta", "standard"));
    assert_eq!(pond.hash, marsh.parents[0].hash);
    assert_eq!(marsh.parents[0], delta.parents[0]);
    assert!(marsh.hash != pond.hash && delta.hash != marsh.hash);
}

#[test]
fn the_hash_of_a_package_follows_the_order_of_what_it_extends() {
    let hash = |extends: &str| {
        let program = diamond(extends).program_of("delta", "standard");
        let own: Vec<String> =
            program.files.iter().filter(|(path, _)| !path.contains("delta")).map(|(_, hash)| hash.clone()).collect();
        (program.hash.clone(), own)
    };
    let ((one, mut files), (other, mut same)) = (hash("lake, marsh"), hash("marsh, lake"));
    files.sort();
    same.sort();
    assert_eq!(files, same);
    assert_ne!(one, other);
}

tells! {
    a_parent_that_is_not_there: pond().package("marsh", "pond, laek", "").package("lake", "pond", "").problem_report("marsh", "standard"), @r#"
    LX0005 error: there is no game `laek` to extend
      rules/marsh/game.ludex:2:37 `laek` not found in any library
      help: did you mean `lake`?
    "#
    a_parent_named_twice: diamond("marsh, lake, marsh").problem_report("delta", "standard"), @r#"
    LX0302 error: `delta` extends `marsh` twice
      rules/delta/game.ludex:2:44 `marsh` again here
      rules/delta/game.ludex:2:31 `marsh` first here
      help: name it once
    "#
    a_circle_of_one: pond().package("marsh", "pond, marsh", "").problem_report("marsh", "standard"), @r#"
    LX0506 error: the game `marsh` extends itself
      rules/marsh/game.ludex:2:37 `marsh` itself
      help: let `marsh` extend a game that is not in the circle, such as `pond`
    "#
    a_circle_of_three: pond().package("marsh", "pond, delta", "").package("lake", "marsh", "").package("delta", "lake", "").problem_report("delta", "standard"), @r#"
    LX0506 error: the game `delta` extends itself: `delta` → `lake` → `marsh` → `delta`
      rules/delta/game.ludex:2:31 `lake` which extends `delta` in the end
      help: let `delta` extend a game that is not in the circle, such as `pond`
    "#
    a_circle_below: pond().package("marsh", "lake", "").package("lake", "marsh", "").package("delta", "pond, lake", "").problem_report("delta", "standard"), @r#"
    LX0506 error: the game `lake` extends itself: `lake` → `marsh` → `lake`
      rules/lake/game.ludex:2:29 `marsh` which extends `lake` in the end
      help: let `lake` extend a game that is not in the circle, such as `pond`
    "#
    two_games: pond().file("rules/dunes/game.ludex", "ludex 1\ngame dunes \"Dunes\"\nsides 2\nto play { finish with sides }\n").package("marsh", "pond", "").package("delta", "marsh, dunes", "").problem_report("delta", "standard"), @r#"
    LX0013 error: `marsh` and `dunes` belong to different games
      rules/delta/game.ludex:2:38 `dunes` a game
      rules/delta/game.ludex:2:31 `marsh` a package of `pond`
      help: leave one of the two out; a package extends packages of one game only
    "#
    packages_of_two_games: pond().file("rules/dunes/game.ludex", "ludex 1\ngame dunes \"Dunes\"\nsides 2\nto play { finish with sides }\n").package("marsh", "pond", "").package("oasis", "dunes", "").package("delta", "marsh, oasis", "").problem_report("delta", "standard"), @r#"
    LX0013 error: `marsh` and `oasis` belong to different games
      rules/delta/game.ludex:2:38 `oasis` a package of `dunes`
      rules/delta/game.ludex:2:31 `marsh` a package of `pond`
      help: leave one of the two out; a package extends packages of one game only
    "#
}

#[test]
fn a_line_without_end_is_refused() {
    let mut games = pond().package("p0", "pond", "");
    for number in 1..101 {
        games = games.package(&format!("p{number}"), &format!("p{}", number - 1), "");
    }
    assert_eq!(games.compile_mode("p98", "standard").1, []);
    let messages: Vec<String> =
        games.compile_mode("p100", "standard").1.into_iter().map(|problem| problem.message.to_string()).collect();
    assert_eq!(messages, ["`p100` extends 101 packages, but at most 100 are allowed"]);
}
