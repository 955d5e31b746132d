//! `ludex pack`: the user's library as a single file to share.
//!
//! The manifest is the file `ludex.yaml`, with the name, version, author and licence. A packed library must have no errors, and
//! holds only files that Ludex reads, plus a few that accompany them.

mod manifest;

use crate::args::CommonArgs;
use crate::checking::LibraryCheck;
use crate::exit::DONE;
use crate::layout::{count_text, paragraph_text};
use crate::load::{self, LoadedLibraries, slashed_path};
use crate::output;
use crate::packing::{self, NamedText};
use crate::stop::Stop;
use crate::whole_file::{Readers, create_file, replace_in_pieces, with_ending};
use ludex_engine::codes;
use ludex_engine::library::{MANIFEST, Manifest, hash_bytes};
use ludex_engine::problem::{Problem, join_words};
use manifest::ManifestArgs;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Pack your own library into one file to share
#[derive(clap::Args)]
pub struct Args {
    /// The folder of the library; without it, the current one
    folder: Option<PathBuf>,
    /// The file to write; without it, `NAME-VERSION.zip` in the current folder
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    said: ManifestArgs,
}

/// Checks the library, completes its manifest, and writes the zip. Nothing is written before all of that has succeeded.
pub fn run(args: &Args, common: &CommonArgs) -> Result<u8, Stop> {
    let folder = args.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let (loaded, library) = load_checked(&folder, common)?;
    let old = loaded.library.library_manifest(&library).cloned();
    let is_new = old.is_none();
    let (manifest, asked) = args.said.complete_manifest(old, &folder)?;
    let manifest = Manifest { made_for: loaded.library.current_bases(&library), ..manifest };
    let file = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}-{}.zip", manifest.name, manifest.version)));
    refuse_to_overwrite(&file, args.force)?;
    let files = zip_files(&loaded, &library, &folder, &manifest)?;
    let bytes = packing::pack_files(&files, &slashed_path(&file))?;
    write_zip(&file, &bytes, args.force)?;
    if is_new && asked {
        store_answers(&folder, &manifest);
    }
    let packed = PackResult { file, bytes, files, manifest, games: loaded.library.games_of_library(&library) };
    match common.is_json() {
        true => output::print_json(&packed.to_json()),
        false => output::print_text(&packed.result_text()),
    }
    Ok(DONE)
}

/// Loads the library of a folder with those it builds on, and checks that it has no errors. Also returns the name of the
/// library among the others.
fn load_checked(folder: &Path, common: &CommonArgs) -> Result<(LoadedLibraries, String), Stop> {
    let mut common = CommonArgs { no_local: true, ..common.clone() };
    common.libraries.push(folder.to_path_buf());
    let loaded = load::open_libraries(&common);
    if folder.is_file() {
        let message = format!("`{}` is a file, but only a folder can be packed", slashed_path(folder));
        return Err(Problem::error(codes::NOT_PACKED, message)
            .help("name the folder with `rules`, `characters` or `scripts`")
            .into());
    }
    let found = LibraryCheck::new(&loaded, common.requested_settings()).find_problems(&[folder.to_path_buf()]);
    if found.iter().any(Problem::is_error) {
        let errors = count_text(found.iter().filter(|problem| problem.is_error()).count(), "error", "errors");
        let problem = Problem::error(codes::NOT_PACKED, format!("`{}` is not packed: it has {errors}", slashed_path(folder)));
        let problem =
            problem.help(format!("fix the errors that `ludex check {}` reports, then pack it again", slashed_path(folder)));
        return Err(Stop::new([found, vec![problem]].concat(), loaded.library.sources.clone()));
    }
    output::print_errors(&found, &loaded.library.sources);
    Ok((loaded, slashed_path(folder)))
}

/// Refuses an existing path, unless it is a file and `--force` allows to replace it.
fn refuse_to_overwrite(file: &Path, force: bool) -> Result<(), Problem> {
    let is_there = std::fs::symlink_metadata(file).is_ok();
    if is_there && !(force && file.is_file()) {
        let help = if file.is_dir() {
            "it is a folder: name a file with `-o FILE`"
        } else {
            "overwrite it with `--force`, or name another file with `-o FILE`"
        };
        return Err(Problem::error(codes::FILE_NOT_WRITTEN, format!("`{}` already exists", slashed_path(file))).help(help));
    }
    Ok(())
}

/// The files of the zip, sorted by path.
fn zip_files(loaded: &LoadedLibraries, library: &str, folder: &Path, manifest: &Manifest) -> Result<Vec<NamedText>, Problem> {
    let sources = loaded
        .library
        .sources
        .iter()
        .filter(|(id, _)| loaded.library.source_library(*id) == library && loaded.source_place(*id).is_some());
    let own = sources.map(|(id, source)| (loaded.library.source_path(id).to_string(), source.text.clone()));
    let mut files: Vec<NamedText> = own.filter(|(path, _)| path != MANIFEST).collect();
    files.extend(packing::accompanying_texts(folder)?);
    files.push((MANIFEST.to_string(), manifest.yaml_text()));
    files.sort();
    Ok(files)
}

/// Writes the zip. Without `force`, a file that has appeared meanwhile is not overwritten either.
fn write_zip(file: &Path, bytes: &[u8], force: bool) -> Result<(), Problem> {
    let written = match force {
        true => replace_in_pieces(file, &with_ending(file, "draft"), std::iter::once(bytes), Readers::All),
        false => create_file(file, bytes, Readers::All),
    };
    written
        .map_err(|error| Problem::error(codes::FILE_NOT_WRITTEN, format!("`{}` cannot be written: {error}", slashed_path(file))))
}

/// Stores the answers in the manifest, so that they need not be asked for again.
fn store_answers(folder: &Path, manifest: &Manifest) {
    let path = folder.join(MANIFEST);
    let text = Manifest { made_for: Vec::new(), ..manifest.clone() }.yaml_text();
    match create_file(&path, text, Readers::All) {
        Ok(()) => output::print_remark(&format!("your answers are stored in `{}`", slashed_path(&path))),
        Err(error) => {
            output::print_remark(&format!("your answers are not stored: `{}` cannot be written: {error}", slashed_path(&path)))
        }
    }
}

/// The result of packing.
struct PackResult {
    file: PathBuf,
    bytes: Vec<u8>,
    files: Vec<NamedText>,
    manifest: Manifest,
    games: Vec<String>,
}

impl PackResult {
    fn result_text(&self) -> String {
        let Manifest { name, version, author, licence, made_for, .. } = &self.manifest;
        let file = slashed_path(&self.file);
        let mut text = paragraph_text(&format!("{name} {version} by {author}, {licence}"), 0);
        let files = count_text(self.files.len(), "file", "files");
        text.push_str(&format!("  {file}: {files}, {} bytes\n  SHA-256 {}\n", self.bytes.len(), hash_bytes(&self.bytes)));
        if !made_for.is_empty() {
            let games: Vec<&str> = made_for.iter().map(|base| base.game.as_str()).collect();
            text.push_str(&paragraph_text(&format!("made for {} as it is now", join_words(&games, "and")), 2));
        }
        if let Some(game) = self.games.first() {
            text.push_str(&format!("`ludex play {game} --library {file}` plays with it.\n"));
        }
        text
    }

    fn to_json(&self) -> Value {
        json!({
            "ludex": 1,
            "command": "pack",
            "file": slashed_path(&self.file),
            "bytes": self.bytes.len(),
            "sha256": hash_bytes(&self.bytes),
            "manifest": manifest_json(&self.manifest),
            "files": self.files.iter().map(|(path, _)| path).collect::<Vec<_>>(),
            "games": self.games,
        })
    }
}

/// The manifest as JSON.
pub fn manifest_json(manifest: &Manifest) -> Value {
    let made_for = manifest.made_for.iter().map(|base| json!({ "game": base.game, "hash": base.hash, "files": base.files }));
    json!({
        "name": manifest.name,
        "version": manifest.version,
        "author": manifest.author,
        "licence": manifest.licence,
        "about": manifest.about,
        "made_for": made_for.collect::<Vec<_>>(),
    })
}
