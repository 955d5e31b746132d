//! What only those need who work on Ludex.

mod counts;
mod product;
mod self_test;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "What only those need who work on Ludex")]
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
    /// Measure `ludex check`: make mistakes of many classes in copies of a library, one in each, and check them
    SelfTest(self_test::Args),
}

fn main() -> ExitCode {
    match Args::parse().task {
        Task::Lines { root } => report(product::files(&root).map(|files| counts::lines(&files))),
        Task::Names { root } => report(product::files(&root).map(|files| counts::names(&files))),
        Task::SelfTest(args) => ludex::tooling::run(move || self_test::run(&args)),
    }
}

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
