//! Play at the terminal: show the table, ask, and take the answer. The code is the same for every game. `play`, `resume`,
//! `record`, `tour` and `tournament` call [`play_game`] or [`play_guided`]. A face is the way to show it: line by line
//! ([`InLines`]) or on a full screen (`fullscreen`).
//!
//! A decision is one question to one seat. If it has very many moves, it is asked in steps; a draft holds the answers to the
//! steps so far. If several people share the screen and something is hidden, it is handed over and wiped between them.

mod board;
mod cards;
mod command;
mod dice;
mod echoes;
pub mod event_text;
mod execute;
mod face;
mod grid;
mod input;
mod interchangeable;
mod log;
mod menu;
mod physical_dice;
mod preview;
pub mod questions;
mod read_aloud;
mod report;
mod retell;
mod scene;
mod screen;
mod spectator;
mod viewers;
mod why;

pub use command::{COMMANDS, is_command};
pub use echoes::Line;
pub use face::{Face, InLines, Question};
pub use input::{Input, InputEnd};
pub use log::Log;
pub use menu::{MenuMove, Row, find_matching};
pub use preview::{answer_text, preview_lines};
pub use scene::{Choices, Scene};
pub use screen::{Screen, Tone, printable_line};
pub use spectator::draw_table;

use crate::game::{Game, set_kept_recording};
use crate::guard::catch_panic;
use crate::protocol::messages::MOST_OPTIONS;
use crate::protocol::steps::{self, BACK};
use crate::scenario::Guide;
use crate::stop::Stop;
use crate::table::{MOST_LISTED, current_question as asked_of};
use board::Board;
use interchangeable::AlikePieces;
use ludex_engine::problem::Problem;
use ludex_engine::program::Visibility;
use ludex_engine::runtime::{
    Choice, Decision, Draft, DraftProgress, Form, MoveStep, OptionView, Outcome, Pending, RandomRequest, Viewer, ZoneView,
};
use menu::{Menu, Reply};
use scene::LastSeenTable;
use std::collections::{BTreeMap, BTreeSet};

/// Screen lines needed besides the table and the moves: an empty line, the question, the hint and the input line.
const AROUND: usize = 4;
/// Maximum number of moves listed at once if the list is always visible.
const LONGEST_LIST: usize = MOST_LISTED as usize;
/// Number of moves that are listed at once even if the screen has less room.
const LEAST_LISTED: usize = 6;
/// If the moves of one kind differ only in a number, and are at least as many as this, the number is asked for in a step of
/// its own.
const MANY_NUMBERS: usize = 4;

/// A game that has stopped, for now or for good.
pub struct StoppedGame {
    pub game: Game,
    pub end: PlayEnd,
    /// The exit status, or the problem that stopped play early.
    pub status: Result<u8, Stop>,
}

/// The reason that play has stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayEnd {
    Over(Outcome),
    /// A player has left or the input has ended; the game can be resumed.
    Left,
    /// An ability, the rules or Ludex itself failed, with no way round.
    Fault,
}

/// The effect of a command on the current question.
enum CommandEffect {
    /// Ask the same question again.
    Again,
    /// Draw the same question again.
    Redraw,
    /// The game has changed.
    Changed,
}

/// Plays a game until it ends or a player leaves. `log` holds the events that were already shown.
pub fn play_game(game: Game, log: Log, face: &dyn Face) -> StoppedGame {
    play_guided(game, log, face, None)
}

/// Plays like [`play_game`], with an optional guide that explains and makes the moves of a tour.
pub fn play_guided(game: Game, mut log: Log, face: &dyn Face, guide: Option<Guide>) -> StoppedGame {
    set_kept_recording(game.recording_path());
    let sides = side_names(&game);
    let mut terminal = Terminal {
        game,
        face,
        sides,
        log: Log::default(),
        large: BTreeSet::new(),
        alone: None,
        unread: false,
        seen: BTreeMap::new(),
        before: BTreeMap::new(),
        drawn: Vec::new(),
        guide,
    };
    log.retain(|event| terminal.is_for_somebody(event));
    terminal.log = log;
    face.open_table();
    let left = catch_panic(|| {
        terminal.show_welcome();
        terminal.play_until_left()
    });
    let left = left.unwrap_or_else(|bug| LeaveReason::Fault(Box::new(terminal.game.bug_report(&bug))));
    let end = PlayEnd::from(&left);
    let status = terminal.leave_game(left);
    StoppedGame { game: terminal.game, end, status }
}

/// A game being played at the terminal.
struct Terminal<'f> {
    game: Game,
    face: &'f dyn Face,
    /// The names of the sides, and of the referee if there is one.
    sides: Vec<String>,
    /// The events that at least one person at this screen may know. Each person is shown only their own.
    log: Log,
    /// Names of the zones whose pieces moves have used; they are drawn large.
    large: BTreeSet<String>,
    /// The seat that has taken over a shared screen and looks at it alone until it is handed on.
    alone: Option<usize>,
    /// True if a shared screen shows something private that its seat may not have read yet.
    unread: bool,
    /// The length of the log when each seat was last asked.
    seen: BTreeMap<usize, usize>,
    /// The table when each seat was last asked, for faces that show the difference.
    before: BTreeMap<usize, LastSeenTable>,
    /// The lines of the table as last drawn.
    drawn: Vec<String>,
    /// The guide, if this is a tour.
    guide: Option<Guide>,
}

/// The reason for leaving the loop of play.
enum LeaveReason {
    Over(Outcome),
    Quit,
    InputEnded(InputEnd),
    /// An ability, the rules or Ludex itself failed, with no way round.
    Fault(Box<Problem>),
}

impl From<&LeaveReason> for PlayEnd {
    fn from(left: &LeaveReason) -> PlayEnd {
        match left {
            LeaveReason::Over(outcome) => PlayEnd::Over(outcome.clone()),
            LeaveReason::Quit | LeaveReason::InputEnded(_) => PlayEnd::Left,
            LeaveReason::Fault(_) => PlayEnd::Fault,
        }
    }
}

impl From<InputEnd> for LeaveReason {
    fn from(ended: InputEnd) -> LeaveReason {
        LeaveReason::InputEnded(ended)
    }
}

/// The next thing to ask for.
enum NextRequest {
    Decision(Decision),
    Throw(RandomRequest),
    Over(Outcome),
}

impl Terminal<'_> {
    /// Lets bots answer and asks people, until play is over, someone leaves or play fails.
    fn play_until_left(&mut self) -> LeaveReason {
        loop {
            self.print_updates();
            if self.game.is_bots_turn() {
                self.face.show_scene(&|| self.viewer_scene(self.current_viewer()));
            }
            match self.game.let_bot_answer() {
                Ok(true) => continue,
                Ok(false) => {}
                Err(problem) => return LeaveReason::Fault(problem),
            }
            let done = match self.next_request() {
                Some(NextRequest::Over(outcome)) => {
                    self.clear_for_the_end();
                    return LeaveReason::Over(outcome);
                }
                Some(NextRequest::Throw(request)) => self.ask_throw(&request),
                Some(NextRequest::Decision(decision)) => self.ask_decision(&decision),
                // Only bots are asked: their answer could not be recorded.
                None => match self.game.write_failure().map(str::to_string) {
                    Some(reason) => self.ask_to_try_again(&reason),
                    None => return LeaveReason::Quit,
                },
            };
            if let Err(leave) = done {
                return leave;
            }
        }
    }

    /// Asks whether to try again after a bot's answer could not be recorded.
    fn ask_to_try_again(&self, reason: &str) -> Result<(), LeaveReason> {
        let prompt = format!("the recording cannot be written: {reason}; press Enter to try again, or type quit:");
        let line = self.ask_line(&prompt, Some(self.current_viewer()))?;
        if line.trim() == "quit" { Err(LeaveReason::Quit) } else { Ok(()) }
    }

    /// The next thing that people must supply; `None` if only bots are asked.
    fn next_request(&self) -> Option<NextRequest> {
        match self.game.session().pending() {
            Pending::Finished(outcome) => Some(NextRequest::Over(outcome.clone())),
            Pending::Random(request) => Some(NextRequest::Throw(request.clone())),
            Pending::Decisions(_) => self.game.open_decisions().into_iter().next().map(NextRequest::Decision),
        }
    }

    /// Asks a person for a decision until an answer is carried out, or a command has changed the game.
    fn ask_decision(&mut self, decision: &Decision) -> Result<(), LeaveReason> {
        self.hand_over(decision)?;
        self.seen.insert(decision.seat, self.log.len());
        self.unread = false;
        self.notice_zones(decision);
        self.draw_changes(decision.seat);
        let taught = self.show_lesson(decision)?;
        let mut draft = Draft::default();
        loop {
            let step = steps::current_step(self.game.session(), decision, &draft, self.most_listed(decision));
            let Some(answer) = self.ask_menu(decision, &draft, step)? else { return Ok(()) };
            match answer {
                DraftProgress::Further(further) => draft = further,
                DraftProgress::Whole(choice) if taught.as_ref().is_some_and(|taught| !is_same_choice(taught, &choice)) => {
                    let wanted = taught.iter().map(|taught| self.describe_choice(decision, taught, None)).collect::<String>();
                    self.print_error(&format!("a good thought, but here the tour goes on with: {wanted}"));
                    draft = Draft::default();
                }
                DraftProgress::Whole(choice) => {
                    self.remember_table(decision);
                    match self.game.answer_decision(decision.id, choice) {
                        Ok(()) => {
                            self.guide.iter_mut().for_each(Guide::advance_lesson);
                            return self.finish_answer();
                        }
                        Err(problem) => self.print_problem(&problem),
                    }
                }
            }
        }
    }

    /// Explains a decision of a tour and returns the answer that the tour expects; `None` outside tours. The tour ends when no
    /// lesson is left.
    fn show_lesson(&mut self, decision: &Decision) -> Result<Option<Choice>, LeaveReason> {
        let Some(guide) = &self.guide else { return Ok(None) };
        let lesson = guide.next_lesson(self.game.session(), decision);
        let told = lesson.as_ref().map_or_else(|| guide.closing_texts(), |lesson| lesson.told.clone());
        for text in told {
            self.face.print_lines(&[String::new()]);
            self.face.print_in_tone(Tone::Strong, &text);
        }
        match lesson {
            Some(lesson) => Ok(Some(lesson.choice)),
            None => Err(LeaveReason::Quit),
        }
    }

    /// Maximum number of moves to list at once: as many as fit, or 1 if the move is asked for by number.
    fn most_listed(&self, decision: &Decision) -> u64 {
        let screen = self.face.screen();
        let room = match screen.plain {
            true => menu::PAGE,
            false if self.face.shows_all() => LONGEST_LIST,
            false => screen.height.saturating_sub(self.drawn.len() + AROUND).max(LEAST_LISTED),
        } as u64;
        let asks_number = || menu::has_many_numbers(&self.game.session().options(decision.id, 0, room), MANY_NUMBERS);
        if decision.count <= room && asks_number() { 1 } else { room }
    }

    /// Asks for a decision, or for one `step` of it, until it is answered. Returns the draft with this answer, or the whole
    /// choice once it is complete. Returns `None` if a command has changed the game.
    fn ask_menu(
        &mut self,
        decision: &Decision,
        draft: &Draft,
        step: Option<MoveStep>,
    ) -> Result<Option<DraftProgress>, LeaveReason> {
        let asked = step.as_ref().map_or_else(|| decision.clone(), |step| steps::as_decision(decision, step));
        let about = step.as_ref().map(|step| {
            // The kind of move is already chosen, and its name belongs to the rules.
            let about = step.about.split_once(": ").map_or(step.about.as_str(), |(_, about)| about);
            format!("step {} of {}: {about}", step.number, step.of)
        });
        let shown = step.clone();
        let options = step.map_or_else(|| self.titled_options(decision), |step| step.options);
        let mut menu =
            Menu::new(&asked, options, &AlikePieces::from_view(&self.game.session().view(Viewer::Seat(decision.seat))));
        self.show_menu(&menu, about.as_deref());
        loop {
            let back = if draft.is_empty() { "" } else { ", back" };
            let prompt = format!("{} ({}{back}, or help):", self.seat_name(decision.seat), menu.input_hint());
            let line = self.ask_to_choose(&prompt, decision.seat, || {
                let asked = asked_of(self.game.session(), decision, shown.as_ref());
                Choices::from_menu(&menu, &asked, about.clone())
            })?;
            if !draft.is_empty() && line.trim() == BACK {
                let mut draft = draft.clone();
                draft.undo_answer();
                return Ok(Some(DraftProgress::Further(draft)));
            }
            if let Some(command) = command::parse_command(&line) {
                match self.run_command(command, decision.seat, Some(&mut menu))? {
                    CommandEffect::Again => continue,
                    CommandEffect::Redraw => {
                        self.face.print_lines(&self.board_lines(decision.seat));
                        self.show_menu(&menu, about.as_deref());
                    }
                    CommandEffect::Changed => return Ok(None),
                }
                continue;
            }
            let session = self.game.session();
            // In a step, the key or the sentence of a whole move answers the whole decision.
            if about.is_some()
                && let Some(choice) =
                    session.find_choice(decision.id, &line).ok().or_else(|| self.choice_by_sentence(decision, &line))
            {
                return Ok(Some(DraftProgress::Whole(choice)));
            }
            match menu.read_reply(&line, |key| session.find_choice(decision.id, key)) {
                Reply::Wrong(words) => self.print_error(&words),
                Reply::Changed => self.list_moves(&menu),
                Reply::Answer(choice) if about.is_none() => return Ok(Some(DraftProgress::Whole(choice))),
                Reply::Answer(choice) => match session.add_to_draft(decision.id, draft, choice) {
                    Some(drafted) => return Ok(Some(drafted)),
                    None => self.print_error("this is not an answer to this step"),
                },
            }
        }
    }

    /// The move whose whole sentence was typed, as `hint` shows it.
    fn choice_by_sentence(&self, decision: &Decision, line: &str) -> Option<Choice> {
        // A single word answers a step.
        if decision.form != Form::One || !line.trim().contains(' ') {
            return None;
        }
        let options = self.game.session().options(decision.id, 0, MOST_OPTIONS);
        match menu::find_exact(options.iter().map(|option| option.text.as_str()), line).as_slice() {
            [only] => Some(Choice::Option(options[*only].id)),
            _ => None,
        }
    }

    /// The options of a decision, each with the title of the ability that grants it, if any.
    fn titled_options(&self, decision: &Decision) -> Vec<OptionView> {
        let session = self.game.session();
        let mut options = session.options(decision.id, 0, MOST_OPTIONS);
        for option in &mut options {
            let id = option.ability.as_ref();
            let ability = id.and_then(|id| session.program().abilities.iter().find(|ability| ability.id == *id));
            if let Some(ability) = ability {
                option.text = format!("{} ({})", option.text, ability.title);
            }
        }
        options
    }

    /// Draws the table if it has changed since it was last drawn.
    fn draw_changes(&mut self, seat: usize) {
        if self.face.shows_all() {
            return;
        }
        let board = self.board_lines(seat);
        if board != self.drawn {
            self.face.print_lines(&board);
            self.drawn = board;
        }
    }

    /// Lists the moves, unless the face always shows them.
    fn list_moves(&self, menu: &Menu) {
        if !self.face.shows_all() {
            self.face.print_lines(&menu.menu_lines(&self.face.screen()));
        }
    }

    /// Shows the question and its possible answers; `about` names the step of a move.
    fn show_menu(&self, menu: &Menu, about: Option<&str>) {
        if self.face.shows_all() {
            return;
        }
        self.face.print_lines(&[String::new()]);
        self.face.print_in_tone(Tone::Strong, &self.game.session().prompt(menu.decision.id));
        if let Some(about) = about {
            self.face.print_text(about);
        }
        self.face.print_lines(&menu.menu_lines(&self.face.screen()));
        if menu.has_one_answer() {
            self.face.print_text("this is the only move: Enter takes it");
        }
    }

    /// The lines of the table as a seat sees it.
    fn board_lines(&self, seat: usize) -> Vec<String> {
        let (screen, players) = (self.face.screen(), self.players_for(Some(seat)));
        self.board_for_players(&screen, &players).board_lines(&self.game.session().view(Viewer::Seat(seat)))
    }

    fn board_for_players<'a>(&'a self, screen: &'a Screen, players: &'a [String]) -> Board<'a> {
        Board { screen, program: self.game.session().program(), large: &self.large, players }
    }

    /// Marks the zones whose pieces the moves use, to draw them large from now on.
    fn notice_zones(&mut self, decision: &Decision) {
        self.large.extend(spectator::zones_of_moves(self.game.session(), decision));
    }

    /// Asks for the results of real dice until they are supplied, or a command has changed the game. Anyone at the screen may
    /// answer.
    fn ask_throw(&mut self, request: &RandomRequest) -> Result<(), LeaveReason> {
        let words = physical_dice::request_text(request, |piece| self.holder_text(piece));
        let words = if request.reason.is_empty() { words } else { format!("{}: {words}", request.reason) };
        let prompt = match self.face.shows_all() {
            // The prompt stays visible until it is answered.
            true => format!("{words} (or help):"),
            false => {
                self.face.print_in_tone(Tone::Strong, &words);
                "what was rolled (or help):".to_string()
            }
        };
        // Commands need a seat, for example to undo.
        let seat = self.first_human().unwrap_or(0);
        loop {
            let line = self.ask_for_throw(&prompt)?;
            if let Some(command) = command::parse_command(&line) {
                match self.run_command(command, seat, None)? {
                    CommandEffect::Again | CommandEffect::Redraw => continue,
                    CommandEffect::Changed => return Ok(()),
                }
            }
            match physical_dice::parse_results(request, &line) {
                Err(words) => self.print_error(&words),
                Ok(results) => match self.game.supply_results(&results) {
                    Ok(()) => return self.finish_answer(),
                    Err(problem) => self.print_problem(&problem),
                },
            }
        }
    }

    /// Asks while a viewer looks at the table; without a viewer, the table is hidden.
    fn ask_line(&self, prompt: &str, viewer: Option<Viewer>) -> Result<String, InputEnd> {
        self.put_question(prompt, false, || viewer.map(|viewer| self.viewer_scene(viewer)))
    }

    /// Asks for the results of real dice.
    fn ask_for_throw(&self, prompt: &str) -> Result<String, InputEnd> {
        self.put_question(prompt, true, || Some(self.viewer_scene(self.current_viewer())))
    }

    /// Asks for a choice.
    fn ask_to_choose(&self, prompt: &str, seat: usize, choices: impl FnOnce() -> Choices) -> Result<String, InputEnd> {
        self.put_question(prompt, true, || Some(Scene { choices: Some(choices()), ..self.viewer_scene(Viewer::Seat(seat)) }))
    }

    /// Puts a question, with the scene if the face shows it.
    fn put_question(
        &self,
        prompt: &str,
        takes_commands: bool,
        scene: impl FnOnce() -> Option<Scene>,
    ) -> Result<String, InputEnd> {
        let scene = if self.face.shows_all() { scene() } else { None };
        self.face.ask_line(Question { prompt, takes_commands, scene })
    }

    /// Notes that the last line was an answer.
    fn finish_answer(&mut self) -> Result<(), LeaveReason> {
        self.face.accept_answer();
        Ok(())
    }

    /// The owner of a piece that all see, and the side in whose zone it is: ` of Ann for Bob`, or one of the two. `None` if it
    /// is not in sight.
    fn holder_text(&self, piece: usize) -> Option<String> {
        let view = self.game.session().view(Viewer::Spectator);
        let zones = view.sides.iter().flat_map(|side| side.zones.values().map(move |zone| (Some(side.side), zone)));
        let zones = zones.chain(view.table.zones.values().map(|zone| (None, zone)));
        let found = zones.filter_map(|(side, zone)| match zone {
            ZoneView::Seen(pieces) => pieces.iter().find(|found| found.id == piece).map(|piece| (side, piece.of.clone())),
            ZoneView::Hidden { .. } => None,
        });
        let (side, of) = found.into_iter().next()?;
        let of = of.map(|of| format!(" of {of}"));
        let side = side.map(|side| format!(" for {}", self.seat_name(side)));
        Some([of, side].into_iter().flatten().collect())
    }

    /// Hands over the keyboard before a question that only its seat may see. For a secret answer it does so even if the same seat
    /// was asked last, because the others were looking on.
    fn hand_over(&mut self, decision: &Decision) -> Result<(), LeaveReason> {
        let changes = self.alone != Some(decision.seat);
        if !self.is_shared() || !(decision.secret || self.has_secrets() && changes) {
            // The other players look on too, since the next one is asked without a handover.
            self.alone.take_if(|_| changes);
            return Ok(());
        }
        if changes {
            self.wait_until_read()?;
        }
        let wiped = self.face.wipe_screen();
        if !wiped && self.seen.is_empty() {
            self.face.print_in_tone(Tone::Bad, "this terminal cannot be wiped: anyone who scrolls back can see what was secret");
        }
        let prompt = format!("hand over to {}, who presses Enter when the others look away", self.seat_name(decision.seat));
        self.ask_line(&prompt, None)?;
        self.alone = Some(decision.seat);
        self.drawn.clear();
        if wiped || changes {
            self.show_missed(decision.seat, wiped);
        }
        Ok(())
    }

    /// Waits until a seat confirms that it has read its private lines, before they are wiped.
    fn wait_until_read(&mut self) -> Result<(), InputEnd> {
        let Some(seat) = self.alone.take_if(|_| self.unread) else { return Ok(()) };
        self.unread = false;
        let prompt = format!("{}, press Enter when you have read what only you may see", self.seat_name(seat));
        self.ask_line(&prompt, Some(Viewer::Seat(seat)))?;
        self.seen.insert(seat, self.log.len());
        Ok(())
    }

    /// Tells a seat what happened since it was last asked. If the screen was wiped, this includes the public events.
    fn show_missed(&self, seat: usize, wiped: bool) {
        let seen = self.seen.get(&seat).copied().unwrap_or(0);
        let mut missed = self.events_known_to(Viewer::Seat(seat), seen);
        missed.retain(|event| wiped || event.seen_by(Viewer::Spectator).is_none());
        self.print_story(&missed);
    }

    /// Clears private lines from the screen, because everybody sees the end of the game.
    fn clear_for_the_end(&mut self) {
        let Some(seat) = self.alone.filter(|_| self.has_secrets()) else { return };
        let seen = self.seen.get(&seat).copied().unwrap_or(0);
        // The game is over even if the prompt is not answered.
        let _ = self.wait_until_read();
        self.alone = None;
        if self.face.wipe_screen() {
            self.print_story(&self.events_known_to(Viewer::Spectator, seen));
        }
    }

    /// True if several people look at this screen.
    fn is_shared(&self) -> bool {
        !self.game.is_rehearsal() && self.game.seats().iter().filter(|seat| !seat.is_bot()).count() > 1
    }

    /// True if the rules have a zone that is hidden from some players, or an event was shown to only some of them.
    fn has_secrets(&self) -> bool {
        let mut zones = self.game.session().program().kinds.iter().flat_map(|kind| &kind.zones);
        zones.any(|zone| zone.seen != Visibility::All)
            || self.log.events().any(|event| event.seen_by(Viewer::Spectator).is_none())
    }

    /// The viewer for whom events are shown: the only person, the seat alone at the screen, or a spectator if several people
    /// share it. A trusted viewer if only bots play or the game is a rehearsal.
    fn current_viewer(&self) -> Viewer {
        if let Some(seat) = self.alone {
            return Viewer::Seat(seat);
        }
        let mut humans = self.game.seats().iter().filter(|seat| !seat.is_bot());
        match (humans.next(), humans.next()) {
            (None, _) => Viewer::Trusted,
            (Some(only), None) => Viewer::Seat(only.number),
            (Some(_), Some(_)) if self.game.is_rehearsal() => Viewer::Trusted,
            (Some(_), Some(_)) => Viewer::Spectator,
        }
    }

    /// The first seat played by a person.
    fn first_human(&self) -> Option<usize> {
        self.game.seats().iter().find(|seat| !seat.is_bot()).map(|seat| seat.number)
    }
}

/// Whether two answers are equal, ignoring the order of chosen options.
fn is_same_choice(one: &Choice, other: &Choice) -> bool {
    match (one, other) {
        (Choice::Options(one), Choice::Options(other)) => {
            one.iter().collect::<BTreeSet<_>>() == other.iter().collect::<BTreeSet<_>>()
        }
        _ => one == other,
    }
}

/// The names of the sides, and of the referee if there is one.
fn side_names(game: &Game) -> Vec<String> {
    let view = game.session().view(Viewer::Spectator);
    let referee = game.session().program().referee.iter().cloned();
    view.sides.into_iter().map(|side| side.name).chain(referee).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::PROBLEMS;
    use crate::game::broken;

    #[test]
    fn a_bug_ends_the_game_and_keeps_the_recording() {
        let path = std::env::temp_dir().join(format!("ludex-bug-play-{}.ludexrec", std::process::id()));
        let face = InLines::new(Screen::detect(true), Input::new());
        let played = play_game(broken::buggy_game(&path), Log::default(), &face);
        assert_eq!((played.end, played.status.map_err(|stop| stop.status)), (PlayEnd::Fault, Err(PROBLEMS)));
        broken::assert_kept(&path);
    }
}
