//! Games at random, told at random moments: whatever is written must pass, and lead to the same place.

use super::{ScenarioStart, Story};
use crate::args::CommonArgs;
use crate::load::open_libraries;
use crate::scenario;
use crate::simulation::Plan;
use ludex_bots::rng::BotRng;
use ludex_bots::{Player, Random};
use ludex_engine::Compile;
use ludex_engine::library::CompileRequest;
use ludex_engine::position::{Heading, Position};
use ludex_engine::program::Program;
use ludex_engine::recording::{Header, RecordedSession};
use ludex_engine::runtime::{Dice, Lots, Session, Setup};
use ludex_engine::source::SourceId;
use ludex_engine::yaml;
use std::path::PathBuf;
use std::sync::Arc;

/// Answers after which a game at random is left, if it is not over by then.
const MOST_ANSWERS: usize = 60;

/// All bundled and classic games, in each of their modes.
fn programs() -> Vec<Arc<Program>> {
    let classics = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics"));
    let loaded = open_libraries(&CommonArgs { no_local: true, libraries: vec![classics], ..CommonArgs::default() });
    let games = loaded.library.game_ids();
    let each = games.iter().flat_map(|game| {
        loaded.library.requests_by_mode(game, &CompileRequest::default()).into_iter().map(move |wanted| (game, wanted))
    });
    each.filter_map(|(game, wanted)| loaded.library.compile(game, &wanted).0).map(Arc::new).collect()
}

/// A game of a program between bots that answer at random, which may take answers back.
fn played(program: &Arc<Program>, seed: u64) -> RecordedSession {
    let plan = Plan::random_plan(program, 1, seed).unwrap();
    let mut setup = plan.setup_template();
    plan.prepare_setup(&mut setup, 0);
    let setup = Setup { watched: true, seed: ludex_engine::recording::fresh_seed(seed.into(), 7), ..setup };
    let header = Header::new(program, &setup, Vec::new(), String::new());
    let (mut recorded, _) = RecordedSession::start(program.clone(), &setup, header).unwrap();
    let (mut bot, mut luck) = (Random::new(BotRng::new(seed, 1)), BotRng::new(seed, 2));
    while recorded.entries().len() < MOST_ANSWERS {
        while let Some(step) = recorded.answer_forced() {
            step.unwrap();
        }
        let Some(decision) = recorded.open_decisions().first().cloned() else { break };
        let undo = recorded.possible_take_back(decision.seat).filter(|_| luck.draw_below(12) == 0);
        match undo {
            Some(undo) => drop(recorded.carry_out_take_back(undo)),
            None => {
                let choice = bot.answer(recorded.session(), &decision).unwrap();
                recorded.answer_decision(decision.id, choice).unwrap();
            }
        }
    }
    recorded
}

/// How many scenarios and positions start at an entry, and at the beginning because nothing else would do.
#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    without: Vec<String>,
    early: Vec<String>,
    scenarios: usize,
}

fn told(program: &Arc<Program>, games: u64, moments: usize, tally: &mut Tally) {
    for seed in 0..games {
        let recorded = played(program, 100 * seed + 3);
        let story = Story::from_recording(&recorded).unwrap_or_else(|problem| panic!("{}: {problem:?}", program.game));
        let mut luck = BotRng::new(seed, 9);
        for _ in 0..moments {
            let to = luck.draw_below(story.answer_count() as u64 + 1) as usize;
            let from = ScenarioStart::Step(luck.draw_below(to as u64 + 1) as usize);
            for from in [ScenarioStart::Beginning, from] {
                let told =
                    story.write_scenario("as it was", from, to).unwrap_or_else(|problem| panic!("{}: {problem:?}", program.game));
                scenario::check_text_passes(program, &told.text)
                    .unwrap_or_else(|problem| panic!("{}: {problem:?}\n{}", program.game, told.text));
                tally.scenarios += 1;
                tally.early.extend(told.why_earlier.map(|why| format!("{} {}: {why}", program.game, program.mode)));
            }
            match story.write_position(to) {
                Ok(told) => {
                    tally.positions += 1;
                    let (node, mut problems) = yaml::parse_document(&told.text, SourceId(0));
                    let node = node.unwrap();
                    assert_eq!(Heading::from_node(&node).game.map(|game| game.value), Some(program.game.clone()));
                    let position = Position::read(&node, program, &mut problems);
                    assert_eq!(problems, vec![], "{}", told.text);
                    let sides = position.iter().flat_map(|position| &position.sides);
                    let sides = sides.map(|side| side.entrants.iter().map(|id| id.value.clone()).collect()).collect();
                    let setup = Setup { sides, seed: 5.into(), dice: Dice::Seeded, position, names: Vec::new(), watched: true };
                    Session::start(program.clone(), &setup).unwrap_or_else(|problem| panic!("{problem:?}\n{}", told.text));
                }
                Err(problem) => tally.without.push(format!("{} {}: {}", program.game, program.mode, problem.message)),
            }
        }
    }
}

#[test]
fn whatever_is_told_of_any_game_passes() {
    let mut tally = Tally::default();
    let programs = programs();
    programs.iter().for_each(|program| told(program, 1, 2, &mut tally));
    let moments = 2 * programs.len();
    assert_eq!(tally.scenarios, 2 * moments);
    assert_eq!(tally.positions + tally.without.len(), moments);
    // Where no entry can be written down, a game is told from its beginning: that must not be how most are told.
    assert!(2 * tally.positions > moments, "{tally:#?}");
    assert!(2 * tally.early.len() < moments, "{tally:#?}");
}
