//! The verbs and their arguments.

use crate::args::Common;
use crate::exit::{DONE, USAGE};
use crate::{output, verbs};

/// Plays, checks, tests, simulates and hosts tabletop games that are data
#[derive(clap::Parser)]
#[command(name = "ludex", version, max_term_width = 80, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Tell which games there are, and where each comes from
    List(verbs::list::Args),
    /// Describe a game, a sheet, the sheets of a kind, an ability, its order of hooks or its options
    Show(verbs::show::Args),
    /// Play a game, alone or with others
    Play(verbs::play::Args),
    /// Go on with a game that is not finished, or list those there are
    Resume(verbs::resume::Args),
    /// Look for mistakes in rules, sheets and scripts
    Check(verbs::check::Args),
    /// Run the scenarios of a game
    Test(verbs::test::Args),
    /// Let bots play many games and count
    Sim(verbs::sim::Args),
    /// Tell how likely each value of an expression is, exactly
    Odds(verbs::odds::Args),
    /// Play a recording again
    Replay(verbs::replay::Args),
    /// Play by lines of JSON, for other programs
    Host(verbs::host::Args),
    /// Run a tournament: challenges, duels, standings
    Tournament(verbs::tournament::Args),
    /// Explain a code of a message, or a function of scripts
    Explain(verbs::explain::Args),
}

impl Cli {
    /// Carries out the verb; the number is the exit status.
    pub fn run(self) -> u8 {
        let common = &self.common;
        if let Some(side) = common.side_named_twice() {
            let help = format!("say who is there and who plays in one: `--seat {side}=character:player`");
            output::failure(&format!("more than one `--seat` is for side {side}"), Some(&help));
            return USAGE;
        }
        match self.verb {
            Verb::List(args) => verbs::list::run(args, common),
            Verb::Show(args) => verbs::show::run(args, common),
            Verb::Play(args) => verbs::play::run(args, common),
            Verb::Resume(args) => verbs::resume::run(args, common),
            Verb::Check(args) => verbs::check::run(args, common),
            Verb::Test(args) => verbs::test::run(args, common),
            Verb::Sim(args) => verbs::sim::run(args, common),
            Verb::Odds(args) => verbs::odds::run(args, common),
            Verb::Replay(args) => verbs::replay::run(args, common),
            Verb::Host(args) => verbs::host::run(args, common),
            Verb::Tournament(args) => verbs::tournament::run(args, common),
            Verb::Explain(args) => verbs::explain::run(args, common),
        }
    }
}

/// Tells what is wrong with the command line, or what was asked of it instead of a verb; gives the exit status.
pub fn tell(told: &clap::Error) -> u8 {
    if told.use_stderr() {
        // It has words of the command line in it.
        output::prompt(&told.render().to_string(), "");
        return USAGE;
    }
    told.print().map_or_else(|error| output::unwritten(&error), |()| DONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_holds_together() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
