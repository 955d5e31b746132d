//! Determines the role and the game of a file from its path.

use super::manifest::MANIFEST;

/// The role of a file, by its folder and extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// `rules/GAME/*.ludex`
    Rules,
    /// `characters/GAME/*.yaml`
    Sheet,
    /// `scripts/GAME/*.rhai`
    Script,
    /// `rules/GAME/scenarios/*.yaml`
    Scenario,
    /// `rules/GAME/unnoticed.yaml`: the mutations that scenarios need not detect.
    Unnoticed,
    /// `rules/GAME/README.md`, with the table of rules.
    Readme,
    /// `rules/GAME/rules.md`, a short rulebook for players.
    Rulebook,
    /// `ludex.yaml`, the manifest of a library.
    Manifest,
    /// Not part of a game; it may be a position.
    Other,
}

/// The place of a file, with its game if it is in the folder of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePlace<'a> {
    /// The game whose folder it is in.
    pub game: Option<&'a str>,
    pub role: FileRole,
    /// The file name without its extension.
    pub stem: &'a str,
}

/// Determines the role and the game of a file from its path within a library.
pub fn classify_path(path: &str) -> FilePlace<'_> {
    let parts: Vec<&str> = path.split('/').collect();
    let file = parts.last().copied().unwrap_or(path);
    let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
    let (folder, game) = match parts.as_slice() {
        [folder @ ("rules" | "characters" | "scripts"), game, .., _] => (Some(*folder), Some(*game)),
        _ => (None, None),
    };
    let inside = |name| parts.iter().rev().skip(1).any(|part| *part == name);
    let role = match ending {
        _ if path == MANIFEST => FileRole::Manifest,
        "ludex" => FileRole::Rules,
        "rhai" => FileRole::Script,
        "yaml" | "yml" if inside("scenarios") => FileRole::Scenario,
        "yaml" | "yml" if stem == "unnoticed" && folder == Some("rules") => FileRole::Unnoticed,
        "yaml" | "yml" if matches!(parts.first(), Some(&"rules" | &"scripts")) => FileRole::Other,
        "yaml" | "yml" => FileRole::Sheet,
        "md" if file.eq_ignore_ascii_case("readme.md") && folder == Some("rules") => FileRole::Readme,
        "md" if file.eq_ignore_ascii_case("rules.md") && folder == Some("rules") => FileRole::Rulebook,
        _ => FileRole::Other,
    };
    FilePlace { game, role, stem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(path: &str, game: Option<&str>, role: FileRole) {
        let found = classify_path(path);
        assert_eq!((found.game, found.role), (game, role), "{path}");
    }

    #[test]
    fn folders_tell_the_game_and_endings_the_role() {
        case("rules/pond/play.ludex", Some("pond"), FileRole::Rules);
        case("rules/pond/scenarios/hops.yaml", Some("pond"), FileRole::Scenario);
        case("rules/pond/unnoticed.yaml", Some("pond"), FileRole::Unnoticed);
        case("rules/pond/README.md", Some("pond"), FileRole::Readme);
        case("rules/pond/rules.md", Some("pond"), FileRole::Rulebook);
        case("rules/pond/start.yaml", Some("pond"), FileRole::Other);
        case("characters/pond/otter.yaml", Some("pond"), FileRole::Sheet);
        case("characters/pond/first/otter.yml", Some("pond"), FileRole::Sheet);
        case("characters/pond/decks/reeds.yaml", Some("pond"), FileRole::Sheet);
        case("scripts/pond/hop.rhai", Some("pond"), FileRole::Script);
    }

    #[test]
    fn loose_files_have_no_game_of_their_own() {
        case("otter.yaml", None, FileRole::Sheet);
        case("hop.rhai", None, FileRole::Script);
        case("characters/otter.yaml", None, FileRole::Sheet);
        case("scenarios/hops.yaml", None, FileRole::Scenario);
        case("ludex.yaml", None, FileRole::Manifest);
        case("characters/ludex.yaml", None, FileRole::Sheet);
        case("notes.txt", None, FileRole::Other);
        case("scripts/deploy.yaml", None, FileRole::Other);
    }
}
