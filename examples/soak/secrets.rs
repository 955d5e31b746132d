//! Two tables that differ only in the secret picks of some seats. Whatever is asked, another seat must get the same lines from
//! both, byte for byte, until it has picked too.
//!
//! Other hidden information cannot be dealt from outside; `tests/noninterference.rs` plays such twins within the process.

use super::changes::{one_of, some};
use super::games::{PLAYS, Play};
use super::lines::{answer, hostile};
use super::table::{Heard, Table};
use super::tally::Tally;
use ludex_engine::runtime::random::{Generator, derive_seed, seeded_generator};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Maximum number of answers before a secret pick.
const MOST_ANSWERS: usize = 200;
/// Number of lines sent while picks are secret.
const LINES: usize = 60;
/// Number of attempts to find another pick.
const TRIES: usize = 40;
const FIRST_MARK: u64 = 1_000_000_000_000_000;

#[derive(Debug, Default)]
struct Counts {
    secrets: u64,
    sent: u64,
    compared: u64,
}

/// Plays `count` pairs of games, starting with number `first`.
pub fn run(folder: &Path, first: u64, count: u64) -> Tally {
    let (mut tally, mut counts) = (Tally::default(), Counts::default());
    for index in first..first + count {
        let play = &PLAYS[index as usize % PLAYS.len()];
        let mut twins = Twins::start(folder, play, index);
        if let Err(told) = twins.keep_a_secret(&mut counts) {
            tally.wrong(format!("pair {index}, {}: {told}", play.name()));
        }
        twins.tables.into_iter().for_each(|table| {
            table.kill();
            table.end();
        });
    }
    let Counts { secrets, sent, compared } = counts;
    println!("{count} pairs of games, {secrets} with a secret pick; {sent} lines sent, {compared} that came back compared");
    tally
}

struct Twins {
    tables: [Table; 2],
    luck: Generator,
    /// Questions by number.
    asked: BTreeMap<u64, Value>,
    mark: u64,
}

impl Twins {
    fn start(folder: &Path, play: &Play, index: u64) -> Twins {
        let arguments = [play.arguments(), vec!["--seed".to_string(), index.to_string()]].concat();
        let tables = [0, 1].map(|_| Table::host(folder, &arguments));
        let (luck, asked, mark) = (seeded_generator(derive_seed(index, 16)), BTreeMap::new(), FIRST_MARK);
        let mut twins = Twins { tables, luck, asked, mark };
        twins.both(["", ""].map(str::as_bytes));
        twins
    }

    fn keep_a_secret(&mut self, counts: &mut Counts) -> Result<(), String> {
        let Some(mut open) = self.find_secret() else { return Ok(()) };
        counts.secrets += 1;
        let own = open.swap_remove(some(&mut self.luck, open.len()));
        let seat = own["seat"].as_u64().unwrap_or_default();
        for other in &open {
            let picks = self.different_answers(other);
            self.compare(seat, picks.each_ref().map(|pick| pick.as_bytes()), counts)?;
        }
        for _ in 0..LINES {
            let line = hostile(Some(&own), &mut self.luck);
            counts.sent += 1;
            if !self.compare(seat, [&line, &line], counts)? {
                break;
            }
        }
        Ok(())
    }

    /// Plays until several seats must pick in secret. Returns their questions.
    fn find_secret(&mut self) -> Option<Vec<Value>> {
        for _ in 0..MOST_ANSWERS {
            let in_groups = self.asked.values().filter(|asked| asked["group"].is_u64() && asked["count"] != 1);
            let open: Vec<Value> = in_groups.cloned().collect();
            if open.len() > 1 {
                return Some(open);
            }
            let ids: Vec<u64> = self.asked.keys().copied().collect();
            if ids.is_empty() {
                return None;
            }
            let asked = self.asked.remove(one_of(&mut self.luck, &ids))?;
            let line = answer(&asked, &mut self.luck).to_string();
            self.both([line.as_bytes(); 2]);
        }
        None
    }

    /// Two answers to one decision, with different options if there are several.
    fn different_answers(&mut self, asked: &Value) -> [String; 2] {
        let count = asked["options"].as_array().map_or(0, Vec::len);
        if asked["form"] == "one" && count > 1 {
            let one = some(&mut self.luck, count);
            let pick = |option: usize| json!({ "choose": asked["id"], "option": option }).to_string();
            return [pick(one), pick((one + 1) % count)];
        }
        let one = answer(asked, &mut self.luck).to_string();
        let mut others = (0..TRIES).map(|_| answer(asked, &mut self.luck).to_string());
        let other = others.find(|other| *other != one);
        [one.clone(), other.unwrap_or(one)]
    }

    /// Sends a line to each table. Returns whether a seat gets the same replies from both. They may differ once the secret is
    /// revealed.
    fn compare(&mut self, seat: u64, lines: [&[u8]; 2], counts: &mut Counts) -> Result<bool, String> {
        let heard = self.both(lines);
        if heard.iter().flatten().any(|line| line.starts_with("{\"type\":\"event\"") || line.starts_with("{\"type\":\"outcome\""))
        {
            return Ok(false);
        }
        let is_own = |line: &&String| {
            let line: Value = serde_json::from_str(line).unwrap_or_default();
            line["to"] == "all" || line["to"].as_array().is_some_and(|to| to.contains(&seat.into()))
        };
        let [one, other] = heard.each_ref().map(|lines| lines.iter().filter(is_own).collect::<Vec<_>>());
        counts.compared += one.len() as u64;
        match one == other {
            true => Ok(true),
            false => Err(format!(
                "seat {seat} can tell two picks apart by `{}`:\n{one:?}\n{other:?}",
                String::from_utf8_lossy(lines[0]).escape_debug()
            )),
        }
    }

    /// Sends a line to each table. Returns the replies without the header of the game, whose salt differs.
    fn both(&mut self, lines: [&[u8]; 2]) -> [Vec<String>; 2] {
        self.mark += 1;
        let mark = format!("\n{{\"random\":{}}}\n", self.mark);
        let marked = format!("\"in_reply_to\":{},", self.mark);
        let mut heard = [Vec::new(), Vec::new()];
        for ((table, line), heard) in self.tables.iter_mut().zip(lines).zip(&mut heard) {
            table.say(&[line, mark.as_bytes()].concat());
            while let Heard::Line(reply) = table.hear() {
                if reply.contains(&marked) {
                    break;
                }
                if !reply.starts_with("{\"type\":\"hello\"") {
                    heard.push(reply);
                }
            }
        }
        let decisions = heard[0].iter().filter(|line| line.starts_with("{\"type\":\"decision\""));
        let decisions = decisions.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        self.asked.extend(decisions.filter_map(|asked| Some((asked["id"].as_u64()?, asked))));
        heard
    }
}
