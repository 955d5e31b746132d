//! Determines the role and the game of a file from its path.

use super::manifest::MANIFEST;

/// The role of a file, by its folder and extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
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
pub struct Place<'a> {
    pub game: Option<&'a str>,
    pub role: Role,
    /// The file name without its extension.
    pub stem: &'a str,
}

/// Determines the role and the game of a file from its path within a library.
pub fn place(path: &str) -> Place<'_> {
    let parts: Vec<&str> = path.split('/').collect();
    let file = parts.last().copied().unwrap_or(path);
    let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
    let (folder, game) = match parts.as_slice() {
        [folder @ ("rules" | "characters" | "scripts"), game, .., _] => (Some(*folder), Some(*game)),
        _ => (None, None),
    };
    let inside = |name| parts.iter().rev().skip(1).any(|part| *part == name);
    let role = match ending {
        _ if path == MANIFEST => Role::Manifest,
        "ludex" => Role::Rules,
        "rhai" => Role::Script,
        "yaml" | "yml" if inside("scenarios") => Role::Scenario,
        "yaml" | "yml" if stem == "unnoticed" && folder == Some("rules") => Role::Unnoticed,
        "yaml" | "yml" if matches!(parts.first(), Some(&"rules" | &"scripts")) => Role::Other,
        "yaml" | "yml" => Role::Sheet,
        "md" if file.eq_ignore_ascii_case("readme.md") && folder == Some("rules") => Role::Readme,
        "md" if file.eq_ignore_ascii_case("rules.md") && folder == Some("rules") => Role::Rulebook,
        _ => Role::Other,
    };
    Place { game, role, stem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(path: &str, game: Option<&str>, role: Role) {
        let found = place(path);
        assert_eq!((found.game, found.role), (game, role), "{path}");
    }

    #[test]
    fn folders_tell_the_game_and_endings_the_role() {
        case("rules/pond/play.ludex", Some("pond"), Role::Rules);
        case("rules/pond/scenarios/hops.yaml", Some("pond"), Role::Scenario);
        case("rules/pond/unnoticed.yaml", Some("pond"), Role::Unnoticed);
        case("rules/pond/README.md", Some("pond"), Role::Readme);
        case("rules/pond/rules.md", Some("pond"), Role::Rulebook);
        case("rules/pond/start.yaml", Some("pond"), Role::Other);
        case("characters/pond/otter.yaml", Some("pond"), Role::Sheet);
        case("characters/pond/first/otter.yml", Some("pond"), Role::Sheet);
        case("characters/pond/decks/reeds.yaml", Some("pond"), Role::Sheet);
        case("scripts/pond/hop.rhai", Some("pond"), Role::Script);
    }

    #[test]
    fn loose_files_have_no_game_of_their_own() {
        case("otter.yaml", None, Role::Sheet);
        case("hop.rhai", None, Role::Script);
        case("characters/otter.yaml", None, Role::Sheet);
        case("scenarios/hops.yaml", None, Role::Scenario);
        case("ludex.yaml", None, Role::Manifest);
        case("characters/ludex.yaml", None, Role::Sheet);
        case("notes.txt", None, Role::Other);
        case("scripts/deploy.yaml", None, Role::Other);
    }
}
