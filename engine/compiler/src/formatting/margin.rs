//! In which columns rule ids and remarks begin that stand behind a line.

/// A line in its place.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Where it begins; of remarks that stand alone it shows only later.
    pub indent: Option<usize>,
    /// Whether its first sign closes a bracket.
    pub closes: bool,
    pub code: String,
    /// The rule ids behind the code.
    pub cites: String,
    /// The remark behind the code, from `#`.
    pub remark: Option<String>,
    /// The column in which that begins.
    pub remark_column: usize,
    /// How much stands before each line: `//! `.
    pub before: usize,
}

/// The columns, from 0, in which rule ids and remarks begin if there is room.
const CITES: usize = 72;
const REMARKS: usize = 37;
/// At least so many blanks are before rule ids in their column, and so many elsewhere before whatever stands behind a line.
const ROOM: usize = 2;
const GAP: usize = 3;

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    text.chars().count()
}

impl Line {
    /// Where the code ends.
    fn end(&self) -> usize {
        self.before + self.indent.unwrap_or(0) + width(&self.code)
    }

    /// Whether only a remark is behind the code, and there is room for it.
    fn has_remark_alone(&self) -> bool {
        self.remark.is_some() && self.cites.is_empty() && self.end() + GAP <= CITES
    }

    pub fn text(&self) -> String {
        let mut text = format!("{}{}", " ".repeat(self.indent.unwrap_or(0)), self.code);
        let mut behind = |column: usize, least: usize, words: &str| {
            let end = self.before + width(&text);
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

/// Remarks behind lines that follow each other begin in one column.
pub fn align(lines: &mut [Line]) {
    for run in lines.chunk_by_mut(|line, next| line.remark.is_some() == next.remark.is_some()) {
        let ends = run.iter().filter(|line| line.has_remark_alone()).map(Line::end);
        let column = ends.max().map_or(0, |end| (end + GAP).max(REMARKS));
        run.iter_mut().filter(|line| line.has_remark_alone()).for_each(|line| line.remark_column = column);
    }
}
