use proptest::prelude::*;

use super::*;
use crate::source::Sources;

/// The tree as a line, each scalar with the text its span covers if that differs from its value.
fn tree(text: &str) -> String {
    let (node, problems) = parse_document(text, SourceId(0));
    assert!(problems.is_empty(), "{problems:?}");
    shown(&node.expect("a tree"), text)
}

fn shown(node: &Node, text: &str) -> String {
    let here = covered(node.span, text);
    match &node.value {
        Value::Null => format!("null<{here}>"),
        Value::Flag(flag) => format!("{flag}<{here}>"),
        Value::Number(number) => format!("{number}<{here}>"),
        Value::Text(value) => format!("{value:?}<{here}>"),
        Value::List(list) => {
            let parts: Vec<_> = list.iter().map(|node| shown(node, text)).collect();
            format!("[{}]<{here}>", parts.join(", "))
        }
        Value::Map(entries) => {
            let entry = |(key, node): &(Key, Node)| {
                assert_eq!(covered(key.span, text).trim_matches(['"', '\'']), key.name);
                format!("{}: {}", key.name, shown(node, text))
            };
            let parts: Vec<_> = entries.iter().map(entry).collect();
            format!("{{{}}}<{here}>", parts.join(", "))
        }
    }
}

fn covered(span: Span, text: &str) -> String {
    escaped(&text[span.start as usize..span.end as usize])
}

/// On one line, whatever it holds.
fn escaped(text: &str) -> String {
    let sign = |sign: char| {
        if matches!(sign, '"' | '\'' | '\\') { sign.to_string() } else { sign.escape_debug().to_string() }
    };
    text.chars().map(sign).collect()
}

/// Every problem on a line: code, line:column of the main place, text there, message.
fn problems(text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add("x.yaml", text);
    listed(&sources, &parse_document(text, id).1)
}

fn listed(sources: &Sources, problems: &[Problem]) -> String {
    let line = |problem: &Problem| {
        let (span, _) = problem.labels[0];
        let (line, column) = sources.line_column(span);
        format!("{} {line}:{column} <{}> {}", problem.code, escaped(sources.span_text(span)), problem.message)
    };
    problems.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Reads a map with the given keys, the first required, and lists all problems.
fn keyed(text: &str, read_keys: impl FnOnce(&mut MapReader, &mut Vec<Problem>)) -> String {
    let mut sources = Sources::default();
    let id = sources.add("x.yaml", text);
    let (node, mut problems) = parse_document(text, id);
    if let Some(mut map) = node.as_ref().and_then(|node| node.as_map(&mut problems, "the sheet")) {
        read_keys(&mut map, &mut problems);
        map.finish(&mut problems);
    }
    listed(&sources, &problems)
}

#[test]
fn scalars_are_what_they_look_like_and_quoted_ones_are_text() {
    insta::assert_snapshot!(tree("[1, -2, +3, 007, 1.5, ~, null, true, False, yes, '1', \"true\", 0x10]"), @r#"[1<1>, -2<-2>, 3<+3>, "007"<007>, "1.5"<1.5>, null<~>, null<null>, true<true>, false<False>, "yes"<yes>, "1"<'1'>, "true"<"true">, 16<0x10>]<[1, -2, +3, 007, 1.5, ~, null, true, False, yes, '1', "true", 0x10]>"#);
}

#[test]
fn spans_are_exact_behind_other_alphabets_and_with_carriage_returns() {
    insta::assert_snapshot!(tree("é: 日本 # 🎲\r\nb:\r\n  - 🎲x # c\r\n  - 4\r\n"), @r#"{é: "日本"<日本>, b: ["🎲x"<🎲x>, 4<4>]<- 🎲x # c\r\n  - 4>}<é: 日本 # 🎲\r\nb:\r\n  - 🎲x # c\r\n  - 4>"#);
}

#[test]
fn a_byte_order_mark_is_no_part_of_anything() {
    insta::assert_snapshot!(tree("\u{feff}a: 1\n"), @"{a: 1<1>}<a: 1>");
    assert_eq!(decode_text("\u{feff}a: 1\r\n".as_bytes()), Ok("a: 1\r\n".to_string()));
}

#[test]
fn flow_lists_and_maps_end_at_their_bracket() {
    insta::assert_snapshot!(tree("a: [1, {b: c} ]   \nd: {x, 'y z': }\ne: []\n"), @r#"{a: [1<1>, {b: "c"<c>}<{b: c}>]<[1, {b: c} ]>, d: {x: null<x>, y z: null<'y z'>}<{x, 'y z': }>, e: []<[]>}<a: [1, {b: c} ]   \nd: {x, 'y z': }\ne: []>"#);
}

#[test]
fn block_texts_end_with_their_last_sign() {
    insta::assert_snapshot!(tree("a: |\n  x\n  y\n\nb: >-\n  z\n\n\nc: plain\n  more\n"), @r#"{a: "x\ny\n"<x\n  y>, b: "z"<z>, c: "plain more"<plain\n  more>}<a: |\n  x\n  y\n\nb: >-\n  z\n\n\nc: plain\n  more>"#);
}

#[test]
fn a_value_left_out_stands_at_its_key_or_hyphen() {
    insta::assert_snapshot!(tree("a:\nb:\n  -\n  - 1\nc:"), @r"{a: null<a>, b: [null<->, 1<1>]<-\n  - 1>, c: null<c>}<a:\nb:\n  -\n  - 1\nc>");
}

#[test]
fn keys_may_be_numbers_or_quoted() {
    insta::assert_snapshot!(tree("0: x\n\"a b\": y\n'c': z"), @r#"{0: "x"<x>, a b: "y"<y>, c: "z"<z>}<0: x\n"a b": y\n'c': z>"#);
}

#[test]
fn a_second_entry_of_a_key_is_reported_and_dropped() {
    let text = "a: 1\nb: {c: 1, c: [2], d: 3}\na: {x: 1}\ne: 5\n";
    insta::assert_snapshot!(problems(text), @r"
    LX0203 2:11 <c> `c` is given twice
    LX0203 3:1 <a> `a` is given twice
    ");
    let (node, problems) = parse_document(text, SourceId(0));
    insta::assert_snapshot!(shown(&node.expect("a tree"), text), @r"{a: 1<1>, b: {c: 1<1>, d: 3<3>}<{c: 1, c: [2], d: 3}>, e: 5<5>}<a: 1\nb: {c: 1, c: [2], d: 3}\na: {x: 1}\ne: 5>");
    assert_eq!(problems[1].labels[1].0, Span::new(SourceId(0), 0, 1));
}

#[test]
fn anchors_aliases_and_tags_are_refused_one_by_one() {
    insta::assert_snapshot!(problems("a: &n Zoë\nb: *n\nc: !t {d: !!str 1}\ne: [*n, *m]\nf: &x !y\n"), @r"
    LX0204 4:9 <*m> `*m` is an alias, which is not read here
    LX0204 1:4 <&n> `&n` is an anchor, which is not read here
    LX0204 2:4 <*n> `*n` is an alias, which is not read here
    LX0204 3:4 <!t> `!t` is a tag, which is not read here
    LX0204 3:11 <!!str> `!!str` is a tag, which is not read here
    LX0204 4:5 <*n> `*n` is an alias, which is not read here
    LX0204 5:4 <&x> `&x` is an anchor, which is not read here
    LX0204 5:7 <!y> `!y` is a tag, which is not read here
    ");
    let text = "a: &n Zoë\nb: !t [1]";
    let node = parse_document(text, SourceId(0)).0.expect("anchors and tags leave a tree");
    insta::assert_snapshot!(shown(&node, text), @r#"{a: "Zoë"<Zoë>, b: [1<1>]<[1]>}<a: &n Zoë\nb: !t [1]>"#);
    assert_eq!(parse_document("a: &n 1\nb: *n", SourceId(0)).0, None);
}

#[test]
fn an_alias_bomb_costs_nothing() {
    let lines = (1..30).map(|level| format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(", ")));
    let (node, problems) = parse_document(&format!("a0: &a0 x\n{}", lines.collect::<String>()), SourceId(0));
    assert_eq!(node, None);
    assert_eq!(problems.len(), MOST_OF_A_SORT);
}

#[test]
fn tabs_have_their_own_words_and_the_rest_is_read_as_if_they_were_spaces() {
    insta::assert_snapshot!(problems("a:\n\tb: 1\n\tc: 2\nd: 3\nd: 4\n"), @r"
    LX0202 2:1 <\t> there are tabs on 2 lines where only spaces are allowed
    LX0203 5:1 <d> `d` is given twice
    ");
    assert!(parse_document("a:\n\tb: 1\n", SourceId(0)).0.is_some());
    insta::assert_snapshot!(problems("a:\n  b: 1\n\tc: 2\n"), @r"LX0202 3:1 <\t> there is a tab where only spaces are allowed");
    insta::assert_snapshot!(problems("a:\n  - 1\n  \t- 2\n\t  x: 1\n"), @r"LX0202 3:3 <\t> there are tabs on 2 lines where only spaces are allowed");
    insta::assert_snapshot!(problems("a: [\n\t1,\n\t2]\n"), @r"LX0202 2:1 <\t> there are tabs on 2 lines where only spaces are allowed");
    insta::assert_snapshot!(problems("a:\t1\n-\tb\n"), @r"LX0202 1:3 <\t> there are tabs on 2 lines where only spaces are allowed");
    insta::assert_snapshot!(problems("pile:\n  otter\t2\n  newt: 1\n"), @r"LX0202 2:8 <\t> a tab follows `otter` in place of `: `");
    insta::assert_snapshot!(problems("pile:\n  - otter\t2\n  - newt\n"), @r"LX0202 2:10 <\t> a tab follows `otter` in place of `: `");
    insta::assert_snapshot!(problems("name: Tom\nnest\t[4]\n"), @r"LX0202 2:5 <\t> a tab follows `nest` in place of `: `");
    insta::assert_snapshot!(problems("name: Tom\t Cat\n"), @r"LX0202 1:10 <\t > there is a tab inside a text, where it looks like spaces");
    assert!(
        parse_document("a\t: b\t\nc: [d\t, \te]\n", SourceId(0)).1.is_empty(),
        "a tab before a sign or at the end does no harm"
    );
    insta::assert_snapshot!(tree("a: 1\t# tabs elsewhere are fine\n"), @r"{a: 1<1>}<a: 1>");
}

#[test]
fn several_mistakes_are_reported_in_one_run() {
    let text = "a: b: c\nd: @x\ne: 'q' r\nf: ]\nfoo\ng: - h\n-i\nj: 1\nj: 2\n";
    insta::assert_snapshot!(problems(text), @r"
    LX0201 1:5 <:> there is a `:` where no key can be
    LX0201 2:4 <@> a value cannot start with `@`
    LX0201 3:8 <r> something follows the closing quote
    LX0201 4:4 <]> a bracket is closed that was never opened
    LX0201 5:1 <foo> a key has no `:`
    LX0201 6:4 <-> a list cannot start on the line of its key
    LX0201 7:1 <-i> a `-` has no space after it
    LX0203 9:1 <j> `j` is given twice
    ");
}

#[test]
fn a_separator_at_the_end_of_a_line_is_told_and_the_rest_is_read() {
    insta::assert_snapshot!(problems("a: [x],\nb: {c: 1}; # d\ne: \"f\",\ng: 1\ng: 2\n"), @r"
    LX0201 1:7 <,> a `,` is at the end of a line
    LX0201 2:10 <;> a `;` is at the end of a line
    LX0201 3:7 <,> a `,` is at the end of a line
    LX0203 5:1 <g> `g` is given twice
    ");
    let (_, found) = parse_document("a: [x],\n", SourceId(0));
    assert_eq!(found[0].help.as_deref(), Some("remove the `,`: outside of brackets, the end of the line ends an entry"));
}

#[test]
fn a_dash_alone_in_brackets_is_told() {
    insta::assert_snapshot!(problems("a: [-, {b: 1}]\n"), @"LX0201 1:5 <-> a `-` is alone in a list in brackets");
    insta::assert_snapshot!(problems("a: [{b: 1}, -]\n"), @"LX0201 1:13 <-> a `-` is alone in a list in brackets");
    assert!(parse_document("a: [{}, {b: 1}]\n", SourceId(0)).1.is_empty());
}

#[test]
fn what_ends_reading_says_where_it_began() {
    insta::assert_snapshot!(problems("a: 'x\nb: 1\n"), @"LX0201 1:4 <'x> a quote is opened and never closed");
    insta::assert_snapshot!(problems("a: \"x"), @r#"LX0201 1:4 <"x> a quote is opened and never closed"#);
    insta::assert_snapshot!(problems("a: [1, 2\nb: 3\n"), @"LX0201 1:4 <[> a list in `[ ]` is not closed");
    insta::assert_snapshot!(problems("a: {b: 1\n\nc:\n  d: 2\n"), @"LX0201 1:4 <{> a map in `{ }` is not closed");
    insta::assert_snapshot!(problems("a: [\n  1\nb: 2\n"), @"LX0201 1:4 <[> a list in `[ ]` is not closed");
    insta::assert_snapshot!(problems("a: {b: 1\n"), @"LX0201 2:1 <> a map in `{ }` is not closed, or a comma is missing in it");
    insta::assert_snapshot!(problems("a: 1\n- x\n"), @"LX0201 2:3 <x> this line does not line up with those above it");
    insta::assert_snapshot!(problems("a: \"\\q\"\n"), @r#"LX0201 1:4 <"\q"> a `\` in double quotes is followed by a sign that has no meaning there"#);
    insta::assert_snapshot!(problems("a:1\nb: 2\n"), @"LX0201 2:2 <:> there is a `:` where no key can be");
    let (_, found) = parse_document("a:1\nb: 2\n", SourceId(0));
    assert_eq!(found[0].help.as_deref(), Some("in the line above, put a space after the `:`"));
}

#[test]
fn empty_files_and_second_documents_are_reported() {
    insta::assert_snapshot!(problems(""), @"LX0207 1:1 <> nothing is written in this file");
    insta::assert_snapshot!(problems("# one\n\n  # two\n"), @"LX0207 1:1 <> nothing is written in this file");
    insta::assert_snapshot!(problems("a: 1\n---\nb: 2\n"), @"LX0206 2:1 <---> a second document starts in this file");
    insta::assert_snapshot!(tree("---\na: 1\n...\n# end\n"), @"{a: 1<1>}<a: 1>");
}

#[test]
fn keys_that_are_no_words_are_reported() {
    insta::assert_snapshot!(problems("[a, b]: 1\n? {c: d}\n: 2\n: 3\ne: 4"), @r"
    LX0209 1:1 <[a, b]> a key is a list or a map
    LX0209 2:3 <{c: d}> a key is a list or a map
    LX0209 4:1 <> a value has no key
    ");
}

#[test]
fn nesting_is_limited() {
    for text in ["[".repeat(100_000), "- ".repeat(100_000), "{a: ".repeat(100_000), "? ".repeat(100_000)] {
        let (node, found) = parse_document(&text, SourceId(0));
        assert_eq!(node, None);
        assert_eq!(found.iter().map(|problem| problem.code).collect::<Vec<_>>(), [codes::YAML_DEPTH]);
    }
    let deep = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(parse_document(&deep(DEEPEST), SourceId(0)).0.is_some());
    assert!(parse_document(&deep(DEEPEST + 1), SourceId(0)).0.is_none());
}

#[test]
fn huge_files_are_refused_and_large_ones_are_read() {
    let huge = "a".repeat(LARGEST + 1);
    insta::assert_snapshot!(problems(&huge), @"LX0003 1:1 <> this file is larger than 1 MiB");
    let many: String = (0..60_000).map(|number| format!("key{number}: 1\n")).collect();
    assert!(parse_document(&many, SourceId(0)).0.is_some());
    for line in ["a: 1\n", ": 1\n", "? [a]\n"] {
        let again = line.repeat(50_000);
        assert_eq!(parse_document(&again, SourceId(0)).1.len(), MOST_OF_A_SORT, "{line}");
    }
}

#[test]
fn binary_content_is_refused_with_its_place() {
    insta::assert_snapshot!(problems("name: x\nb: \0\u{1}"), @r"LX0208 2:4 <\0> the character U+0000 cannot be in a text");
    insta::assert_snapshot!(problems("a: \u{feff}b"), @r"LX0208 1:4 <\u{feff}> the character U+FEFF cannot be in a text");
    let bad = decode_text(b"name: Zo\xeb\n").expect_err("not UTF-8");
    let mut sources = Sources::default();
    let id = sources.add("x.yaml", bad.text.clone());
    insta::assert_snapshot!(listed(&sources, &[bad.encoding_problem(id)]), @"LX0002 1:9 <\u{fffd}> this file is not text: byte 9 is not UTF-8");
    assert!(decode_text(b"\xff\xfea\0").expect_err("UTF-16").wide);
}

#[test]
fn unknown_and_missing_keys_are_reported_once_with_the_nearest_name() {
    let found = keyed("nmae: Otter\nnest: [4]\ncolour: red\n", |map, _| {
        map.required_value("name");
        map.required_value("pond");
        map.optional_value("nest");
    });
    insta::assert_snapshot!(found, @r"
    LX0212 1:1 <nmae> the sheet has no key `nmae`
    LX0212 3:1 <colour> the sheet has no key `colour`
    LX0213 1:1 <nmae> the sheet has no `pond`
    ");
}

#[test]
fn keys_that_only_the_rules_know_can_be_taken_as_they_are() {
    let found = keyed("name: Otter\nnest: [4]\n", |map, _| {
        map.required_value("name");
        let names: Vec<_> = map.take_rest().iter().map(|(key, _)| key.name.clone()).collect();
        assert_eq!(names, ["nest"]);
    });
    assert_eq!(found, "");
}

#[test]
fn values_of_the_wrong_kind_are_reported_with_what_they_are() {
    let text =
        "a: 4\nb: [x]\nc: {d: 1}\ne:\nf: four\ng: '4'\nh: 1.5\ni: 99999999999999999999\nj: 1_000\nk: 12\nl: YES\nm: opne\nn: 7\n";
    let found = keyed(text, |map, problems| {
        let any = i64::MIN..=i64::MAX;
        map.required_value("a").and_then(|node| node.as_list(problems, "`a`"));
        map.required_value("b").and_then(|node| node.as_text(problems, "`b`"));
        map.required_value("c").and_then(|node| node.as_number(problems, "`c`", any.clone()));
        map.required_value("e").and_then(|node| node.as_list(problems, "`e`"));
        for name in ["f", "g", "h", "i", "j"] {
            map.required_value(name).and_then(|node| node.as_number(problems, &format!("`{name}`"), any.clone()));
        }
        map.required_value("k").and_then(|node| node.as_number(problems, "`k`", 1..=9));
        map.required_value("l").and_then(|node| node.as_flag(problems, "`l`"));
        map.required_value("m").and_then(|node| node.as_one_of(problems, "`m`", &["open", "hidden"]));
        map.required_value("n").and_then(|node| node.as_text(problems, "`n`"));
    });
    insta::assert_snapshot!(found, @r"
    LX0210 1:4 <4> `a` must be a list
    LX0210 2:4 <[x]> `b` must be text
    LX0210 3:4 <{d: 1}> `c` must be a whole number
    LX0210 4:1 <e> `e` must be a list
    LX0210 5:4 <four> `f` must be a whole number
    LX0210 6:4 <'4'> `g` must be a whole number
    LX0210 7:4 <1.5> `h` must be a whole number
    LX0211 8:4 <99999999999999999999> `i` is out of range
    LX0210 9:4 <1_000> `j` must be a whole number
    LX0211 10:4 <12> `k` is out of range
    LX0210 11:4 <YES> `l` must be `true` or `false`
    LX0214 12:4 <opne> `m` cannot be `opne`
    LX0210 13:4 <7> `n` must be text
    ");
}

fn spans_are_sound(text: &str) {
    let (node, problems) = parse_document(text, SourceId(0));
    let sound = |span: Span| {
        assert!(span.start <= span.end, "{span:?} of {text:?}");
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} of {text:?}");
    };
    for (span, _) in problems.iter().flat_map(|problem| &problem.labels) {
        sound(*span);
    }
    assert!(node.is_some() || !problems.is_empty(), "nothing is said about {text:?}");
    let mut nodes: Vec<&Node> = node.iter().collect();
    while let Some(node) = nodes.pop() {
        sound(node.span);
        match &node.value {
            Value::List(list) => nodes.extend(list),
            Value::Map(entries) => {
                for (key, value) in entries {
                    sound(key.span);
                    nodes.push(value);
                }
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_read_without_panic_and_with_sound_spans(text in any::<String>()) {
        spans_are_sound(&text);
    }

    /// Texts made of the signs that mean something to YAML reach further into the parser.
    #[test]
    fn any_yaml_like_text_is_read_without_panic_and_with_sound_spans(
        parts in prop::collection::vec(prop::sample::select(vec![
            "a", "é", "🎲", "b: ", ": ", ":", "- ", "-", "\n", "\r\n", "\r", "\n  ", "\n    ", "\t", " ", "[", "]", "{", "}", ",", "'", "\"", "\\",
            "\\x4", "#", " #", "&a ", "*a", "!t ", "!", "|\n", ">-\n", "? ", "---\n", "...\n", "%YAML 1.2\n", "%", "@", "`", "~", "1", "<<", "\u{feff}", "\u{85}", "\u{2028}",
        ]), 0..40)
    ) {
        spans_are_sound(&parts.concat());
    }
}
