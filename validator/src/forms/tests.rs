use super::*;
use insta::assert_snapshot;
use ludex_engine::codes;

fn report() -> (Report, Sources) {
    let mut sources = Sources::default();
    let source = sources.add("rules/a pond, small/play.ludex", "hop frgs\nswim\n");
    let unknown =
        Problem::error(codes::UNKNOWN_NAME, "nothing is called `frgs`").with_label(Span::new(source, 4, 8), "not known");
    let unknown = unknown.help("did you mean `frogs`?");
    let unused = Problem::warning(codes::UNUSED_NAME, "`swim` is used 100% never").with_label(Span::new(source, 9, 13), "");
    let unused = unused.with_label(Span::new(source, 0, 3), "beside this");
    (Report::new(vec![unknown, unused, Problem::error(codes::FILE_MISSING, "there is no file `a`")]), sources)
}

#[test]
fn a_problem_is_one_line() {
    let (report, sources) = report();
    assert_snapshot!(report.to_lines(&sources), @r"
    error LX0004 there is no file `a`
    rules/a pond, small/play.ludex:1:5: error LX0301 nothing is called `frgs`
    rules/a pond, small/play.ludex:2:1: warning LX0313 `swim` is used 100% never
    ");
}

#[test]
fn commands_of_workflows_are_escaped() {
    let (report, sources) = report();
    assert_snapshot!(report.to_github(&sources), @r"
    ::error title=LX0004::there is no file `a`
    ::error file=rules/a pond%2C small/play.ludex,line=1,endLine=1,col=5,endColumn=9,title=LX0301::nothing is called `frgs`%0Adid you mean `frogs`?
    ::warning file=rules/a pond%2C small/play.ludex,line=2,endLine=2,col=1,endColumn=5,title=LX0313::`swim` is used 100%25 never
    ");
}

#[test]
fn a_log_has_what_its_schema_requires() {
    let (report, sources) = report();
    let log = report.to_sarif(&sources);
    assert_eq!((&log["version"], log["runs"].as_array().map(Vec::len)), (&json!("2.1.0"), Some(1)));
    let run = &log["runs"][0];
    assert!(run["tool"]["driver"]["name"].is_string());
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        assert!(result["message"]["text"].is_string() && ["error", "warning"].contains(&result["level"].as_str().unwrap()));
        let rule = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[rule]["id"], result["ruleId"]);
        let related = result["relatedLocations"].as_array().into_iter().flatten();
        for location in result["locations"].as_array().unwrap().iter().chain(related) {
            let region = &location["physicalLocation"]["region"];
            assert!(["startLine", "startColumn", "endLine", "endColumn"].iter().all(|key| region[key].as_u64() >= Some(1)));
            assert_eq!(location["physicalLocation"]["artifactLocation"]["uri"], "rules/a%20pond%2C%20small/play.ludex");
        }
    }
}
