//! A table on a thread of its own: the game, the requests of its players, and their views.
//!
//! The thread owns the [`Sitting`] and handles one command after another. The [`Table`] is its handle for the HTTP thread.
//! Views are numbered: the seats in order, then the spectators.

use super::links::{Links, NewLink, Place, random_digits};
use super::page::{self, Scene, Wish, WishKind};
use super::rehearsal::AnswerPreview;
use super::story::Story;
use super::views::{TableViews, ViewRenderer};
use crate::STACK;
use crate::game::{Game, Undo, rematch};
use crate::guard::catch_panic;
use crate::output;
use crate::protocol::answer;
use crate::protocol::request::{Answer, Rejection};
use crate::protocol::steps;
use crate::rulebook::Rulebook;
use crate::stop::Stop;
use crate::table::{self, MOST_LISTED, Stage};
use crate::terminal::Log;
use ludex_bots::updates::{TakeBackNotice, Update};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::recording::TakeBack;
use ludex_engine::runtime::{Decision, Draft, DraftProgress, Event, MoveStep, Pending, Viewer};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tokio::sync::oneshot;

/// The time that a bot waits after its answer could not be recorded.
const NEXT_ATTEMPT: Duration = Duration::from_secs(2);

/// The function that starts a table's game, called on its thread.
pub type GameStarter = Box<dyn FnOnce() -> Result<StartedGame, Stop> + Send>;

/// The game of a table that begins.
pub struct StartedGame {
    /// A new game, or one that is resumed.
    pub game: Game,
    /// The events reported so far.
    pub log: Log,
    /// Makes another game of the same sides when this one is over.
    pub again: RematchStarter,
}

/// The function that starts another game after one that is over.
pub type RematchStarter = Box<dyn Fn(&Game) -> Result<Game, Stop>>;

/// An answer to a decision, or to one of its steps. Both are numbered as the page showed them, so that an answer from an old
/// page has no effect.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerRequest {
    pub decision: u64,
    pub step: Option<usize>,
    pub answer: Answer,
}

/// An action that a player requests at the table.
#[derive(Clone, Debug)]
pub enum Act {
    Answer(AnswerRequest),
    Undo,
    Consent(bool),
    Resign,
    /// Play the same game again, now that it is over.
    Again,
    /// The owner waives the consent of this seat.
    Waive,
}

/// The reason that a request had no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestRefusal {
    pub reason: String,
    pub help: Option<String>,
}

/// A request of a seat to the table's thread, with the channel for its reply.
struct Command {
    seat: usize,
    what: CommandKind,
}

/// The kind of a request, with the channel for its reply.
enum CommandKind {
    Act(Act, Reply<()>),
    /// A preview of an answer, which is not given.
    Rehearsal(AnswerRequest, Reply<AnswerPreview>),
}

/// The channel for the reply to a request: its result, or why it had no effect.
type Reply<T> = oneshot::Sender<Result<T, RequestRefusal>>;

/// The handle of a table for other threads.
pub struct Table {
    pub id: String,
    pub title: String,
    /// The name of each seat's side, and whether a person plays it.
    pub seats: Vec<(String, bool)>,
    pub links: Arc<Links>,
    /// Newly made links.
    pub made: Vec<NewLink>,
    pub recording: Option<PathBuf>,
    pub program: Arc<Program>,
    pub rules: Rulebook,
    /// Whether the table continues from an earlier process.
    pub goes_on: bool,
    /// The tokens in the forms of each seat, the owner's last. Only a page of this server knows them.
    pub signs: Vec<String>,
    /// The views that the thread renders.
    pub shown: TableViews,
    commands: mpsc::Sender<Command>,
}

impl Table {
    /// Begins a table on a thread of its own. With `renew`, links made earlier become invalid.
    pub fn begin_on_thread(begin: GameStarter, renew: bool) -> Result<Table, Stop> {
        let (ready, is_ready) = mpsc::channel();
        let thread = std::thread::Builder::new().name("table".to_string()).stack_size(STACK);
        let started = thread.spawn(move || match catch_panic(|| Sitting::begin_sitting(begin, renew)) {
            Ok(Ok((mut sitting, table, commands))) => {
                // Before the table is announced, its views must show how play has begun.
                sitting.take_updates();
                sitting.showing.mark_stale();
                sitting.render_all();
                if ready.send(Ok(table)).is_ok() {
                    sitting.serve_commands(&commands);
                }
            }
            Ok(Err(stop)) => drop(ready.send(Err(stop))),
            Err(bug) => drop(ready.send(Err((*bug).into()))),
        });
        let ended = || Stop::from(Problem::error(ludex_engine::codes::INTERNAL, "the table cannot start"));
        started.map_err(|_| ended())?;
        is_ready.recv().unwrap_or_else(|_| Err(ended()))
    }

    /// Carries out an act on behalf of a seat, and waits until it is done.
    pub async fn request_act(&self, seat: usize, act: Act) -> Result<(), RequestRefusal> {
        self.send_command(seat, |reply| CommandKind::Act(act, reply)).await
    }

    /// Asks for the data that a preview of an answer needs.
    pub async fn request_rehearsal(&self, seat: usize, answering: AnswerRequest) -> Result<AnswerPreview, RequestRefusal> {
        self.send_command(seat, |reply| CommandKind::Rehearsal(answering, reply)).await
    }

    /// Sends a request to the table's thread, and waits for its reply.
    async fn send_command<T>(&self, seat: usize, what: impl FnOnce(Reply<T>) -> CommandKind) -> Result<T, RequestRefusal> {
        let (reply, replied) = oneshot::channel();
        let gone = || RequestRefusal { reason: "This table has stopped.".to_string(), help: None };
        self.commands.send(Command { seat, what: what(reply) }).map_err(|_| gone())?;
        replied.await.unwrap_or_else(|_| Err(gone()))
    }
}

/// A wish of a seat that needs consent, and the seats that have yet to agree.
#[derive(Clone)]
struct Request {
    by: usize,
    what: RequestKind,
    waiting: Vec<usize>,
}

impl Request {
    fn is_again(&self) -> bool {
        matches!(self.what, RequestKind::Again)
    }
}

/// The subject of a wish that needs consent.
#[derive(Clone)]
enum RequestKind {
    TakeBack(TakeBack),
    Again,
}

/// The state of a table, owned by its thread.
struct Sitting {
    game: Game,
    again: RematchStarter,
    /// The names of the sides, and of the referee if there is one.
    names: Vec<String>,
    /// The events of the game, without those that were taken back.
    log: Log,
    /// The lines shown to each seat, those of spectators last.
    stories: Vec<Story>,
    /// The unfinished moves of decisions asked in steps, by decision.
    drafts: BTreeMap<u64, Draft>,
    /// The request that waits for the consent of others.
    request: Option<Request>,
    /// The reason that play has stopped, if it has.
    stopped: Option<String>,
    links: Arc<Links>,
    /// The token in the forms of each seat.
    signs: Vec<String>,
    showing: ViewRenderer,
}

impl Sitting {
    /// Starts the game and makes the table's handle. Links made earlier for the same recording are used again.
    fn begin_sitting(begin: GameStarter, renew: bool) -> Result<(Sitting, Table, mpsc::Receiver<Command>), Stop> {
        let StartedGame { game, log, again } = begin()?;
        let people: Vec<usize> = game.human_seats().collect();
        let recording = game.recording_path().map(PathBuf::from);
        let known = recording.as_deref().and_then(|path| Links::load_links(path, &people));
        let goes_on = known.is_some();
        let (links, made) = match known {
            Some(links) => {
                let made = if renew { links.renew_all_links()? } else { Vec::new() };
                (links, made)
            }
            None => Links::make_links(recording.as_deref(), &people)?,
        };
        let session = game.session();
        let names: Vec<String> = (0..game.seats().len()).map(|seat| session.side_name(seat)).collect();
        let links = Arc::new(links);
        let signs: Vec<String> = (0..=names.len()).map(|_| random_digits(32)).collect::<Result<_, _>>()?;
        let (showing, shown) = ViewRenderer::new(random_digits(8)?, names.len() + 1);
        let (commands, received) = mpsc::channel();
        let table = Table {
            id: links.table_id(),
            title: session.program().title.clone(),
            seats: names.iter().cloned().zip(game.seats().iter().map(|seat| !seat.is_bot())).collect(),
            links: links.clone(),
            made,
            recording,
            program: session.program().clone(),
            rules: Rulebook::from_program(session.program()),
            goes_on,
            signs: signs.clone(),
            shown,
            commands,
        };
        let mut sitting = Sitting {
            stories: vec![Story::default(); names.len() + 1],
            game,
            again,
            names,
            log: Log::default(),
            drafts: BTreeMap::new(),
            request: None,
            stopped: None,
            links,
            signs,
            showing,
        };
        let before: Vec<Event> = log.events().cloned().collect();
        let take_backs = sitting.game.recorded_session().entries().take_backs().filter(|undo| undo.seed.is_some());
        for seat in take_backs.map(|undo| undo.seat).collect::<Vec<_>>() {
            let text = format!("{} took back a decision; from there on, chance was drawn again", sitting.seat_name(seat));
            sitting.stories.iter_mut().for_each(|story| story.add_permanent_line(text.clone()));
        }
        sitting.log = log;
        sitting.report_events(&before);
        sitting.stories.iter_mut().for_each(Story::mark_answered);
        Ok((sitting, table, received))
    }

    /// Plays until no handle of the table is left.
    fn serve_commands(&mut self, commands: &mpsc::Receiver<Command>) {
        loop {
            self.let_bots_answer();
            let Command { seat, what } = match self.wait_for_command(commands) {
                Ok(command) => command,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            // The requester may be gone by the time of the reply.
            match what {
                CommandKind::Act(act, reply) => {
                    let done = self.unless_stopped(|sitting| sitting.carry_out(seat, act));
                    self.showing.mark_stale();
                    // The seat that answered does not wait until the others' views are rendered.
                    self.render_view(seat);
                    let _ = reply.send(done);
                }
                CommandKind::Rehearsal(answering, reply) => {
                    let _ = reply.send(self.unless_stopped(|sitting| sitting.prepare_rehearsal(seat, &answering)));
                }
            }
        }
    }

    /// Waits for the next request. If a bot's answer cannot be recorded, this times out so that the bot tries again, because no
    /// other seat may be asked.
    fn wait_for_command(&self, commands: &mpsc::Receiver<Command>) -> Result<Command, RecvTimeoutError> {
        match self.stopped.is_none() && self.game.write_failure().is_some() && self.game.is_bots_turn() {
            true => commands.recv_timeout(NEXT_ATTEMPT),
            false => commands.recv().map_err(RecvTimeoutError::from),
        }
    }

    /// Renders all views, and again after each answer of a bot.
    fn let_bots_answer(&mut self) {
        loop {
            self.take_updates();
            self.render_all();
            if self.stopped.is_some() {
                return;
            }
            match catch_panic(|| self.game.let_bot_answer()) {
                Ok(Ok(true)) => self.showing.mark_stale(),
                Ok(Ok(false)) => break,
                Ok(Err(problem)) | Err(problem) => self.stop_play(&problem),
            }
        }
        // A bot whose answer cannot be recorded has reported it.
        self.take_updates();
        self.render_all();
    }

    /// Performs an action unless play has stopped; a failure stops play.
    fn unless_stopped<T>(&mut self, what: impl FnOnce(&mut Sitting) -> Result<T, RequestRefusal>) -> Result<T, RequestRefusal> {
        if self.stopped.is_some() {
            return Err(self.stopped_refusal());
        }
        catch_panic(|| what(self)).unwrap_or_else(|bug| {
            self.stop_play(&bug);
            Err(self.stopped_refusal())
        })
    }

    /// Stops play after a failure. The answers so far are kept; the reason goes to the server's output.
    fn stop_play(&mut self, problem: &Problem) {
        let problem = self.game.bug_report(problem);
        output::print_failure(&problem.message, problem.help.as_deref());
        self.stopped =
            Some("Play has stopped: something in the game, or in Ludex, has failed. The game so far is kept.".to_string());
        self.showing.mark_stale();
    }

    fn stopped_refusal(&self) -> RequestRefusal {
        RequestRefusal { reason: self.stopped.clone().unwrap_or_default(), help: None }
    }

    // --- events -----------------------------------------------------------------------

    /// Takes what has happened in the game into the log and the stories.
    fn take_updates(&mut self) {
        let mut events = Vec::new();
        let updates = self.game.take_updates();
        if !updates.is_empty() {
            self.showing.mark_stale();
        }
        for update in updates {
            match update {
                Update::Event { numbers, event } => {
                    self.log.add_event(numbers.table, (*event).clone());
                    events.push(*event);
                    continue;
                }
                Update::TakenBack(undone) => {
                    self.report_events(&std::mem::take(&mut events));
                    self.report_take_back(&undone);
                }
                Update::Fault(problem) => output::print_failure(format!("a bot's answer failed: {}", problem.message), None),
                Update::Unwritten(reason) => {
                    let message = format!("the recording cannot be written: {reason}; until it can, no answer counts");
                    output::print_failure(&message, Some("make room on the disk"));
                }
            }
        }
        self.report_events(&events);
        let open: Vec<u64> = self.game.open_decisions().iter().map(|decision| decision.id).collect();
        self.drafts.retain(|decision, _| open.contains(decision));
    }

    /// Adds events to the story of each viewer who may know them.
    fn report_events(&mut self, events: &[Event]) {
        let seats = self.stories.len() - 1;
        for (place, story) in self.stories.iter_mut().enumerate() {
            story.add_events(events, viewer_at(place, seats), &self.names, self.game.seats());
        }
    }

    /// Removes what was taken back from the log, and tells all viewers.
    fn report_take_back(&mut self, undone: &TakeBackNotice) {
        self.log.take_back(undone);
        self.drafts.clear();
        let text = undone.take_back_text(self.seat_name(undone.undo.seat));
        // A take-back after which dice are drawn again must also reach those who sit down later.
        let add = if undone.undo.seed.is_some() { Story::add_permanent_line } else { Story::add_line };
        self.stories.iter_mut().for_each(|story| add(story, text.clone()));
    }

    fn seat_name(&self, seat: usize) -> &str {
        self.names.get(seat).map_or("somebody", String::as_str)
    }

    // --- requests ---------------------------------------------------------------------

    /// Carries out an act of a seat.
    fn carry_out(&mut self, seat: usize, act: Act) -> Result<(), RequestRefusal> {
        let done = match act {
            Act::Answer(answering) => self.give_answer(seat, &answering),
            Act::Undo => self.undo_for_seat(seat),
            Act::Consent(agrees) => self.give_consent(seat, agrees),
            Act::Resign => self.resign_seat(seat),
            Act::Again => self.ask_rematch(seat),
            Act::Waive => self.give_consent(seat, true),
        };
        self.take_updates();
        done
    }

    /// Answers a decision, or adds the answer to a step to the seat's unfinished move. A waiting wish for consent then lapses.
    fn give_answer(&mut self, seat: usize, answering: &AnswerRequest) -> Result<(), RequestRefusal> {
        let (decision, drafted) = self.apply_answer(seat, answering)?;
        let choice = match drafted {
            DraftProgress::Whole(choice) => choice,
            DraftProgress::Further(draft) => {
                self.drafts.insert(decision.id, draft);
                return Ok(());
            }
        };
        self.game.answer_decision(decision.id, choice).map_err(|problem| problem_refusal(*problem))?;
        self.stories.get_mut(seat).into_iter().for_each(Story::mark_answered);
        self.request = None;
        Ok(())
    }

    /// The data for a preview of an answer, so that it can be played while the table goes on.
    fn prepare_rehearsal(&self, seat: usize, answering: &AnswerRequest) -> Result<AnswerPreview, RequestRefusal> {
        let (decision, drafted) = self.apply_answer(seat, answering)?;
        let DraftProgress::Whole(choice) = drafted else {
            let reason = "Only a complete move can be previewed, and this is a part of one.".to_string();
            return Err(RequestRefusal { reason, help: Some("Choose its next part first.".to_string()) });
        };
        Ok(AnswerPreview::new(self.game.session(), decision, choice, &self.names))
    }

    /// Applies an answer to the open decision that it is for. Returns the decision, and the draft or the whole choice; nothing
    /// is changed yet.
    fn apply_answer(&self, seat: usize, answering: &AnswerRequest) -> Result<(Decision, DraftProgress), RequestRefusal> {
        let AnswerRequest { decision: id, step, answer } = answering;
        let open = self.game.open_decisions_of(seat);
        let Some((_, decision)) = open.into_iter().find(|(number, _)| number == id) else {
            return Err(RequestRefusal {
                reason: "That question is not open any more, so your answer had no effect.".to_string(),
                help: Some(
                    "It may have been answered in another window of your seat, or taken back. The page shows the current state."
                        .to_string(),
                ),
            });
        };
        let begun = self.drafts.get(&decision.id).cloned().unwrap_or_default();
        let asked = self.move_step(&decision, &begun);
        if asked.as_ref().map(|asked| asked.number) != *step {
            let reason = "Your move has gone further in another window of your seat.".to_string();
            return Err(RequestRefusal { reason, help: Some("The page shows how far it is now.".to_string()) });
        }
        let session = self.game.session();
        let drafted = match &asked {
            None => DraftProgress::Whole(answer::parse_choice(session, &decision, answer).map_err(rejection_refusal)?),
            Some(asked) => answer::answer_step(session, &decision, &begun, asked, answer).map_err(rejection_refusal)?,
        };
        Ok((decision, drafted))
    }

    /// The current step of a decision, if it is asked in steps.
    fn move_step(&self, decision: &Decision, begun: &Draft) -> Option<MoveStep> {
        steps::current_step(self.game.session(), decision, begun, MOST_LISTED)
    }

    /// Takes back the seat's last step, secret pick or answer, or asks the others for consent.
    fn undo_for_seat(&mut self, seat: usize) -> Result<(), RequestRefusal> {
        let no = |reason: &str| Err(RequestRefusal { reason: reason.to_string(), help: None });
        if matches!(self.game.session().pending(), Pending::Finished(_)) {
            return no("The game is over.");
        }
        if self.step_back(seat) || self.game.withdraw_pick(seat).map_err(|problem| problem_refusal(*problem))? {
            return Ok(());
        }
        // A person who has not sat down yet cannot be asked. The dice are still drawn again, so the take-back counts.
        let away = self.game.human_seats().filter(|other| !self.links.is_taken(Place::Seat(*other))).collect();
        self.game.set_away(away);
        match self.game.undo_for_seat(seat) {
            Undo::Nothing => no("You have not decided anything yet."),
            Undo::UsedUp => no("This would undo a roll or another player's answer, and this match allows no more of that."),
            Undo::Free(undo) => self.game.apply_take_back(undo).map_err(|problem| problem_refusal(*problem)),
            Undo::WithConsent(undo, others) => self.ask_consent(seat, RequestKind::TakeBack(undo), others),
        }
    }

    /// Takes back the last step of an unfinished move; returns false if there was none.
    fn step_back(&mut self, seat: usize) -> bool {
        let open = self.game.open_decisions();
        let mut own = open.iter().filter(|decision| decision.seat == seat).map(|decision| decision.id);
        let begun = own.find(|id| self.drafts.get(id).is_some_and(|draft| !draft.is_empty()));
        let draft = begun.and_then(|id| self.drafts.get_mut(&id));
        draft.map(Draft::undo_answer).is_some()
    }

    /// Begins another game, if this one is over and the others agree.
    fn ask_rematch(&mut self, seat: usize) -> Result<(), RequestRefusal> {
        if !self.can_play_again() {
            let reason = "This game cannot be played again now.".to_string();
            return Err(RequestRefusal { reason, help: Some("The page shows the current state.".to_string()) });
        }
        // Asking for what another seat has requested is consent.
        if self.request.as_ref().is_some_and(|request| request.is_again() && request.waiting.contains(&seat)) {
            return self.give_consent(seat, true);
        }
        let others = self.game.human_seats().filter(|other| *other != seat).collect();
        self.ask_consent(seat, RequestKind::Again, others)
    }

    /// Whether the game is over and can be repeated.
    fn can_play_again(&self) -> bool {
        matches!(self.game.session().pending(), Pending::Finished(_)) && rematch::can_rematch(&self.game)
    }

    /// Begins another game at the same table, with the same links.
    fn begin_rematch(&mut self) -> Result<(), RequestRefusal> {
        self.game = (self.again)(&self.game).map_err(|stop| {
            stop.report(None, false);
            RequestRefusal { reason: "Another game cannot begin here.".to_string(), help: None }
        })?;
        if let Err(error) = self.links.move_to_recording(self.game.recording_path()) {
            output::print_failure(format!("the links to the seats cannot be saved: {error}"), None);
        }
        self.log = Log::default();
        self.drafts.clear();
        for story in &mut self.stories {
            story.begin_new_game();
            story.add_text("Another game begins".to_string(), true);
        }
        Ok(())
    }

    // --- consent ----------------------------------------------------------------------

    /// Asks the others for consent to what a seat wants; fulfils it at once if none of them can be asked.
    fn ask_consent(&mut self, by: usize, what: RequestKind, others: Vec<usize>) -> Result<(), RequestRefusal> {
        // An empty seat cannot be asked.
        let waiting: Vec<usize> = others.into_iter().filter(|other| self.links.is_taken(Place::Seat(*other))).collect();
        self.grant_or_wait(Request { by, what, waiting })
    }

    /// Fulfils a wish once all seats have agreed; until then it is kept.
    fn grant_or_wait(&mut self, request: Request) -> Result<(), RequestRefusal> {
        match request.what {
            _ if !request.waiting.is_empty() => self.request = Some(request),
            RequestKind::TakeBack(undo) => self.game.apply_take_back(undo).map_err(|problem| problem_refusal(*problem))?,
            RequestKind::Again => self.begin_rematch()?,
        }
        Ok(())
    }

    /// Notes that a seat agrees to the current wish or not.
    fn give_consent(&mut self, seat: usize, agrees: bool) -> Result<(), RequestRefusal> {
        let Some(mut request) = self.request.take_if(|request| request.waiting.contains(&seat)) else {
            return Err(RequestRefusal { reason: "This consent is no longer needed.".to_string(), help: None });
        };
        if agrees {
            let before = request.clone();
            request.waiting.retain(|other| *other != seat);
            // A failed request may be tried again.
            return self.grant_or_wait(request).inspect_err(|_| self.request = Some(before));
        }
        let (who, by) = (self.seat_name(seat), self.seat_name(request.by));
        let text = match request.what {
            RequestKind::TakeBack(_) => format!("{who} does not agree to the take-back by {by}"),
            RequestKind::Again => format!("{who} does not want to play again"),
        };
        self.stories.iter_mut().for_each(|story| story.add_text(text.clone(), false));
        Ok(())
    }

    /// Lets a seat give up, unless the game is over.
    fn resign_seat(&mut self, seat: usize) -> Result<(), RequestRefusal> {
        if matches!(self.game.session().pending(), Pending::Finished(_)) {
            return Err(RequestRefusal { reason: "The game is over.".to_string(), help: None });
        }
        self.game.resign_seat(seat).map_err(|problem| problem_refusal(*problem))?;
        self.request = None;
        Ok(())
    }

    // --- views ------------------------------------------------------------------------

    /// Renders all stale views.
    fn render_all(&self) {
        (0..=self.names.len()).for_each(|place| self.render_view(place));
        self.showing.mark_settled(self.request.as_ref().map(|request| request.waiting.clone()).unwrap_or_default());
    }

    /// Renders the view at an index, if it is stale.
    fn render_view(&self, place: usize) {
        self.showing.render_if_stale(place, || self.render_page(viewer_at(place, self.names.len()), place));
    }

    /// The page of a viewer; `place` is the index of their view.
    fn render_page(&self, viewer: Viewer, place: usize) -> String {
        let session = self.game.session();
        let seat = if let Viewer::Seat(seat) = viewer { Some(seat) } else { None };
        // A bot's seat needs no page, because its link is never given out.
        if seat.and_then(|seat| self.game.seats().get(seat)).is_some_and(|seat| seat.is_bot()) {
            return String::new();
        }
        let view = session.view(viewer);
        let asked = seat.filter(|_| self.stopped.is_none()).and_then(|seat| self.open_question(seat));
        let outcome = match session.pending() {
            Pending::Finished(outcome) => Some(outcome),
            Pending::Decisions(_) | Pending::Random(_) => None,
        };
        let seen = self.log.events().filter(|event| event.seen_by(viewer).is_some());
        page::render_scene(&Scene {
            title: &session.program().title,
            rules: &format!("/t/{}/rules", self.links.table_id()),
            seat,
            sign: seat.and_then(|seat| self.signs.get(seat)).map(String::as_str),
            areas: table::view_areas(session.program(), &view),
            stage: Stage::from_events(seen).scope_texts(),
            players: self.game.seats().iter().map(page::player_kind).collect(),
            names: &self.names,
            active: view.active,
            asked: asked.as_ref(),
            story: &self.stories[place],
            wish: self.wish_for_seat(seat),
            outcome,
            can_be_again: self.stopped.is_none() && self.can_play_again(),
            header: self.game.header(),
            several_win: outcome.is_some_and(|outcome| session.are_several(&outcome.winners)),
            stopped: self.stopped.as_deref(),
            is_unwritten: self.game.write_failure().is_some(),
        })
    }

    /// The question to a seat, if it is asked.
    fn open_question(&self, seat: usize) -> Option<table::CurrentQuestion> {
        let (number, decision) = self.game.open_decisions_of(seat).into_iter().next()?;
        let begun = self.drafts.get(&decision.id).cloned().unwrap_or_default();
        let step = self.move_step(&decision, &begun);
        Some(table::CurrentQuestion {
            decision: number,
            ..table::current_question(self.game.session(), &decision, step.as_ref())
        })
    }

    /// The current wish, from the perspective of a seat or, without one, of spectators.
    fn wish_for_seat(&self, seat: Option<usize>) -> Option<Wish> {
        let Request { by, what, waiting } = self.request.as_ref()?;
        let names = |seats: &[usize]| seats.iter().map(|seat| self.seat_name(*seat).to_string()).collect();
        let wanted = match what {
            RequestKind::TakeBack(_) => WishKind::TakeBack,
            RequestKind::Again => WishKind::Again,
        };
        match seat {
            Some(seat) if seat == *by => Some(Wish::Own { wanted, waiting: names(waiting) }),
            Some(seat) if waiting.contains(&seat) => Some(Wish::Asked { wanted, by: self.seat_name(*by).to_string() }),
            _ => Some(Wish::Others { wanted, by: self.seat_name(*by).to_string(), waiting: names(waiting) }),
        }
    }
}

fn rejection_refusal(rejection: Rejection) -> RequestRefusal {
    problem_refusal(*rejection.problem)
}

fn problem_refusal(problem: Problem) -> RequestRefusal {
    RequestRefusal { reason: problem.message.to_string(), help: problem.help }
}

/// The viewer of the view at an index: the seats in order, then the spectators.
fn viewer_at(place: usize, seats: usize) -> Viewer {
    if place < seats { Viewer::Seat(place) } else { Viewer::Spectator }
}
