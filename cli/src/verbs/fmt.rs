//! `ludex fmt`: indentation, blanks and the columns of comments in rules and in the headers of scripts.

use crate::args::CommonArgs;
use crate::edited_file;
use crate::exit::{DONE, PROBLEMS};
use crate::layout::count_text;
use crate::load::{self, LoadedLibraries};
use crate::output;
use crate::shared::map_parallel;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::formatting::{self, FormatKind};
use ludex_engine::problem::Problem;
use ludex_engine::source::{SourceId, Sources};
use ludex_engine::yaml;
use ludex_validator::Report;
use serde_json::json;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The path that stands for standard input.
const PIPED: &str = "-";

/// Format rules and the headers of scripts: indentation, blanks, and the columns of rule ids
/// and comments. Line breaks and wording are never changed. Files with errors are left as
/// they are
#[derive(clap::Args)]
pub struct Args {
    /// Files or folders; without any, all libraries that do not come with Ludex. `-` formats
    /// standard input, for editors
    paths: Vec<PathBuf>,
    /// Change no file; show what would be changed, and end with status 1 if there are changes
    #[arg(long)]
    check: bool,
}

/// The result of formatting.
#[derive(Default)]
struct Outcome {
    changed: Vec<Changed>,
    unchanged: usize,
    /// The number of files with errors.
    refused: usize,
    problems: Vec<Problem>,
}

/// A file whose formatting has changed, or would change.
struct Changed {
    source: SourceId,
    name: String,
    old: String,
    new: String,
}

/// Formats the requested files, and writes those that change, unless `--check` is set.
pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    if is_piped(&args) {
        return format_piped(&args, common);
    }
    let loaded = load::open_libraries_around(common, &args.paths);
    let mut outcome = Outcome { problems: read_problems(&loaded), ..Outcome::default() };
    outcome.problems.extend(args.paths.iter().filter_map(|path| not_formatted_problem(&loaded, path)));
    let files = requested_files(&loaded, &args.paths);
    let format = |(source, written)| (source, formatting::format_text(&loaded.library.sources.get(source).text, source, written));
    for (source, formatted) in map_parallel(files, format) {
        outcome.add_file(&loaded.library.sources, source, formatted);
    }
    if !args.check {
        for changed in &outcome.changed {
            if let Some(path) = loaded.editable_file(changed.source) {
                edited_file::write_edited(path, &changed.old, &changed.new, "fmt")?;
            }
        }
    }
    print_outcome(&outcome, &loaded.library.sources, &args, common);
    Ok(outcome.exit_status(args.check))
}

/// Whether standard input is formatted.
fn is_piped(args: &Args) -> bool {
    args.paths.iter().any(|path| path == Path::new(PIPED))
}

/// The requested rules and scripts, each with its kind.
fn requested_files(loaded: &LoadedLibraries, paths: &[PathBuf]) -> Vec<(SourceId, FormatKind)> {
    let meant: Vec<SourceId> = match paths.is_empty() {
        true => loaded.library.sources.iter().map(|(source, _)| source).collect(),
        false => paths.iter().flat_map(|path| loaded.sources_under(path)).collect(),
    };
    let own = meant.into_iter().filter(|source| loaded.editable_file(*source).is_some());
    let mut files: Vec<_> =
        own.filter_map(|source| Some((source, FormatKind::by_name(loaded.library.source_path(source))?))).collect();
    files.sort_by_key(|(source, _)| *source);
    files.dedup_by_key(|(source, _)| *source);
    files
}

/// The problems that prevented files from being read.
fn read_problems(loaded: &LoadedLibraries) -> Vec<Problem> {
    let reasons =
        [codes::FILE_UNREADABLE, codes::FILE_ENCODING, codes::FILE_TOO_LARGE, codes::FILE_MISSING, codes::LIBRARY_EMPTY];
    loaded.problems.iter().filter(|problem| reasons.contains(&problem.code)).cloned().collect()
}

/// The reason that a named file is not formatted, if it is neither rules nor a script.
fn not_formatted_problem(loaded: &LoadedLibraries, path: &Path) -> Option<Problem> {
    let name = path.file_name()?.to_string_lossy();
    let named = path.is_file() && FormatKind::by_name(&name).is_none();
    let source = *loaded.sources_under(path).first().filter(|_| named)?;
    let problem = Problem::warning(codes::FILE_UNUSED, format!("`{name}` is not formatted"));
    let problem = problem.with_label(ludex_engine::source::Span::new(source, 0, 0), "neither rules nor a script");
    Some(problem.help("rules end in `.ludex`, scripts in `.rhai`"))
}

impl Outcome {
    /// Adds the result of one file: its new text, or the errors for which it is left as it is.
    fn add_file(&mut self, sources: &Sources, source: SourceId, formatted: Result<String, Vec<Problem>>) {
        let file = sources.get(source);
        match formatted {
            Ok(new) if new == file.text => self.unchanged += 1,
            Ok(new) => self.changed.push(Changed { source, name: file.name.clone(), old: file.text.clone(), new }),
            Err(problems) => {
                self.refused += 1;
                self.problems.extend(problems);
            }
        }
    }

    /// Fails on errors, and with `--check` on changes.
    fn exit_status(&self, check: bool) -> u8 {
        let fails = self.problems.iter().any(Problem::is_error) || check && !self.changed.is_empty();
        if fails { PROBLEMS } else { DONE }
    }
}

/// Formats standard input and prints the result.
fn format_piped(args: &Args, common: &CommonArgs) -> Result<u8, Stop> {
    if args.paths.len() > 1 {
        let problem = Problem::error(codes::COMMAND_LINE, "`-` is standard input, and cannot be combined with other paths");
        return Err(Stop::usage_error(problem.help("format files and standard input in separate runs")));
    }
    let (raw, source, sources) = read_piped()?;
    let text = &sources.get(source).text;
    let mut outcome = Outcome::default();
    outcome.add_file(&sources, source, formatting::format_text(text, source, FormatKind::by_text(text)));
    if args.check || common.is_json() || outcome.refused > 0 {
        print_outcome(&outcome, &sources, args, common);
    } else {
        let new = outcome.changed.first().map(|changed| edited_file::with_line_ends_of(&raw, text, &changed.new));
        output::print_sanitised(&new.unwrap_or(raw));
    }
    Ok(outcome.exit_status(args.check))
}

/// Standard input, raw and as parsed.
fn read_piped() -> Result<(String, SourceId, Sources), Stop> {
    let mut bytes = Vec::new();
    let unreadable = |message: String| Stop::from(Problem::error(codes::FILE_UNREADABLE, message));
    let most = yaml::LARGEST as u64 + 1;
    io::stdin().take(most).read_to_end(&mut bytes).map_err(|error| unreadable(format!("the input cannot be read: {error}")))?;
    if bytes.len() as u64 == most {
        return Err(Problem::error(codes::FILE_TOO_LARGE, "the input is larger than 1 MiB").into());
    }
    let mut sources = Sources::default();
    match String::from_utf8(bytes) {
        Ok(raw) => {
            let source = sources.add("input", edited_file::normalise_text(&raw));
            Ok((raw, source, sources))
        }
        Err(error) => {
            let found = yaml::decode_text(error.as_bytes()).err();
            let source = sources.add("input", found.as_ref().map_or("", |found| found.text.as_str()));
            let problems = found.map(|found| found.encoding_problem(source)).into_iter().collect();
            Err(Stop::new(problems, sources))
        }
    }
}

/// Reports the files that have changed, or would change, and those with errors.
fn print_outcome(outcome: &Outcome, sources: &Sources, args: &Args, common: &CommonArgs) {
    let diff = |changed: &Changed| edited_file::diff_text(&changed.name, &changed.old, &changed.new);
    if common.is_json() {
        let mut object = Report::new(outcome.problems.clone()).to_json(sources, "fmt");
        let changed = outcome.changed.iter().map(|changed| match args.check {
            true => json!({ "file": changed.name, "diff": diff(changed) }),
            false if is_piped(args) => json!({ "file": changed.name, "text": changed.new }),
            false => json!({ "file": changed.name }),
        });
        object["changed"] = changed.collect();
        object["unchanged"] = json!(outcome.unchanged);
        return output::print_json(&object);
    }
    for changed in &outcome.changed {
        match args.check {
            true => output::print_text(&diff(changed)),
            false => output::print_line(&changed.name),
        }
    }
    output::print_problems(&outcome.problems, sources);
    output::print_remark(&summary_text(outcome, args.check));
}

/// `2 files formatted, 31 were already, 1 has errors and is left as it is`, or `33 files were formatted already`; with `--check`
/// `2 files are not formatted, 31 are`.
fn summary_text(outcome: &Outcome, check: bool) -> String {
    let (changed, unchanged) = (outcome.changed.len(), outcome.unchanged);
    let files = |count| count_text(count, "file", "files");
    let (was, is) = if unchanged == 1 { ("was", "is") } else { ("were", "are") };
    let (first, already) = match check {
        true if changed == 0 => (None, format!("{} {is} formatted", files(unchanged))),
        true if changed == 1 => (Some("1 file is not formatted".to_string()), format!("{unchanged} {is}")),
        true => (Some(format!("{} are not formatted", files(changed))), format!("{unchanged} {is}")),
        false if changed == 0 => (None, format!("{} {was} formatted already", files(unchanged))),
        false => (Some(format!("{} formatted", files(changed))), format!("{unchanged} {was} already")),
    };
    let already = (unchanged > 0 || first.is_none()).then_some(already);
    let refused = match outcome.refused {
        0 => None,
        1 => Some("1 has errors and is left as it is".to_string()),
        refused => Some(format!("{refused} have errors and are left as they are")),
    };
    [first, already, refused].into_iter().flatten().collect::<Vec<_>>().join(", ")
}
