//! The verbs and their arguments.

mod completing;
mod flags;

use crate::args::CommonArgs;
use crate::exit::{DONE, USAGE};
use crate::stop::Stop;
use crate::{output, usage, verbs};
use clap::error::ErrorKind;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches, Parser};
use ludex_engine::codes;
use ludex_engine::problem::{Problem, join_words};

/// Plays, checks, tests, simulates and hosts tabletop games that are data
#[derive(clap::Parser)]
#[command(name = "ludex", version, max_term_width = 80, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    common: CommonArgs,
}

/// A command line. Flags that several verbs share may also come before the verb.
pub struct Cli {
    verb: Verb,
    common: CommonArgs,
}

impl Parser for Cli {}

impl CommandFactory for Cli {
    fn command() -> Command {
        completing::add_completers(flags::add_flags(CommandLine::command()))
    }

    fn command_for_update() -> Command {
        Cli::command()
    }
}

impl FromArgMatches for Cli {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Cli, clap::Error> {
        Ok(Cli { verb: Verb::from_arg_matches(matches)?, common: flags::read_flags(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Cli::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(clap::Subcommand)]
enum Verb {
    /// List the games, and where each comes from
    List(verbs::list::Args),
    /// Describe a game, a sheet, the sheets of a kind, an ability, its order of hooks, its options or its words
    Show(verbs::show::Args),
    /// Read the rules of a game in short: the goal, a turn, each phase, ability and card
    Rules(verbs::rules::Args),
    /// Play a first turn with a guide who explains what to do and why
    Tour(verbs::tour::Args),
    /// Play a game, alone or with others
    Play(verbs::play::Args),
    /// Continue an unfinished game, or list the unfinished games
    Resume(verbs::resume::Args),
    /// Create files for a new character, card, ability, game or variant, for you to change
    New(verbs::new::Args),
    /// Find mistakes in rules, sheets, scripts and scenarios
    Check(verbs::check::Args),
    /// Format rules and the headers of scripts
    Fmt(verbs::fmt::Args),
    /// Run the scenarios of a game
    Test(verbs::test::Args),
    /// Continue a scenario from its end, and write down the result
    Record(verbs::record::Args),
    /// Let bots play many games and count the results
    Sim(verbs::sim::Args),
    /// Merge the shards of long work
    Merge(verbs::merge::Args),
    /// Work out exactly how likely each value of an expression is
    Odds(verbs::odds::Args),
    /// Play a recording again
    Replay(verbs::replay::Args),
    /// Let other programs play, through lines of JSON
    Host(verbs::host::Args),
    /// Let people play in browsers: a link for each seat
    Serve(verbs::serve::Args),
    /// Run a tournament: challenges, duels, standings
    Tournament(verbs::tournament::Args),
    /// Pack a library of your own into one file to share
    Pack(verbs::pack::Args),
    /// Show what a library or a package changes in the games it builds on
    Diff(verbs::diff::Args),
    /// Print the format of a game's files as JSON Schema, for editors
    Schema(verbs::schema::Args),
    /// Explain the code of a message, a function of scripts or a word of the language, or read a page of the manual
    Explain(verbs::explain::Args),
    /// Show which libraries, folders, settings and terminal are used, and why
    Doctor(verbs::doctor::Args),
    /// Print the completion script for a shell: `source <(ludex completions bash)`
    Completions(verbs::completions::Args),
    /// Print the manual page, or write one for each verb into a folder
    Man(verbs::completions::ManArgs),
}

/// Runs the command line of this process and returns the exit status.
pub fn run_command_line() -> u8 {
    completing::answer_shells(Cli::command);
    match Cli::try_parse() {
        Ok(cli) => cli.run_verb(),
        Err(nothing) if nothing.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            output::print_prompt(&nothing.render().to_string(), "");
            USAGE
        }
        Err(error) if error.use_stderr() => {
            let misplaced = flags::misplaced_flag_problem(&error, &verb_path(&process_arguments()));
            report_stop(
                &Stop::usage_error(misplaced.unwrap_or_else(|| usage::command_line_problem(&error))),
                PriorReport::Nowhere,
            )
        }
        // Output requested instead of a verb, such as help.
        Err(asked) => asked.print().map_or_else(|error| output::report_unwritten(&error), |()| DONE),
    }
}

/// Whether programs already know why there is no result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PriorReport {
    Nowhere,
    /// Reported in one of the lines that `host` writes.
    InLine,
}

/// Reports why there is no result, in the requested format, and returns the exit status.
pub fn report_stop(stop: &Stop, told: PriorReport) -> u8 {
    let arguments = process_arguments();
    let verb = verb_path(&arguments).into_iter().next();
    stop.report(verb.as_deref(), told == PriorReport::Nowhere && wants_json(&arguments))
}

fn process_arguments() -> Vec<String> {
    std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// The verb of a command line that may be invalid, followed by its subverb.
fn verb_path(arguments: &[String]) -> Vec<String> {
    let command = Cli::command();
    let (mut verbs, mut path) = (&command, Vec::new());
    for argument in arguments.iter().skip(1) {
        if let Some(verb) = verbs.find_subcommand(argument) {
            path.push(argument.clone());
            verbs = verb;
        }
    }
    path
}

/// Whether a command line that may be invalid requests JSON.
fn wants_json(arguments: &[String]) -> bool {
    let named = arguments.iter().zip(arguments.iter().skip(1)).any(|(flag, value)| flag == "--format" && value == "json");
    named || arguments.iter().any(|argument| argument == "--format=json")
}

impl Cli {
    /// Runs the verb, after checks of the shared flags. Returns the exit status.
    fn run_verb(self) -> u8 {
        if self.common.for_programs() {
            output::keep_for_programs();
        }
        if self.common.is_check_format() && !matches!(self.verb, Verb::Check(_) | Verb::Merge(_)) {
            let problem = Problem::error(codes::COMMAND_LINE, "only `check` and `merge` have results in this format");
            return report_stop(&Stop::usage_error(problem.help("use `--format json`, or leave it out")), PriorReport::Nowhere);
        }
        if self.common.is_csv()
            && !matches!(self.verb, Verb::Sim(_) | Verb::Merge(_) | Verb::Odds(_) | Verb::List(_) | Verb::Show(_))
        {
            let verbs: Vec<String> = flags::IN_TABLES.iter().map(|verb| format!("`{verb}`")).collect();
            let message = format!("only {} have results as CSV", join_words(&verbs, "and"));
            let problem = Problem::error(codes::COMMAND_LINE, message);
            return report_stop(&Stop::usage_error(problem.help("use `--format json`, or leave it out")), PriorReport::Nowhere);
        }
        if let Some(side) = self.common.side_named_twice() {
            let help = format!("give its characters and its player in one flag: `--seat {side}=character:player`");
            let message = format!("side {side} has more than one `--seat`");
            return report_stop(&Stop::usage_error(Problem::error(codes::SEATS, message).help(help)), PriorReport::Nowhere);
        }
        let told = if matches!(self.verb, Verb::Host(_)) { PriorReport::InLine } else { PriorReport::Nowhere };
        self.dispatch_verb().unwrap_or_else(|stop| report_stop(&stop, told))
    }

    fn dispatch_verb(self) -> Result<u8, Stop> {
        let common = &self.common;
        match self.verb {
            Verb::List(args) => verbs::list::run(args, common),
            Verb::Show(args) => verbs::show::run(args, common),
            Verb::Rules(args) => verbs::rules::run(args, common),
            Verb::Tour(args) => verbs::tour::run(args, common),
            Verb::Play(args) => verbs::play::run(args, common),
            Verb::Resume(args) => verbs::resume::run(args, common),
            Verb::New(args) => verbs::new::run(args, common),
            Verb::Check(args) => verbs::check::run(args, common),
            Verb::Fmt(args) => verbs::fmt::run(args, common),
            Verb::Test(args) => verbs::test::run(args, common),
            Verb::Record(args) => verbs::record::run(args, common),
            Verb::Sim(args) => verbs::sim::run(args, common),
            Verb::Merge(args) => verbs::merge::run(args, common),
            Verb::Odds(args) => verbs::odds::run(args, common),
            Verb::Replay(args) => verbs::replay::run(args, common),
            Verb::Host(args) => verbs::host::run(args, common),
            Verb::Serve(args) => verbs::serve::run(args, common),
            Verb::Tournament(args) => verbs::tournament::run(args, common),
            Verb::Pack(args) => verbs::pack::run(&args, common),
            Verb::Diff(args) => verbs::diff::run(&args, common),
            Verb::Schema(args) => verbs::schema::run(&args, common),
            Verb::Completions(args) => Ok(verbs::completions::run(&args, completing::ASKED)),
            Verb::Man(args) => verbs::completions::run_man(&args, Cli::command()),
            Verb::Doctor(args) => verbs::doctor::run(&args, common),
            Verb::Explain(args) => verbs::explain::run(args, common),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_holds_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_are_for_verbs_that_there_are() {
        let command = Cli::command();
        for (path, _) in flags::TAKEN {
            let found = path.split(' ').try_fold(&command, |command, name| command.find_subcommand(name));
            assert!(found.is_some(), "{path}");
        }
    }

    #[test]
    fn every_flag_is_for_some_verb() {
        for flag in flags::common_flags() {
            let id = flag.get_id().as_str();
            assert!(flags::TAKEN.iter().any(|(_, flags)| flags.iter().any(|flags| flags.contains(&id))), "{id}");
        }
    }
}
