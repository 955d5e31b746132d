//! The full screen as it is drawn, and what keys do to it. Nothing here needs a terminal.

use super::style::Look;
use super::{FullScreen, Window};
use crate::args::PlayerSpec;
use crate::game::{Game, NewGame, Seat, broken};
use crate::terminal::{self, Face, InLines, Input, Log, PlayEnd, Screen};
use ludex_engine::Compile;
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::program::Program;
use ludex_engine::runtime::{Dice, Setup};
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::{Color, Modifier};
use ratatui::{Frame, Terminal};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::{fs, io};

/// Every screen that was drawn, the last one last.
type Shots = Rc<RefCell<Vec<Buffer>>>;

/// A terminal in memory, at which these keys are pressed.
struct Sheet {
    terminal: Terminal<TestBackend>,
    events: VecDeque<Event>,
    shots: Shots,
}

impl Window for Sheet {
    fn draw_frame(&mut self, draw: &mut dyn FnMut(&mut Frame)) -> io::Result<()> {
        let done = self.terminal.draw(|frame| draw(frame)).map_err(io::Error::other)?;
        self.shots.borrow_mut().push(done.buffer.clone());
        Ok(())
    }

    fn clear_screen(&mut self) -> io::Result<()> {
        self.terminal.clear().map_err(io::Error::other)
    }

    fn next_event(&mut self) -> io::Result<Event> {
        let event = self.events.pop_front().ok_or(io::ErrorKind::UnexpectedEof)?;
        if let Event::Resize(width, height) = event {
            self.terminal.backend_mut().resize(width, height);
        }
        Ok(event)
    }
}

/// A game as it is begun.
struct Begun<'a> {
    game: &'a str,
    mode: Option<&'a str>,
    sides: [&'a [&'a str]; 2],
    /// How many of the sides are people's.
    people: usize,
}

impl Begun<'_> {
    fn game(&self) -> Game {
        let program = program(self.game, self.mode);
        let sides: Vec<Vec<String>> = self.sides.iter().map(|side| side.iter().map(ToString::to_string).collect()).collect();
        let seat = |(number, entrants): (usize, &Vec<String>)| match number < self.people {
            true => Seat::for_outside_player(number, entrants.clone(), "human"),
            false => Seat::for_bot(number, entrants.clone(), &PlayerSpec::Greedy, &program, 1).unwrap(),
        };
        let mut seats: Vec<Seat> = sides.iter().enumerate().map(seat).collect();
        if let Some(number) = program.referee_seat(sides.len()) {
            seats.push(Seat::for_bot(number, Vec::new(), &PlayerSpec::Auto, &program, 0).unwrap().into_referee());
        }
        let names = if self.sides[0].is_empty() { vec!["Ann".to_string(), "Bob".to_string()] } else { Vec::new() };
        let setup = Setup { sides, seed: 7.into(), dice: Dice::Seeded, position: None, names, watched: true };
        let deal = NewGame { program, setup, seats, shares: None, salt: "salt".into(), position: None };
        Game::start(deal, || Ok(None)).unwrap()
    }

    /// Plays with these keys; gives every screen that was drawn, and how it ended.
    fn played(&self, size: (u16, u16), look: Look, keys: &[&str]) -> (Vec<Buffer>, PlayEnd) {
        let shots = Shots::default();
        let (events, kept): (VecDeque<Event>, Shots) = (keys.iter().flat_map(|key| events(key)).collect(), shots.clone());
        let opener = move || {
            let terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
            Ok(Box::new(Sheet { terminal, events: events.clone(), shots: kept.clone() }) as Box<dyn Window>)
        };
        let face = FullScreen::new(InLines::new(Screen::detect(true), Input::new()), look, opener);
        let end = terminal::play_game(self.game(), Log::default(), &face).end;
        (shots.take(), end)
    }

    /// The last screen in black and white.
    fn last(&self, size: (u16, u16), keys: &[&str]) -> String {
        text(self.played(size, Look::default(), keys).0.last().unwrap())
    }
}

fn program(game: &str, mode: Option<&str>) -> Arc<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for (folder, ending) in [("rules", "ludex"), ("characters", "yaml"), ("scripts", "rhai")] {
        collect(&root.join(folder).join(game), root, ending, &mut files);
    }
    let classics = root.join("examples/classics");
    collect(&classics.join("rules").join(game), &classics, "ludex", &mut files);
    let wanted = CompileRequest { mode: mode.map(str::to_string), ..CompileRequest::default() };
    let (program, problems) = Library::new(files).0.compile(game, &wanted);
    Arc::new(program.unwrap_or_else(|| panic!("{problems:#?}")))
}

fn collect(folder: &Path, root: &Path, ending: &str, files: &mut Vec<File>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, root, ending, files);
        } else if path.extension().is_some_and(|known| known == ending) {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            files.push(File { path: name, text: fs::read_to_string(&path).unwrap(), library: BUNDLED.to_string() });
        }
    }
}

/// A key by its name, `^Z`, `60x20` for another size, or text that is typed.
fn events(key: &str) -> Vec<Event> {
    let code = match key {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "PageUp" => KeyCode::PageUp,
        "PageDown" => KeyCode::PageDown,
        "F1" => KeyCode::F(1),
        "F2" => KeyCode::F(2),
        _ => {
            if let Some((width, height)) = key.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?))) {
                return vec![Event::Resize(width, height)];
            }
            if let Some(letter) = key.strip_prefix('^') {
                let code = KeyCode::Char(letter.to_lowercase().chars().next().unwrap());
                return vec![Event::Key(KeyEvent::new(code, KeyModifiers::CONTROL))];
            }
            return key.chars().map(|sign| Event::Key(KeyEvent::from(KeyCode::Char(sign)))).collect();
        }
    };
    vec![Event::Key(KeyEvent::from(code))]
}

fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width).max(1);
    let row = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_string();
    buffer.content.chunks(width).map(row).collect::<Vec<_>>().join("\n")
}

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (120, 40);

const PIG: Begun = Begun { game: "pig", mode: None, sides: [&[], &[]], people: 1 };
const TIC_TAC_TOE: Begun = Begun { game: "tic-tac-toe", mode: None, sides: [&[], &[]], people: 1 };
const DICEWING: Begun = Begun { game: "dicewing", mode: None, sides: [&[], &[]], people: 1 };
const CHALLENGE: Begun = Begun { game: "dice-challenge", mode: None, sides: [&["sailor-mercury"], &["kunzite"]], people: 1 };
const COMBAT: Begun = Begun { game: "tri-stat", mode: None, sides: [&["knight-of-dawn"], &["dark-queen"]], people: 1 };
const CARDS: Begun = Begun { game: "sailor-moon-ccg", mode: None, sides: [&["moon"], &["mercury"]], people: 1 };

/// The same game on both sizes, some moves after its beginning.
macro_rules! drawn {
    ($name:ident, $begun:expr, $keys:expr) => {
        #[test]
        fn $name() {
            let begun: Begun = $begun;
            insta::assert_snapshot!(concat!(stringify!($name), "_small"), begun.last(SMALL, $keys));
            insta::assert_snapshot!(concat!(stringify!($name), "_large"), begun.last(LARGE, $keys));
        }
    };
}

drawn!(dicewing, DICEWING, &["1", "Enter", "Down", "Enter", "Enter", "Enter", "Enter", "Enter", "Enter"]);
drawn!(dice_challenge, CHALLENGE, &["Enter", "Enter", "Enter", "Enter"]);
drawn!(tri_stat, COMBAT, &["Enter", "Enter", "Enter"]);
drawn!(cards, CARDS, &["Enter", "Enter", "Enter", "Enter"]);
drawn!(cards_basic, Begun { mode: Some("basic"), ..CARDS }, &["Enter", "Enter", "Enter"]);
drawn!(tic_tac_toe, TIC_TAC_TOE, &["5", "Enter"]);

#[test]
fn a_digit_is_a_move_and_so_is_what_is_chosen() {
    let by_digit = DICEWING.last(SMALL, &["3"]);
    assert_eq!(by_digit, DICEWING.last(SMALL, &["Down", "Down", "Enter"]));
    assert_ne!(by_digit, DICEWING.last(SMALL, &["Enter"]));
    // Longer numbers begin with it.
    assert!(DICEWING.last(SMALL, &["1"]).contains("\n> 1"));
    assert_eq!(DICEWING.last(SMALL, &["1", "Enter"]), DICEWING.last(SMALL, &["Enter"]));
}

#[test]
fn a_number_that_is_typed_points_at_its_move() {
    assert!(DICEWING.last(SMALL, &["12"]).contains("▸ 12  d12:12 of Bob"));
}

#[test]
fn things_are_marked_and_taken_together() {
    // Five dice, of which any are thrown again.
    let yahtzee = Begun { game: "yahtzee", ..PIG };
    let marked = yahtzee.last(SMALL, &[" ", "Down", "Down", " "]);
    assert!(marked.contains("1  [x]") && marked.contains("2  [ ]") && marked.contains("3  [x]"), "{marked}");
    let thrown = yahtzee.last(SMALL, &[" ", "Down", "Down", " ", "Enter"]);
    assert_eq!(thrown, yahtzee.last(SMALL, &["1 3", "Enter"]));
}

#[test]
fn where_two_are_needed_each_may_be_typed_by_itself() {
    let launch = |keys: &[&str]| DICEWING.last(SMALL, &[&["Enter"; 7], keys].concat());
    let marked = launch(&["2", "Enter"]);
    assert!(marked.contains("2  [x]") && marked.contains("Launch two dice"), "{marked}");
    assert_eq!(launch(&["2", "Enter", "1", "Enter", "Enter"]), launch(&["2 1", "Enter"]));
    // Once more takes the mark away.
    assert!(launch(&["2", "Enter", "2", "Enter"]).contains("2  [ ]"));
}

#[test]
fn words_leave_the_moves_that_fit_and_enter_takes_the_chosen_one() {
    let narrowed = PIG.last(SMALL, &["hold"]);
    assert!(narrowed.contains("▸ 2  hold and get") && !narrowed.contains("1  roll again"), "{narrowed}");
    assert_eq!(PIG.last(SMALL, &["hold", "Enter"]), PIG.last(SMALL, &["2"]));
    let nothing = PIG.last(SMALL, &["swim", "Enter"]);
    assert!(nothing.contains("no choice contains `swim`"), "{nothing}");
}

#[test]
fn undo_goes_back_by_one_key() {
    let first = PIG.last(SMALL, &["x", "Esc"]);
    let back = PIG.last(SMALL, &["1", "^Z"]);
    assert!(back.contains("Ann takes back the last decision"), "{back}");
    assert!(back.contains("─ turn of Ann begins") && back.matches("Ann rolls").count() == first.matches("Ann rolls").count());
}

#[test]
fn tab_writes_the_rest_and_lines_come_back() {
    assert!(PIG.last(SMALL, &["ho", "Tab"]).contains("\n> hold"), "a word of a move");
    assert!(PIG.last(SMALL, &["res", "Tab"]).contains("\n> resign"), "a command");
    let several = PIG.last(SMALL, &["lo", "Tab"]);
    assert!(several.contains("log  look"), "{several}");
    assert!(PIG.last(SMALL, &["why pot", "Enter", "^P"]).contains("\n> why pot"), "what was typed before");
}

#[test]
fn what_there_is_to_read_stands_in_front_until_it_is_closed() {
    let help = PIG.last(SMALL, &["F1"]);
    insta::assert_snapshot!("help", help);
    assert!(PIG.last(SMALL, &["F1", "PageDown", "PageDown", "PageDown", "PageDown"]).contains("search for words"));
    // Nothing is chosen unseen, and whoever searches sees what is found.
    assert!(PIG.last(SMALL, &["F1", "2"]).contains("choose that move"));
    assert!(PIG.last(SMALL, &["F1", "hold"]).contains("▸ 2  hold and get"));
    assert_eq!(PIG.last(SMALL, &["F1", "Down", "Down", "Up", "Up", "Enter"]), PIG.last(SMALL, &["F1", "Enter"]));
    let closed = PIG.last(SMALL, &["F1", "Enter"]);
    assert!(closed.contains("roll again") && !closed.contains("choose that move"), "{closed}");
}

#[test]
fn the_log_scrolls() {
    let keys = ["1", "2", "1", "2", "1", "2", "1", "2", "1", "2", "1", "2", "1", "2"];
    let end = PIG.last(SMALL, &keys);
    let back = PIG.last(SMALL, &[&keys[..], &["PageUp", "PageUp"]].concat());
    assert!(back.contains("PgDn") && !end.contains("PgDn"), "{back}");
    assert_eq!(PIG.last(SMALL, &[&keys[..], &["PageUp", "PageUp", "PageDown", "PageDown"]].concat()), end);
}

#[test]
fn what_is_new_and_out_of_sight_is_counted() {
    let fight = COMBAT.last(SMALL, &["Enter"]);
    assert!(fight.contains("log •↑"), "{fight}");
    assert!(!PIG.last(SMALL, &["2"]).contains("log •↑"));
}

#[test]
fn while_bots_play_the_table_stays_and_nothing_is_asked() {
    let (shots, _) = COMBAT.played(SMALL, Look::default(), &["Enter"]);
    let waiting: Vec<String> = shots.iter().map(text).filter(|shot| shot.contains("── the others are playing ─")).collect();
    assert!(!waiting.is_empty());
    assert!(waiting.iter().all(|shot| shot.contains("Dark Queen (greedy bot)") && !shot.contains("take the blow")));
}

#[test]
fn another_size_is_drawn_anew_and_one_too_small_says_so() {
    let small = PIG.last(SMALL, &["60x20", "1"]);
    let told = small.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(told, "the table needs 80 columns and 24 lines, but this window has 60 and 20: make it larger");
    assert_eq!(PIG.last(SMALL, &["60x20", "1", "120x40"]), PIG.last(LARGE, &[]), "nothing is chosen unseen");
    // No size is too small to say something.
    PIG.played(SMALL, Look::default(), &["1x1", "0x0", "79x24", "80x23", "2x200"]);
}

#[test]
fn a_game_is_played_to_its_end() {
    let holding = ["2"; 200];
    let (shots, end) = PIG.played(SMALL, Look::default(), &holding);
    assert!(matches!(end, PlayEnd::Over(_)), "{end:?}");
    let last = text(shots.last().unwrap());
    assert!(last.contains("the game; press Enter to leave the table"), "{last}");
}

#[test]
fn leaving_ends_play() {
    // There is no recording: it asks.
    let (shots, end) = PIG.played(SMALL, Look::default(), &["quit", "Enter", "yes", "Enter"]);
    assert_eq!(end, PlayEnd::Left);
    let last = text(shots.last().unwrap());
    assert!(last.contains("the game is not kept anywhere; leave it; yes or no:") && last.contains("> yes"), "{last}");
}

#[test]
fn without_colour_nothing_is_coloured_and_with_it_signs_stay() {
    let keys = ["1", "2", "1", "1"];
    let (plain, _) = PIG.played(SMALL, Look { colour: false }, &keys);
    assert!(plain.iter().flat_map(|shot| &shot.content).all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    let (coloured, _) = PIG.played(SMALL, Look { colour: true }, &keys);
    // While the bot thinks, its table is drawn only if that takes long.
    let texts =
        |shots: &[Buffer]| shots.iter().map(text).filter(|shot| !shot.contains("the others are playing")).collect::<Vec<_>>();
    assert_eq!(texts(&plain), texts(&coloured), "colours say nothing that signs do not");
    let colour_of = |word: &str| {
        let shot = coloured.last().unwrap();
        let place = text(shot).lines().enumerate().find_map(|(y, line)| Some((y, line.find(word)?))).unwrap();
        let before = text(shot).lines().nth(place.0).unwrap()[..place.1].chars().count();
        shot[(before as u16, place.0 as u16)].fg
    };
    assert_eq!((colour_of("Ann (you)"), colour_of("Bob (greedy bot)")), (Color::Cyan, Color::Magenta));
    assert!(coloured.last().unwrap().content.iter().any(|cell| cell.modifier.contains(Modifier::REVERSED)));
}

#[test]
fn what_has_changed_since_the_last_turn_is_marked() {
    let grown = PIG.last(SMALL, &["2"]);
    assert!(grown.contains("points 4▲4"), "{grown}");
}

#[test]
fn at_a_hand_over_nothing_of_the_other_hand_is_left() {
    let begun = Begun { people: 2, ..CARDS };
    let (shots, _) = begun.played(SMALL, Look::default(), &["Enter", "Enter", "Enter", "Enter", "Enter", "Enter"]);
    let shots: Vec<String> = shots.iter().map(text).collect();
    let handed: Vec<&String> = shots.iter().filter(|shot| shot.contains("hand over to")).collect();
    assert!(handed.len() >= 2, "{}", shots.join("\n----\n"));
    for shot in handed {
        let lines: Vec<&str> = shot.lines().filter(|line| !line.trim().is_empty()).collect();
        assert_eq!(lines.len(), 3, "the question, what is typed, and the keys:\n{shot}");
    }
}

#[test]
fn a_bug_gives_the_terminal_back() {
    let path = std::env::temp_dir().join(format!("ludex-bug-fullscreen-{}.ludexrec", std::process::id()));
    let opener = || {
        let terminal = Terminal::new(TestBackend::new(SMALL.0, SMALL.1)).unwrap();
        Ok(Box::new(Sheet { terminal, events: VecDeque::new(), shots: Shots::default() }) as Box<dyn Window>)
    };
    let face = FullScreen::new(InLines::new(Screen::detect(true), Input::new()), Look::default(), opener);
    let played = terminal::play_game(broken::buggy_game(&path), Log::default(), &face);
    assert_eq!(played.end, PlayEnd::Fault);
    assert!(!face.shows_all(), "it is open still");
    broken::assert_kept(&path);
}
