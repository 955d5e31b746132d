//! Recovers a recording that cannot be continued, because it is damaged or in an old format: keeps a copy aside and replaces
//! the file by the part that could be read. `resume` does this to recordings in Ludex's own folders.

use crate::whole_file::{self, Readers, open_new, with_ending};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Maximum number of files of one recording that are kept aside.
const MOST_ASIDE: usize = 1_000;

/// Replaces a recording by `lines`. A copy of the old file stays beside it, with `why` as a further extension; returns its
/// path. If the machine stops at any point, the old recording exists under one of the two names.
pub fn renew_recording(path: &Path, why: &str, lines: impl Iterator<Item = String>) -> io::Result<PathBuf> {
    let aside = copy_aside(path, why)?;
    let draft = with_ending(path, &format!("draft-{}", std::process::id()));
    whole_file::replace_in_pieces(path, &draft, lines, Readers::Owner)?;
    Ok(aside)
}

/// Copies a file to the first free name: `match.ludexrec.damaged`, then `match.ludexrec.damaged-2` and so on.
fn copy_aside(path: &Path, why: &str) -> io::Result<PathBuf> {
    let mut from = File::open(path)?;
    for number in 1..=MOST_ASIDE {
        let aside = with_ending(path, &if number == 1 { why.to_string() } else { format!("{why}-{number}") });
        match open_new(&aside, Readers::Owner) {
            Ok(mut to) => {
                let copied = io::copy(&mut from, &mut to).and_then(|_| to.sync_all());
                return copied.map(|()| aside.clone()).inspect_err(|_| {
                    let _ = fs::remove_file(&aside);
                });
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
