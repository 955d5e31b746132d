//! `ludex pack`: the user's library as a single file to share.

mod said;

use crate::args::Common;
use crate::checking::Checking;
use crate::exit::DONE;
use crate::layout::{counted, paragraph};
use crate::load::{self, Loaded, slashed};
use crate::output;
use crate::packing::{self, Named};
use crate::stop::Stop;
use crate::whole_file::{Readers, create, replace_by, with_ending};
use ludex_engine::codes;
use ludex_engine::library::{MANIFEST, Manifest, hash_bytes};
use ludex_engine::problem::{Problem, joined};
use said::Said;
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
    said: Said,
}

pub fn run(args: &Args, common: &Common) -> Result<u8, Stop> {
    let folder = args.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let (loaded, library) = checked(&folder, common)?;
    let old = loaded.library.manifest(&library).cloned();
    let is_new = old.is_none();
    let (manifest, asked) = args.said.manifest(old, &folder)?;
    let manifest = Manifest { made_for: loaded.library.bases(&library), ..manifest };
    let file = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}-{}.zip", manifest.name, manifest.version)));
    refuse_to_overwrite(&file, args.force)?;
    let files = files(&loaded, &library, &folder, &manifest)?;
    let bytes = packing::packed(&files, &slashed(&file))?;
    write(&file, &bytes, args.force)?;
    if is_new && asked {
        keep_answers(&folder, &manifest);
    }
    let packed = Packed { file, bytes, files, manifest, games: loaded.library.games_of_library(&library) };
    match common.json() {
        true => output::json(&packed.json()),
        false => output::print(&packed.text()),
    }
    Ok(DONE)
}

/// Loads the library of a folder with those it builds on, and checks that it has no errors.
fn checked(folder: &Path, common: &Common) -> Result<(Loaded, String), Stop> {
    let mut common = Common { no_local: true, ..common.clone() };
    common.libraries.push(folder.to_path_buf());
    let loaded = load::load(&common);
    if folder.is_file() {
        let message = format!("`{}` is a file, but only a folder can be packed", slashed(folder));
        return Err(Problem::error(codes::NOT_PACKED, message)
            .help("name the folder with `rules`, `characters` or `scripts`")
            .into());
    }
    let found = Checking::new(&loaded, common.wanted()).found(&[folder.to_path_buf()]);
    if found.iter().any(Problem::is_error) {
        let errors = counted(found.iter().filter(|problem| problem.is_error()).count(), "error", "errors");
        let problem = Problem::error(codes::NOT_PACKED, format!("`{}` is not packed: it has {errors}", slashed(folder)));
        let problem = problem.help(format!("fix the errors that `ludex check {}` reports, then pack it again", slashed(folder)));
        return Err(Stop::new([found, vec![problem]].concat(), loaded.library.sources.clone()));
    }
    output::errors(&found, &loaded.library.sources);
    Ok((loaded, slashed(folder)))
}

fn refuse_to_overwrite(file: &Path, force: bool) -> Result<(), Problem> {
    let is_there = std::fs::symlink_metadata(file).is_ok();
    if is_there && !(force && file.is_file()) {
        let help = if file.is_dir() {
            "it is a folder: name a file with `-o FILE`"
        } else {
            "overwrite it with `--force`, or name another file with `-o FILE`"
        };
        return Err(Problem::error(codes::FILE_NOT_WRITTEN, format!("`{}` already exists", slashed(file))).help(help));
    }
    Ok(())
}

/// The files of the zip, sorted by path.
fn files(loaded: &Loaded, library: &str, folder: &Path, manifest: &Manifest) -> Result<Vec<Named>, Problem> {
    let sources =
        loaded.library.sources.iter().filter(|(id, _)| loaded.library.origin(*id) == library && loaded.place(*id).is_some());
    let own = sources.map(|(id, source)| (loaded.library.path(id).to_string(), source.text.clone()));
    let mut files: Vec<Named> = own.filter(|(path, _)| path != MANIFEST).collect();
    files.extend(packing::carried(folder)?);
    files.push((MANIFEST.to_string(), manifest.text()));
    files.sort();
    Ok(files)
}

fn write(file: &Path, bytes: &[u8], force: bool) -> Result<(), Problem> {
    let written = match force {
        true => replace_by(file, &with_ending(file, "draft"), std::iter::once(bytes), Readers::All),
        false => create(file, bytes, Readers::All),
    };
    written.map_err(|error| Problem::error(codes::FILE_NOT_WRITTEN, format!("`{}` cannot be written: {error}", slashed(file))))
}

/// Stores the answers in the manifest, so that they need not be asked for again.
fn keep_answers(folder: &Path, manifest: &Manifest) {
    let path = folder.join(MANIFEST);
    let text = Manifest { made_for: Vec::new(), ..manifest.clone() }.text();
    match create(&path, text, Readers::All) {
        Ok(()) => output::remark(&format!("your answers are stored in `{}`", slashed(&path))),
        Err(error) => output::remark(&format!("your answers are not stored: `{}` cannot be written: {error}", slashed(&path))),
    }
}

/// The result of packing.
struct Packed {
    file: PathBuf,
    bytes: Vec<u8>,
    files: Vec<Named>,
    manifest: Manifest,
    games: Vec<String>,
}

impl Packed {
    fn text(&self) -> String {
        let Manifest { name, version, author, licence, made_for, .. } = &self.manifest;
        let file = slashed(&self.file);
        let mut text = paragraph(&format!("{name} {version} by {author}, {licence}"), 0);
        let files = counted(self.files.len(), "file", "files");
        text.push_str(&format!("  {file}: {files}, {} bytes\n  SHA-256 {}\n", self.bytes.len(), hash_bytes(&self.bytes)));
        if !made_for.is_empty() {
            let games: Vec<&str> = made_for.iter().map(|base| base.game.as_str()).collect();
            text.push_str(&paragraph(&format!("made for {} as it is now", joined(&games, "and")), 2));
        }
        if let Some(game) = self.games.first() {
            text.push_str(&format!("`ludex play {game} --library {file}` plays with it.\n"));
        }
        text
    }

    fn json(&self) -> Value {
        json!({
            "ludex": 1,
            "command": "pack",
            "file": slashed(&self.file),
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
