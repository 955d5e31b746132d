//! `ludex check --self-test`: how many mistakes `check` finds, and how well it tells them.

use crate::args::Common;
use crate::exit::{DONE, PROBLEMS};
use crate::load::Loaded;
use crate::mutation::{self, CLASSES, Wanted};
use crate::output;
use crate::stop::Stop;
use crate::work;
use ludex_engine::codes;
use ludex_engine::problem::{Problem, closest};
use ludex_validator::Report;

#[derive(clap::Args)]
pub struct SelfTest {
    /// Measure the check itself: mistakes of many classes are made in copies of the library, one in each, and checked
    #[arg(long, conflicts_with_all = ["paths", "play"])]
    self_test: bool,
    /// How many mistakes of each class `--self-test` makes
    #[arg(long, value_name = "N", default_value_t = 80, requires = "self_test")]
    mutants_per_class: usize,
    /// Only mistakes of this class
    #[arg(long, value_name = "NAME", requires = "self_test")]
    class: Option<String>,
    /// Also list every mistake that was not told as it should be
    #[arg(long, requires = "self_test")]
    show_escaped: bool,
    /// How many games of every mode `--self-test` plays with what was accepted
    #[arg(long, value_name = "N", default_value_t = 20, requires = "self_test")]
    games_per_mutant: u64,
    /// The seed of whatever `--self-test`, `--play` and `--interactions` draw
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl SelfTest {
    pub fn is_wanted(&self) -> bool {
        self.self_test
    }
}

/// `check` says what is wrong with a library.
pub fn run(args: &SelfTest, common: &Common, loaded: &Loaded, check: &(dyn Fn(&Loaded) -> Report + Sync)) -> Result<u8, Stop> {
    let class = args.class.as_deref();
    if let Some(name) = class.filter(|name| CLASSES.iter().all(|class| class.name != *name)) {
        return Err(Stop::usage(no_class(name)));
    }
    let wanted = Wanted { class, per_class: args.mutants_per_class, games: args.games_per_mutant, seed: args.seed };
    let classes = if class.is_some() { 1 } else { CLASSES.len() };
    work::keep_what_is_done();
    let bar = work::bar(classes.saturating_mul(args.mutants_per_class) as u64, "mistakes");
    let found = mutation::self_test(loaded, &wanted, check, &|| bar.inc(1));
    bar.finish_and_clear();
    let found = found.map_err(|(problems, sources)| Stop::new(problems, sources))?;
    if common.json() {
        output::json(&mutation::json(&found, args.show_escaped));
    } else {
        output::print(&mutation::text(&found, args.show_escaped));
    }
    Ok(work::status(if mutation::is_sound(&found) { DONE } else { PROBLEMS }))
}

fn no_class(name: &str) -> Problem {
    let names = || CLASSES.iter().map(|class| class.name);
    let problem = Problem::error(codes::COMMAND_LINE, format!("there is no class of mistakes `{name}`"));
    match closest(name, names()) {
        Some(near) => problem.meant(near),
        None => problem.help("`ludex check --self-test --mutants-per-class 0` lists the classes"),
    }
}
