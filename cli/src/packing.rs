//! A library → one file to share, a zip that `--library` reads; for `pack`. The same texts give the same bytes, on every
//! system and at any time.

use crate::load::{load_source, packed_texts};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use std::io::{Cursor, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

/// Files included beside the library's own: their names in lower case without an extension.
const CARRIED: [&str; 5] = ["licence", "license", "copying", "notice", "readme"];

/// A path and its text.
pub type NamedText = (String, String);

/// The texts in a library's folder that are packed with it although no game reads them.
pub fn accompanying_texts(folder: &Path) -> Result<Vec<NamedText>, Problem> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
        let is_plain = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_plain && CARRIED.contains(&stem.to_lowercase().as_str()) && ["", "md", "txt"].contains(&ending) {
            let mut sources = Sources::default();
            let source = load_source(&entry.path(), &mut sources)?;
            found.push((name, sources.get(source).text.clone()));
        }
    }
    found.sort();
    Ok(found)
}

/// Packs some files into a zip, and verifies the bytes by reading them back. `name` is the name of the zip, for messages.
pub fn pack_files(files: &[NamedText], name: &str) -> Result<Vec<u8>, Problem> {
    let failed = |error: zip::result::ZipError| Problem::error(codes::NOT_PACKED, format!("`{name}` cannot be packed: {error}"));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(DateTime::default())
        .system(System::Unix)
        .unix_permissions(0o644);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, text) in files {
        zip.start_file(path.as_str(), options).map_err(failed)?;
        zip.write_all(text.as_bytes()).map_err(|error| failed(error.into()))?;
    }
    let bytes = zip.finish().map_err(failed)?.into_inner();
    packed_texts(&bytes, name).map(|_| bytes).map_err(|problem| *problem)
}
