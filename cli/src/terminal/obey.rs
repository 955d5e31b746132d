//! Execution of commands.

use super::command::{self, Command};
use super::echoes::Line;
use super::event_text::story;
use super::menu::{Menu, Reply};
use super::screen::printable;
use super::{Leave, Terminal, Then, preview, why};
use crate::args::PlayerSpec;
use crate::bots;
use crate::game::{RecordingStore, USED_UP, Undo, how_to_go_on};
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
    pub(super) fn obey(&mut self, command: Command, seat: usize, menu: Option<&mut Menu>) -> Result<Then, Leave> {
        match command {
            Command::Help => self.help(menu.as_deref()),
            Command::Undo => return self.undo(seat),
            Command::Save(path) => self.save(path),
            Command::Retell(what, path) => self.retell(what, path),
            Command::Hint => self.hint(menu.as_deref()),
            Command::Preview(words) => self.preview(&words, menu),
            Command::Why(words) => self.why(&words, menu.as_deref()),
            Command::Log(length) => self.show_log(length, menu.as_deref()),
            Command::Look if menu.is_none() => self.face.draw(&self.board(seat)),
            Command::Look => return Ok(Then::Redraw),
            Command::LookAt(words) => self.look_at(&words),
            Command::All => {
                if let Some(menu) = menu {
                    menu.show_all();
                    self.list(menu);
                }
            }
            Command::Keys => {
                if let Some(menu) = menu {
                    menu.show_keys();
                    self.list(menu);
                }
            }
            Command::Dice => self.tell_dice(),
            Command::Rules(words) => self.rules(&words),
            Command::Resign => return self.resign(seat),
            Command::Quit => return self.quit(seat),
        }
        Ok(Then::Again)
    }

    /// Shows the rules in short or, given words, the passages about them.
    fn rules(&self, words: &str) {
        let program = self.game.session().program();
        let book = Rulebook::of(program);
        let blocks = if words.is_empty() { book.opening() } else { book.about(program, words) };
        if blocks.is_empty() {
            return self.tell_wrong(&match words {
                "" => "this game has no rules to read here".to_string(),
                words => format!("the rules say nothing about `{}`; `rules` shows what you can read", printable(words)),
            });
        }
        for block in &blocks {
            match block {
                Block::Heading(title) => self.face.title(title),
                Block::Text(text) => self.face.say(text),
                Block::Item(text) => self.face.say(&format!("  {text}")),
            }
        }
        if words.is_empty() {
            self.face.say("`rules WORD` shows more: WORD is a heading, a name, or a rule that `why` cites");
        }
    }

    fn look_at(&self, words: &str) {
        let lines = things::read(self.game.session().program(), words);
        if lines.is_empty() {
            return self
                .tell_wrong(&format!("no card, ability or die has `{}` in its name", printable(words)));
        }
        lines.iter().for_each(|line| self.face.say(line));
    }

    fn help(&self, menu: Option<&Menu>) {
        let key = menu.and_then(|menu| self.game.session().option(menu.decision.id, 0)).map(|option| option.key);
        let program = self.game.session().program();
        let cards = (0..).zip(&program.kinds).any(|(kind, _)| program.is_printed(kind));
        let things = if cards { "CARD" } else { "NAME" };
        let mut table = Table::default();
        for (what, text) in command::help(key.as_deref(), cards, things, self.game.path().is_some()) {
            table.row([what, &printable(&text)]);
        }
        self.face.draw(&table.text().lines().map(str::to_string).collect::<Vec<_>>());
    }

    fn undo(&mut self, seat: usize) -> Result<Then, Leave> {
        if self.guide.is_some() {
            self.tell_wrong("a tour only goes forward; `ludex play` has `undo`");
            return Ok(Then::Again);
        }
        // A person who plays all seats takes back their last answer, at any seat.
        let seat = if self.game.is_rehearsal() { self.game.answered_last().unwrap_or(seat) } else { seat };
        match self.game.withdraw(seat) {
            Ok(false) => {}
            withdrawn => return Ok(self.done(withdrawn.map(drop))),
        }
        let alone = self.alone;
        match self.game.undo_of(seat) {
            Undo::Nothing => self.tell_wrong("you have no decision to go back to"),
            Undo::UsedUp => {
                self.tell_wrong(USED_UP);
                self.face.say("start or resume the game with `--undo N` to allow it N times");
            }
            Undo::Free(undo) => {
                let done = self.game.undo(undo);
                return Ok(self.done(done));
            }
            Undo::WithConsent(undo, others) => {
                if self.others_agree(seat, &others)? {
                    let done = self.game.undo(undo);
                    return Ok(self.done(done));
                }
                self.tell_wrong("not taken back");
            }
        }
        Ok(if self.alone == alone { Then::Again } else { Then::Changed })
    }

    /// Asks the people at these seats for consent.
    fn others_agree(&mut self, seat: usize, others: &[usize]) -> Result<bool, Leave> {
        if self.hides() {
            // They look at the screen now; it is handed over again afterwards.
            self.face.wipe();
            self.alone = None;
            self.unread = false;
        }
        // Private lines are gone by now.
        let onlookers = (!self.hides()).then_some(Viewer::Spectator);
        for &other in others {
            let prompt =
                format!("{}, {} wants to take back a roll or your answer; yes or no:", self.name(other), self.name(seat));
            let answer = self.ask(&prompt, onlookers)?;
            if !matches!(answer.to_lowercase().as_str(), "y" | "yes") {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn save(&mut self, path: Option<PathBuf>) {
        let Some(path) = path else {
            return match self.game.path() {
                Some(path) => self.face.say(&how_to_go_on(path)),
                None => self.tell_wrong("the game is not kept automatically here; name a file: `save FILE`"),
            };
        };
        match save_new(&path, &self.game.recording()) {
            Ok(()) => {
                let libraries = self.game.path().map(RecordingStore::libraries_of).unwrap_or_default();
                RecordingStore::remember_libraries(&path, &libraries);
                self.face.say(&how_to_go_on(&path));
            }
            Err(error) => self.tell_wrong(&format!("`{}` cannot be written: {error}", path.display())),
        }
    }

    fn hint(&self, menu: Option<&Menu>) {
        let asked = menu.map(|menu| menu.decision.id);
        let Some(decision) = self.game.open().into_iter().find(|decision| Some(decision.id) == asked) else {
            return self.face.say("there is nothing to decide now: roll the dice");
        };
        let session = self.game.session();
        // The same question always gets the same advice.
        let seed = decision.id;
        let Ok(mut bot) = bots::bot(&PlayerSpec::Greedy, session.program(), seed, decision.seat) else {
            return self.tell_wrong("there is no bot to ask");
        };
        let Ok(choice) = bot.answer(&session.imagine(decision.seat, seed), &decision) else {
            return self.tell_wrong("there is no bot to ask");
        };
        self.face.say(&format!("hint: {}", self.described(&decision, &choice, menu)));
    }

    fn preview(&self, words: &str, menu: Option<&mut Menu>) {
        let Some(menu) = menu else {
            return self.face.say("there is no move to preview now: roll the dice");
        };
        if words.is_empty() {
            return self.tell_wrong(&format!("name the move: type `preview` and {}", menu.hint()));
        }
        let session = self.game.session();
        // Previewing a move must not narrow the list of moves.
        let reply = menu.clone().only(words, |key| session.find(menu.decision.id, key));
        let choice = match reply {
            Reply::Answer(choice) => choice,
            Reply::Wrong(why) => return self.tell_wrong(&why),
            Reply::Changed => return self.tell_wrong(&format!("several moves contain `{}`", printable(words))),
        };
        self.face.say(&format!("{}:", self.described(menu.decision, &choice, Some(menu))));
        for line in preview::prospects(session, menu.decision, &choice, &self.sides, || true) {
            self.face.say(&format!("  {line}"));
        }
    }

    pub(super) fn described(&self, decision: &Decision, choice: &Choice, menu: Option<&Menu>) -> String {
        // A decision asked in steps has shown no numbers.
        let whole = decision.count <= self.most_listed(decision);
        let number = |id: u64| menu.filter(|_| whole).and_then(|menu| menu.number_of(id));
        preview::words_of(self.game.session(), decision, choice, |option| match number(option.id) {
            Some(number) => format!("{number}. {}", option.text),
            None => option.text,
        })
    }

    fn why(&self, words: &str, menu: Option<&Menu>) {
        for line in why::why(words, &self.known_to(self.reader(menu), 0), self.game.session(), menu, &self.sides) {
            self.face.say(&line);
        }
    }

    /// The viewer who reads a reply: the seat that is asked or, while dice are typed in, the one at the screen.
    fn reader(&self, menu: Option<&Menu>) -> Viewer {
        menu.map_or(self.viewer(), |menu| Viewer::Seat(menu.decision.seat))
    }

    fn show_log(&self, length: Option<usize>, menu: Option<&Menu>) {
        let lines = story(&self.told_of(self.reader(menu), 0, self.log.len()), &self.sides);
        let start = length.map_or(0, |length| lines.len().saturating_sub(length));
        for (index, line) in lines.iter().enumerate().skip(start) {
            let (Line::Title(text) | Line::Plain(text)) = line;
            self.face.say(&format!("{:>4}  {text}", index + 1));
        }
        if lines.is_empty() {
            self.face.say("nothing has happened yet");
        }
    }

    fn resign(&mut self, seat: usize) -> Result<Then, Leave> {
        if self.game.is_rehearsal() {
            self.tell_wrong("a scenario cannot record that a player gives up; `quit` ends it here");
            return Ok(Then::Again);
        }
        let answer = self.ask("give up this game; yes or no:", Some(Viewer::Seat(seat)))?;
        if !matches!(answer.to_lowercase().as_str(), "y" | "yes") {
            return Ok(Then::Again);
        }
        let done = self.game.resign(seat);
        Ok(self.done(done))
    }

    /// The follow-up of an action that changes the game; reports a failure to record it.
    fn done(&self, done: Result<(), Box<Problem>>) -> Then {
        if let Err(problem) = done {
            self.tell_problem(&problem);
        }
        Then::Changed
    }

    fn quit(&mut self, seat: usize) -> Result<Then, Leave> {
        if self.game.path().is_none() && self.guide.is_none() && !self.game.is_rehearsal() {
            let answer = self.ask("the game is not kept anywhere; leave it; yes or no:", Some(Viewer::Seat(seat)))?;
            if !matches!(answer.to_lowercase().as_str(), "y" | "yes") {
                return Ok(Then::Again);
            }
        }
        Err(Leave::Quit)
    }
}

/// Writes a copy of the recording. An existing file is replaced only if it is a recording.
fn save_new(path: &Path, text: &str) -> io::Result<()> {
    if whole_file::is_something_else(path, FIRST_BYTES) {
        let words = "a file with that name exists, and it is not a recording";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, words));
    }
    // The copy replaces the old file only once it is fully written.
    let draft = path.with_extension(format!("draft-{}", std::process::id()));
    whole_file::replace(path, &draft, text, Readers::Owner)
}
