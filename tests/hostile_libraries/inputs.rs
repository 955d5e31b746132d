//! Libraries that are made to be slow: each kind of input in any size. Used by the tests, by the benchmark of loading and
//! by the example that measures the whole program.

/// A file of a library: its path and its text.
pub type File = (String, String);

/// One way to make loading slow.
pub struct Kind {
    pub name: &'static str,
    /// How many of the thing make a library that is far beyond what anybody writes.
    pub large: usize,
    pub files: fn(usize) -> Vec<File>,
}

/// A small game that everything below is put into.
pub const GAME: &str = r#"ludex 1
game pond "Pond"

sides 2 of 1 otter

die sizes 4, 6

sheet otter (otters) { zone nest: dice, open }

each side has { counter points }

hook dusk(side: side)

to play {
  repeat 3 times { each side in sides { open dusk(side)  do turn(side) } }
  finish with nobody
}

scope turn(active: side) { add 1 to active.points }
"#;

pub const SHEET: &str = "name: Otter\nnest: [4, 6]\n";

pub const KINDS: &[Kind] = &[
    // --- sheets ---
    Kind { name: "calls in a comment", large: 350_000, files: |n| sheet(format!("# {}\n", "a(".repeat(n))) },
    Kind { name: "calls in a value", large: 350_000, files: |n| sheet(format!("x: {}\n", "a(".repeat(n))) },
    Kind { name: "calls in brackets", large: 200_000, files: |n| sheet(format!("x: [{}]\n", "a(b) ".repeat(n))) },
    Kind { name: "unknown keys", large: 70_000, files: |n| sheet(each(n, |i| format!("key{i}: 1\n"))) },
    Kind { name: "the same key", large: 70_000, files: |n| sheet(each(n, |_| "nest: [4]\n".into())) },
    Kind { name: "one key without end", large: 500_000, files: |n| sheet(format!("{}: 1\n", "k".repeat(n))) },
    Kind { name: "values", large: 300_000, files: |n| sheet(format!("x: [{}]\n", "1, ".repeat(n))) },
    Kind { name: "dice", large: 300_000, files: |n| sheet(format!("nest: [{}4]\n", "4, ".repeat(n))) },
    Kind { name: "wrong dice", large: 300_000, files: |n| sheet(format!("nest: [{}4]\n", "7, ".repeat(n))) },
    Kind { name: "unknown abilities", large: 100_000, files: |n| sheet(format!("abilities: [{}x]\n", "hop, ".repeat(n))) },
    Kind {
        name: "abilities of many names",
        large: 80_000,
        files: |n| sheet(format!("abilities: [{}x]\n", each(n, |i| format!("hop-{i}, ")))),
    },
    Kind { name: "open brackets", large: 900_000, files: |n| sheet(format!("x: {}\n", "[".repeat(n))) },
    Kind { name: "open braces", large: 300_000, files: |n| sheet(format!("x: {}\n", "{a: ".repeat(n))) },
    Kind { name: "blocks in blocks", large: 1_300, files: |n| sheet(each(n, |i| format!("{}a:\n", " ".repeat(i)))) },
    Kind { name: "anchors", large: 60_000, files: |n| sheet(each(n, |i| format!("k{i}: &a{i} x\n"))) },
    Kind { name: "aliases", large: 90_000, files: |n| sheet(format!("a: &a x\n{}", each(n, |i| format!("k{i}: *a\n")))) },
    Kind { name: "closed brackets", large: 900_000, files: |n| sheet(format!("x: {}\n", "]".repeat(n))) },
    Kind { name: "colons", large: 300_000, files: |n| sheet(format!("x: {}\n", "a: ".repeat(n))) },
    Kind { name: "lines without a colon", large: 200_000, files: |n| sheet(each(n, |_| "word\n".into())) },
    Kind { name: "tabs", large: 90_000, files: |n| sheet(each(n, |i| format!("\tk{i}: 1\n"))) },
    Kind { name: "quotes", large: 500_000, files: |n| sheet(format!("x: {}\n", "\"".repeat(n))) },
    Kind { name: "signs", large: 300_000, files: |n| sheet(format!("x: \"{}\"\n", "é\u{202e}".repeat(n / 4))) },
    Kind { name: "indented lines", large: 100_000, files: |n| sheet(format!("x:\n{}", each(n, |_| "  - a\n".into()))) },
    Kind { name: "comments", large: 400_000, files: |n| sheet("#\n".repeat(n)) },
    Kind { name: "keys of a map as a key", large: 150_000, files: |n| sheet(each(n, |_| "? [a]\n".into())) },
    // --- rules ---
    Kind { name: "unknown names", large: 30_000, files: |n| statements(n, |i| format!("add who{i} to active.points")) },
    Kind { name: "unknown counters", large: 30_000, files: |n| statements(n, |i| format!("add 1 to active.point{i}")) },
    Kind { name: "unknown procedures", large: 50_000, files: |n| statements(n, |i| format!("do play{i}")) },
    Kind { name: "locals", large: 45_000, files: |n| statements(n, |i| format!("let a{i} = {i}")) },
    Kind { name: "one local", large: 50_000, files: |n| statements(n, |_| "let a = 1".into()) },
    Kind { name: "texts", large: 45_000, files: |n| statements(n, |i| format!("say \"text {i}\"")) },
    Kind { name: "statements", large: 38_000, files: |n| statements(n, |_| "add 1 to active.points".into()) },
    Kind {
        name: "questions",
        large: 18_000,
        files: |n| statements(n, |i| format!("active may choose number in 0..{i} as q{i}")),
    },
    Kind { name: "rule ids", large: 100_000, files: |n| statements(1, |_| format!("say \"a\" {}", " @PO-1".repeat(n))) },
    Kind {
        name: "zones",
        large: 40_000,
        files: |n| rules(format!("each side has {{\n{}}}\n", each(n, |i| format!("zone z{i}: dice, open\n")))),
    },
    Kind {
        name: "zones in one line",
        large: 40_000,
        files: |n| rules(format!("each side has {{ zone {}: dice, open }}\n", listed(n, |i| format!("z{i}")))),
    },
    Kind {
        name: "counters",
        large: 40_000,
        files: |n| rules(format!("each side has {{\n{}}}\n", each(n, |i| format!("counter c{i}\n")))),
    },
    Kind {
        name: "one counter",
        large: 40_000,
        files: |n| rules(format!("each side has {{\n{}}}\n", each(n, |_| "counter c\n".into()))),
    },
    Kind {
        name: "fields",
        large: 40_000,
        files: |n| rules(format!("piece die (dice) {{\n{}}}\n", each(n, |i| format!("f{i}: number\n")))),
    },
    Kind {
        name: "marks",
        large: 40_000,
        files: |n| rules(format!("each side has {{\n{}}}\n", each(n, |i| format!("mark m{i}\n")))),
    },
    Kind { name: "options", large: 20_000, files: |n| rules(each(n, |i| format!("option o{i} = 1 in 1..9 \"o\"\n"))) },
    Kind { name: "sizes", large: 100_000, files: |n| rules(format!("replace die sizes {}\n", listed(n, |i| i.to_string()))) },
    Kind { name: "definitions", large: 30_000, files: |n| rules(each(n, |i| format!("define d{i} = {i}\n"))) },
    Kind {
        name: "definitions of definitions",
        large: 30_000,
        files: |n| rules(format!("define d0 = 1\n{}", each(n, |i| format!("define d{} = d{i} + 1\n", i + 1)))),
    },
    Kind {
        name: "definitions in pairs",
        large: 5_000,
        files: |n| rules(format!("define d0 = 1\n{}", each(n, |i| format!("define d{} = d{i} + d{i}\n", i + 1)))),
    },
    Kind { name: "one definition", large: 40_000, files: |n| rules(each(n, |_| "define d = 1\n".into())) },
    Kind { name: "procedures", large: 30_000, files: |n| rules(each(n, |i| format!("to p{i} {{ say \"p\" }}\n"))) },
    Kind {
        name: "procedures of procedures",
        large: 20_000,
        files: |n| rules(format!("to p0 {{ say \"p\" }}\n{}", each(n, |i| format!("to p{} {{ do p{i} }}\n", i + 1)))),
    },
    Kind { name: "hooks", large: 20_000, files: |n| rules(each(n, |i| format!("hook h{i}()\n"))) },
    Kind {
        name: "actions",
        large: 10_000,
        files: |n| {
            rules(format!(
                "family deed(active: side) {{}}\n{}",
                each(n, |i| format!("action a{i}(die in active.otters.nest) is deed says \"a\"\n"))
            ))
        },
    },
    Kind { name: "tables", large: 20_000, files: |n| rules(each(n, |i| format!("table t{i} {{ 1: 2 }}\n"))) },
    Kind {
        name: "sheets of many kinds",
        large: 20_000,
        files: |n| rules(each(n, |i| format!("sheet s{i} (s{i}s) {{ zone y{i}: dice, open }}\n"))),
    },
    Kind {
        name: "sheets in a row",
        large: 2_000,
        files: |n| {
            rules(format!(
                "sheet s0 (ss0) is an otter {{ f0: number = 1 }}\n{}",
                each(n, |i| { format!("sheet s{} (ss{}) is a s{i} {{ f{}: number = 1 }}\n", i + 1, i + 1, i + 1) })
            ))
        },
    },
    Kind { name: "sheets within sheets", large: 1_600, files: |n| with_line(&format!("s{n}"), &sheets_within(n)) },
    Kind {
        name: "a sheet within itself",
        large: 2_000,
        files: |n| {
            with_line("s0", &format!("sheet s0 {{ more: list of s0 = none\n{}}}\n", each(n, |i| format!("f{i}: number\n"))))
        },
    },
    Kind {
        name: "families in a row",
        large: 2_000,
        files: |n| {
            rules(format!(
                "family f0(active: side) {{}}\n{}",
                each(n, |i| { format!("family f{}(active: side) is f{i} {{}}\n", i + 1) })
            ))
        },
    },
    Kind {
        name: "families of one family",
        large: 1_500,
        files: |n| {
            let families = each(n, |i| format!("family f{i}(active: side) is deed {{}}\n"));
            let questions = each(n, |i| format!("active may choose f{i}\n"));
            rules(format!("family deed(active: side) {{}}\n{families}to more(active: side) {{\n{questions}}}\n"))
        },
    },
    Kind {
        name: "fields of a family that others are part of",
        large: 1_500,
        files: |n| {
            let fields = each(n, |i| format!("g{i}: number = 1\n"));
            let families = each(n, |i| format!("family f{i}(active: side) is deed {{}}\n"));
            rules(format!("family deed(active: side) {{ {fields} }}\n{families}"))
        },
    },
    Kind { name: "hidden values passed on", large: 4_000, files: |n| rules(hidden_passed_on(n, |i| i + 1)) },
    Kind {
        name: "hidden values passed on to and fro",
        large: 4_000,
        // Each leads to one that is far away, so that no order of reading them is a good one.
        files: |n| rules(hidden_passed_on(n, |i| if i % 2 == 0 { i + n / 2 } else { i + 2 })),
    },
    Kind { name: "hidden values kept while others are asked", large: 5_000, files: |n| rules(hidden_kept(n)) },
    Kind { name: "modes", large: 2_000, files: |n| rules(each(n, |i| format!("mode m{i} \"M\" {{ define x = {i} }}\n"))) },
    Kind { name: "replacements", large: 20_000, files: |n| rules(each(n, |i| format!("replace define d{i} = 1\n"))) },
    Kind { name: "removals", large: 20_000, files: |n| rules(each(n, |i| format!("remove define d{i}\n"))) },
    Kind { name: "nonsense", large: 200_000, files: |n| rules(each(n, |_| "x y\n".into())) },
    Kind { name: "nonsense in a block", large: 150_000, files: |n| statements(n, |_| "x y".into()) },
    Kind { name: "sums", large: 250_000, files: |n| define(format!("1{}", " + 1".repeat(n))) },
    Kind { name: "conditions", large: 100_000, files: |n| define(format!("yes{}", " and yes".repeat(n))) },
    Kind { name: "members of members", large: 200_000, files: |n| define(format!("first of sides{}.points", ".foe".repeat(n))) },
    Kind { name: "brackets", large: 500_000, files: |n| define(format!("{}1{}", "(".repeat(n), ")".repeat(n))) },
    Kind { name: "open brackets of rules", large: 900_000, files: |n| define("(".repeat(n)) },
    Kind { name: "minus signs", large: 400_000, files: |n| define(format!("{}1", "- ".repeat(n))) },
    Kind { name: "nots", large: 200_000, files: |n| define(format!("{}yes", "not ".repeat(n))) },
    Kind {
        name: "ifs in a value",
        large: 50_000,
        files: |n| define(format!("{}1{}", "if yes then ".repeat(n), " else 1".repeat(n))),
    },
    Kind { name: "firsts", large: 100_000, files: |n| define(format!("{}sides", "first of ".repeat(n))) },
    Kind { name: "wheres", large: 90_000, files: |n| define(format!("count of sides{}", " where yes".repeat(n))) },
    Kind {
        name: "holes",
        large: 200_000,
        files: |n| statements(1, |_| format!("say \"{}1{}\"", "{\"".repeat(n), "\"}".repeat(n))),
    },
    Kind { name: "texts in a text", large: 200_000, files: |n| statements(1, |_| format!("say \"{}\"", "{1}".repeat(n))) },
    Kind {
        name: "ifs in ifs",
        large: 60_000,
        files: |n| statements(1, |_| format!("{}say \"a\"{}", "if yes { ".repeat(n), " }".repeat(n))),
    },
    Kind {
        name: "else ifs",
        large: 60_000,
        files: |n| statements(1, |_| format!("if yes {{ }}{}", " else if yes { }".repeat(n))),
    },
    Kind { name: "a name without end", large: 900_000, files: |n| define("a".repeat(n)) },
    Kind { name: "a number without end", large: 900_000, files: |n| define("9".repeat(n)) },
    Kind { name: "a text without end", large: 900_000, files: |n| statements(1, |_| format!("say \"{}\"", "a".repeat(n))) },
    Kind { name: "list in a value", large: 200_000, files: |n| define(format!("count of [{}]", listed(n, |_| "1".into()))) },
    Kind { name: "lists in lists", large: 300_000, files: |n| define(format!("{}1{}", "[".repeat(n), "]".repeat(n))) },
    Kind {
        name: "parameters",
        large: 50_000,
        files: |n| rules(format!("define d({}) = 1\n", listed(n, |i| format!("p{i}: number")))),
    },
    Kind {
        name: "arguments",
        large: 100_000,
        files: |n| rules(format!("define d(p: number) = 1\ndefine e = d({})\n", listed(n, |_| "1".into()))),
    },
    Kind { name: "documentation", large: 170_000, files: |n| rules(format!("{}define d = 1\n", "## x\n".repeat(n))) },
    // --- scripts ---
    Kind {
        name: "brackets of a script",
        large: 400_000,
        files: |n| script(format!("let x = {}1{};", "(".repeat(n), ")".repeat(n))),
    },
    Kind { name: "sums of a script", large: 200_000, files: |n| script(format!("let x = 1{};", " + 1".repeat(n))) },
    Kind {
        name: "blocks of a script",
        large: 100_000,
        files: |n| script(format!("{}{}", "if true { ".repeat(n), "}".repeat(n))),
    },
    Kind { name: "nots of a script", large: 400_000, files: |n| script(format!("let x = {}true;", "!".repeat(n))) },
    Kind { name: "statements of a script", large: 50_000, files: |n| script(each(n, |i| format!("let x{i} = {i};\n"))) },
    Kind { name: "unknown names of a script", large: 50_000, files: |n| script(each(n, |i| format!("say(who{i});\n"))) },
    Kind { name: "unknown functions of a script", large: 50_000, files: |n| script(each(n, |i| format!("f{i}();\n"))) },
    Kind {
        name: "functions of a script",
        large: 20_000,
        files: |n| script(format!("}}\n{}fn z() {{", each(n, |i| format!("fn f{i}() {{ 1 }}\n")))),
    },
    Kind {
        name: "functions in one line of a script",
        large: 20_000,
        files: |n| script(format!("say(\"Ö\"); }} {} fn z() {{", each(n, |i| format!("fn f{i}() {{ 1 }} ")))),
    },
    Kind {
        name: "functions that one calls in a script",
        large: 20_000,
        files: |n| {
            let calls = each(n, |i| format!("f{i}();\n"));
            script(format!("{calls}}}\n{}fn z() {{", each(n, |i| format!("fn f{i}() {{ 1 }}\n"))))
        },
    },
    Kind {
        name: "broken functions of a script",
        large: 20_000,
        files: |n| script(format!("}}\n{}fn z() {{", each(n, |i| format!("fn f{i}() {{ lett x = 1 }}\n")))),
    },
    Kind {
        name: "open functions of a script",
        large: 20_000,
        files: |n| script(format!("}}\n{}fn z() {{", each(n, |i| format!("fn f{i}() {{ 1\n")))),
    },
    Kind {
        name: "functions with variables in a script",
        large: 5_000,
        files: |n| {
            let function = |i| format!("fn f{i}() {{\n{}}}\n", each(20, |v| format!("let v{v} = {v};\n")));
            script(format!("}}\n{}fn z() {{", each(n, function)))
        },
    },
    Kind {
        name: "else ifs of a script",
        large: 50_000,
        files: |n| script(format!("if true {{ }}{}", " else if true { }".repeat(n))),
    },
    Kind { name: "texts of a script", large: 50_000, files: |n| script(format!("say(`{}`);", "${1}".repeat(n))) },
    Kind {
        name: "lists in lists of a script",
        large: 300_000,
        files: |n| script(format!("let x = {}{};", "[".repeat(n), "]".repeat(n))),
    },
    Kind { name: "headers", large: 30_000, files: |n| header(each(n, |_| "//! uses 1 per match\n".into())) },
    Kind {
        name: "triggers",
        large: 10_000,
        files: |n| header(each(n, |i| format!("//! trigger t{i} at dusk(side)\n//!   do {{ say \"a\" }}\n"))),
    },
    // --- many files ---
    Kind { name: "sheets", large: 30_000, files: |n| many(n, |i| (format!("characters/pond/o{i}.yaml"), SHEET.into())) },
    Kind {
        name: "sheets with names of their own",
        large: 30_000,
        files: |n| many(n, |i| (format!("characters/pond/o{i}.yaml"), format!("name: Otter {i}\nnest: [4, 6]\n"))),
    },
    Kind {
        name: "sheets for which much is worked out",
        large: 1_900,
        files: |n| {
            let nest = "zone nest: dice, open";
            sheets_after(n, nest, &format!("{nest}  total: number = count of (1..10000) where it > count of nest"))
        },
    },
    Kind {
        name: "sheets of which much is asked",
        large: 1_900,
        files: |n| {
            let sides = "sides 2 of 1 otter";
            let wanted = r#"where (count of (1..5000 * count of it.nest) where it > 3) > 5 else "no""#;
            sheets_after(n, sides, &format!("{sides} {wanted}"))
        },
    },
    Kind {
        name: "sheets of one file",
        large: 12_000,
        files: |n| many(1, |_| ("characters/pond/all.yaml".into(), format!("sheets:\n{}", each(n, named)))),
    },
    Kind { name: "loose sheets", large: 30_000, files: |n| many(n, |i| (format!("o{i}.yaml"), SHEET.into())) },
    Kind { name: "sheets of no game", large: 30_000, files: |n| many(n, |i| (format!("characters/p{i}/o.yaml"), SHEET.into())) },
    Kind {
        name: "cards in one file",
        large: 30_000,
        files: |n| one("characters/pond/all.yaml", each(n, |i| format!("otter-{i}: {{name: Otter, nest: [4]}}\n"))),
    },
    Kind {
        name: "scripts",
        large: 20_000,
        files: |n| many(n, |i| (format!("scripts/pond/hop{i}.rhai"), ability(&format!("hop{i}"), ""))),
    },
    Kind {
        name: "loose scripts",
        large: 20_000,
        files: |n| many(n, |i| (format!("hop{i}.rhai"), ability(&format!("hop{i}"), ""))),
    },
    Kind { name: "loose scripts with loose sheets", large: 10_000, files: scripts_with_sheets },
    Kind {
        name: "loose scenarios",
        large: 10_000,
        files: |n| many(n, |i| (format!("s{i}-test.yaml"), format!("- name: a\n  start: {{sides: [{{entrants: [o{i}]}}]}}\n"))),
    },
    Kind {
        name: "files of rules",
        large: 20_000,
        files: |n| many(n, |i| (format!("rules/pond/r{i}.ludex"), format!("define d{i} = 1\n"))),
    },
    Kind {
        name: "games",
        large: 20_000,
        files: |n| many(n, |i| (format!("rules/g{i}/game.ludex"), GAME.replace("pond", &format!("g{i}")))),
    },
    Kind {
        name: "headers of one game",
        large: 20_000,
        files: |n| many(n, |i| (format!("rules/pond/h{i}.ludex"), "ludex 1\ngame pond \"Pond\"\n".into())),
    },
    Kind {
        name: "packages in a row",
        large: 2_000,
        files: |n| many(n, |i| (format!("rules/p{}/g.ludex", i + 1), package(i + 1, &[i]))),
    },
    Kind {
        name: "packages of one game",
        large: 2_000,
        files: |n| many(n, |i| (format!("rules/p{}/g.ludex", i + 1), package(i + 1, &[0]))),
    },
    Kind {
        name: "packages of all before",
        large: 500,
        files: |n| many(n, |i| (format!("rules/p{}/g.ludex", i + 1), package(i + 1, &(0..=i).collect::<Vec<_>>()))),
    },
    Kind {
        name: "packages in a circle",
        large: 2_000,
        files: |n| many(n, move |i| (format!("rules/p{}/g.ludex", i + 1), package(i + 1, &[if i == 0 { n } else { i }]))),
    },
    Kind {
        name: "a package of many",
        large: 50_000,
        files: |n| many(1, move |_| ("rules/p1/g.ludex".into(), package(1, &(0..n).collect::<Vec<_>>()))),
    },
    Kind {
        name: "claims",
        large: 20_000,
        files: |n| many(n, |i| (format!("characters/pond/o{i}.yaml"), format!("{SHEET}replaces: true\n"))),
    },
    Kind {
        name: "replaced sheets of another game",
        large: 20_000,
        files: |n| {
            many(n, |i| {
                (format!("characters/dice-challenge/o{i}.yaml"), "name: A\nreplaces: true\nstarting: [4]\nreserve: [4]\n".into())
            })
        },
    },
    Kind { name: "empty folders", large: 50_000, files: |n| many(n, |i| (format!("rules/pond/f{i}/x.txt"), String::new())) },
    Kind {
        name: "folders in folders",
        large: 1_000,
        files: |n| many(1, move |_| (format!("rules/pond/{}x.ludex", "f/".repeat(n)), String::new())),
    },
    Kind { name: "other files", large: 50_000, files: |n| many(n, |i| (format!("rules/pond/x{i}.txt"), String::new())) },
    Kind {
        name: "names without a letter",
        large: 20_000,
        files: |n| many(n, |i| (format!("characters/pond/Ö {i}.yaml"), SHEET.into())),
    },
    // --- many bytes ---
    Kind {
        name: "bytes of sheets",
        large: 1_000,
        files: |n| many(n, |i| (format!("characters/pond/o{i}.yaml"), "\0".repeat(1 << 20))),
    },
    Kind {
        name: "bytes of comments",
        large: 200,
        files: |n| many(n, |i| (format!("characters/pond/o{i}.yaml"), format!("{SHEET}{}", "# word\n".repeat(149_000)))),
    },
    Kind {
        name: "bytes of scripts",
        large: 200,
        files: |n| many(n, |i| (format!("scripts/pond/o{i}.rhai"), "// x\n".repeat(200_000))),
    },
    Kind {
        name: "bytes of values",
        large: 100,
        files: |n| many(n, |i| (format!("characters/pond/o{i}.yaml"), format!("x: [{}]\n", "1,".repeat(500_000)))),
    },
    Kind {
        name: "bytes of rules",
        large: 100,
        files: |n| many(n, |i| (format!("rules/pond/r{i}.ludex"), each(30_000, |j| format!("define d{i}x{j} = 1 + 2 * 3\n")))),
    },
    Kind {
        name: "bytes of READMEs",
        large: 200,
        files: |n| many(n, |i| (format!("rules/pond/f{i}/README.md"), "| x |\n".repeat(170_000))),
    },
];

pub fn each(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect()
}

pub fn listed(n: usize, word: impl Fn(usize) -> String) -> String {
    (0..n).map(word).collect::<Vec<_>>().join(", ")
}

pub fn game() -> File {
    ("rules/pond/game.ludex".into(), GAME.into())
}

pub fn otter() -> File {
    ("characters/pond/otter.yaml".into(), SHEET.into())
}

fn one(path: &str, text: String) -> Vec<File> {
    vec![game(), otter(), (path.into(), text)]
}

fn many(n: usize, file: impl Fn(usize) -> File) -> Vec<File> {
    [game(), otter()].into_iter().chain((0..n).map(file)).collect()
}

fn sheet(lines: String) -> Vec<File> {
    let head = if lines.starts_with("nest") { "name: Otter\n".to_string() } else { SHEET.to_string() };
    one("characters/pond/heron.yaml", format!("{head}{lines}"))
}

pub fn rules(text: String) -> Vec<File> {
    one("rules/pond/more.ludex", text)
}

/// Sheets of a game with other rules, and 99 games among which the work for sheets is divided.
fn sheets_after(n: usize, replaced: &str, by: &str) -> Vec<File> {
    let mut files = many(n, |i| (format!("characters/pond/o{i}.yaml"), SHEET.into()));
    files[0].1 = GAME.replace(replaced, by);
    files.extend((0..99).map(|i| (format!("rules/g{i}/game.ludex"), GAME.replace("pond", &format!("g{i}")))));
    files
}

/// Procedures that give a hidden number to others.
fn hidden_passed_on(n: usize, next: impl Fn(usize) -> usize) -> String {
    let procedure = |i: usize| match next(i) {
        next if next < n => format!("to p{i}(active: side, x: number) {{ add x to active.points  do p{next}(active, x) }}\n"),
        _ => format!("to p{i}(active: side, x: number) {{ add x to active.points }}\n"),
    };
    let procedures: String = (0..n).rev().map(procedure).collect();
    format!(
        "each side has {{ counter gold = 0 in 0..9, seen by owner }}\n{procedures}to more(active: side) {{ do p0(active, active.gold) }}\n"
    )
}

/// Procedures that work out hidden numbers, ask the other side as often, and use the numbers then.
fn hidden_kept(n: usize) -> String {
    const IN_ONE: usize = 250;
    let procedure = |first: usize| {
        let numbers = || first..n.min(first + IN_ONE);
        let kept: String = numbers().map(|i| format!("  let x{i} = active.gold * {}\n", i + 1)).collect();
        let asked: String = numbers()
            .map(|i| format!("  active.foe must choose number in 1..2 as b{i} \"?\"\n  add x{i} + b{i} to active.points\n"))
            .collect();
        format!("to kept{first}(active: side) {{\n{kept}{asked}}}\n")
    };
    let procedures: String = (0..n).step_by(IN_ONE).map(procedure).collect();
    format!("each side has {{ counter gold = 0 in 0..9, seen by owner }}\n{procedures}")
}

/// Sheets that are parts of each other, each twice.
fn sheets_within(n: usize) -> String {
    format!("sheet s0 {{ f: number }}\n{}", each(n, |i| format!("sheet s{} {{ a: s{i}  b: s{i} }}\n", i + 1)))
}

/// Rules in which a sheet lists others.
fn with_line(of: &str, text: &str) -> Vec<File> {
    let mut files = rules(text.to_string());
    files[0].1 = GAME.replace("zone nest: dice, open", &format!("zone nest: dice, open  parts: list of {of} = none"));
    files
}

fn define(value: String) -> Vec<File> {
    rules(format!("define x = {value}\n"))
}

fn statements(n: usize, statement: impl Fn(usize) -> String) -> Vec<File> {
    rules(format!("to more(active: side) {{\n{}}}\n", each(n, |i| format!("  {}\n", statement(i)))))
}

fn script(body: String) -> Vec<File> {
    let mut files = one("scripts/pond/hop.rhai", ability("hop", &body));
    files.push(("characters/pond/newt.yaml".into(), "name: Newt\nnest: [4]\nabilities: [hop]\n".into()));
    files
}

fn ability(id: &str, body: &str) -> String {
    format!(
        "//! ability {id} \"Hop\"\n//!   \"Hops.\"\n//! trigger hops at dusk(side)\n//!   when side is me\n\nfn hops() {{\n{body}\n}}\n"
    )
}

fn header(lines: String) -> Vec<File> {
    one("scripts/pond/hop.rhai", format!("//! ability hop \"Hop\"\n//!   \"Hops.\"\n{lines}"))
}

/// A sheet among others of one file.
fn named(number: usize) -> String {
    format!("  o{number}:\n    name: Otter {number}\n    nest: [4, 6]\n")
}

fn scripts_with_sheets(n: usize) -> Vec<File> {
    let scripts = (0..n).map(|i| (format!("hop{i}.rhai"), ability(&format!("hop{i}"), "")));
    let sheets = (0..n).map(|i| (format!("o{i}.yaml"), format!("{SHEET}abilities: [hop{i}]\n")));
    [game(), otter()].into_iter().chain(scripts).chain(sheets).collect()
}

/// A package that extends others by their numbers; 0 is the game.
fn package(number: usize, parents: &[usize]) -> String {
    let name = |number: &usize| if *number == 0 { "pond".to_string() } else { format!("p{number}") };
    let parents: Vec<String> = parents.iter().map(name).collect();
    format!("ludex 1\npackage p{number} \"P\" extends {}\ndefine d{number} = 1\n", parents.join(", "))
}
