//! Execution of the commands that `command` parses, at a question or while the results of real dice are asked for.

use super::command::{self, Command};
use super::echoes::Line;
use super::event_text::story_lines;
use super::menu::{Menu, Reply};
use super::screen::printable_line;
use super::{CommandEffect, LeaveReason, Terminal, preview, why};
use crate::args::PlayerSpec;
use crate::bots;
use crate::game::{RecordingStore, USED_UP, Undo, resume_hint};
use crate::layout::Table;
use crate::rulebook::{Block, Rulebook, things};
use crate::whole_file::{self, Readers};
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Choice, Decision, Viewer};
use std::io;
use std::path::{Path, PathBuf};

/// The first bytes of every recording.
const FIRST_BYTES: &[u8] = b"{\"ludex-recording\"";

impl Terminal<'_> {
    /// Runs a command typed at a question to `seat`. `menu` lists the answers; there is none while results of dice are typed.
    pub(super) fn run_command(
        &mut self,
        command: Command,
        seat: usize,
        menu: Option<&mut Menu>,
    ) -> Result<CommandEffect, LeaveReason> {
        match command {
            Command::Help => self.print_help(menu.as_deref()),
            Command::Undo => return self.undo_answer(seat),
            Command::Save(path) => self.save_game(path),
            Command::Retell(what, path) => self.save_retelling(what, path),
            Command::Hint => self.show_hint(menu.as_deref()),
            Command::Preview(words) => self.show_preview(&words, menu),
            Command::Why(words) => self.show_why(&words, menu.as_deref()),
            Command::Log(length) => self.show_log(length, menu.as_deref()),
            Command::Look if menu.is_none() => self.face.print_lines(&self.board_lines(seat)),
            Command::Look => return Ok(CommandEffect::Redraw),
            Command::LookAt(words) => self.show_thing(&words),
            Command::All => {
                if let Some(menu) = menu {
                    menu.show_all();
                    self.list_moves(menu);
                }
            }
            Command::Keys => {
                if let Some(menu) = menu {
                    menu.show_keys();
                    self.list_moves(menu);
                }
            }
            Command::Dice => self.explain_dice(),
            Command::Rules(words) => self.show_rules(&words),
            Command::Resign => return self.resign_game(seat),
            Command::Quit => return self.quit_game(seat),
        }
        Ok(CommandEffect::Again)
    }

    /// Shows the rules in short or, given words, the passages about them.
    fn show_rules(&self, words: &str) {
        let program = self.game.session().program();
        let book = Rulebook::from_program(program);
        let blocks = if words.is_empty() { book.opening_blocks() } else { book.find_blocks(program, words) };
        if blocks.is_empty() {
            return self.print_error(&match words {
                "" => "this game has no rules to read here".to_string(),
                words => format!("the rules say nothing about `{}`; `rules` shows what you can read", printable_line(words)),
            });
        }
        for block in &blocks {
            match block {
                Block::Heading(title) => self.face.print_title(title),
                Block::Text(text) => self.face.print_text(text),
                Block::Item(text) => self.face.print_text(&format!("  {text}")),
            }
        }
        if words.is_empty() {
            self.face.print_text("`rules WORD` shows more: WORD is a heading, a name, or a rule that `why` cites");
        }
    }

    /// Prints the text of a card, a sheet, an ability or a die that has these words in its name.
    fn show_thing(&self, words: &str) {
        let lines = things::find_thing_lines(self.game.session().program(), words);
        if lines.is_empty() {
            return self.print_error(&format!("no card, ability or die has `{}` in its name", printable_line(words)));
        }
        lines.iter().for_each(|line| self.face.print_text(line));
    }

    /// Prints the inputs that are possible now.
    fn print_help(&self, menu: Option<&Menu>) {
        let key = menu.and_then(|menu| self.game.session().option(menu.decision.id, 0)).map(|option| option.key);
        let program = self.game.session().program();
        let cards = (0..).zip(&program.kinds).any(|(kind, _)| program.is_printed(kind));
        let things = if cards { "CARD" } else { "NAME" };
        let mut table = Table::default();
        for (what, text) in command::command_help_rows(key.as_deref(), cards, things, self.game.recording_path().is_some()) {
            table.add_row([what, &printable_line(&text)]);
        }
        self.face.print_lines(&table.to_text().lines().map(str::to_string).collect::<Vec<_>>());
    }

    /// Takes back the seat's secret pick or last answer, if that is allowed and the others agree.
    fn undo_answer(&mut self, seat: usize) -> Result<CommandEffect, LeaveReason> {
        if self.guide.is_some() {
            self.print_error("a tour only goes forward; `ludex play` has `undo`");
            return Ok(CommandEffect::Again);
        }
        // A person who plays all seats takes back their last answer, at any seat.
        let seat = if self.game.is_rehearsal() { self.game.last_answering_seat().unwrap_or(seat) } else { seat };
        match self.game.withdraw_pick(seat) {
            Ok(false) => {}
            withdrawn => return Ok(self.report_change(withdrawn.map(drop))),
        }
        let alone = self.alone;
        match self.game.undo_for_seat(seat) {
            Undo::Nothing => self.print_error("you have no decision to go back to"),
            Undo::UsedUp => {
                self.print_error(USED_UP);
                self.face.print_text("start or resume the game with `--undo N` to allow it N times");
            }
            Undo::Free(undo) => {
                let done = self.game.apply_take_back(undo);
                return Ok(self.report_change(done));
            }
            Undo::WithConsent(undo, others) => {
                if self.others_agree(seat, &others)? {
                    let done = self.game.apply_take_back(undo);
                    return Ok(self.report_change(done));
                }
                self.print_error("not taken back");
            }
        }
        Ok(if self.alone == alone { CommandEffect::Again } else { CommandEffect::Changed })
    }

    /// Asks the people at these seats for consent.
    fn others_agree(&mut self, seat: usize, others: &[usize]) -> Result<bool, LeaveReason> {
        if self.has_secrets() {
            // They look at the screen now; it is handed over again afterwards.
            self.face.wipe_screen();
            self.alone = None;
            self.unread = false;
        }
        // Private lines are gone by now.
        let onlookers = (!self.has_secrets()).then_some(Viewer::Spectator);
        for &other in others {
            let prompt = format!(
                "{}, {} wants to take back a roll or your answer; yes or no:",
                self.seat_name(other),
                self.seat_name(seat)
            );
            let answer = self.ask_line(&prompt, onlookers)?;
            if !matches!(answer.to_lowercase().as_str(), "y" | "yes") {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Copies the recording to a file, or says where it is kept.
    fn save_game(&mut self, path: Option<PathBuf>) {
        let Some(path) = path else {
            return match self.game.recording_path() {
                Some(path) => self.face.print_text(&resume_hint(path)),
                None => self.print_error("the game is not kept automatically here; name a file: `save FILE`"),
            };
        };
        match save_new(&path, &self.game.recording_text()) {
            Ok(()) => {
                let libraries = self.game.recording_path().map(RecordingStore::libraries_of).unwrap_or_default();
                RecordingStore::remember_libraries(&path, &libraries);
                self.face.print_text(&resume_hint(&path));
            }
            Err(error) => self.print_error(&format!("`{}` cannot be written: {error}", path.display())),
        }
    }

    /// Shows what the greedy bot would do.
    fn show_hint(&self, menu: Option<&Menu>) {
        // The menu may be for one step; the bot decides the whole.
        let asked = menu.map(|menu| menu.decision.id);
        let Some(decision) = self.game.open_decisions().into_iter().find(|decision| Some(decision.id) == asked) else {
            return self.face.print_text("there is nothing to decide now: roll the dice");
        };
        let session = self.game.session();
        // The same question always gets the same advice.
        let seed = decision.id;
        let Ok(mut bot) = bots::create_bot(&PlayerSpec::Greedy, session.program(), seed, decision.seat) else {
            return self.print_error("there is no bot to ask");
        };
        let Ok(choice) = bot.answer(&session.imagine(decision.seat, seed), &decision) else {
            return self.print_error("there is no bot to ask");
        };
        self.face.print_text(&format!("hint: {}", self.describe_choice(&decision, &choice, menu)));
    }

    /// Prints the possible results of the move that the words name, by number, key or sentence.
    fn show_preview(&self, words: &str, menu: Option<&mut Menu>) {
        let Some(menu) = menu else {
            return self.face.print_text("there is no move to preview now: roll the dice");
        };
        if words.is_empty() {
            return self.print_error(&format!("name the move: type `preview` and {}", menu.input_hint()));
        }
        let session = self.game.session();
        // Previewing a move must not narrow the list of moves.
        let reply = menu.clone().read_or_take_only(words, |key| session.find_choice(menu.decision.id, key));
        let choice = match reply {
            Reply::Answer(choice) => choice,
            Reply::Wrong(why) => return self.print_error(&why),
            Reply::Changed => return self.print_error(&format!("several moves contain `{}`", printable_line(words))),
        };
        self.face.print_text(&format!("{}:", self.describe_choice(menu.decision, &choice, Some(menu))));
        for line in preview::preview_lines(session, menu.decision, &choice, &self.sides, || true) {
            self.face.print_text(&format!("  {line}"));
        }
    }

    /// An answer in words, with the menu numbers of its options if they are listed.
    pub(super) fn describe_choice(&self, decision: &Decision, choice: &Choice, menu: Option<&Menu>) -> String {
        // A decision asked in steps has shown no numbers.
        let whole = decision.count <= self.most_listed(decision);
        let number = |id: u64| menu.filter(|_| whole).and_then(|menu| menu.number_of(id));
        preview::answer_text(self.game.session(), decision, choice, |option| match number(option.id) {
            Some(number) => format!("{number}. {}", option.text),
            None => option.text,
        })
    }

    /// Prints the cause of an event, or the reason why a move is not offered.
    fn show_why(&self, words: &str, menu: Option<&Menu>) {
        for line in
            why::why_lines(words, &self.events_known_to(self.reply_viewer(menu), 0), self.game.session(), menu, &self.sides)
        {
            self.face.print_text(&line);
        }
    }

    /// The viewer whose knowledge a reply may use: the seat that is asked or, while dice are typed in, the one at the screen.
    fn reply_viewer(&self, menu: Option<&Menu>) -> Viewer {
        menu.map_or(self.current_viewer(), |menu| Viewer::Seat(menu.decision.seat))
    }

    /// Prints the last `length` lines of the story, or all of them.
    fn show_log(&self, length: Option<usize>, menu: Option<&Menu>) {
        let lines = story_lines(&self.story_events(self.reply_viewer(menu), 0, self.log.len()), &self.sides);
        let start = length.map_or(0, |length| lines.len().saturating_sub(length));
        for (index, line) in lines.iter().enumerate().skip(start) {
            let (Line::Title(text) | Line::Plain(text)) = line;
            self.face.print_text(&format!("{:>4}  {text}", index + 1));
        }
        if lines.is_empty() {
            self.face.print_text("nothing has happened yet");
        }
    }

    /// Gives up on behalf of a seat, if the player confirms it.
    fn resign_game(&mut self, seat: usize) -> Result<CommandEffect, LeaveReason> {
        if self.game.is_rehearsal() {
            self.print_error("a scenario cannot record that a player gives up; `quit` ends it here");
            return Ok(CommandEffect::Again);
        }
        let answer = self.ask_line("give up this game; yes or no:", Some(Viewer::Seat(seat)))?;
        if !matches!(answer.to_lowercase().as_str(), "y" | "yes") {
            return Ok(CommandEffect::Again);
        }
        let done = self.game.resign_seat(seat);
        Ok(self.report_change(done))
    }

    /// The follow-up of an action that changes the game; reports a failure to record it.
    fn report_change(&self, done: Result<(), Box<Problem>>) -> CommandEffect {
        if let Err(problem) = done {
            self.print_problem(&problem);
        }
        CommandEffect::Changed
    }

    /// Leaves the game; one that is not kept only if the player confirms it.
    fn quit_game(&mut self, seat: usize) -> Result<CommandEffect, LeaveReason> {
        if self.game.recording_path().is_none() && self.guide.is_none() && !self.game.is_rehearsal() {
            let answer = self.ask_line("the game is not kept anywhere; leave it; yes or no:", Some(Viewer::Seat(seat)))?;
            if !matches!(answer.to_lowercase().as_str(), "y" | "yes") {
                return Ok(CommandEffect::Again);
            }
        }
        Err(LeaveReason::Quit)
    }
}

/// Writes a copy of the recording. An existing file is replaced only if it is a recording of the same game.
fn save_new(path: &Path, text: &str) -> io::Result<()> {
    if whole_file::is_something_else(path, FIRST_BYTES) {
        let words = "a file with that name exists, and it is not a recording";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, words));
    }
    // The first line of a recording has the game, its seed and its players.
    let first_line = text.split_inclusive('\n').next().unwrap_or_default();
    if whole_file::is_something_else(path, first_line.as_bytes()) {
        let words = "another game has been saved in that file";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, words));
    }
    // The copy replaces the old file only once it is fully written.
    let draft = path.with_extension(format!("draft-{}", std::process::id()));
    whole_file::replace_file(path, &draft, text, Readers::Owner)
}
