//! A refusal tells nothing of what a seat cannot see: whatever is sent for an answer, by option, key or arguments, and whatever
//! piece, ability or word of the game it names, the reply is the same in every world that agrees with what the seat has seen.

use crate::classics::program;
use crate::support::{Folder, Luck, bundled, ludex_in};
use ludex::protocol::messages;
use ludex::protocol::request::{Answer, Rejection};
use ludex_engine::Compile;
use ludex_engine::library::{CompileRequest, File, Library};
use ludex_engine::program::Program;
use ludex_engine::runtime::{Decision, Dice, Pending, Session, SessionOptions, Setup};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many games are played, how many answers of each, at which of them is asked, and how much is sent then.
#[derive(Clone, Copy)]
struct Effort {
    games: u64,
    answers: usize,
    between: usize,
    sent: usize,
}

/// A number that no piece has.
const NO_PIECE: usize = 99_999;

/// Everything that the game has a name for, and the number of every piece.
fn names(session: &Session) -> Vec<String> {
    let program = session.program();
    let mut names: BTreeSet<String> = (0..session.piece_count()).map(|piece| piece.to_string()).collect();
    names.extend(program.abilities.iter().flat_map(|ability| [ability.id.clone(), ability.title.clone()]));
    names.extend(program.words.iter().flat_map(|of| of.words.iter().cloned()));
    names.extend(program.actions.iter().map(|action| action.name.clone()));
    names.extend(program.clauses.iter().map(|clause| clause.name.clone()));
    names.extend(program.marks.iter().map(|mark| mark.name.clone()));
    names.extend(program.prints.ids.keys().cloned());
    names.extend(["pass", "none", "back", "0.hand", "", "0+1", "-1"].map(str::to_string));
    names.into_iter().collect()
}

/// Every answer that names one of these: alone, as what is chosen, and in each role of each action. The other roles have what
/// some option has there.
fn answers(session: &Session, decision: &Decision, names: &[String]) -> Vec<Answer> {
    let count = decision.count;
    let mut answers: Vec<Answer> = [count, count + 1, u64::MAX].map(Answer::Option).into();
    let options = session.options(decision.id, 0, count.min(200));
    for name in names {
        answers.extend([Answer::Key(name.clone()), Answer::Key(format!("choose({name})")), Answer::Options(vec![json!(name)])]);
        for action in &session.program().actions {
            let like = options.iter().find(|option| option.action == action.name);
            let usual = like.and_then(|option| option.key.split_once('(')).map(|(_, inner)| inner.trim_end_matches(')'));
            let usual: Vec<&str> = usual.map_or(vec!["0"; action.roles.len()], |inner| inner.split('>').collect());
            for (place, role) in action.roles.iter().enumerate() {
                let words = usual.iter().enumerate().map(|(other, word)| if other == place { name.as_str() } else { *word });
                let words: Vec<&str> = words.collect();
                answers.push(Answer::Key(format!("{}({})", action.name, words.join(">"))));
                let named = action.roles.iter().zip(&words).map(|(role, word)| (role.name.clone(), json!(word)));
                answers.push(Answer::Args { action: Some(action.name.clone()), args: named.collect() });
                let alone = Map::from_iter([(role.name.clone(), name.parse::<u64>().map_or(json!(name), Value::from))]);
                answers.push(Answer::Args { action: None, args: alone });
            }
        }
    }
    answers
}

/// The line that is sent in reply to an answer that is not taken; else what it means.
fn reply(session: &Session, decision: &Decision, answer: &Answer) -> String {
    let rejected = |rejection: Rejection| messages::remove_private_fields(messages::rejected_message(rejection)).to_string();
    ludex::protocol::answer::parse_choice(session, decision, answer).map_or_else(rejected, |choice| format!("{choice:?}"))
}

/// Sends so many of all answers to a world and its twin.
fn no_refusal_tells(session: &Session, twin: &Session, decision: &Decision, luck: &mut Luck, most: usize) {
    let all = answers(session, decision, &names(session));
    let step = all.len() / most + 1;
    let first = luck.below(step as u64) as usize;
    for answer in all.iter().skip(first).step_by(step) {
        let replies = [session, twin].map(|world| reply(world, decision, answer));
        assert_eq!(replies[0], replies[1], "{answer:?} tells seat {} something", decision.seat);
        no_piece_out_of_sight_is_known(session, decision, answer, &replies[0]);
    }
}

/// A piece that is not seen is answered like one that there is not.
fn no_piece_out_of_sight_is_known(session: &Session, decision: &Decision, answer: &Answer, reply_to_it: &str) {
    let Answer::Key(key) = answer else { return };
    let Some((action, inner)) = key.split_once('(') else { return };
    let Some(info) = session.program().actions.iter().find(|info| info.name == action) else { return };
    if !reply_to_it.starts_with('{') {
        return;
    }
    let words: Vec<&str> = inner.trim_end_matches(')').split('>').collect();
    for (place, word) in words.iter().enumerate() {
        let Some(piece) = word.parse::<usize>().ok().filter(|piece| *piece < session.piece_count()) else { continue };
        let is_of_pieces = info.roles.get(place).is_some_and(|role| session.program().is_piece(&role.item));
        let is_alone = words.iter().filter(|other| *other == word).count() == 1;
        if !is_of_pieces || !is_alone || session.can_see(decision.seat, piece) {
            continue;
        }
        let mut other = words.clone();
        let no_piece = NO_PIECE.to_string();
        other[place] = &no_piece;
        let other = format!("{action}({})", other.join(">"));
        let nameless = |reply: &str, key: &str, word: &str| {
            // Replies repeat a key without the spaces in it.
            let key: String = key.chars().filter(|sign| !sign.is_whitespace()).collect();
            reply.replace(&key, "KEY").replace(&format!("`{word}`"), "it")
        };
        let reply_to_none = reply(session, decision, &Answer::Key(other.clone()));
        assert_eq!(
            nameless(reply_to_it, key, word),
            nameless(&reply_to_none, &other, &no_piece),
            "piece {piece} is answered like none in `{key}`"
        );
    }
}

fn attack(program: &Arc<Program>, sides: &[Vec<String>], effort: Effort) {
    for seed in 0..effort.games {
        let setup = Setup {
            sides: sides.to_vec(),
            seed: seed.into(),
            dice: Dice::Seeded,
            position: None,
            names: Vec::new(),
            watched: true,
        };
        let mut session =
            Session::start_with(program.clone(), &setup, SessionOptions { renumbers: true, ..SessionOptions::default() })
                .unwrap();
        let mut luck = Luck(seed);
        for answered in 0..effort.answers {
            let Pending::Decisions(open) = session.pending() else { break };
            let open = open.to_vec();
            if answered % effort.between == 0 {
                for decision in &open {
                    let twin = session.imagine(decision.seat, luck.below(1 << 30));
                    no_refusal_tells(&session, &twin, decision, &mut luck, effort.sent);
                }
            }
            let Some(decision) = luck.one_of(&open).cloned() else { break };
            session.choose(decision.id, luck.answer(&decision)).unwrap();
        }
    }
}

fn games(effort: Effort) {
    let (cards, problems) = bundled("sailor-moon-ccg").compile("sailor-moon-ccg", &CompileRequest::default());
    let cards = Arc::new(cards.unwrap_or_else(|| panic!("{problems:#?}")));
    let players = |names: &[&str]| names.iter().map(|name| vec![(*name).to_string()]).collect::<Vec<_>>();
    attack(&cards, &players(&["moon", "mercury"]), effort);
    let three = players(&["north", "east", "south"]);
    let four = players(&["north", "east", "south", "west"]);
    let two = vec![Vec::new(); 2];
    for (game, sides) in [
        ("liars-dice", &two),
        ("hearts", &four),
        ("president", &four),
        ("kuhn-poker", &two),
        ("love-letter", &three),
        ("coup", &three),
        ("hanabi", &three),
    ] {
        attack(&program(game), sides, effort);
    }
}

#[test]
fn no_refusal_in_a_game_with_hidden_hands_tells_what_is_hidden() {
    games(Effort { games: 1, answers: 60, between: 12, sent: 300 });
}

#[test]
#[ignore = "takes minutes; run by hand with `--release`"]
fn no_refusal_in_many_games_tells_what_is_hidden() {
    games(Effort { games: 5, answers: 200, between: 5, sent: 4_000 });
}

/// Every stone in a hand forbids the other side to play, each by a curse of its own, and grants a move that only works while it
/// is held.
const WARDS: &str = "ludex 1
game wards \"Wards\"
sides 2 of 1 player
sheet stone {}
sheet player (players) { zone pack: stones, seen by nobody, in order }
piece stone (stones) from stone {}
each side has { zone hand: stones, seen by owner  zone shown: stones, open }
the table has { zone deck: stones, seen by nobody, in order }
family play_of(active: side) { stone: stone }
action lay(stone in active.hand + active.shown) is play_of
  says \"lay {stone}\"
  do { move stone to active.shown }
to play {
  move (first of sides).players.pack to deck
  move (last of sides).players.pack to deck
  shuffle deck
  each side in sides { move top 2 of deck to side.hand }
  each side in sides { move top 1 of deck to side.shown }
  repeat 3 times { each side in sides { side may choose play_of \"Play?\" ask even when forced } }
  finish with nobody
}
";

fn wards() -> Arc<Program> {
    let stones: Vec<String> = (1..=6).map(|stone| format!("stone-{stone}")).collect();
    let file = |path: &str, text: &str| File { path: path.to_string(), text: text.to_string(), library: "test".to_string() };
    let mut sheets = "sheets:\n".to_string();
    let mut files = vec![file("rules/wards/wards.ludex", WARDS)];
    for stone in &stones {
        sheets.push_str(&format!("  {stone}: {{sheet: stone, name: {stone}, abilities: [curse-of-{stone}]}}\n"));
        let script = format!(
            "//! ability curse-of-{stone} \"Curse of {stone}\"\n//!   \"While it is held, the other side lays nothing.\"\n\
             //! forbid play_of when active is not me and holder in me.hand\n\
             //! grant blast_of_{}(stone in active.shown) is play_of\n//!   when holder in me.hand else \"{{holder}} is not held\"\n\
             //!   when active is me\n//!   says \"blast {{stone}}\"\n//!   do {{ move stone to active.hand }}\n",
            stone.replace('-', "_")
        );
        files.push(file(&format!("scripts/wards/curse-of-{stone}.rhai"), &script));
    }
    let pack = stones.iter().map(|stone| format!("{stone}: 1")).collect::<Vec<_>>().join(", ");
    for player in ["north", "south"] {
        sheets.push_str(&format!("  {player}: {{sheet: player, name: {player}, pack: {{{pack}}}}}\n"));
    }
    files.push(file("characters/wards/pack.yaml", &sheets));
    let (library, problems) = Library::new(files);
    let (program, more) = library.compile("wards", &CompileRequest::default());
    Arc::new(program.unwrap_or_else(|| panic!("{problems:#?} {more:#?}")))
}

#[test]
fn what_a_card_out_of_sight_forbids_or_grants_is_refused_without_its_name() {
    let sides = ["north", "south"].map(|player| vec![player.to_string()]);
    attack(&wards(), &sides, Effort { games: 3, answers: 4, between: 1, sent: 400 });
}

const LABELS: &str = "ludex 1
game labels \"Labels\"
sides 2
die sizes 6
each side has { zone behind: dice, seen by owner  zone shown: dice, open }
family grab_of(active: side) { die: die }
action grab(die in active.shown) is grab_of
  says \"grab {die}\"
  do { move die to active.behind }
to play { do turn(first of sides) }
entry scope turn(active: side) { active may choose grab_of \"Grab?\" ask even when forced  finish with nobody }
";

/// A position gives names to pieces. The name of one that a seat cannot see is answered like a name that it does not give.
#[test]
fn the_name_that_a_position_gives_to_a_hidden_piece_is_no_name() {
    let folder = Folder::new("refusals-labels");
    folder.write("rules/labels/labels.ludex", LABELS);
    let position = "ludex-position: 1\ngame: labels\nsides:\n\
        - {zones: {behind: [{id: own, size: 6, value: 2}], shown: [{id: open, size: 6, value: 1}]}}\n\
        - {zones: {behind: [{id: secret, size: 6, value: 3}]}}\nat: turn(active: 0)\n";
    folder.write("labels.yaml", position);
    let keys = ["secret", "nothing", "own"].map(|name| format!("{{\"choose\":1,\"key\":\"grab({name})\"}}\n"));
    let run = ludex_in(&folder, &["host", "labels", "--position", "labels.yaml", "--as", "0"], &keys.concat());
    assert_eq!(run.status, 1, "{}", run.stderr);
    let lines = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let reasons: Vec<String> =
        lines.filter(|line| line["type"] == "rejected").map(|line| line["reason"].as_str().unwrap().to_string()).collect();
    assert_eq!(reasons[0].replace("secret", "nothing"), reasons[1], "{reasons:?}");
    assert!(reasons[2].contains("cannot be the die here"), "what a seat sees is told of as ever: {reasons:?}");
}
