//! From a challenge to a result: the verbs of players, except choosing and playing.

use super::context::Context;
use crate::stop::Stop;
use crate::tournament::duel::DuelId;
use crate::tournament::rules::{self, ReportedResult};

#[derive(clap::Args)]
pub struct Challenge {
    /// Who is challenged
    #[arg(value_name = "PLAYER")]
    opponent: String,
    /// Who challenges
    #[arg(long = "as", value_name = "NAME")]
    name: String,
}

#[derive(clap::Args)]
pub struct Answer {
    /// The number of the duel; not needed if there is only one
    #[arg(value_name = "DUEL")]
    duel: Option<i64>,
    /// Who does it
    #[arg(long = "as", value_name = "NAME")]
    name: String,
}

#[derive(clap::Args)]
pub struct Agree {
    /// Who agrees
    #[arg(long = "as", value_name = "NAME")]
    name: String,
}

#[derive(clap::Args)]
pub struct Report {
    /// The number of the duel; not needed if it is the winner's, or your own
    #[arg(value_name = "DUEL")]
    duel: Option<i64>,
    /// Who has won
    #[arg(long, value_name = "NAME", required_unless_present_any = ["tie", "called_off"])]
    winner: Option<String>,
    /// The duel has no winner, and is void
    #[arg(long, conflicts_with = "winner")]
    tie: bool,
    /// The duel was not played to its end; it is void
    #[arg(long, conflicts_with_all = ["winner", "tie"])]
    called_off: bool,
    /// Who reports: one of the two, or the organiser if you leave it out
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
}

pub fn challenge_player(args: &Challenge, context: &Context) -> Result<u8, Stop> {
    context.change_duel("challenge", Some(&args.name), |tournament, actor, now| {
        rules::challenge_player(tournament, actor, &args.opponent, now)
    })
}

pub fn accept_challenge(args: &Answer, context: &Context) -> Result<u8, Stop> {
    context.change_duel("accept", Some(&args.name), |tournament, actor, now| {
        rules::accept_challenge(tournament, actor, args.duel_id(), now)
    })
}

pub fn refuse_challenge(args: &Answer, context: &Context) -> Result<u8, Stop> {
    context.change_duel("refuse", Some(&args.name), |tournament, actor, now| {
        rules::refuse_challenge(tournament, actor, args.duel_id(), now)
    })
}

pub fn withdraw_challenge(args: &Answer, context: &Context) -> Result<u8, Stop> {
    context.change_duel("withdraw", Some(&args.name), |tournament, actor, now| {
        rules::withdraw_challenge(tournament, actor, args.duel_id(), now)
    })
}

pub fn agree_to_duel(args: &Agree, context: &Context) -> Result<u8, Stop> {
    context.change_duel("agree", Some(&args.name), rules::agree_to_same)
}

/// Enters the result of a duel played at a table. Without a winner, the duel is void.
pub fn report_duel(args: &Report, context: &Context) -> Result<u8, Stop> {
    let reported = match &args.winner {
        Some(winner) => ReportedResult::Winner(winner.clone()),
        None if args.called_off => ReportedResult::CalledOff,
        None => ReportedResult::Tie,
    };
    context.change_duel("report", args.name.as_deref(), |tournament, actor, now| {
        rules::report_result(tournament, actor, args.duel.map(DuelId), &reported, now)
    })
}

impl Answer {
    fn duel_id(&self) -> Option<DuelId> {
        self.duel.map(DuelId)
    }
}
