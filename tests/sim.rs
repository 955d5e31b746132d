//! `ludex sim`, as it is shipped.

use crate::payoffs::{WAGER, wager};
use crate::support::{Folder, ludex, ludex_in, run};
use serde_json::Value;

fn report(args: &[&str]) -> Value {
    let run = ludex(&[&["sim", "dice-challenge", "--format", "json"], args].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn results_do_not_depend_on_the_threads() {
    let one = report(&["--games", "300", "--seed", "5", "--threads", "1"]);
    for threads in ["2", "3", "7"] {
        assert_eq!(report(&["--games", "300", "--seed", "5", "--threads", threads]), one);
    }
    assert_ne!(report(&["--games", "300", "--seed", "6"])["digest"], one["digest"]);
}

#[test]
fn the_report_says_who_won_how_often_and_how_sure_that_is() {
    let report = report(&["--games", "400", "--seat", "0=sailor-mercury", "--seat", "1=kunzite"]);
    assert_eq!((&report["ludex"], &report["command"]), (&Value::from(1), &Value::from("sim")));
    assert_eq!(report["sides"][0]["entrants"], serde_json::json!(["sailor-mercury"]));
    let wins = |side: usize| report["sides"][side]["wins"].as_u64().unwrap();
    let others = report["ties"].as_u64().unwrap() + report["capped"].as_u64().unwrap();
    assert_eq!(wins(0) + wins(1) + others, 400);
    for side in 0..2 {
        let number = |key: &str| report["sides"][side][key].as_f64().unwrap();
        assert_eq!(number("win_rate"), wins(side) as f64 / 400.0);
        assert!(number("low") < number("win_rate") && number("win_rate") < number("high"));
    }
    assert!(report["turns"]["max"].as_f64() >= report["turns"]["mean"].as_f64());
    assert_eq!(report["faults"], 0);
}

#[test]
fn a_seat_with_the_largest_number_is_refused() {
    let seat = format!("{}=kunzite", usize::MAX);
    for verb in [&["sim"][..], &["sim", "--all-pairs"], &["play", "--plain"], &["host"]] {
        let refused = ludex(&[verb, &["dice-challenge", "--seat", &seat]].concat());
        assert!([1, 2].contains(&refused.status), "{verb:?}: {}", refused.stderr);
        assert!(refused.stderr.contains(&format!("there is no seat {}", usize::MAX)), "{verb:?}: {}", refused.stderr);
    }
}

#[test]
fn the_largest_numbers_of_games_can_be_divided() {
    let folder = Folder::empty("sim-largest");
    let (rules, most) = (format!("{}/rules/sailor-moon-ccg", env!("CARGO_MANIFEST_DIR")), u64::MAX.to_string());
    let shard = format!("0/{most}");
    let sharded = ["--shard", shard.as_str(), "--out", "shards"];
    run(&folder, &[&["sim", "dicewing", "--games", &most], &sharded[..]].concat(), "");
    // In each of several modes.
    run(&folder, &[&["check", &rules, "--play", &most], &sharded[..]].concat(), "");
}

#[test]
fn everybody_meets_everybody() {
    let report = report(&["--games", "576", "--all-pairs"]);
    let pairs = report["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 24 * 24);
    assert!(pairs.iter().all(|pair| pair["games"] == 1));
}

/// One page that needs nothing else, has every pair, and says of pairs that never met that they have not.
#[test]
fn all_pairs_are_shown_on_a_page() {
    let folder = Folder::new("sim-page");
    let asked = ["sim", "dice-challenge", "--all-pairs", "--games", "300", "--html", "pairs.html"];
    let run = ludex_in(&folder, &asked, "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let page = std::fs::read_to_string(folder.file("pairs.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
    assert_eq!(page.matches("<th scope=\"row\"").count(), 2 * 24);
    assert_eq!(page.matches("class=\"self\"").count(), 24);
    assert!(page.contains(" never met\""), "300 games are fewer than there are pairs");
    for outside in ["<script", "src=", "href=", "url(", "@import", "http://", "https://"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(ludex_in(&folder, &asked, "").status, 0, "its own page is written anew");
    assert!(!folder.file("pairs.html.draft").exists(), "and nothing is left beside it");
    folder.write("mine.txt", "mine");
    let refused = ludex_in(&folder, &["sim", "dice-challenge", "--all-pairs", "--games", "300", "--html", "mine.txt"], "");
    assert_eq!((refused.status, refused.stdout.as_str()), (1, ""));
    assert!(refused.stderr.contains("overwrites only its own pages"), "{}", refused.stderr);
    assert_eq!(std::fs::read_to_string(folder.file("mine.txt")).unwrap(), "mine");
}

#[test]
fn tables_are_written_for_spreadsheets() {
    let table = |args: &[&str]| {
        let run = ludex(&[args, &["--format", "csv"]].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.stdout.lines().map(str::to_string).collect::<Vec<_>>()
    };
    let pairs = table(&["sim", "dice-challenge", "--all-pairs", "--games", "100"]);
    assert_eq!(
        (pairs.len(), pairs[0].as_str()),
        (1 + 24 * 24, "first,second,games,wins,losses,ties,unwon,capped,win_rate,low,high")
    );
    assert!(pairs.iter().any(|row| row.ends_with(",0,0,0,0,0,,,")), "a pair that never met has no share");
    let sides = table(&["sim", "dice-challenge", "--games", "20"]);
    assert_eq!(
        (sides.len(), sides[0].as_str()),
        (3, "side,name,entrants,player,games,wins,shared,lost,ties,unwon,capped,faults,win_rate,low,high")
    );
    let odds = table(&["odds", "dice-challenge", "1d4"]);
    assert_eq!(odds[..2], ["value,fraction,share,low,high,at_least,at_most", "1,1/4,0.25,0.25,0.25,1,0.25"]);
    let folder = Folder::new("sim-csv");
    folder
        .write("rules/toss/toss.ludex", "ludex 1\ngame toss \"Toss, or not\"\nsides 2\nto play { finish with nobody \"so\" }\n");
    let quoted = table(&["list", "--library", &folder.path()]);
    assert!(quoted.iter().any(|row| row.starts_with("toss,game,toss,\"Toss, or not\",")), "{quoted:?}");
    let list = table(&["list"]);
    assert_eq!(list[..2], ["game,what,id,title,from", "dice-challenge,game,dice-challenge,Dice Challenge,bundled"]);
    let characters = table(&["show", "dice-challenge", "characters"]);
    assert!(characters[0].starts_with("id,name,sheet,from,file,lists.starting,"), "{}", characters[0]);
    assert!(characters.iter().any(|row| row.starts_with("kunzite,Kunzite,character,bundled,")), "{characters:?}");
    assert_eq!(characters.len(), 1 + 24);
    let overview = ludex(&["show", "dice-challenge", "--format", "csv"]);
    assert!(overview.status == 2 && overview.stderr.contains("name the rows"), "{}", overview.stderr);
    let refused = ludex(&["doctor", "--format", "csv"]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("possible values: text, json"), "{}", refused.stderr);
}

#[test]
fn checks_find_nothing_wrong() {
    let report = report(&["--games", "144", "--all-pairs", "--check"]);
    assert_eq!(report["check"], serde_json::json!({ "failed": 0, "in_full": 144 }));
}

#[test]
fn what_is_used_is_counted() {
    let report = report(&["--games", "50", "--usage", "--seat", "0=sailor-mercury", "--seat", "1=kunzite"]);
    assert!(report["usage"]["actions"]["power_attack"].as_u64() > Some(50));
    assert!(report["usage"]["abilities"]["dark-kingdom"]["uses"].as_u64() > Some(10));
}

/// Games whose events are counted are watched: rhai runs their scripts, and no short way is taken.
#[test]
fn watched_games_come_to_the_same() {
    let games = ["--games", "576", "--all-pairs", "--seed", "9"];
    let watched = report(&[&games[..], &["--usage"]].concat());
    assert_eq!(watched["digest"], report(&games)["digest"]);
}

#[test]
fn a_look_ahead_wins_more_often_than_chance() {
    let report = report(&["--games", "3", "--seat", "0=sailor-moon:greedy", "--seat", "1=sailor-moon:random"]);
    assert!(report["sides"][0]["wins"].as_u64() >= Some(2), "{report}");
}

#[test]
fn what_cannot_be_simulated_is_refused_with_help() {
    let refused = |args: &[&str], status: i32, words: &str| {
        let run = ludex(&[&["sim", "dice-challenge"], args].concat());
        assert_eq!(run.status, status, "{}", run.stderr);
        assert!(run.stderr.contains(words), "{}", run.stderr);
    };
    refused(&["--seat", "0=sailor-mercur"], 1, "did you mean `sailor-mercury`?");
    refused(&["--seat", "2=kunzite"], 2, "there is no seat 2");
    refused(&["--seat", "0=kunzite:human"], 2, "a human cannot play here");
    refused(&["--seat", "0=kunzite", "--all-pairs"], 2, "chooses the entrants itself");
    refused(&["--games", "0"], 2, "--games");
}

#[test]
fn a_fault_is_noted_and_the_other_games_go_on() {
    let folder = Folder::new("fault");
    folder.write("characters/dice-challenge/jinx.yaml", "name: Jinx\nstarting: [4, 6, 8, 20]\nreserve: [4]\nabilities: [jinx]\nprovenance: {starting: placeholder, reserve: placeholder}\n");
    let script = "//! ability jinx \"Jinx\"\n//!   \"Fails.\"\n//!\n//! offer jinx at attack_rerolled(active, attack)\n//!   when active is me\n//!   says \"fail\"\n\nfn jinx(me) {\n    let none = len(me.in_play) - len(me.in_play);\n    let share = 5 / none;\n    roll(me.in_play, \"Jinx\");\n}\n";
    folder.write("scripts/dice-challenge/jinx.rhai", script);
    let args = ["sim", "dice-challenge", "--library", &folder.path(), "--games", "200", "--format", "json"];
    let run = ludex(&args);
    assert_eq!(run.status, 1, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let faults = report["faults"].as_u64().unwrap();
    assert!((1..200).contains(&faults), "{faults}");
    let trouble = &report["troubles"][0];
    assert_eq!((&trouble["kind"], &trouble["message"]), (&"fault".into(), &"a number is divided by zero".into()));
    assert_eq!(trouble["answers"].as_array().and_then(|all| all.last()).map(|last| &last["key"]), Some(&"jinx".into()));
    assert!(run.stderr.contains("jinx.rhai:10") && run.stderr.contains("ludex replay"), "{}", run.stderr);
    assert_eq!(ludex(&args).stdout, run.stdout);
}

#[test]
fn checking_says_that_it_takes_long() {
    let help = ludex(&["sim", "--help"]).stdout;
    let (_, check) = help.split_once("--check").unwrap();
    let (check, _) = check.split_once("--usage").unwrap();
    let words: Vec<&str> = check.split_whitespace().collect();
    assert!(words.join(" ").contains("much slower"), "{check}");
}

/// Of three sides one wins, two share the win, or all three do, or nobody wins.
#[test]
fn a_win_that_some_share_is_lost_by_the_others() {
    let folder = Folder::new("sim-shared");
    folder.write(
        "rules/trio/trio.ludex",
        "ludex 1\ngame trio \"Trio\"\nsides 3\ndie sizes 4\nthe table has { zone tray: dice, open }\n\
         to play {\n  create die(size: 4) in tray\n  roll tray\n  let shown = sum of tray.value\n\
         let others = sides without [first of sides]\n\
         if shown = 1 { finish with first of sides }\n  if shown = 2 { finish with others }\n\
         if shown = 3 { finish with sides }\n  finish with nobody\n}\n",
    );
    let run = ludex(&["sim", "trio", "--games", "400", "--format", "json", "--library", &folder.path()]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    let of = |side: usize, key: &str| report["sides"][side][key].as_u64().unwrap();
    let games = |side: usize| of(side, "wins") + of(side, "lost") + of(side, "ties");
    let unwon = report["unwon"].as_u64().unwrap();
    assert_eq!([0, 1, 2].map(games), [400 - unwon; 3]);
    assert_eq!((of(0, "wins"), of(1, "wins"), of(2, "wins")), (of(1, "lost"), 0, 0));
    assert_eq!(of(0, "lost"), of(1, "shared") - of(0, "shared"));
    assert!(of(0, "shared") > 50 && of(1, "shared") > 150 && unwon > 50, "{}", run.stdout);
    assert_eq!([0, 1].map(|side| of(side, "ties")), [0, 1].map(|side| of(side, "shared")));
    let text = ludex(&["sim", "trio", "--games", "400", "--library", &folder.path()]).stdout;
    assert!(text.contains(&format!("and {} with others", of(1, "shared"))), "{text}");
}

/// The report of a game in a folder.
fn counted(folder: &Folder, args: &[&str]) -> Value {
    let run = ludex(&[&["sim"], args, &["--format", "json", "--library", &folder.path()]].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr))
}

#[test]
fn the_means_of_payoffs_and_counters_are_told() {
    let folder = wager("sim-means");
    let args = ["wager", "--games", "2000", "--seed", "3", "--count", "won", "--count", "shown", "--count", "won"];
    let one = counted(&folder, &[&args[..], &["--threads", "1"]].concat());
    for threads in ["2", "5"] {
        assert_eq!(counted(&folder, &[&args[..], &["--threads", threads]].concat()), one);
    }
    let mean = |mean: &Value, key: &str| mean[key].as_f64().unwrap();
    let (first, second) = (&one["payoffs"][0], &one["payoffs"][1]);
    assert_eq!((mean(first, "games"), one["payoffs"].as_array().unwrap().len()), (2000.0, 2));
    // A die of four sides shows 2.5 on average, with a deviation of √1.25, and half of it is won.
    assert!((mean(first, "mean") - 1.25).abs() < 0.05 && (mean(first, "deviation") - 0.559).abs() < 0.02, "{first}");
    assert!(mean(first, "low") < 1.25 && 1.25 < mean(first, "high"), "{first}");
    assert_eq!((mean(second, "mean"), mean(second, "deviation")), (-mean(first, "mean"), mean(first, "deviation")));
    let counters = one["counters"].as_array().unwrap();
    assert_eq!(counters.iter().map(|counter| counter["name"].as_str().unwrap()).collect::<Vec<_>>(), ["won", "shown"]);
    assert_eq!((&counters[0]["sides"][0], mean(&counters[0]["sides"][1], "mean")), (first, 0.0));
    assert_eq!(mean(&counters[1]["table"], "mean"), 2.0 * mean(first, "mean"));
    let text = ludex(&["sim", "wager", "--games", "2000", "--seed", "3", "--count", "shown", "--library", &folder.path()]).stdout;
    let shown = format!("  side 0   {:.4} (", mean(first, "mean"));
    assert!(text.contains("\npayoffs: the mean (95 % sure)\n") && text.contains(&shown), "{text}");
    assert!(text.contains("\nshown of the table at the end: the mean (95 % sure)\n  2."), "{text}");
    assert_eq!(report(&["--games", "5"]).get("payoffs"), None);
}

/// What a payoff comes to is part of how a game ended.
#[test]
fn payoffs_count_in_the_digest() {
    let folder = wager("sim-digest");
    let digest = || counted(&folder, &["wager", "--games", "50"])["digest"].clone();
    let (once, again) = (digest(), digest());
    folder.write("rules/wager/wager.ludex", &WAGER.replace("0 - one.won", "0 - one.won - 1"));
    assert_eq!(once, again);
    assert_ne!(once, digest());
}

#[test]
fn one_game_has_no_deviation() {
    let one = counted(&wager("sim-one"), &["wager", "--games", "1"]);
    assert_eq!((&one["payoffs"][0]["games"], &one["payoffs"][0]["deviation"]), (&Value::from(1), &Value::Null));
}

#[test]
fn a_counter_that_is_not_there_is_refused_with_those_that_are() {
    let folder = wager("sim-counter");
    let refused = |game: &str, name: &str| {
        let run = ludex(&["sim", game, "--games", "2", "--count", name, "--library", &folder.path()]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        run.stderr.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let near = refused("wager", "showm");
    assert!(near.contains("neither the sides of `wager` nor its table have a counter `showm`"), "{near}");
    assert!(near.contains("did you mean `shown`?"), "{near}");
    let far = refused("wager", "pebbles");
    assert!(far.contains("the sides have `won`; the table has `shown`"), "{far}");
    folder.write("rules/bare/bare.ludex", "ludex 1\ngame bare \"Bare\"\nsides 2\nto play { finish with nobody }\n");
    assert!(refused("bare", "won").contains("leave out `--count`"));
}

/// Four play together: all win, or two of them do, or nobody.
#[test]
fn those_who_play_together_win_and_lose_together() {
    let folder = Folder::new("sim-together");
    folder.write(
        "rules/rescue/rescue.ludex",
        "ludex 1\ngame rescue \"Rescue\"\nsides 4\ndie sizes 4\nthe table has { zone tray: dice, open }\n\
         to play {\n  create die(size: 4) in tray\n  roll tray\n  let shown = sum of tray.value\n\
         if shown = 1 { finish with sides without [first of sides, last of sides] }\n\
         if shown = 2 { finish with nobody \"the boat is lost\" }\n  finish with sides \"all are ashore\"\n}\n",
    );
    let report = counted(&folder, &["rescue", "--games", "400"]);
    let together = |what: &str| report["together"][what]["games"].as_u64().unwrap();
    assert_eq!((together("won") + together("nobody"), together("nobody")), (400, report["unwon"].as_u64().unwrap()));
    assert!((60..140).contains(&(together("won") - together("all"))) && together("all") > 150, "{report}");
    let rate = report["together"]["won"]["rate"].as_f64().unwrap();
    assert_eq!(rate, together("won") as f64 / 400.0);
    let side = |side: usize, key: &str| report["sides"][side][key].as_f64().unwrap();
    assert_eq!((side(1, "shared_rate"), side(0, "shared")), (rate, together("all") as f64));
    assert!(side(0, "shared_low") < side(0, "shared_rate") && side(0, "shared_rate") < side(0, "shared_high"));
    let text = ludex(&["sim", "rescue", "--games", "400", "--library", &folder.path()]).stdout;
    assert!(text.contains(&format!("together won {}, ", together("won"))), "{text}");
    assert!(text.contains(&format!("; lost {}, ", together("nobody"))), "{text}");
}

/// Both name a side of a coin, the first once in three times, so that chance mixes what they do.
const COIN: &str = "ludex 1
game coin \"Coin\"
sides 2
each side has { counter up }
family call(side: side) {}
action heads is call
action tails is call
policy mixed for call { with chance 1/3 when it is heads prefer highest 1  when it is tails prefer highest 1 }
policy up for call { with chance 1/1 when it is heads prefer highest 1  when it is tails prefer highest 1 }
policy down for call { with chance 0/1 when it is heads prefer highest 1  when it is tails prefer highest 1 }
to play {
  each side in sides {
    side must choose call(side) as called else { stop }
    if called is heads { add 1 to side.up }
  }
  finish with payoff of side = side.up
}
";

#[test]
fn policies_mix_by_chance_the_same_with_any_number_of_threads() {
    let folder = Folder::new("sim-mixed");
    folder.write("rules/coin/coin.ludex", COIN);
    let played = |first: &str, second: &str, more: &[&str]| {
        let seats = [format!("0=:policy={first}"), format!("1=:policy={second}")];
        let args = ["coin", "--games", "9000", "--seat", &seats[0], "--seat", &seats[1]];
        counted(&folder, &[&args[..], more].concat())
    };
    let one = played("mixed", "mixed", &["--threads", "1"]);
    for threads in ["2", "5"] {
        assert_eq!(played("mixed", "mixed", &["--threads", threads]), one);
    }
    let mean = |report: &Value, side: usize| report["payoffs"][side]["mean"].as_f64().unwrap();
    assert!((mean(&one, 0) - 1.0 / 3.0).abs() < 0.02 && (mean(&one, 1) - 1.0 / 3.0).abs() < 0.02, "{one}");
    // Seats draw for themselves: both say the same in 1/9 + 4/9 of the games.
    let ties = one["ties"].as_f64().unwrap() / 9000.0;
    assert!((ties - 5.0 / 9.0).abs() < 0.02, "{ties}");
    let sure = played("up", "down", &[]);
    assert_eq!((mean(&sure, 0), mean(&sure, 1), &sure["sides"][0]["wins"]), (1.0, 0.0, &Value::from(9000)));
    let checked = counted(&folder, &["coin", "--games", "100", "--check", "--seat", "0=:policy=mixed"]);
    assert_eq!(checked["check"]["failed"], 0);
    let seats = ["--seat", "0=:policy=mixed", "--seat", "1=:policy=mixed"];
    let text = run(&folder, &[&["play", "coin", "--seed", "4"], &seats[..]].concat(), "").stdout;
    let path = text.lines().find_map(|line| line.strip_prefix("kept in ")).unwrap();
    run(&folder, &["replay", path], "");
}
