//! Grammars for tree-sitter, which Helix, Neovim, Zed and GitHub read. They tell words, texts, remarks and what brackets hold; what a
//! statement means only `ludex check` says, so that a text half written is still coloured and folded.

use super::grammar_words::Words;
use serde_json::{Value, json};

fn pattern(pattern: &str) -> Value {
    json!({ "type": "PATTERN", "value": pattern })
}

fn string(text: &str) -> Value {
    json!({ "type": "STRING", "value": text })
}

fn symbol(name: &str) -> Value {
    json!({ "type": "SYMBOL", "name": name })
}

fn choice(members: Vec<Value>) -> Value {
    json!({ "type": "CHOICE", "members": members })
}

fn seq(members: Vec<Value>) -> Value {
    json!({ "type": "SEQ", "members": members })
}

fn repeat(content: Value) -> Value {
    json!({ "type": "REPEAT", "content": content })
}

fn before(rank: i32, content: Value) -> Value {
    json!({ "type": "PREC", "value": rank, "content": content })
}

/// A token with nothing between it and the one before.
fn close(content: Value) -> Value {
    json!({ "type": "IMMEDIATE_TOKEN", "content": content })
}

fn token(content: Value) -> Value {
    json!({ "type": "TOKEN", "content": content })
}

fn any_of(words: &[impl AsRef<str>]) -> Value {
    choice(words.iter().map(|word| string(word.as_ref())).collect())
}

/// Things between brackets.
fn bracketed(open: &str, end: &str) -> Value {
    seq(vec![string(open), repeat(symbol("_thing")), string(end)])
}

fn grammar(name: &str, word: Option<&str>, extras: Vec<Value>, rules: Value) -> Value {
    let schema = "https://tree-sitter.github.io/tree-sitter/assets/schemas/grammar.schema.json";
    let mut grammar = json!({ "$schema": schema, "name": name });
    if let Some(word) = word {
        grammar["word"] = json!(word);
    }
    grammar["rules"] = rules;
    grammar["extras"] = json!(extras);
    for empty in ["conflicts", "precedences", "externals", "inline", "supertypes"] {
        grammar[empty] = json!([]);
    }
    grammar
}

/// The grammar of rules, and of what stands behind `//!`.
pub fn rules(words: &Words) -> Value {
    let things = [
        "titled",
        "member",
        "statement_word",
        "control_word",
        "builtin",
        "keyword",
        "name",
        "text",
        "number",
        "rule_id",
        "block",
        "parentheses",
        "list",
        "operator",
        "separator",
    ];
    let titled =
        seq(vec![any_of(&["game", "package", "extends", "mode", "ability"]), choice(vec![symbol("slug"), symbol("name")])]);
    let property = json!({ "type": "ALIAS", "content": symbol("name"), "named": true, "value": "property" });
    let parts = choice(vec![symbol("text_part"), symbol("escape"), symbol("hole")]);
    let rules = json!({
        "source_file": repeat(symbol("_thing")),
        "_thing": choice(things.iter().map(|thing| symbol(thing)).collect()),
        "titled": before(1, titled),
        "member": seq(vec![string("."), property]),
        "statement_word": any_of(&words.statements),
        "control_word": any_of(&words.reserved),
        "builtin": any_of(&words.builtins),
        "keyword": any_of(&words.others),
        "name": pattern("[A-Za-z_][A-Za-z0-9_]*"),
        "slug": pattern("[A-Za-z][A-Za-z0-9_]*(-[A-Za-z0-9_]+)+"),
        "number": pattern("[0-9]+(d[0-9]+)?"),
        "rule_id": pattern("@[A-Z][A-Z0-9]*-[A-Z0-9]+"),
        "text": seq(vec![string("\""), repeat(parts), string("\"")]),
        "text_part": close(before(1, pattern("[^\"{\\\\\\n]+"))),
        "escape": close(pattern("\\\\[^\\n]")),
        "hole": bracketed("{", "}"),
        "block": bracketed("{", "}"),
        "parentheses": bracketed("(", ")"),
        "list": bracketed("[", "]"),
        "operator": any_of(&["..", "<=", ">=", "!=", "<>", "=", "<", ">", "≠", "≤", "≥", "+", "-", "*", "/"]),
        "separator": any_of(&[",", ":", ";"]),
        "comment": token(pattern("#[^\\n]*")),
    });
    grammar("ludex", Some("name"), vec![pattern("\\s"), symbol("comment")], rules)
}

/// The grammar of scripts: which lines are the header, and which are functions.
pub fn scripts() -> Value {
    let line = seq(vec![symbol("header_sign"), choice(vec![symbol("header_text"), json!({ "type": "BLANK" })])]);
    let rules = json!({
        "source_file": repeat(choice(vec![symbol("header_line"), symbol("comment"), symbol("code")])),
        "header_line": line,
        "header_sign": token(before(2, string("//!"))),
        "header_text": close(pattern("[^\\n]+")),
        "comment": token(before(1, pattern("//[^!\\n][^\\n]*"))),
        "code": pattern("[^\\s][^\\n]*"),
    });
    grammar("ludex_script", None, vec![pattern("\\s")], rules)
}
