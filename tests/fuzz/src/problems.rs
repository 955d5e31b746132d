//! What holds for every problem, whatever is wrong.

use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use ludex_validator::{Look, Report, Theme};

/// Places lie in their texts and between characters, and everything can be drawn and written.
pub fn are_sound(problems: &[Problem], sources: &Sources) {
    problems.iter().for_each(|problem| is_sound(problem, sources));
    let report = Report::new(problems.to_vec());
    for theme in [Theme::Colour, Theme::Plain, Theme::Ascii] {
        let text = report.to_text(sources, &Look { theme, width: 80 });
        assert!(text.ends_with(&format!("{}\n", report.summary())), "{text}");
    }
    let json = report.to_json(sources, "check").to_string();
    assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{json}");
}

pub fn is_sound(problem: &Problem, sources: &Sources) {
    assert_ne!(problem.code, codes::INTERNAL, "{problem:?}");
    assert!(codes::ALL.contains(&problem.code), "{problem:?}");
    assert!(!problem.message.to_string().is_empty(), "{problem:?}");
    for (span, _) in &problem.labels {
        let text = &sources.get(span.source).text;
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} of {} bytes: {problem:?}", text.len());
    }
}

/// As [`are_sound`], and whoever made a mistake is shown where.
pub fn have_places(problems: &[Problem], sources: &Sources) {
    are_sound(problems, sources);
    problems.iter().for_each(|problem| assert!(!problem.labels.is_empty(), "{problem:?}"));
}
