//! The manifests of libraries, and the changes to games they build on.
//!
//! A manifest is the file `ludex.yaml` of a library, with its name, version, author and licence. It has hashes of the
//! games that the library builds on, so that changes to these can be shown.

use crate::layout::Table;
use crate::output;
use crate::verbs::pack::manifest_json;
use ludex_engine::library::{BUNDLED, Library, Manifest};
use serde_json::{Value, json};

/// The libraries with a manifest, each with the changes since it was packed.
pub fn libraries_text(library: &Library) -> String {
    let mut table = Table::default();
    for (place, manifest) in library.all_manifests() {
        table.add_row([manifest.name.clone(), manifest_text(manifest)]);
        library_lines(library, place, manifest).into_iter().for_each(|line| table.add_row([String::new(), line]));
    }
    if table.is_empty() { String::new() } else { format!("{}\n{}\n", output::heading_text("Libraries"), table.to_text()) }
}

/// The manifests of the libraries that have a part in a game, one line each.
pub fn game_library_lines(library: &Library, game: &str) -> Vec<String> {
    let found = library.all_manifests().filter(|(place, _)| has_part(library, place, game));
    let told = |(place, manifest): (&str, &Manifest)| {
        let first = format!("{} {}", manifest.name, manifest_text(manifest));
        std::iter::once(first).chain(library_lines(library, place, manifest)).collect::<Vec<_>>()
    };
    found.flat_map(told).collect()
}

/// The manifests as JSON, of all libraries or of those with a part in a game.
pub fn libraries_json(library: &Library, game: Option<&str>) -> Value {
    let found = library.all_manifests().filter(|(place, _)| game.is_none_or(|game| has_part(library, place, game)));
    let told = found.map(|(place, manifest)| {
        let changes = library.base_changes(place).into_iter().map(|change| {
            json!({ "game": change.game, "gone": change.gone, "changed": change.changed, "added": change.added, "removed": change.removed })
        });
        let games = library.games_of_library(place);
        json!({ "from": place, "manifest": manifest_json(manifest), "games": games, "base_changes": changes.collect::<Vec<_>>() })
    });
    told.collect()
}

/// Whether a library adds to a game, or to one that it extends.
fn has_part(library: &Library, place: &str, game: &str) -> bool {
    let games = library.games_of_library(place);
    library.package_line(game).iter().any(|game| games.contains(&game.id))
}

/// `1.0.0 by Ada, CC-BY-4.0`
fn manifest_text(manifest: &Manifest) -> String {
    format!("{} by {}, {}", manifest.version, manifest.author, manifest.licence)
}

/// Where a library is and what it is for, and which of the games it builds on have changed since.
fn library_lines(library: &Library, place: &str, manifest: &Manifest) -> Vec<String> {
    let games = library.games_of_library(place);
    let games = if games.is_empty() { "no game".to_string() } else { games.join(", ") };
    let mut lines = vec![format!("from {}, for {games}", self::library_name(place))];
    lines.extend(manifest.about.clone());
    let changes = library.base_changes(place);
    lines.extend(changes.iter().map(|change| format!("made for another version of {}: {}", change.game, change.change_text())));
    lines
}

/// The name of a library for people.
pub fn library_name(library: &str) -> &str {
    match library {
        BUNDLED => "bundled",
        "." => "this folder",
        folder => folder,
    }
}
