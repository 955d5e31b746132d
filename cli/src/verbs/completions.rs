//! `ludex completions` and `ludex man`: shell completions and manual pages, generated from the command line's definition.

use crate::exit::DONE;
use crate::output;
use crate::stop::Stop;
use crate::whole_file::{Readers, create_file};
use clap::Command;
use clap_complete::Shell;
use clap_complete::env::Shells;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::io;
use std::path::{Path, PathBuf};

/// Print the completion script for a shell: `source <(ludex completions bash)`
#[derive(clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or write one for each verb into a folder
#[derive(clap::Args)]
pub struct ManArgs {
    /// A folder for the pages, created if necessary; existing pages are never overwritten
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints the script with which a shell asks this command for completions. `asked` is the variable that requests them.
pub fn run(args: &Args, asked: &str) -> u8 {
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(&args.shell.to_string()) {
        // Writing to memory cannot fail.
        let _ = shell.write_registration(asked, "ludex", "ludex", "ludex", &mut script);
    }
    output::print_sanitised(&String::from_utf8_lossy(&script));
    DONE
}

/// Prints the page of the command, or writes one for each verb and subverb. `command` is the definition of the command line.
pub fn run_man(args: &ManArgs, mut command: Command) -> Result<u8, Stop> {
    command.build();
    let Some(folder) = &args.folder else {
        output::print_sanitised(&render_page(&command).map_err(|error| write_problem(Path::new("ludex.1"), &error))?);
        return Ok(DONE);
    };
    std::fs::create_dir_all(folder).map_err(|error| write_problem(folder, &error))?;
    let mut commands = vec![(command.get_name().to_string(), command)];
    while let Some((name, command)) = commands.pop() {
        let path = folder.join(format!("{name}.1"));
        let text = render_page(&command).map_err(|error| write_problem(&path, &error))?;
        create_file(&path, text, Readers::All).map_err(|error| write_problem(&path, &error))?;
        output::print_line(&path.display().to_string());
        let verbs = command.get_subcommands().filter(|verb| verb.get_name() != "help");
        commands.extend(verbs.map(|verb| (format!("{name}-{}", verb.get_name()), verb.clone())));
    }
    Ok(DONE)
}

/// The manual page of a command, in the format of `man`.
fn render_page(command: &Command) -> io::Result<String> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

fn write_problem(path: &Path, error: &io::Error) -> Problem {
    let problem = Problem::error(codes::FILE_NOT_WRITTEN, format!("`{}` cannot be written: {error}", path.display()));
    problem.help("name a folder that is empty or does not exist yet")
}
