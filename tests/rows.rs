//! `sim --rows`: a row for each game, in a form that others read.

use crate::support::{Folder, Run, ludex_in};
use serde_json::Value;
use std::fs;

/// Some of its games end by a fault, and it has payoffs.
const RISKY: &str = "ludex 1
game risky \"Risky\"
sides 2
die sizes 12
each side has { counter won: halves }
the table has { zone tray: dice, open  counter shown }
to play {
  let one = first of sides
  create die(size: 12) in tray as die
  roll die
  set shown to 12 divided by (die.value - 1) rounded down
  set one.won to half of die.value
  finish with payoff of side = if side is one then side.won else 0 - one.won
}
";

fn risky(name: &str) -> Folder {
    let folder = Folder::empty(name);
    folder.write("rules/risky/risky.ludex", RISKY);
    folder
}

fn sim(folder: &Folder, asked: &[&str]) -> Run {
    ludex_in(folder, &[&["sim"], asked].concat(), "")
}

fn lines(folder: &Folder, file: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.file(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn rows_are_the_games_that_were_counted() {
    let folder = risky("rows-lines");
    let run = sim(&folder, &["risky", "--games", "300", "--rows", "games.jsonl", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let rows = lines(&folder, "games.jsonl");
    let games: Vec<u64> = rows.iter().filter_map(|row| row["game"].as_u64()).collect();
    assert_eq!(games, (0..300).collect::<Vec<_>>());
    let faults = rows.iter().filter(|row| row["end"] == "fault").count() as u64;
    assert!(faults > 0);
    assert_eq!(report["faults"].as_u64(), Some(faults), "{report}");
    for row in rows.iter().filter(|row| row["end"] != "fault") {
        let payoff = row["payoff_0"].as_f64().unwrap();
        assert_eq!(row["payoff_1"].as_f64(), Some(-payoff));
        assert_eq!((row["won_0"].as_bool(), row["characters_0"].as_str()), (Some(payoff > 0.0), Some("")));
    }
    let seeds: std::collections::BTreeSet<u64> = rows.iter().filter_map(|row| row["seed"].as_u64()).collect();
    assert_eq!(seeds.len(), 300);
}

#[test]
fn rows_say_who_played() {
    let folder = risky("rows-characters");
    sim(&folder, &["dice-challenge", "--games", "4", "--seat", "0=sailor-mercury", "--rows", "games.jsonl"]);
    let rows = lines(&folder, "games.jsonl");
    assert!(rows.iter().all(|row| row["characters_0"] == "sailor-mercury" && row["turns"].as_u64() > Some(0)), "{rows:?}");
}

#[test]
fn threads_and_shards_come_to_the_same_rows() {
    let folder = risky("rows-shards");
    sim(&folder, &["risky", "--games", "100", "--threads", "3", "--rows", "many.jsonl"]);
    sim(&folder, &["risky", "--games", "100", "--threads", "1", "--rows", "one.jsonl"]);
    let mut all = String::new();
    for shard in ["0/3", "1/3", "2/3"] {
        let run = sim(&folder, &["risky", "--games", "100", "--shard", shard, "--out", "run", "--rows", "part.jsonl"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        all += &fs::read_to_string(folder.file(&format!("part-{}-of-3.jsonl", &shard[..1]))).unwrap();
    }
    let one = fs::read_to_string(folder.file("one.jsonl")).unwrap();
    assert_eq!(fs::read_to_string(folder.file("many.jsonl")).unwrap(), one);
    assert_eq!(all, one);
}

#[test]
fn of_rows_that_cannot_be_written_nothing_is_left() {
    let folder = risky("rows-refused");
    for (file, told) in [("games.txt", "does not show the format"), ("none/games.jsonl", "cannot be written")] {
        let run = sim(&folder, &["risky", "--games", "3", "--rows", file]);
        assert_ne!(run.status, 0);
        assert!(run.stderr.contains(told) && run.stdout.is_empty(), "{}", run.stderr);
    }
    let left = fs::read_dir(folder.file(".")).unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
    assert_eq!(left.filter(|name| name.contains("games")).collect::<Vec<_>>(), Vec::<String>::new());
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_parquet_it_is_told_how_to_build_it() {
    let run = sim(&risky("rows-without"), &["risky", "--games", "3", "--rows", "games.parquet"]);
    assert_ne!(run.status, 0);
    let told = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("built without Parquet") && told.contains("--features parquet"), "{told}");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_holds_what_the_lines_hold() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use serde_json::json;
    let folder = risky("rows-parquet");
    sim(&folder, &["risky", "--games", "300", "--rows", "games.parquet"]);
    sim(&folder, &["risky", "--games", "300", "--rows", "games.jsonl"]);
    let cell = |field: &Field| match field {
        Field::Null => Value::Null,
        Field::Bool(flag) => json!(flag),
        Field::ULong(number) => json!(number),
        Field::Double(number) => json!(number),
        Field::Str(text) => json!(text),
        other => panic!("{other:?}"),
    };
    let reader = SerializedFileReader::new(fs::File::open(folder.file("games.parquet")).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
    let rows = rows.map(|row| row.get_column_iter().map(|(name, field)| (name.clone(), cell(field))).collect());
    assert_eq!(rows.map(Value::Object).collect::<Vec<_>>(), lines(&folder, "games.jsonl"));
}
