//! The manifest of a library, from flags, from its file, or from answers to questions.

use crate::output;
use crate::terminal::{Input, InputEnd, Screen};
use ludex_engine::codes;
use ludex_engine::library::{Manifest, NAME_HELP, VERSION_HELP, is_library_name, is_library_version, unfit_line_reason};
use ludex_engine::problem::Problem;
use std::path::Path;

/// The fields of a library's manifest on the command line. Others are taken from its `ludex.yaml`, or asked for
#[derive(clap::Args)]
pub struct ManifestArgs {
    /// The name of the library: small letters, digits and hyphens
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Its version, such as `1.0.0`
    #[arg(long = "set-version", value_name = "VERSION")]
    version: Option<String>,
    /// Who made it
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    /// Under which licence others may use it, such as `CC-BY-4.0`
    #[arg(long, value_name = "LICENCE", visible_alias = "license")]
    licence: Option<String>,
    /// A description in one sentence
    #[arg(long, value_name = "TEXT")]
    about: Option<String>,
}

/// A required field of the manifest.
struct ManifestField {
    flag: &'static str,
    prompt: &'static str,
    /// The default answer.
    usual: Option<String>,
    /// Returns the reason that a text is not allowed, and what would be.
    fault: fn(&str) -> Option<String>,
}

impl ManifestArgs {
    /// The manifest, and whether any field was asked for. `old` is the manifest in the folder, if it has one; flags take
    /// precedence.
    pub fn complete_manifest(&self, old: Option<Manifest>, folder: &Path) -> Result<(Manifest, bool), Problem> {
        let old = old.unwrap_or_default();
        let name =
            ManifestField { flag: "--name", prompt: "What is the library called?", usual: name_of(folder), fault: fault_of_name };
        let version = ManifestField {
            flag: "--set-version",
            prompt: "Which version is it?",
            usual: Some("1.0.0".to_string()),
            fault: fault_of_version,
        };
        let author = ManifestField { flag: "--author", prompt: "Who made it?", usual: None, fault: unfit_reason };
        let prompt = "Under which licence may others use it, for example CC-BY-4.0?";
        let licence = ManifestField { flag: "--licence", prompt, usual: None, fault: unfit_reason };
        let matters = [(&self.name, &old.name, &name), (&self.version, &old.version, &version)];
        let matters = matters.into_iter().chain([(&self.author, &old.author, &author), (&self.licence, &old.licence, &licence)]);
        let open = matters.filter(|(said, old, _)| said.is_none() && old.is_empty()).map(|(_, _, matter)| matter.flag).collect();
        let mut asking = Asking { screen: Screen::detect(true).for_secrets(), input: None, open };
        let manifest = Manifest {
            name: asking.resolve_field(&self.name, old.name, &name)?,
            version: asking.resolve_field(&self.version, old.version, &version)?,
            author: asking.resolve_field(&self.author, old.author, &author)?,
            licence: asking.resolve_field(&self.licence, old.licence, &licence)?,
            about: self.about.clone().or(old.about),
            made_for: Vec::new(),
        };
        if let Some(reason) = manifest.about.as_deref().and_then(unfit_reason) {
            return Err(Problem::error(codes::COMMAND_LINE, format!("`--about` {reason}")));
        }
        Ok((manifest, asking.input.is_some()))
    }
}

/// Asks on a screen that does not repeat the answers in the output.
struct Asking {
    screen: Screen,
    /// `None` until the first question.
    input: Option<Input>,
    /// The flags of the fields still to be asked for.
    open: Vec<&'static str>,
}

impl Asking {
    /// The value of a field from its flag, from the file (`old`), or from an answer.
    fn resolve_field(&mut self, flag: &Option<String>, old: String, matter: &ManifestField) -> Result<String, Problem> {
        let said = flag.clone().or_else(|| Some(old).filter(|old| !old.is_empty()));
        match said {
            Some(said) => match (matter.fault)(said.trim()) {
                Some(reason) => Err(Problem::error(codes::COMMAND_LINE, format!("`{}` {reason}", matter.flag))),
                None => Ok(said.trim().to_string()),
            },
            None => self.ask_field(matter),
        }
    }

    /// Asks until the answer is allowed. Enter alone gives the default.
    fn ask_field(&mut self, matter: &ManifestField) -> Result<String, Problem> {
        let input = self.input.get_or_insert_with(Input::new);
        let usual = matter.usual.as_ref().map_or(String::new(), |usual| format!(" [{usual}]"));
        loop {
            let answer = input
                .ask_line(&self.screen, &format!("{}{usual}", matter.prompt))
                .map_err(|ended| missing_answer_problem(ended, &self.open))?;
            let answer = if answer.is_empty() { matter.usual.clone().unwrap_or_default() } else { answer };
            match (matter.fault)(&answer) {
                None => {
                    input.reset_idle_count();
                    self.open.retain(|flag| *flag != matter.flag);
                    return Ok(answer);
                }
                Some(reason) => output::print_remark(&format!("this {reason}")),
            }
        }
    }
}

/// Reports that the input ended, and how to give the answers on the command line.
fn missing_answer_problem(ended: InputEnd, open: &[&str]) -> Problem {
    let problem = match ended {
        InputEnd::NothingLeft => {
            output::print_prompt("", "\n");
            Problem::error(codes::INPUT_ENDED, "the input ended before all questions about the library were answered")
        }
        InputEnd::NoAnswers => Problem::from(ended),
    };
    let flags: Vec<String> = open.iter().map(|flag| format!("{flag} …")).collect();
    problem.help(format!("write `{}`, or a file `ludex.yaml` in its folder", flags.join(" ")))
}

/// The name of a folder as the name of a library, if it can be one.
fn name_of(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    let name = folder.file_name()?.to_str()?.to_lowercase().replace([' ', '_'], "-");
    is_library_name(&name).then_some(name)
}

/// The reason that a text cannot be a line of the manifest.
fn unfit_reason(text: &str) -> Option<String> {
    unfit_line_reason(text).map(str::to_string)
}

/// The reason that a text cannot be the name of a library.
fn fault_of_name(text: &str) -> Option<String> {
    (!is_library_name(text)).then(|| format!("cannot be the name of a library: {NAME_HELP}"))
}

/// The reason that a text cannot be a version.
fn fault_of_version(text: &str) -> Option<String> {
    (!is_library_version(text)).then(|| format!("cannot be a version: {VERSION_HELP}"))
}
