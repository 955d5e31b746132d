//! `ludex tournament`: its verbs and their arguments.
//!
//! Every verb but `new` opens the tournament's file as a [`Context`], and carries out one operation of `tournament::rules` in
//! it.

mod choose;
mod context;
mod duels;
mod game;
mod locate;
mod new;
mod organise;
mod play;
mod players;
mod show;
mod team;

use crate::args::CommonArgs;
use crate::exit::DONE;
use crate::stop::Stop;
use context::Context;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The tournament's file; without it that in LUDEX_TOURNAMENT, or the only
    /// one in this folder
    #[arg(long = "tournament", value_name = "FILE", global = true)]
    tournament: Option<PathBuf>,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Begin a tournament in a file of its own, for an hour unless you say otherwise
    New(new::Args),
    /// Add players, or let players who have left come back
    Join(players::Join),
    /// Leave; your tokens still count
    Leave(players::Leave),
    /// Challenge another player to a duel
    Challenge(duels::Challenge),
    /// Accept a challenge
    Accept(duels::Answer),
    /// Refuse a challenge, for any reason
    Refuse(duels::Answer),
    /// Take back a challenge that is not answered yet
    Withdraw(duels::Answer),
    /// Choose in secret who plays for you
    Choose(choose::Args),
    /// Agree to a duel in which both have chosen the same
    Agree(duels::Agree),
    /// Play a duel here
    Play(play::Args),
    /// Enter the result of a duel that was played at a table
    Report(duels::Report),
    /// Correct a mistake: the duel has no winner, and the token goes back
    Void(organise::Void),
    /// Show how many tokens each player has
    Standings(show::Standings),
    /// List the duels that are open
    Duels(show::Duels),
    /// Show everything about a duel
    Show(show::Show),
    /// Show what has happened, when, and who did it
    Log(show::Log),
    /// Write out the recording of a duel that was played here
    Recording(show::Recording),
    /// Give the tournament more time, or less
    Deadline(organise::Deadline),
    /// End the tournament for good
    Close(organise::Close),
}

pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    let verb = match args.verb {
        Verb::New(args) => return new::run(&args, common),
        verb => verb,
    };
    let context = Context::open(args.tournament.as_deref(), common)?;
    match verb {
        Verb::New(_) => Ok(DONE),
        Verb::Join(args) => players::join_players(&args, &context),
        Verb::Leave(args) => players::leave_tournament(&args, &context),
        Verb::Challenge(args) => duels::challenge_player(&args, &context),
        Verb::Accept(args) => duels::accept_challenge(&args, &context),
        Verb::Refuse(args) => duels::refuse_challenge(&args, &context),
        Verb::Withdraw(args) => duels::withdraw_challenge(&args, &context),
        Verb::Choose(args) => choose::run(&args, &context),
        Verb::Agree(args) => duels::agree_to_duel(&args, &context),
        Verb::Play(args) => play::run(&args, &context),
        Verb::Report(args) => duels::report_duel(&args, &context),
        Verb::Void(args) => organise::void_duel(&args, &context),
        Verb::Standings(args) => show::show_standings(&args, &context),
        Verb::Duels(args) => show::list_duels(&args, &context),
        Verb::Show(args) => show::show_duel(&args, &context),
        Verb::Log(args) => show::show_journal(&args, &context),
        Verb::Recording(args) => show::export_recording(&args, &context),
        Verb::Deadline(args) => organise::change_deadline(&args, &context),
        Verb::Close(args) => organise::close_tournament(&args, &context),
    }
}
