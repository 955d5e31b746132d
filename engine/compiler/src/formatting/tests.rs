//! Layouts, and that nothing but them changes.

mod everything;
mod garbled;
mod layouts;

use super::*;
use ludex_syntax::parse::parse_ability;

/// A text that is formatted; formatting it again changes nothing.
fn formatted(text: &str, written: FormatKind) -> String {
    let formatted = format_text(text, SourceId(0), written).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"));
    let again = format_text(&formatted, SourceId(0), written);
    assert_eq!(again.as_deref(), Ok(formatted.as_str()), "{text}");
    formatted
}

/// All that is read of a text, with the rules that are cited and what is said of things, but without places.
fn tree(text: &str, written: FormatKind) -> String {
    let tree = match written {
        FormatKind::Rules => {
            let read = parse_rules(SourceId(0), text);
            format!("{:?}{:?}", read.items, read.cites)
        }
        FormatKind::Script => format!("{:?}", parse_ability(SourceId(0), &without_notes(text)).0),
    };
    let mut parts = tree.split("Span {");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.split_once('}').map_or("", |(_, rest)| rest))
}

/// The comments of a text, in order.
fn remarks(text: &str, written: FormatKind) -> Vec<String> {
    let structure = match written {
        FormatKind::Rules => structure::structure_of_rules(text),
        FormatKind::Script => structure::structure_of_header(&without_notes(text)),
    };
    let tokens = tokens::token_lines(&structure).into_iter().flatten();
    tokens.filter(|token| token.sort == tokens::Sort::Remark).map(|token| token.word.to_string()).collect()
}
