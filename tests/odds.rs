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
to until_still(most: number): number {
  repeat at most most times {
    roll 1 d2 as shown
    if shown = [2] { give 2 }
  } otherwise { give 1 }
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

         chance            at least   at most
      0    8/27  0.296296  1.000000  0.296296  █████████████████████▍
      1     4/9  0.444444  0.703704  0.740741  ████████████████████████████████
      2     2/9  0.222222  0.259259  0.962963  ████████████████
      3    1/27  0.037037  0.037037  1.000000  ██▋

    mean 1, variance 2/3 (0.666667), standard deviation 0.816497
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
      windward    5/12  0.416667  ████████████████████████████████
         reach    5/18  0.277778  █████████████████████▍
           lee   11/36  0.305556  ███████████████████████▌
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
    assert!(report["work"].as_u64().is_some_and(|work| work > 0));
    let half = |fraction: &str, decimal: f64| serde_json::json!({ "fraction": fraction, "decimal": decimal });
    let (third, thirds) = (half("1/3", 1.0 / 3.0), half("2/3", 2.0 / 3.0));
    let expected = serde_json::json!({
        "ludex": 1,
        "command": "odds",
        "game": "regatta",
        "mode": "standard",
        "expression": "filled(1, 0)",
        "exact": true,
        "work": report["work"],
        "values": [
            { "value": 0, "fraction": "2/3", "decimal": 2.0 / 3.0, "at_least": half("1", 1.0), "at_most": thirds },
            { "value": 1, "fraction": "1/3", "decimal": 1.0 / 3.0, "at_least": third, "at_most": half("1", 1.0) },
        ],
        "mean": third,
        "variance": half("2/9", 2.0 / 9.0),
        "deviation": (2.0f64 / 9.0).sqrt(),
    });
    assert_eq!(report, expected);
    assert_eq!(json("1d2 = 1", &[])["values"][1]["value"], true);
    assert_eq!(json("course_of(1)", &[])["values"][0]["value"], "windward");
}

#[test]
fn above_the_limit_chance_is_tried() {
    let more = ["--limit", "20", "--samples", "2000", "--seed", "5"];
    insta::assert_snapshot!(text("tacks(8) >= 4", &more), @r"
    regatta: tacks(8) >= 4

    The exact odds need more work than 20 or more memory than 256 MB, so Ludex
    rolled 2,000 times at random, seed 5. Each share is between its bounds with 95 %
    confidence. A higher --limit or --memory may find exact odds.

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
      help: did you mean `sailed`?

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
      help: `--best` finds the best answers; or ask for a part without questions,
            with the answer filled in

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

      × `drift` gives no value, so it has no odds
       ╭─[expression:1:1]
     1 │ drift
       · ──┬──
       ·   ╰── gives no value
       ╰────
        ╭─[LIBRARY/rules/regatta/regatta.ludex:27:4]
     26 │ }
     27 │ to drift { say "nobody steers" }
        ·    ──┬──
        ·      ╰── declared without a `:` and a type
     28 │ to tacks(most: number): number {
        ╰────
      help: ask for the odds of an expression, or of a procedure with a `give`

    1 error
    "#);
    insta::assert_snapshot!(refused("count of ([1, 2] where it >= 1d2)"), @r"
    LX0923

      × dice and procedures cannot run for each member of a list
       ╭─[expression:1:24]
     1 │ count of ([1, 2] where it >= 1d2)
       ·                        ────┬────
       ·                            ╰── worked out for each member
       ╰────
      help: roll outside the condition, or write a procedure with `each … in …`
            and ask for its value

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

#[test]
fn many_values_share_rows_unless_all_are_asked_for() {
    insta::assert_snapshot!(text("9d6", &[]), @r"
    regatta: 9d6

                           chance            at least   at most
       up to 17    23815/10077696  0.002363  1.000000  0.002363  ▎
       18 to 20   126127/10077696  0.012515  0.997637  0.014879  █
       21 to 23     75073/1679616  0.044697  0.985121  0.059575  ███▊
       24 to 26    180767/1679616  0.107624  0.940425  0.167199  █████████
       27 to 29  1845853/10077696  0.183162  0.832801  0.350361  ███████████████▍
       30 to 32    252823/1119744  0.225786  0.649639  0.576148  ███████████████████
       33 to 35    227767/1119744  0.203410  0.423852  0.779558  █████████████████▏
       36 to 38  1343707/10077696  0.133335  0.220442  0.912892  ███████████▎
       39 to 41    209641/3359232  0.062407  0.087108  0.975300  █████▎
       42 to 44     67427/3359232  0.020072  0.024700  0.995372  █▊
       45 to 47     10411/2519424  0.004132  0.004628  0.999504  ▍
      48 and up      1249/2519424  0.000496  0.000496  1.000000

    mean 63/2 (31.500000), variance 105/4 (26.250000), standard deviation 5.123475

    46 values in 12 rows; `--all` prints a row for each
    ");
    let all = text("9d6", &["--all"]);
    assert_eq!(all.lines().count(), 46 + 5, "{all}");
    let lists = text("sorted 3d6", &[]);
    assert!(lists.contains("others") && lists.lines().count() <= 20, "{lists}");
}

#[test]
fn no_line_is_too_long() {
    for expression in ["40d6", "sorted 3d8", "1d100 * 1d100", "(2d6) d4", "30d20 < 300"] {
        for more in [&["--percent"][..], &["--limit", "1", "--samples", "50"]] {
            let text = text(expression, more);
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
            assert!(text.lines().count() <= 25, "{text}");
        }
    }
    let all = text("40d6", &["--all"]);
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
}

#[test]
fn chances_may_be_read_in_per_cent() {
    insta::assert_snapshot!(text("2d6 = 7", &["--percent"]), @r"
    regatta: 2d6 = 7

              chance
       no  83.3333 %
      yes  16.6667 %
    ");
}

#[test]
fn several_expressions_share_a_table() {
    let folder = regatta();
    let asked = |more: &[&str]| {
        let run = ludex(&[&["odds", "regatta", "1d4", "2d2", "--library", &folder.path()], more].concat());
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        run.stdout
    };
    insta::assert_snapshot!(asked(&[]), @r"
    regatta: 2 expressions

                                1d4                 2d2
                   chance  at least    chance  at least
              1  0.250000  1.000000            1.000000
              2  0.250000  0.750000  0.250000  1.000000
              3  0.250000  0.500000  0.500000  0.750000
              4  0.250000  0.250000  0.250000  0.250000

           mean  2.500000            3.000000
      deviation  1.118034            0.707107
    ");
    let report: Value = serde_json::from_str(&asked(&["--format", "json"])).unwrap();
    let names: Vec<&Value> = report["results"].as_array().unwrap().iter().map(|result| &result["expression"]).collect();
    assert_eq!(names, ["1d4", "2d2"]);
    assert_eq!(report["results"][1]["values"][0], json("2d2", &[])["values"][0]);
    let csv = asked(&["--format", "csv"]);
    let mut lines = csv.lines();
    let header = "value,1d4 share,1d4 low,1d4 high,1d4 at_least,1d4 at_most,2d2 share,2d2 low,2d2 high,2d2 at_least,2d2 at_most";
    assert_eq!(lines.next(), Some(header));
    assert_eq!(lines.next(), Some("1,0.25,0.25,0.25,1,0.25,0,0,0,1,0"));
    let long = ludex(&["odds", "dice-challenge", "2d20 >= 15", "highest 1 of 2d20 >= 15", "1d20"]);
    assert!(long.stdout.contains("\n  B  highest 1 of 2d20 >= 15\n"), "{}", long.stdout);
}

#[test]
fn work_that_is_stopped_gives_bounds() {
    insta::assert_snapshot!(text("tacks(8)", &["--time", "0s"]), @r"
    regatta: tacks(8)

    Ludex worked until its time was up (--time). Each chance is between its bounds,
    `from` and `to`: 1.000000 is not settled.

                  from        to
      others  0.000000  1.000000
    ");
    let report = json("tacks(8)", &["--time", "0s"]);
    assert_eq!((&report["exact"], &report["stopped"]), (&false.into(), &"time".into()));
    let report = json("tacks(8)", &["--memory", "1kB"]);
    assert_eq!((&report["exact"], &report["stopped"]), (&false.into(), &"memory".into()));
    assert_eq!(text("tacks(8)", &["--time", "0s", "--format", "csv"]).lines().count(), 1);
    // Rolls end, too.
    let rolled = json("tacks(8)", &["--limit", "1", "--time", "0s"]);
    assert!(rolled["exact"] == false && rolled["stopped"] == "time", "{rolled}");
}

#[test]
fn what_is_left_out_is_told() {
    let told = "The cases left out are less likely than 1e-";
    assert!(text("until_still(1000)", &[]).contains(told));
    assert!(!text("until_still(3)", &[]).contains(told));
    assert!(json("until_still(1000)", &[])["cut"].as_str().is_some_and(|cut| cut.starts_with("1e-")));
    assert!(json("until_still(3)", &[]).get("cut").is_none());
}

#[test]
fn shards_do_the_same_work_on_every_machine() {
    let folder = regatta();
    let path = folder.path();
    let shard = ["--limit", "1", "--shard", "0/2", "--out", "run", "--library", &path];
    for more in [&["--time", "1s"][..], &["--memory", "1GB"], &["1d6"], &["--html", "odds.html"]] {
        let run = ludex(&[&["odds", "regatta", "2d6"], more, &shard].concat());
        assert_eq!(run.status, 2, "{more:?}");
        assert!(run.stderr.contains("`--shard` cannot be combined with") && run.stderr.contains("help: "), "{}", run.stderr);
    }
}

#[test]
fn a_page_shows_tables_and_bars() {
    let folder = regatta();
    let path = folder.file("odds.html");
    let path = path.to_str().unwrap();
    let expressions = ["2d6 < 4", "3d6"];
    let page_of = || {
        let run = ludex(&["odds", "regatta", expressions[0], expressions[1], "--html", path, "--library", &folder.path()]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        std::fs::read_to_string(path).unwrap()
    };
    let page = page_of();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
    assert!(page.contains("<bdi>2d6 &lt; 4</bdi>") && page.contains("<rect width=\"1000.0\""), "{page}");
    assert!(
        !page.contains("<script") && !page.contains("http:") && !page.contains("https:") && page.contains("prefers-color-scheme")
    );
    // It is overwritten, but nothing else is.
    assert_eq!(page_of(), page);
    folder.write("odds.html", "mine");
    let run = ludex(&["odds", "regatta", "1d6", "--html", path, "--library", &folder.path()]);
    assert!(run.status == 1 && run.stderr.contains("overwrites only its own pages"), "{}", run.stderr);
}

/// What is said of an expression of a bundled game.
#[track_caller]
fn refused_of(game: &str, arguments: &[&str]) -> String {
    let run = ludex(&[&["odds", game], arguments].concat());
    assert_eq!(run.stdout, "", "{arguments:?}");
    run.stderr
}

#[test]
fn forms_of_other_programs_are_answered() {
    insta::assert_snapshot!(refused_of("dice-challenge", &["4d6kh3 + 2"]), @r"
    LX0104

      × `4d6kh3` is written differently here
       ╭─[expression:1:1]
     1 │ 4d6kh3 + 2
       · ───┬──
       ·    ╰── not like this
       ╰────
      help: write `sum of highest 3 of 4d6`

    1 error
    ");
    insta::assert_snapshot!(refused_of("dice-challenge", &["max(1d6, 1d8)"]), @r"
    LX0301

      × nothing is defined as `max`
       ╭─[expression:1:1]
     1 │ max(1d6, 1d8)
       · ─┬─
       ·  ╰── not known
       ╰────
      help: the highest of some numbers is written `highest of [a, b]`; a bound,
            `a but at least b`

    1 error
    ");
    insta::assert_snapshot!(refused_of("dice-challenge", &["(1d6 + 2d8) / 2"]), @r"
    LX0104

      × a division says how it is rounded
       ╭─[expression:1:13]
     1 │ (1d6 + 2d8) / 2
       ·             ┬
       ·             ╰── `/` does not
       ╰────
      help: write `(1d6 + 2d8) divided by 2 rounded down`, or `half of (1d6 +
            2d8)` to keep the half that may be left

    1 error
    ");
    insta::assert_snapshot!(refused_of("dice-challenge", &["3d6 >="]), @r"
    LX0101

      × expected a value after `>=`
       ╭─[expression:1:5]
     1 │ 3d6 >=
       ·     ─┬
       ·      ╰── something is missing after this
       ╰────

    1 error
    ");
    insta::assert_snapshot!(refused_of("dice-challenge", &["first of 3d6 > 3"]), @r"
    LX0406

      × a number or none cannot be compared with a number
       ╭─[expression:1:1]
     1 │ first of 3d6 > 3
       · ────────┬───────
       ·         ╰── cannot be compared
       ╰────
      help: `sum of …` makes it a number, which is 0 for none

    1 error
    ");
    insta::assert_snapshot!(refused_of("dice-challenge", &["2d6 7"]), @r"
    LX0101

      × expected an operator or the end of the expression, found `7`
       ╭─[expression:1:5]
     1 │ 2d6 7
       ·     ┬
       ·     ╰── not expected here
       ╰────

    1 error
    ");
}

#[test]
fn a_fault_has_its_own_places_alone() {
    insta::assert_snapshot!(refused_of("dice-challenge", &["1d0"]), @r"
    LX0932

      × 1 d0 cannot be rolled: a throw has 0 to 1000 dice of 1 to 1000000 faces
       ╭─[expression:1:1]
     1 │ 1d0
       · ─┬─
       ·  ╰── here
       ╰────

    1 error
    ");
    let told = refused_of("dice-challenge", &["(first of sides).fighter.in_play.value"]);
    assert!(told.contains("help: say who plays: `--seat 0=… --seat 1=…`"), "{told}");
    insta::assert_snapshot!(refused_of("dice-challenge", &["play", "--seat", "0=sailor-moon"]), @r"
    LX0907

      × a side brings 1, not 0
      help: say who plays: `--seat 0=… --seat 1=…`

    1 error
    ");
}

#[test]
fn names_that_are_nearly_right_are_told() {
    assert!(refused("flled(3, 0)").contains("did you mean `filled`?"));
    assert!(refused("untl_still").contains("did you mean `until_still`?"));
    let folder = regatta();
    let run = ludex(&["odds", "regatta.ludex", "1d6", "--library", &folder.path()]);
    assert!(run.stderr.contains("write its name, `regatta`"), "{}", run.stderr);
    let run = ludex(&["odds", "regatta", "1d6", "--library", &format!("{}/nowhere", folder.path())]);
    assert!(run.stderr.contains("LX0005") && run.stderr.contains("there is no folder"), "{}", run.stderr);
}

#[test]
fn numbers_on_the_command_line_are_whole_and_not_negative() {
    let first = |more: &[&str]| refused_of("dice-challenge", &[&["2d6"], more].concat());
    insta::assert_snapshot!(first(&["--limit", "1e6"]), @r"
    LX0016

      × invalid value '1e6' for '--limit <N>': write it in digits only

    1 error
    ");
    insta::assert_snapshot!(first(&["--limit", "-1"]), @r"
    LX0016

      × invalid value '-1' for '--limit <N>': write it in digits only

    1 error
    ");
}
