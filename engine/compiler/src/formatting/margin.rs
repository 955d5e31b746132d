//! The columns of trailing rule ids and comments.

/// A laid-out line.
#[derive(Clone, Debug, Default)]
pub struct LaidOutLine {
    /// Its indentation; none for a comment on its own line, which is placed later.
    pub indent: Option<usize>,
    /// Its first sign is a closing bracket.
    pub closes: bool,
    /// Its code, or its comment if it has no code.
    pub code: String,
    /// The trailing rule ids.
    pub cites: String,
    /// The trailing comment, from `#`.
    pub remark: Option<String>,
    /// The column of that comment.
    pub remark_column: usize,
    /// The width of the prefix of each line: `//! `.
    pub before: usize,
}

/// The preferred column of rule ids, from 0.
const CITES: usize = 72;
/// The leftmost column of trailing comments, from 0.
const REMARKS: usize = 37;
/// Minimum number of spaces before rule ids in their column.
const ROOM: usize = 2;
/// Minimum number of spaces before other trailing parts.
const GAP: usize = 3;

/// The width of a text in columns.
pub fn text_width(text: &str) -> usize {
    text.chars().count()
}

impl LaidOutLine {
    /// The column after the code.
    fn code_end(&self) -> usize {
        self.before + self.indent.unwrap_or(0) + text_width(&self.code)
    }

    /// Whether a comment is the only trailing part and fits in its column.
    fn has_remark_alone(&self) -> bool {
        self.remark.is_some() && self.cites.is_empty() && self.code_end() + GAP <= CITES
    }

    /// The text of the line, with its rule ids and its comment in their columns if there is room.
    pub fn line_text(&self) -> String {
        let mut text = format!("{}{}", " ".repeat(self.indent.unwrap_or(0)), self.code);
        let mut behind = |column: usize, least: usize, words: &str| {
            let end = self.before + text_width(&text);
            let blanks = if end + least <= column { column - end } else { GAP };
            text.push_str(&" ".repeat(blanks));
            text.push_str(words);
        };
        if !self.cites.is_empty() {
            behind(CITES, ROOM, &self.cites);
        }
        if let Some(remark) = &self.remark {
            behind(self.remark_column, GAP, remark);
        }
        text.trim_end().to_string()
    }
}

/// Aligns the trailing comments of consecutive lines.
pub fn align_remarks(lines: &mut [LaidOutLine]) {
    for run in lines.chunk_by_mut(|line, next| line.remark.is_some() == next.remark.is_some()) {
        let ends = run.iter().filter(|line| line.has_remark_alone()).map(LaidOutLine::code_end);
        let column = ends.max().map_or(0, |end| (end + GAP).max(REMARKS));
        run.iter_mut().filter(|line| line.has_remark_alone()).for_each(|line| line.remark_column = column);
    }
}
