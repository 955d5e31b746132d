//! TextMate grammars, which VS Code, Sublime Text, IntelliJ and others read.

use super::grammar_words::Words;
use serde_json::{Value, json};

/// A name that may hold hyphens.
const SLUG: &str = "[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*";
const NAME: &str = "[A-Za-z_][A-Za-z0-9_]*";

fn any_of(words: &[String]) -> String {
    format!("\\b(?:{})\\b", words.join("|"))
}

fn plain(scope: &str, pattern: impl Into<String>) -> Value {
    json!({ "name": scope, "match": pattern.into() })
}

/// The grammar of rules.
pub fn rules(words: &Words) -> Value {
    let patterns = ["remark", "cite", "text", "number", "member", "title", "declaration", "word", "sign"];
    let includes: Vec<Value> = patterns.iter().map(|name| json!({ "include": format!("#{name}") })).collect();
    let first: Vec<String> = words.reserved.iter().chain(&words.builtins).chain(&words.others).cloned().collect();
    json!({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Ludex",
        "scopeName": "source.ludex",
        "fileTypes": ["ludex"],
        "patterns": includes,
        "repository": {
            "remark": { "patterns": [
                plain("comment.line.documentation.ludex", "##(?!#).*$"),
                plain("comment.line.number-sign.ludex", "#.*$"),
            ] },
            "cite": plain("constant.other.rule-id.ludex", "@[A-Z][A-Z0-9]*-[A-Z0-9]+"),
            "text": {
                "name": "string.quoted.double.ludex",
                "begin": "\"",
                "end": "\"|$",
                "patterns": [
                    plain("constant.character.escape.ludex", "\\\\."),
                    {
                        "name": "meta.embedded.ludex",
                        "begin": "\\{",
                        "beginCaptures": { "0": { "name": "punctuation.section.embedded.begin.ludex" } },
                        "end": "\\}|$",
                        "endCaptures": { "0": { "name": "punctuation.section.embedded.end.ludex" } },
                        "patterns": [{ "include": "$self" }],
                    },
                ],
            },
            "number": { "patterns": [plain("constant.numeric.die.ludex", "\\bd?[0-9]+(?:d[0-9]+)?\\b")] },
            "member": {
                "match": format!("(?<!\\.)(\\.)(?!\\.)\\s*({NAME})"),
                "captures": {
                    "1": { "name": "punctuation.accessor.ludex" },
                    "2": { "name": "variable.other.member.ludex" },
                },
            },
            "title": {
                "match": format!("\\b(game|package|extends|mode|ability)\\s+({SLUG})(?=\\s|$)"),
                "captures": {
                    "1": { "name": "keyword.declaration.ludex" },
                    "2": { "name": "entity.name.section.ludex" },
                },
            },
            "declaration": {
                "match": format!("^\\s*({})", any_of(&first)),
                "captures": { "1": { "name": "keyword.declaration.ludex" } },
            },
            "word": { "patterns": [
                plain("constant.language.ludex", "\\bnone\\b"),
                plain("keyword.control.statement.ludex", any_of(&words.statements)),
                plain("keyword.control.ludex", any_of(&words.reserved)),
                plain("support.function.builtin.ludex", any_of(&words.builtins)),
                plain("keyword.other.ludex", any_of(&words.others)),
                plain("entity.name.function.ludex", format!("\\b{NAME}(?=\\()")),
                plain("variable.other.ludex", format!("\\b{NAME}\\b")),
            ] },
            "sign": { "patterns": [
                plain("keyword.operator.range.ludex", "\\.\\."),
                plain("keyword.operator.ludex", "<=|>=|!=|<>|[=<>≠≤≥+*/-]"),
                plain("punctuation.separator.ludex", "[,:;]"),
                plain("punctuation.section.ludex", "[(){}\\[\\]]"),
            ] },
        },
    })
}

/// Words of rhai that scripts may use.
const SCRIPT_WORDS: [&str; 19] = [
    "fn",
    "let",
    "const",
    "if",
    "else",
    "switch",
    "for",
    "in",
    "while",
    "loop",
    "do",
    "until",
    "break",
    "continue",
    "return",
    "true",
    "false",
    "is_shared",
    "this",
];

/// The grammar of scripts: a header, which is written as rules are, and functions.
pub fn scripts() -> Value {
    let words: Vec<String> = SCRIPT_WORDS.iter().map(|word| word.to_string()).collect();
    let functions: Vec<String> = ludex_engine::scripting::api::names().into_iter().map(str::to_string).collect();
    let escape = plain("constant.character.escape.ludex-script", "\\\\.");
    json!({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Ludex ability",
        "scopeName": "source.ludex-script",
        "fileTypes": ["rhai"],
        "patterns": [{ "include": "#header" }, { "include": "#functions" }],
        "repository": {
            "header": {
                "name": "meta.header.ludex-script",
                "begin": "^\\s*(//!)",
                "beginCaptures": { "1": { "name": "punctuation.definition.header.ludex-script" } },
                "end": "$",
                "patterns": [
                    {
                        "match": "\\G\\s*(game|mode|replaces)\\b\\s*(\\S*)\\s*$",
                        "captures": {
                            "1": { "name": "keyword.declaration.ludex" },
                            "2": { "name": "entity.name.section.ludex" },
                        },
                    },
                    { "include": "source.ludex" },
                ],
            },
            "functions": { "patterns": [
                plain("comment.line.double-slash.ludex-script", "//.*$"),
                { "name": "comment.block.ludex-script", "begin": "/\\*", "end": "\\*/", "patterns": [{ "include": "#functions" }] },
                { "name": "string.quoted.double.ludex-script", "begin": "\"", "end": "\"|$", "patterns": [escape] },
                {
                    "name": "string.template.ludex-script",
                    "begin": "`",
                    "end": "`",
                    "patterns": [{
                        "name": "meta.embedded.ludex-script",
                        "begin": "\\$\\{",
                        "beginCaptures": { "0": { "name": "punctuation.section.embedded.begin.ludex-script" } },
                        "end": "\\}",
                        "endCaptures": { "0": { "name": "punctuation.section.embedded.end.ludex-script" } },
                        "patterns": [{ "include": "#functions" }],
                    }],
                },
                plain("constant.numeric.ludex-script", "\\b[0-9][0-9_]*\\b"),
                plain("keyword.control.ludex-script", any_of(&words)),
                {
                    "match": format!("(\\.)\\s*({NAME})\\b(?!\\s*\\()"),
                    "captures": {
                        "1": { "name": "punctuation.accessor.ludex-script" },
                        "2": { "name": "variable.other.member.ludex-script" },
                    },
                },
                plain("support.function.ludex-script", format!("{}(?=\\s*\\()", any_of(&functions))),
                plain("entity.name.function.ludex-script", format!("\\b{NAME}(?=\\s*\\()")),
                plain("variable.other.ludex-script", format!("\\b{NAME}\\b")),
                plain("keyword.operator.ludex-script", "\\.\\.=?|=>|[=!<>+*/%&|-]+"),
                plain("punctuation.ludex-script", "[(){}\\[\\],.;:#]"),
            ] },
        },
    })
}
