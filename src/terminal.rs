//! A game at the terminal: show, ask, answer. Every bundled game is played by this one; nothing here knows a game.

mod board;
mod command;
mod dice;
mod input;
mod menu;
pub mod questions;
mod screen;
mod tell;
mod throw;
mod why;

pub use input::{Ended, Input};
pub use screen::{Screen, Tone};

use crate::cli::{DONE, PROBLEMS, PlayerSpec};
use crate::game::{Game, News, Recorder, how_to_go_on, set_kept};
use crate::output;
use crate::players;
use board::Board;
use command::{Command, HELP};
use ludex_engine::problem::Problem;
use ludex_engine::program::Seen;
use ludex_engine::recording::TakeBack;
use ludex_engine::runtime::{
    Argument, Decision, Event, Form, OptionView, Outcome, OutcomeResult, Pending, RandomRequest, Viewer,
};
use menu::{MOST_OPTIONS, Menu, Reply};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// So many options are looked at to see which zones moves are made with.
const GLANCE: u64 = 200;

/// Plays a game to its end, or until somebody leaves; gives the exit status. The log holds what was told before.
pub fn play(game: Game, log: Vec<Event>, screen: Screen, input: Input) -> u8 {
    set_kept(game.path());
    let sides = side_names(&game);
    let mut terminal = Terminal { game, screen, input, sides, log, large: BTreeSet::new(), last_seat: None };
    terminal.welcome();
    let left = terminal.run();
    terminal.leave(left)
}

struct Terminal {
    game: Game,
    screen: Screen,
    input: Input,
    /// The names of the sides.
    sides: Vec<String>,
    log: Vec<Event>,
    /// Names of the zones that moves have been made with.
    large: BTreeSet<String>,
    /// Who looked at the screen last.
    last_seat: Option<usize>,
}

/// Why play stops.
enum Leave {
    Over(Outcome),
    Quit,
    InputEnded,
    /// An ability or the rules fail, and there is no way round.
    Fault(Box<Problem>),
}

impl From<Ended> for Leave {
    fn from(_: Ended) -> Leave {
        Leave::InputEnded
    }
}

/// What is asked next.
enum Asked {
    Decision(Decision),
    Throw(RandomRequest),
    Over(Outcome),
}

/// What a command leads to.
enum Then {
    /// The same question again.
    Again,
    /// The same question, shown anew.
    Redraw,
    /// The game has changed.
    Changed,
}

impl Terminal {
    fn welcome(&self) {
        let program = self.game.session().program();
        self.screen.title(&program.title);
        self.screen.say(&self.who_plays());
        if let Some(path) = self.game.path() {
            self.screen.tell(Tone::Quiet, &format!("kept in {}", path.display()));
        }
        self.screen.tell(Tone::Quiet, &format!("seed commitment {}", self.game.header().commitment()));
    }

    fn who_plays(&self) -> String {
        let seats = self.game.seats().iter();
        let names: Vec<String> = seats.map(|seat| format!("{} ({})", self.name(seat.side), seat.player)).collect();
        names.join(" against ")
    }

    fn run(&mut self) -> Leave {
        loop {
            self.tell_news();
            match self.game.bot_answers() {
                Ok(true) => continue,
                Ok(false) => {}
                Err(problem) => return Leave::Fault(problem),
            }
            let done = match self.asked() {
                Some(Asked::Over(outcome)) => return Leave::Over(outcome),
                Some(Asked::Throw(request)) => self.ask_throw(&request),
                Some(Asked::Decision(decision)) => self.ask_decision(&decision),
                None => return Leave::Quit,
            };
            if let Err(leave) = done {
                return leave;
            }
        }
    }

    fn asked(&self) -> Option<Asked> {
        match self.game.session().pending() {
            Pending::Finished(outcome) => Some(Asked::Over(outcome.clone())),
            Pending::Random(request) => Some(Asked::Throw(request.clone())),
            Pending::Decisions(_) => self.game.open().into_iter().next().map(Asked::Decision),
        }
    }

    // --- telling ------------------------------------------------------------------

    fn tell_news(&mut self) {
        let mut events = Vec::new();
        for news in self.game.take_news() {
            if let News::Event(event) = news {
                events.push(event);
                continue;
            }
            self.tell_events(std::mem::take(&mut events));
            match news {
                News::Event(_) => {}
                News::TakenBack(undo) => self.tell_take_back(undo),
                News::Fault(problem) => self.tell_problem(&problem),
                News::NotKept(reason) => {
                    let words = format!("the recording can no longer be written: {reason}; `save FILE` keeps the game elsewhere");
                    self.screen.tell(Tone::Bad, &words);
                }
            }
        }
        self.tell_events(events);
    }

    fn tell_events(&mut self, events: Vec<Event>) {
        for line in tell::story(&events, &self.sides) {
            match line {
                tell::Line::Title(text) => self.screen.title(&text),
                tell::Line::Plain(text) => self.screen.say(&text),
            }
        }
        self.log.extend(events);
    }

    fn tell_take_back(&mut self, undo: TakeBack) {
        let who = self.name(undo.seat).to_string();
        let words = match undo.seed {
            Some(_) => format!("{who} takes the last decision back; chance is drawn afresh from here"),
            None => format!("{who} takes the last decision back"),
        };
        self.screen.tell(Tone::Strong, &words);
    }

    fn tell_problem(&self, problem: &Problem) {
        output::problems(std::slice::from_ref(problem), &self.game.session().program().sources);
    }

    fn tell_wrong(&self, words: &str) {
        self.screen.tell(Tone::Bad, words);
    }

    fn name(&self, side: usize) -> &str {
        self.sides.get(side).map_or("the other side", String::as_str)
    }

    // --- asking -------------------------------------------------------------------

    fn ask_decision(&mut self, decision: &Decision) -> Result<(), Leave> {
        self.hand_over(decision)?;
        let options = self.options(decision);
        self.notice_zones(&options);
        let mut menu = Menu::new(decision, options);
        self.show_decision(&menu);
        loop {
            let prompt = format!("{} ({}, or help):", self.name(decision.seat), menu.hint());
            let line = self.input.ask(&self.screen, &prompt)?;
            if let Some(command) = command::parse(&line) {
                match self.obey(command, decision.seat, Some(&mut menu))? {
                    Then::Again => continue,
                    Then::Redraw => self.show_decision(&menu),
                    Then::Changed => return Ok(()),
                }
                continue;
            }
            match menu.read(&line, |key| self.game.session().find(decision.id, key)) {
                Reply::Wrong(words) => self.tell_wrong(&words),
                Reply::Changed => self.screen.draw(&menu.lines(&self.screen)),
                Reply::Answer(choice) => match self.game.answer(decision.id, choice) {
                    Ok(()) => return Ok(()),
                    Err(problem) => self.tell_problem(&problem),
                },
            }
        }
    }

    fn options(&self, decision: &Decision) -> Vec<OptionView> {
        match decision.form {
            Form::Number { .. } => Vec::new(),
            Form::One | Form::Some { .. } => self.game.session().options(decision.id, 0, MOST_OPTIONS),
        }
    }

    fn show_decision(&self, menu: &Menu) {
        let session = self.game.session();
        self.screen.draw(&self.board(menu.decision.seat));
        output::line("");
        self.screen.tell(Tone::Strong, &session.prompt(menu.decision.id));
        self.screen.draw(&menu.lines(&self.screen));
    }

    fn board(&self, seat: usize) -> Vec<String> {
        let session = self.game.session();
        let player = |other: &crate::game::Seat| match (other.number == seat, other.player.as_str()) {
            (true, _) => "you".to_string(),
            (false, player) => player.to_string(),
        };
        let players: Vec<String> = self.game.seats().iter().map(player).collect();
        let program = session.program();
        let board = Board { screen: &self.screen, program, large: &self.large, players: &players };
        board.lines(&session.view(Viewer::Seat(seat)))
    }

    /// Zones whose pieces moves are made with are drawn large from now on.
    fn notice_zones(&mut self, options: &[OptionView]) {
        let mut used = BTreeSet::new();
        for option in options.iter().take(GLANCE as usize) {
            option.args.iter().for_each(|(_, argument)| pieces_of(argument, &mut used));
        }
        let view = self.game.session().view(Viewer::Spectator);
        let zones = view.sides.iter().flat_map(|side| &side.zones).chain(&view.table.zones);
        for (name, zone) in zones {
            if board::holds_any(zone, &used) {
                self.large.insert(name.clone());
            }
        }
    }

    fn ask_throw(&mut self, request: &RandomRequest) -> Result<(), Leave> {
        self.screen.tell(Tone::Strong, &format!("{}: {}", request.reason, throw::request(request)));
        let seat = self.human().unwrap_or(0);
        loop {
            let line = self.input.ask(&self.screen, "what was rolled (or help):")?;
            if let Some(command) = command::parse(&line) {
                match self.obey(command, seat, None)? {
                    Then::Again | Then::Redraw => continue,
                    Then::Changed => return Ok(()),
                }
            }
            match throw::read(request, &line) {
                Err(words) => self.tell_wrong(&words),
                Ok(results) => match self.game.supply(&results) {
                    Ok(()) => return Ok(()),
                    Err(problem) => self.tell_problem(&problem),
                },
            }
        }
    }

    /// Before a question that only its seat may see, the keyboard changes hands.
    fn hand_over(&mut self, decision: &Decision) -> Result<(), Leave> {
        let humans = self.game.seats().iter().filter(|seat| !seat.is_bot()).count();
        let mut zones = self.game.session().program().kinds.iter().flat_map(|kind| &kind.zones);
        let secret = decision.secret || zones.any(|zone| zone.seen != Seen::All);
        let changes = self.last_seat.replace(decision.seat) != Some(decision.seat);
        if humans > 1 && secret && changes {
            self.screen.clear();
            let prompt = format!("hand over to {}, who presses Enter when nobody else looks", self.name(decision.seat));
            self.input.ask(&self.screen, &prompt)?;
        }
        Ok(())
    }

    /// The first seat that a person answers for.
    fn human(&self) -> Option<usize> {
        self.game.seats().iter().find(|seat| !seat.is_bot()).map(|seat| seat.number)
    }

    // --- commands -----------------------------------------------------------------

    fn obey(&mut self, command: Command, seat: usize, menu: Option<&mut Menu>) -> Result<Then, Leave> {
        match command {
            Command::Help => self.help(),
            Command::Undo => return self.undo(seat),
            Command::Save(path) => self.save(path),
            Command::Hint => self.hint(menu.as_deref()),
            Command::Why(words) => self.why(&words, menu.as_deref()),
            Command::Log(length) => self.show_log(length),
            Command::Look if menu.is_none() => self.screen.draw(&self.board(seat)),
            Command::Look => return Ok(Then::Redraw),
            Command::All => {
                if let Some(menu) = menu {
                    menu.show_all();
                    self.screen.draw(&menu.lines(&self.screen));
                }
            }
            Command::Resign => return self.resign(seat),
            Command::Quit => return self.quit(),
        }
        Ok(Then::Again)
    }

    fn help(&self) {
        let widest = HELP.iter().map(|(what, _)| what.len()).max().unwrap_or(0);
        for (what, text) in HELP {
            self.screen.say(&format!("  {what:widest$}  {text}"));
        }
    }

    fn undo(&mut self, seat: usize) -> Result<Then, Leave> {
        if self.game.withdraw(seat) {
            return Ok(Then::Changed);
        }
        let Some(undo) = self.game.take_back(seat) else {
            self.tell_wrong("there is no decision of yours to go back to");
            return Ok(Then::Again);
        };
        if undo.seed.is_some() && !self.others_agree(seat)? {
            self.tell_wrong("not taken back");
            return Ok(Then::Again);
        }
        self.game.undo(undo);
        Ok(Then::Changed)
    }

    /// Bots do not mind; people are asked.
    fn others_agree(&mut self, seat: usize) -> Result<bool, Leave> {
        let others = self.game.seats().iter().filter(|other| !other.is_bot() && other.number != seat);
        let others: Vec<String> = others.map(|other| self.name(other.side).to_string()).collect();
        for other in others {
            let prompt = format!("{other}, {} wants to take back across dice or your answer; yes or no:", self.name(seat));
            let answer = self.input.ask(&self.screen, &prompt)?;
            if !matches!(answer.to_lowercase().as_str(), "y" | "yes") {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn save(&mut self, path: Option<PathBuf>) {
        let Some(path) = path else {
            return match self.game.path() {
                Some(path) => self.screen.say(&how_to_go_on(path)),
                None => self.tell_wrong("the game is not kept by itself here; name a file: `save FILE`"),
            };
        };
        match save_new(&path, &self.game.recording()) {
            Ok(()) => self.screen.say(&how_to_go_on(&path)),
            Err(error) => self.tell_wrong(&format!("`{}` cannot be written: {error}", path.display())),
        }
    }

    fn hint(&self, menu: Option<&Menu>) {
        let Some(decision) = menu.map(|menu| menu.decision) else {
            return self.screen.say("there is nothing to decide now: roll the dice");
        };
        let session = self.game.session();
        let seed = crate::game::new_seed();
        let Ok(mut bot) = players::bot(&PlayerSpec::Greedy, seed, decision.seat) else {
            return self.tell_wrong("there is no bot to ask");
        };
        let choice = bot.answer(&session.imagine(decision.seat, seed), decision);
        self.screen.say(&format!("hint: {}", self.described(decision, &choice)));
    }

    fn described(&self, decision: &Decision, choice: &ludex_engine::runtime::Choice) -> String {
        use ludex_engine::runtime::Choice;
        let option = |index: &u64| self.game.session().option(decision.id, *index);
        let shown = |option: OptionView| format!("{}  {}", option.id + 1, option.text);
        match choice {
            Choice::Option(index) => option(index).map(shown).unwrap_or_default(),
            Choice::Options(indexes) => indexes.iter().filter_map(option).map(shown).collect::<Vec<_>>().join(", "),
            Choice::Number(number) => number.to_string(),
        }
    }

    fn why(&self, words: &str, menu: Option<&Menu>) {
        for line in why::why(words, &self.log, self.game.session(), menu, &self.sides) {
            self.screen.say(&line);
        }
    }

    fn show_log(&self, length: Option<usize>) {
        let told: Vec<&Event> = self.log.iter().filter(|event| !event.text.is_empty()).collect();
        let start = length.map_or(0, |length| told.len().saturating_sub(length));
        for event in &told[start..] {
            self.screen.say(&format!("{:>4}  {}", event.number, event.text));
        }
        if told.is_empty() {
            self.screen.say("nothing has happened yet");
        }
    }

    fn resign(&mut self, seat: usize) -> Result<Then, Leave> {
        let answer = self.input.ask(&self.screen, "give up this game; yes or no:")?;
        if !matches!(answer.to_lowercase().as_str(), "y" | "yes") {
            return Ok(Then::Again);
        }
        self.game.resign(seat);
        Ok(Then::Changed)
    }

    fn quit(&mut self) -> Result<Then, Leave> {
        if self.game.path().is_none() {
            let answer = self.input.ask(&self.screen, "the game is not kept anywhere; leave it; yes or no:")?;
            if !matches!(answer.to_lowercase().as_str(), "y" | "yes") {
                return Ok(Then::Again);
            }
        }
        Err(Leave::Quit)
    }

    // --- leaving ------------------------------------------------------------------

    fn leave(&mut self, left: Leave) -> u8 {
        let status = match left {
            Leave::Over(outcome) => {
                self.tell_outcome(&outcome);
                return DONE;
            }
            Leave::Quit => DONE,
            Leave::InputEnded => {
                output::failure("the input ended before the game did", None);
                PROBLEMS
            }
            Leave::Fault(problem) => {
                self.tell_problem(&problem);
                PROBLEMS
            }
        };
        if let Some(path) = self.game.path() {
            eprintln!("{}", how_to_go_on(path));
        }
        status
    }

    fn tell_outcome(&self, outcome: &Outcome) {
        let names = outcome.winners.iter().map(|&side| self.name(side).to_string()).collect::<Vec<_>>();
        let winners = ludex_engine::problem::joined(&names, "and");
        let result = match outcome.result {
            OutcomeResult::Win => format!("{winners} wins the game"),
            OutcomeResult::Tie if names.is_empty() => "the game is tied".to_string(),
            OutcomeResult::Tie => format!("the game is tied between {winners}"),
            OutcomeResult::Abandoned if names.is_empty() => "the game is given up".to_string(),
            OutcomeResult::Abandoned => format!("the game is given up, and {winners} wins"),
            OutcomeResult::Capped => "the game ends without a winner: it has gone on for too long".to_string(),
        };
        self.screen.title(&result);
        if let Some(text) = &outcome.text {
            self.screen.say(text);
        }
        for (side, counters) in outcome.scores.iter().enumerate() {
            let counters: Vec<String> = counters.iter().map(|(name, value)| format!("{} {value}", name.replace('_', " "))).collect();
            self.screen.say(&format!("{}: {}", self.name(side), counters.join(", ")));
        }
        let header = self.game.header();
        self.screen.tell(Tone::Quiet, &format!("seed {}, salt {}", header.seed, header.salt));
        if let Some(path) = self.game.path() {
            self.screen.tell(Tone::Quiet, &format!("kept in {}", path.display()));
        }
    }
}

/// The names of the sides' entrants.
fn side_names(game: &Game) -> Vec<String> {
    let view = game.session().view(Viewer::Spectator);
    view.sides.iter().map(|side| side.names.join(" and ")).collect()
}

fn pieces_of(argument: &Argument, found: &mut BTreeSet<usize>) {
    match argument {
        Argument::Piece(piece) => {
            found.insert(piece.id);
        }
        Argument::List(list) => list.iter().for_each(|argument| pieces_of(argument, found)),
        _ => {}
    }
}

/// Writes a copy of the recording beside the one that is kept. A file that is there is only replaced by a recording of
/// the same game, never something else.
fn save_new(path: &Path, text: &str) -> std::io::Result<()> {
    if let Ok(there) = std::fs::read(path) {
        if !there.starts_with(b"{\"ludex-recording\"") {
            let words = "there is a file of that name that is no recording";
            return Err(std::io::Error::new(std::io::ErrorKind::AlreadyExists, words));
        }
    }
    // Whole or not at all: a copy that replaces the old one only when it is written.
    let draft = path.with_extension("ludexrec-draft");
    let written = Recorder::create(&draft).and_then(|mut recorder| recorder.write(text));
    let moved = written.and_then(|()| std::fs::rename(&draft, path));
    if moved.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    moved
}
