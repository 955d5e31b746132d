use ludex_engine::codes;
use ludex_engine::yaml;

use super::*;

fn read(text: &str) -> (Sources, Report) {
    let mut sources = Sources::default();
    let id = sources.add("otter.yaml", text);
    let (_, problems) = yaml::parse_document(text, id);
    (sources, Report::new(problems))
}

#[test]
fn problems_are_sorted_by_place_and_told_once() {
    let (sources, report) = read("nest: [4]\nnest: [6]\npond: &x 1\nname:\n\t- a\n");
    let twice = report.problems().iter().rev().chain(report.problems()).cloned().collect();
    assert_eq!(Report::new(twice), report);
    insta::assert_snapshot!(report.to_text(&sources, &Look::default()), @r#"
    LX0203

      × `nest` is given twice
       ╭─[otter.yaml:2:1]
     1 │ nest: [4]
       · ──┬─
       ·   ╰── given here first
     2 │ nest: [6]
       · ──┬─
       ·   ╰── given again here
     3 │ pond: &x 1
       ╰────
      help: keep one of the two; if both are meant, put their values together
            under one key

    LX0204

      × `&x` is an anchor, which is not read here
       ╭─[otter.yaml:3:7]
     2 │ nest: [6]
     3 │ pond: &x 1
       ·       ─┬
       ·        ╰── an anchor of YAML
     4 │ name:
       ╰────
      help: write the value out wherever it is needed, without the anchor

    LX0202

      × there is a tab where only spaces are allowed
       ╭─[otter.yaml:5:1]
     4 │ name:
     5 │     - a
       · ──┬─
       ·   ╰── a tab
       ╰────
      help: use spaces: YAML counts them to see what belongs together, and takes
            no tabs there

    3 errors
    "#);
}

#[test]
fn the_summary_counts_errors_and_warnings() {
    let error = || Problem::error(codes::SYNTAX, "one");
    let warning = || Problem::warning(codes::UNUSED_NAME, "two");
    assert_eq!(Report::default().summary(), "no problems");
    assert_eq!(Report::new(vec![error(), warning(), error()]).summary(), "1 error and 1 warning");
    assert_eq!(Report::new(vec![warning()]).summary(), "1 warning");
    assert!(Report::new(vec![warning()]).is_ok());
}

#[test]
fn a_flood_of_problems_is_counted_after_the_first_hundred() {
    let many = (0..250).map(|number| Problem::error(codes::SYNTAX, format!("{number:03}"))).collect();
    let text = Report::new(many).to_text(&Sources::default(), &Look::default());
    assert!(text.ends_with("150 more problems not shown\n250 errors\n"), "{text}");
}

#[test]
fn the_json_has_lines_and_columns() {
    let (sources, mut report) = read("é: 1\né: 2\n");
    report.problems.push(Problem::warning(codes::FILE_UNUSED, "nothing uses it"));
    let json = serde_json::to_string_pretty(&report.to_json(&sources, "check")).expect("plain data");
    insta::assert_snapshot!(json, @r#"
    {
      "ludex": 1,
      "command": "check",
      "errors": 1,
      "warnings": 1,
      "problems": [
        {
          "code": "LX0203",
          "severity": "error",
          "confidence": "certain",
          "message": "`é` is given twice",
          "file": "otter.yaml",
          "line": 2,
          "column": 1,
          "end_line": 2,
          "end_column": 2,
          "labels": [
            {
              "file": "otter.yaml",
              "line": 2,
              "column": 1,
              "end_line": 2,
              "end_column": 2,
              "text": "given again here"
            },
            {
              "file": "otter.yaml",
              "line": 1,
              "column": 1,
              "end_line": 1,
              "end_column": 2,
              "text": "given here first"
            }
          ],
          "help": "keep one of the two; if both are meant, put their values together under one key",
          "edits": []
        },
        {
          "code": "LX0010",
          "severity": "warning",
          "confidence": "certain",
          "message": "nothing uses it",
          "file": null,
          "line": null,
          "column": null,
          "end_line": null,
          "end_column": null,
          "labels": [],
          "help": null,
          "edits": []
        }
      ]
    }
    "#);
}
