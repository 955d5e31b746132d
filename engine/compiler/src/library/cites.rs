//! The rule ids cited in a game's own files: after declarations in rules, in the headers of scripts and after their
//! statements.

use super::Library;
use ludex_syntax::parse::is_rule_id;
use ludex_syntax::source::{SourceId, Span};

impl Library {
    /// The ids cited by a game's own rules and scripts, without malformed ones.
    pub fn cited_rules(&self, game: &str) -> Vec<(String, Span)> {
        let Some(game) = self.find_game(game) else { return Vec::new() };
        let rules = game.rules.iter().filter_map(|source| self.parsed_rules(*source)).flat_map(|read| &read.cites);
        let rules = rules.map(|cite| (cite.rule.clone(), cite.span));
        let scripts = game.scripts.values().chain(game.mode_scripts.values());
        let scripts = scripts.flat_map(|source| cites_in_script(&self.sources.get(*source).text, *source));
        rules.chain(scripts).filter(|(rule, _)| is_rule_id(rule)).collect()
    }
}

/// The ids cited in the comments of a script: `//! uses 1 per match  @DC-12`, `roll(die); // @DC-12`.
fn cites_in_script(text: &str, source: SourceId) -> Vec<(String, Span)> {
    let mut cites = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let comment = line.find("//").unwrap_or(line.len());
        for (at, _) in line.match_indices('@').filter(|(at, _)| *at > comment) {
            let word = &line[at + 1..];
            let length = word.find(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-').unwrap_or(word.len());
            if line[..at].ends_with([' ', '\t', ',']) {
                cites.push((word[..length].to_string(), Span::new(source, start + at, start + at + 1 + length)));
            }
        }
        start += line.len();
    }
    cites
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_cite_in_their_comments() {
        let text = "//! ability dive \"Dive\"   @PO-012 @PO-013\nfn dive() {\n  say(\"a @b\"); // @PO-1\n}\n";
        let found: Vec<(String, u32)> =
            cites_in_script(text, SourceId(0)).into_iter().map(|(rule, span)| (rule, span.start)).collect();
        let expected = [("PO-012", 26), ("PO-013", 34), ("PO-1", 72)];
        assert_eq!(found, expected.map(|(rule, start)| (rule.to_string(), start)));
    }
}
