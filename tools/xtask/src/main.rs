//! Tools for work on Ludex.

mod counts;
mod long_checks;
mod product;
mod self_test;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tools for work on Ludex")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Count the lines of Rust that are shipped: no tests, comments or blank lines
    Lines {
        /// The root of the repository, or of another version of it
        #[arg(default_value = ".")]
        root: PathBuf,
    },
    /// Count the functions that are shipped whose name is a single word
    Names {
        /// The root of the repository, or of another version of it
        #[arg(default_value = ".")]
        root: PathBuf,
    },
    /// Run checks that take minutes to hours, or list them
    Check {
        /// Names of checks; without any, they are listed
        names: Vec<String>,
        /// Run all of them, one after another
        #[arg(long, conflicts_with = "names")]
        all: bool,
    },
    /// Measure `ludex check`: make mistakes of many classes in copies of a library, one in each, and check them
    SelfTest(self_test::Args),
}

fn main() -> ExitCode {
    match Args::parse().task {
        Task::Lines { root } => report(product::files(&root).map(|files| counts::lines(&files))),
        Task::Names { root } => report(product::files(&root).map(|files| counts::names(&files))),
        Task::Check { names, all } if names.is_empty() && !all => report(Ok(long_checks::listed())),
        Task::Check { names, .. } => report(long_checks::run(&names)),
        Task::SelfTest(args) => ludex::tooling::run_tool(move || self_test::run(&args)),
    }
}

/// Prints what a task has found, or its error.
fn report(found: Result<String, String>) -> ExitCode {
    match found {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
