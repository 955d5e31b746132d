//! Sums of whole games: what happens, what is asked and what is seen in every bundled game and mode. A change that is to
//! leave the rules as they are leaves these as they are; whoever changes rules looks at what else has changed with them.

use crate::support::{Luck, bundled_whole};
use ludex_engine::Compile;
use ludex_engine::json;
use ludex_engine::library::CompileRequest;
use ludex_engine::program::Program;
use ludex_engine::recording::Digest;
use ludex_engine::runtime::{Decision, Dice, Pending, Session, Setup, Viewer};
use std::sync::Arc;

const GAMES: u64 = 3;
/// A game is left after so many answers.
const MOST_ANSWERS: usize = 400;
/// Views are large, so that not each of them is summed up.
const BETWEEN_VIEWS: usize = 20;

/// The game, its mode, and who plays: sides are told apart by `/`.
pub const TABLES: [(&str, &str, &str); 12] = [
    ("dice-challenge", "", "sailor-moon/kunzite"),
    ("dice-challenge", "single-combat", "sailor-moon rubeus/kunzite jadeite"),
    ("dice-challenge", "tag-team", "sailor-moon tuxedo-mask wiseman/sailor-mercury rubeus saphir"),
    ("season-3", "", "eudial/sailor-saturn"),
    ("season-3", "single-combat", "eudial mistress-9/sailor-saturn viluy"),
    ("season-3", "tag-team", "eudial mistress-9 mimete/sailor-saturn viluy sailor-moon"),
    ("dicewing", "", "/"),
    ("tri-stat", "", "knight-of-dawn/dark-queen"),
    ("tri-stat", "", "knight-of-dawn sailor-jupiter/dark-queen/knight-of-dusk"),
    ("sailor-moon-ccg", "", "moon/mercury"),
    ("sailor-moon-ccg", "", "moon/mercury/past"),
    ("sailor-moon-ccg", "basic", "moon/mercury"),
];

#[derive(Default)]
struct Sums {
    answers: usize,
    events: Digest,
    options: Digest,
    views: Digest,
}

impl Sums {
    fn play(&mut self, program: &Arc<Program>, sides: &[Vec<String>], seed: u64) {
        let setup = Setup {
            sides: sides.to_vec(),
            seed: seed.into(),
            dice: Dice::Seeded,
            position: None,
            names: Vec::new(),
            watched: true,
        };
        let mut session = Session::start(program.clone(), &setup).unwrap();
        let mut luck = Luck(seed);
        for answer in 0..MOST_ANSWERS {
            session.take_events().iter().for_each(|event| self.events.add_event(event));
            if answer % BETWEEN_VIEWS == 0 {
                (0..sides.len())
                    .for_each(|seat| self.views.add_line(&json::view_json(&session.view(Viewer::Seat(seat))).to_string()));
            }
            let Pending::Decisions(open) = session.pending() else { break };
            let decision = luck.one_of(open).cloned().unwrap();
            self.ask(&session, &decision);
            session.choose(decision.id, luck.answer(&decision)).unwrap();
            self.answers += 1;
        }
        session.take_events().iter().for_each(|event| self.events.add_event(event));
    }

    fn ask(&mut self, session: &Session, decision: &Decision) {
        let options = session.options(decision.id, 0, decision.count.min(50));
        let keys: Vec<String> = options.into_iter().map(|option| option.key).collect();
        self.options.add_line(&format!("{} of {}: {}", decision.seat, decision.count, keys.join(" ")));
    }

    fn told(&self) -> String {
        let Sums { answers, events, options, views } = self;
        let (happened, asked, seen) = (events.digest_text(), options.digest_text(), views.digest_text());
        format!("{answers} answers, {} events {happened}, options {asked}, views {seen}", events.event_count())
    }
}

#[test]
fn games_go_as_they_went() {
    let library = bundled_whole();
    let mut lines = Vec::new();
    for (game, mode, entrants) in TABLES {
        let wanted = CompileRequest { mode: (!mode.is_empty()).then(|| mode.to_string()), ..CompileRequest::default() };
        let program = Arc::new(library.compile(game, &wanted).0.unwrap());
        let sides: Vec<Vec<String>> =
            entrants.split('/').map(|side| side.split_whitespace().map(str::to_string).collect()).collect();
        let mut sums = Sums::default();
        (0..GAMES).for_each(|seed| sums.play(&program, &sides, seed));
        lines.push(format!("{game} {mode} {entrants}\n  {}", sums.told()));
    }
    insta::assert_snapshot!(lines.join("\n"));
}
