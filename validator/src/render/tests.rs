use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::source::{Sources, Span};
use ludex_engine::yaml;

use super::*;

const SHEET: &str = "# é, 日本, 🎲\nname: Otter\nnest: [4, 6, 6, 8]\nabilities:\n  - short-breath\n  - second-jmp # a slip\n";
const SCRIPT: &str = "//! ability second-jump \"Second Jump\"\n//!   \"Hop once more.\"\n";

fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.add("characters/ponds/otter.yaml", SHEET);
    sources.add("scripts/ponds/second-jump.rhai", SCRIPT);
    sources
}

fn find(sources: &Sources, file: u32, word: &str) -> Span {
    let start = sources.get(SourceId(file)).text.find(word).expect("the word is there");
    Span::new(SourceId(file), start, start + word.len())
}

fn slip(sources: &Sources) -> Problem {
    Problem::error(codes::UNKNOWN_ABILITY, "no ability is called `second-jmp`")
        .with_label(find(sources, 0, "second-jmp"), "no script has this name")
        .suggest("second-jmp", ["second-jump", "third-jump"])
}

fn drawn(text: &str, problem: impl FnOnce(SourceId) -> Problem) -> String {
    let mut sources = Sources::default();
    let id = sources.add("x.yaml", text);
    render_problem(&problem(id), &sources, &Look::default())
}

#[test]
fn a_problem_is_drawn_with_its_place_and_help() {
    let sources = sources();
    insta::assert_snapshot!(render_problem(&slip(&sources), &sources, &Look::default()), @r#"
    LX0601

      × no ability is called `second-jmp`
       ╭─[characters/ponds/otter.yaml:6:5]
     5 │   - short-breath
     6 │   - second-jmp # a slip
       ·     ─────┬────
       ·          ╰── no script has this name
       ╰────
      help: did you mean `second-jump`?
    "#);
}

#[test]
fn ascii_and_colour_have_the_same_words() {
    let sources = sources();
    let ascii = render_problem(&slip(&sources), &sources, &Look { theme: Theme::Ascii, width: 80 });
    insta::assert_snapshot!(ascii, @r#"
    LX0601

      x no ability is called `second-jmp`
       ,-[characters/ponds/otter.yaml:6:5]
     5 |   - short-breath
     6 |   - second-jmp # a slip
       :     ^^^^^|^^^^
       :          `-- no script has this name
       `----
      help: did you mean `second-jump`?
    "#);
    let colour = render_problem(&slip(&sources), &sources, &Look { theme: Theme::Colour, width: 80 });
    assert!(colour.contains("\u{1b}["));
    assert!(colour.contains("second-jmp # a slip"));
}

#[test]
fn places_in_other_files_follow_the_main_one() {
    let sources = sources();
    let problem = slip(&sources).with_label(find(&sources, 1, "second-jump"), "the nearest is declared here");
    insta::assert_snapshot!(render_problem(&problem, &sources, &Look::default()), @r#"
    LX0601

      × no ability is called `second-jmp`
       ╭─[characters/ponds/otter.yaml:6:5]
     5 │   - short-breath
     6 │   - second-jmp # a slip
       ·     ─────┬────
       ·          ╰── no script has this name
       ╰────
       ╭─[scripts/ponds/second-jump.rhai:1:13]
     1 │ //! ability second-jump "Second Jump"
       ·             ─────┬─────
       ·                  ╰── the nearest is declared here
     2 │ //!   "Hop once more."
       ╰────
      help: did you mean `second-jump`?
    "#);
}

#[test]
fn a_warning_without_a_place_is_a_sentence() {
    let problem = Problem::warning(
        codes::FILE_UNUSED,
        "no sheet names the script `second-jump`, so that it never does anything in any game",
    )
    .help("name it in a sheet");
    insta::assert_snapshot!(render_problem(&problem, &Sources::default(), &Look { theme: Theme::Plain, width: 50 }), @r#"
    LX0010

      ⚠ no sheet names the script `second-jump`, so
      │ that it never does anything in any game
      help: name it in a sheet
    "#);
}

#[test]
fn the_end_of_a_file_points_at_its_last_sign() {
    let at_end = |text: &'static str| {
        drawn(text, |id| {
            Problem::error(codes::SYNTAX, "the file ends too early")
                .with_label(Span::new(id, text.len(), text.len()), "`}` is missing")
        })
    };
    insta::assert_snapshot!(at_end("scope day {\n  stop day\n\n"), @r#"
    LX0101

      × the file ends too early
       ╭─[x.yaml:2:10]
     1 │ scope day {
     2 │   stop day
       ·          ┬
       ·          ╰── `}` is missing
     3 │
       ╰────
    "#);
    insta::assert_snapshot!(at_end("scope day {"), @r#"
    LX0101

      × the file ends too early
       ╭─[x.yaml:1:11]
     1 │ scope day {
       ·           ┬
       ·           ╰── `}` is missing
       ╰────
    "#);
    insta::assert_snapshot!(at_end(""), @r#"
    LX0101

      × the file ends too early
       ╭─[x.yaml:1:1]
       ╰────
    "#);
}

#[test]
fn a_place_of_no_length_in_the_middle_is_an_arrow() {
    insta::assert_snapshot!(drawn("a b\r\nc\r\n", |id| Problem::error(codes::SYNTAX, "something is missing").with_label(Span::new(id, 3, 3), "here")), @r#"
    LX0101

      × something is missing
       ╭─[x.yaml:1:4]
     1 │ a b
       ·    ▲
       ·    ╰── here
     2 │ c
       ╰────
    "#);
}

#[test]
fn places_over_many_lines_are_cut_to_their_first() {
    let text: String = (0..50).map(|line| format!("key{line}: 1\n")).collect();
    insta::assert_snapshot!(drawn(&text, |id| Problem::error(codes::YAML_TYPE, "all of it").with_label(Span::new(id, 0, 400), "this map")), @r#"
    LX0210

      × all of it
       ╭─[x.yaml:1:1]
     1 │ key0: 1
       · ───┬───
       ·    ╰── this map
     2 │ key1: 1
       ╰────
    "#);
    insta::assert_snapshot!(drawn(&text, |id| Problem::error(codes::YAML_TYPE, "some of it").with_label(Span::new(id, 8, 31), "these lines")), @r#"
    LX0210

      × some of it
       ╭─[x.yaml:2:1]
     1 │     key0: 1
     2 │ ╭─▶ key1: 1
     3 │ │   key2: 1
     4 │ ├─▶ key3: 1
       · ╰──── these lines
     5 │     key4: 1
       ╰────
    "#);
}

#[test]
fn endless_lines_are_cut_around_each_place() {
    let text = format!("x\n{{{}a: 1, {}a: 2}}\ny\n", "é: 1, ".repeat(100_000), "b: 1, ".repeat(1000));
    let first = text.find("a: 1").expect("there");
    let second = text.find("a: 2").expect("there");
    let picture = drawn(&text, |id| {
        Problem::error(codes::YAML_DUPLICATE_KEY, "`a` is given twice")
            .with_label(Span::new(id, second, second + 1), "again")
            .with_label(Span::new(id, first, first + 1), "first")
    });
    insta::assert_snapshot!(picture, @r#"
    LX0203

      × `a` is given twice
       ╭─[x.yaml:2:600002]
     2 │ , é: 1, é: 1, é: 1, é: 1, a: 1, b: 1, b: 1, b: 1, b: 1,
       ·                           ┬
       ·                           ╰── first
       ╰────
       ╭─[x.yaml:2:606008]
     2 │ b: 1, b: 1, b: 1, b: 1, b: 1, a: 2}
       ·                               ┬
       ·                               ╰── again
       ╰────
    "#);
}

#[test]
fn signs_that_steer_a_terminal_are_not_passed_on() {
    let picture = drawn("name: \u{1b}[31mred\u{9b}31m\u{202e}\n", |id| {
        Problem::error(codes::YAML_CHARACTER, "a stray \u{1b}[31m").with_label(Span::new(id, 6, 7), "\u{1b}").help("\u{9b}")
    });
    insta::assert_snapshot!(picture, @r#"
    LX0208

      × a stray ␛[31m
       ╭─[x.yaml:1:7]
     1 │ name: ␛[31mred<U+009B>31m<U+202E>
       ·       ┬
       ·       ╰── ␛
       ╰────
      help: <U+009B>
    "#);
}

#[test]
fn names_of_files_steer_nothing_either() {
    let mut sources = Sources::default();
    let id = sources.add("a\u{1b}]0;b\u{7}\n\u{202e}.yaml", "x\u{200b}: 1\ny: 2\n");
    let problem = Problem::error(codes::SYNTAX, "here").with_label(Span::new(id, 8, 9), "not known");
    insta::assert_snapshot!(render_problem(&problem, &sources, &Look::default()), @r#"
    LX0101

      × here
       ╭─[a␛]0;b␇␊<U+202E>.yaml:2:1]
     1 │ x<U+200B>: 1
     2 │ y: 2
       · ┬
       · ╰── not known
       ╰────
    "#);
}

#[test]
fn any_place_in_any_text_is_drawn() {
    let texts = ["", "\n", "a", "é\r\n🎲\r\n", "\t\tx\n", "\r", "\r\r\n\n", "x\n\n\n", "日本\u{feff}\n", &"long ".repeat(200)];
    for text in texts {
        for start in 0..=text.len() + 1 {
            for end in start..=(start + 9).min(text.len() + 2) {
                let picture = drawn(text, |id| {
                    Problem::error(codes::SYNTAX, "x")
                        .with_label(Span::new(id, start, end), "here")
                        .with_label(Span::new(id, 0, end), "there")
                });
                assert!(!picture.contains("Failed to read"), "{text:?} {start}..{end}: {picture}");
            }
        }
    }
}

#[test]
fn the_mistakes_of_a_sheet_as_their_writer_sees_them() {
    let text = "name: Otter\nnest: [4, 6\npond: 4\n";
    let mut sources = Sources::default();
    let id = sources.add("otter.yaml", text);
    let (_, problems) = yaml::parse_document(text, id);
    insta::assert_snapshot!(crate::Report::new(problems).to_text(&sources, &Look::default()), @r#"
    LX0201

      × a list in `[ ]` is not closed
       ╭─[otter.yaml:2:7]
     1 │ name: Otter
     2 │ nest: [4, 6
       ·       ┬
       ·       ╰── opened here
     3 │ pond: 4
       · ──┬──
       ·   ╰── something new begins here
       ╰────
      help: write `]` after its last entry

    1 error
    "#);
}
