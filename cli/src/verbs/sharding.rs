//! `--shard` and `--out`: one part of a long run, written down for `ludex merge`.
//!
//! Each verb with long work has these two flags. The verb computes the pieces and counts, see [`Divisible`].

use crate::args::CommonArgs;
use crate::exit::DONE;
use crate::layout::group_digits;
use crate::output;
use crate::shards::{Divisible, Part, Shard};
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Sharding {
    /// Do one part of the work only, counted from 0, such as 3/64: `ludex merge` combines the parts
    #[arg(long, value_name = "I/N", requires = "out")]
    shard: Option<Part>,
    /// The folder that the shard is written to
    #[arg(long, value_name = "DIR", requires = "shard")]
    out: Option<PathBuf>,
}

/// The requested part, and its folder.
#[derive(Clone, Copy)]
pub struct RequestedPart<'a> {
    pub part: Part,
    folder: &'a Path,
}

impl Sharding {
    /// The part to do, if only one is.
    pub fn requested_part(&self) -> Option<RequestedPart<'_>> {
        Some(RequestedPart { part: self.shard?, folder: self.out.as_deref()? })
    }

    /// Refuses a shard of work that cannot be divided. `flag` is the one that asks for such work.
    pub fn refuse_without(&self, flag: &str, is_given: bool) -> Result<(), Stop> {
        if self.shard.is_none() || is_given {
            return Ok(());
        }
        let message = format!("`--shard` needs `{flag}`");
        let help = format!("add `{flag}`, or leave out `--shard` and `--out`");
        Err(Stop::usage_error(Problem::error(codes::COMMAND_LINE, message).help(help)))
    }
}

impl RequestedPart<'_> {
    /// Writes the counts of a shard and reports it. Returns the exit status. Problems are reported when the shards are merged.
    /// `hash` is that of the game's files.
    pub fn write_shard<D: Divisible>(
        self,
        common: &CommonArgs,
        request: &D,
        hash: String,
        counted: &D::Counted,
    ) -> Result<u8, Stop> {
        let written = Shard::new(request, hash, self.part, counted).and_then(|shard| shard.write_shard(self.folder));
        let path = written.map_err(|error| {
            let message = format!("the shard cannot be written to `{}`: {error}", self.folder.display());
            Problem::error(codes::FILE_NOT_WRITTEN, message)
        })?;
        let (path, part, many) = (path.display(), self.part, D::PIECES.many);
        let range = part.own_pieces(request.piece_count());
        if common.is_json() {
            let (part, path) = (part.to_string(), path.to_string());
            let mut object = json!({ "ludex": 1, "command": D::VERB, "shard": part });
            object[many] = json!([range.start, range.end]);
            object["file"] = json!(path);
            output::print_json(&object);
        } else {
            let (count, all) = (group_digits(range.end - range.start), group_digits(request.piece_count()));
            output::print_text(&format!("shard {part}: {count} of {all} {many} are counted in {path}\n"));
        }
        Ok(DONE)
    }
}
