//! `ludex rules`: the rules of a game, for its players.

use crate::args::CommonArgs;
use crate::exit::DONE;
use crate::layout::paragraph_text;
use crate::load::Purpose;
use crate::output;
use crate::rulebook::{Block, Rulebook};
use crate::scenario::Tour;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use serde_json::json;

/// Read the rules of a game in short: the goal, a turn, each phase, ability and card
#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// What to read: a heading, a name, words, the id of a rule such as `why` cites, or `all`
    words: Vec<String>,
}

pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    let mut loaded = common.load_libraries();
    let program = common.compile_from(&mut loaded, &args.game, &common.requested_settings(), Purpose::Looking)?;
    let book = Rulebook::from_program(&program);
    let words = args.words.join(" ");
    let blocks = if words.is_empty() { book.opening_blocks() } else { book.find_blocks(&program, &words) };
    if blocks.is_empty() {
        return Err(nothing_found_problem(&args.game, &words).into());
    }
    if common.is_json() {
        let told = blocks.iter().map(|block| match block {
            Block::Heading(text) => json!({ "kind": "heading", "text": text }),
            Block::Text(text) => json!({ "kind": "text", "text": text }),
            Block::Item(text) => json!({ "kind": "item", "text": text }),
        });
        output::print_json(&json!({ "ludex": 1, "command": "rules", "game": program.game, "blocks": told.collect::<Vec<_>>() }));
        return Ok(DONE);
    }
    let mut text = String::new();
    for block in &blocks {
        match block {
            Block::Heading(title) if text.is_empty() => text.push_str(&format!("{}\n", output::heading_text(title))),
            Block::Heading(title) => text.push_str(&format!("\n{}\n", output::heading_text(title))),
            Block::Text(words) => text.push_str(&paragraph_text(words, 2)),
            Block::Item(words) => text.push_str(&paragraph_text(&format!("- {words}"), 4)),
        }
    }
    if words.is_empty() {
        text.push_str(&format!("\n`ludex rules {} WORD` shows more", args.game));
        if Tour::find_tour(&loaded.library, &args.game).is_some() {
            text.push_str(&format!("; `ludex tour {}` plays a first turn with you", args.game));
        }
        text.push('\n');
    }
    output::print_paged(&text, common.no_pager);
    Ok(DONE)
}

fn nothing_found_problem(game: &str, words: &str) -> Problem {
    match words {
        "" => Problem::error(codes::FILE_MISSING, format!("`{game}` has no rules to read here"))
            .help(format!("they would be in `rules/{game}/rules.md`, or in a README.md there")),
        words => Problem::error(codes::UNKNOWN_RULE, format!("the rules of `{game}` do not mention `{words}`"))
            .help(format!("`ludex rules {game}` shows what there is to read")),
    }
}
