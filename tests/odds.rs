//! `ludex odds`, as it is shipped.

use crate::support::{Folder, Run, ludex};
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A regatta whose boats are moved by the wind.
const REGATTA: &str = r#"ludex 1
game regatta "Regatta"
sides 2 of 0..2 boat
sheet boat (boats) {}
option swell = 1 in 0..3 "how high the waves are"
mode calm "Calm" { replace define gusts = 0 }
define gusts = 2
type course is one of windward, reach, lee
to play { finish with nobody }

## Knots from so many dice: each that shows 4 or more fills a sail.
to filled(dice: number, hull: number): number {
  roll dice d6 because "wind in the sails" as shown
  give count of (shown where it >= 4 + swell) + hull
}
to sailed(boat: boat or none): number { if boat is none { give 0 }  do filled(3 * count of boat.owner.boats, 0) as knots  give knots }
to course_of(strength: number): course {
  roll 2 d6 as shown
  if sum of shown >= 10 - strength { give windward }
  if lowest of shown = 1 { give lee }
  give reach
}
to steered(side: side): number {
  side must choose number in 1..3 as tack "Which tack?"
  give tack
}
to drift { say "nobody steers" }
to tacks(most: number): number {
  roll most d6 as shown
  let turns = 0
  let before = 0
  each gust in shown {
    if gust < before { add 1 to turns }
    set before to gust
  }
  give turns
}
"#;

/// A folder with the game, of one run alone.
fn regatta() -> Folder {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let folder = Folder::new(&format!("odds {}", RUNS.fetch_add(1, Ordering::Relaxed)));
    folder.write("rules/regatta/regatta.ludex", REGATTA);
    folder
}

fn odds(folder: &Folder, expression: &str, more: &[&str]) -> Run {
    ludex(&[&["odds", "regatta", expression, "--library", &folder.path()], more].concat())
}

#[track_caller]
fn text(expression: &str, more: &[&str]) -> String {
    let run = odds(&regatta(), expression, more);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{expression}");
    run.stdout
}

fn json(expression: &str, more: &[&str]) -> Value {
    serde_json::from_str(&text(expression, &[&["--format", "json"], more].concat())).unwrap()
}

/// What is said of an expression without odds; the library is called `LIBRARY`.
#[track_caller]
fn refused(expression: &str) -> String {
    let folder = regatta();
    let run = odds(&folder, expression, &[]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{expression}");
    run.stderr.replace(&folder.path(), "LIBRARY")
}

#[test]
fn numbers_are_told_with_how_likely_they_are_at_least() {
    insta::assert_snapshot!(text("filled(3, 0)", &[]), @r"
    regatta: filled(3, 0)

         chance            at least
      0    8/27  0.296296         1  1.000000
      1     4/9  0.444444     19/27  0.703704
      2     2/9  0.222222      7/27  0.259259
      3    1/27  0.037037      1/27  0.037037

    mean 1 (1.000000), variance 2/3 (0.666667)
    ");
}

#[test]
fn what_is_no_number_has_no_mean() {
    insta::assert_snapshot!(text("2d6 + gusts >= 10", &[]), @r"
    regatta: 2d6 + gusts >= 10

           chance
       no    7/12  0.583333
      yes    5/12  0.416667
    ");
    insta::assert_snapshot!(text("course_of(gusts)", &[]), @r"
    regatta: course_of(gusts)

                chance
      windward    5/12  0.416667
         reach    5/18  0.277778
           lee   11/36  0.305556
    ");
}

#[test]
fn options_modes_and_seats_count() {
    let mean = |expression: &str, more: &[&str]| json(expression, more)["mean"]["fraction"].as_str().unwrap().to_string();
    assert_eq!(mean("filled(2, 0)", &[]), "2/3");
    assert_eq!(mean("filled(2, 0)", &["--option", "swell=0"]), "1");
    assert_eq!(mean("1d2 + gusts", &[]), "7/2");
    assert_eq!(mean("1d2 + gusts", &["--mode", "calm"]), "3/2");
    let folder = regatta();
    folder.write("characters/regatta/dinghy.yaml", "name: Dinghy\n");
    let run = odds(&folder, "sailed(first of boats) = 3", &["--seat", "0=dinghy"]);
    assert!(run.stdout.contains("yes    1/27"), "{}{}", run.stdout, run.stderr);
    let run = odds(&folder, "1d2", &["--seat", "0=dingy"]);
    assert!(run.status == 1 && run.stderr.contains("did you mean `dinghy`?"), "{}", run.stderr);
}

#[test]
fn programs_get_fractions_as_texts() {
    let report = json("filled(1, 0)", &[]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&report).unwrap(), @r#"
    {
      "ludex": 1,
      "command": "odds",
      "game": "regatta",
      "mode": "standard",
      "expression": "filled(1, 0)",
      "exact": true,
      "throws": 2,
      "values": [
        {
          "value": 0,
          "fraction": "2/3",
          "decimal": 0.6666666666666666,
          "at_least": {
            "fraction": "1",
            "decimal": 1.0
          }
        },
        {
          "value": 1,
          "fraction": "1/3",
          "decimal": 0.3333333333333333,
          "at_least": {
            "fraction": "1/3",
            "decimal": 0.3333333333333333
          }
        }
      ],
      "mean": {
        "fraction": "1/3",
        "decimal": 0.3333333333333333
      },
      "variance": {
        "fraction": "2/9",
        "decimal": 0.2222222222222222
      }
    }
    "#);
    assert_eq!(json("1d2 = 1", &[])["values"][1]["value"], true);
    assert_eq!(json("course_of(1)", &[])["values"][0]["value"], "windward");
}

#[test]
fn above_the_limit_chance_is_tried() {
    let more = ["--limit", "1000", "--samples", "2000", "--seed", "5"];
    insta::assert_snapshot!(text("tacks(8) >= 4", &more), @r"
    regatta: tacks(8) >= 4

    There are more than 1,000 throws to look at, so Ludex rolled 2,000 times at
    random, seed 5: each share is between its bounds with 95 % confidence.

              share      from        to
       no  0.766000  0.746946  0.784034
      yes  0.234000  0.215966  0.253054
    ");
    let report = json("tacks(8) >= 4", &more);
    assert_eq!((&report["exact"], &report["samples"], &report["seed"]), (&false.into(), &2000.into(), &5.into()));
    let times = |value: &Value| value["times"].as_u64().unwrap();
    let values = report["values"].as_array().unwrap();
    assert_eq!(values.iter().map(times).sum::<u64>(), 2000);
    assert!(values.iter().all(|value| value["low"].as_f64() < value["share"].as_f64()));
    assert_eq!(text("tacks(8) >= 4", &more), text("tacks(8) >= 4", &more));
}

#[test]
fn what_has_no_odds_is_told() {
    insta::assert_snapshot!(refused("fillet(2, 0) + 1"), @r"
    LX0301

      × nothing is defined as `fillet`
       ╭─[expression:1:1]
     1 │ fillet(2, 0) + 1
       · ───┬──
       ·    ╰── not known
       ╰────
      help: did you mean `filled`?

    1 error
    ");
    insta::assert_snapshot!(refused("3d6 + sails"), @r"
    LX0301

      × nothing here is called `sails`
       ╭─[expression:1:7]
     1 │ 3d6 + sails
       ·       ──┬──
       ·         ╰── not known
       ╰────

    1 error
    ");
    insta::assert_snapshot!(refused("1d6 + steered(first of sides)"), @r#"
    LX0921

      × side 0 is asked here, but odds have no players
        ╭─[LIBRARY/rules/regatta/regatta.ludex:24:3]
     23 │ to steered(side: side): number {
     24 │   side must choose number in 1..3 as tack "Which tack?"
        ·   ──────────────────────────┬──────────────────────────
        ·                             ╰── a question
     25 │   give tack
        ╰────
      help: ask for the odds of a part without a question, with the answer already
            in it

    1 error
    "#);
    insta::assert_snapshot!(refused("12 divided by (1d6 - 1) rounded down"), @r"
    LX0911

      × a number is divided by zero
       ╭─[expression:1:1]
     1 │ 12 divided by (1d6 - 1) rounded down
       · ──────────────────┬─────────────────
       ·                   ╰── here
       ╰────

    1 error
    ");
    insta::assert_snapshot!(refused("drift"), @r#"
    LX0922

      × `drift` gives nothing to work out the odds of
       ╭─[expression:1:1]
     1 │ drift
       · ──┬──
       ·   ╰── gives nothing
       ╰────
        ╭─[LIBRARY/rules/regatta/regatta.ludex:27:4]
     26 │ }
     27 │ to drift { say "nobody steers" }
        ·    ──┬──
        ·      ╰── declared without a `:` and what it gives
     28 │ to tacks(most: number): number {
        ╰────
      help: odds are worked out for any expression, and for procedures that `give`
            something

    1 error
    "#);
    insta::assert_snapshot!(refused("count of ([1, 2] where it >= 1d2)"), @r"
    LX0923

      × nothing can be rolled or carried out for each member of a list
       ╭─[expression:1:24]
     1 │ count of ([1, 2] where it >= 1d2)
       ·                        ────┬────
       ·                            ╰── worked out for each member
       ╰────
      help: roll outside the condition, or write a procedure with `each … in …`
            and ask for what it gives

    1 error
    ");
    insta::assert_snapshot!(refused("3d6 > > 2"), @r"
    LX0101

      × expected a value, found `>`
       ╭─[expression:1:7]
     1 │ 3d6 > > 2
       ·       ┬
       ·       ╰── not expected here
       ╰────

    1 error
    ");
}

#[test]
fn an_unknown_game_is_told() {
    let run = ludex(&["odds", "dice-chalenge", "2d6"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("did you mean `dice-challenge`?"), "{}", run.stderr);
    assert_eq!(ludex(&["odds", "dice-challenge"]).status, 2);
    assert_eq!(ludex(&["odds", "dice-challenge", "2d6", "--samples", "0"]).status, 2);
}

#[test]
fn every_bundled_game_has_dice() {
    let run = ludex(&["odds", "dice-challenge", "-1 + 2d6 >= 7"]);
    assert!(run.status == 0 && run.stdout.contains("yes    5/12  0.416667"), "{}{}", run.stdout, run.stderr);
}
