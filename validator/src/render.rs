//! Draws one problem for a terminal, with miette.

use std::borrow::Cow;
use std::fmt;

use ludex_engine::problem::{Confidence, Problem, Severity};
use ludex_engine::source::{SourceId, Sources, Span};
use ludex_engine::visible;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};

use crate::excerpt::Excerpt;

/// The style of drawings. It does not depend on the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The characters and colours.
    pub theme: Theme,
    /// The width for wrapping sentences, in columns.
    pub width: usize,
}

/// The characters and colours of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Unicode lines and colours, for a terminal.
    Colour,
    /// Unicode lines without colours.
    Plain,
    /// ASCII characters without colours.
    Ascii,
}

impl Default for Look {
    fn default() -> Look {
        Look { theme: Theme::Plain, width: 80 }
    }
}

/// Draws one problem: code and message, the places file by file with the main one first, and the help.
pub fn render_problem(problem: &Problem, sources: &Sources, look: &Look) -> String {
    let mut pieces = problem_parts(problem, sources);
    let last = pieces.len() - 1;
    pieces[last].help = problem.help.as_deref().map(|help| visible::clean_lines(help).into_owned());
    let handler = report_handler(look);
    let mut drawn = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        let mut text = String::new();
        if handler.render_report(&mut text, piece).is_err() {
            text = format!("  {}\n", piece.message);
        }
        // Only the first piece has a message; the others would show an empty line instead.
        let body = if index == 0 { text.as_str() } else { text.split_once('\n').map_or("", |(_, body)| body) };
        for line in body.lines() {
            drawn.push_str(line.trim_end());
            drawn.push('\n');
        }
    }
    // The remaining control characters are our own colours. The rest was made harmless before, so that its width is known.
    if look.theme == Theme::Colour { drawn } else { visible::clean_lines(&drawn).into_owned() }
}

/// The drawing of miette in a style. Colours and links do not depend on the terminal.
fn report_handler(look: &Look) -> GraphicalReportHandler {
    let theme = match look.theme {
        Theme::Colour => GraphicalTheme::unicode(),
        Theme::Plain => GraphicalTheme::unicode_nocolor(),
        Theme::Ascii => GraphicalTheme::none(),
    };
    GraphicalReportHandler::new_themed(theme)
        .with_width(look.width.max(20))
        .with_links(false)
        .with_break_words(false)
        .without_syntax_highlighting()
        .without_cause_chain()
}

/// A piece that miette draws at once: the labels in one file.
struct FilePart<'s> {
    code: Option<Cow<'static, str>>,
    severity: Severity,
    message: String,
    excerpt: Option<Excerpt<'s>>,
    labels: Vec<LabeledSpan>,
    help: Option<String>,
}

/// The pieces of a problem, one for each file and at least one. The first has the code and message.
fn problem_parts<'s>(problem: &Problem, sources: &'s Sources) -> Vec<FilePart<'s>> {
    let mut files: Vec<SourceId> = Vec::new();
    for (span, _) in &problem.labels {
        if !files.contains(&span.source) {
            files.push(span.source);
        }
    }
    let mut pieces: Vec<FilePart> = files.iter().map(|file| part_in_file(problem, *file, sources)).collect();
    if pieces.is_empty() {
        pieces.push(FilePart::empty_part(problem.severity));
    }
    pieces[0].code = Some(code_text(problem));
    pieces[0].message = visible::clean_line(&problem.message.to_string()).into_owned();
    pieces
}

/// The code, with a note if the problem is not certain.
pub(crate) fn code_text(problem: &Problem) -> Cow<'static, str> {
    match problem.confidence {
        Confidence::Certain => Cow::Borrowed(problem.code),
        confidence => Cow::Owned(format!("{} ({})", problem.code, confidence.as_word())),
    }
}

/// The labels of a problem in one file, the first of them as the main one.
fn part_in_file<'s>(problem: &Problem, file: SourceId, sources: &'s Sources) -> FilePart<'s> {
    let excerpt = Excerpt::new(sources.get(file));
    let here = problem.labels.iter().filter(|(span, _)| span.source == file);
    let labels = here.enumerate().map(|(index, (span, remark))| labelled_span(&excerpt, *span, remark, index == 0));
    let labels = labels.collect();
    FilePart { excerpt: Some(excerpt), labels, ..FilePart::empty_part(problem.severity) }
}

/// A label for miette; `primary` marks the main one.
fn labelled_span(excerpt: &Excerpt, span: Span, remark: &str, primary: bool) -> LabeledSpan {
    let remark = (!remark.is_empty()).then(|| visible::clean_line(remark).into_owned());
    let span = excerpt.visible_span(span);
    match primary {
        true => LabeledSpan::new_primary_with_span(remark, span),
        false => LabeledSpan::new_with_span(remark, span),
    }
}

impl FilePart<'_> {
    /// A part without labels, for a problem without places.
    fn empty_part(severity: Severity) -> Self {
        FilePart { code: None, severity, message: String::new(), excerpt: None, labels: Vec::new(), help: None }
    }
}

impl fmt::Debug for FilePart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Display for FilePart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FilePart<'_> {}

impl Diagnostic for FilePart<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.code.as_ref().map(|code| Box::new(code) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

#[cfg(test)]
mod tests;
