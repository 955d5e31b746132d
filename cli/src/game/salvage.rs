//! What becomes of a recording that cannot be written on: it is kept aside, and what was read of it takes its place.

use crate::whole_file::{self, Readers, open_new, with_ending};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// So many files of one recording are kept aside at most.
const MOST_ASIDE: usize = 1_000;

/// Puts other lines in the place of a recording, of which a copy stays beside it under a name that tells why. Gives the path of
/// the copy. Whenever the machine stops, the old recording is under one of the two names.
pub fn renew(path: &Path, why: &str, lines: impl Iterator<Item = String>) -> io::Result<PathBuf> {
    let aside = copy_aside(path, why)?;
    let draft = with_ending(path, &format!("draft-{}", std::process::id()));
    whole_file::replace_by(path, &draft, lines, Readers::Owner)?;
    Ok(aside)
}

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
