//! Declares boards: each cell is a zone.
//!
//! A board is a grid of cells, or a row of them. The zones of a board follow each other in its kind, from [`BoardInfo::first`] on.

use super::super::boards::CELL_MEMBERS;
use super::{Sort, Symbols};
use ludex_program::{BoardInfo, KindId, KindSort, MOST_BOARD_CELLS, MOST_CELLS_IN_GAME, ZoneInfo};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, with_article};
use ludex_syntax::source::Span;
use ludex_syntax::tree::{BoardSize, Name};

/// The place of a board's declaration.
pub(super) struct BoardAt {
    pub kind: KindId,
    /// It is in the braces of a sheet, whose files fill zones.
    pub of_sheet: bool,
    /// It has `= none`.
    pub optional: bool,
    pub span: Span,
}

impl Symbols<'_> {
    /// Declares boards of one size. Each cell is a zone with the attributes of `cell`.
    pub(super) fn declare_boards(
        &mut self,
        at: &BoardAt,
        names: &[Name],
        size: &BoardSize,
        cell: &ZoneInfo,
        problems: &mut Vec<Problem>,
    ) {
        let misplaced = self.misplaced_board_problem(at);
        let fitting = board_size(size);
        let mut fits = misplaced.is_none() && fitting.is_ok();
        // An invalid board is declared anyway, so that its uses are not errors as well.
        let (mut columns, mut rows) = *fitting.as_ref().unwrap_or(&(1, 1));
        problems.extend(misplaced.or(fitting.err()));
        for name in names {
            if !self.claim_member(Sort::Member(at.kind), name, problems) {
                continue;
            }
            let more = self.max_owners(at.kind) * usize::from(columns) * usize::from(rows);
            if fits && self.cells_in_game() + more > MOST_CELLS_IN_GAME {
                let message = format!("the boards of the game have more than {MOST_CELLS_IN_GAME} cells together");
                let problem = Problem::error(codes::BOARD_UNFIT, message).with_label(name.span, format!("{more} more cells"));
                problems.push(problem.help("a board of sides or entrants counts once for each side or entrant"));
                (fits, columns, rows) = (false, 1, 1);
            }
            let zones = &mut self.kinds[usize::from(at.kind)].zones;
            let info = BoardInfo { name: name.text.clone(), kind: at.kind, first: zones.len() as u16, columns, rows };
            let board = Some(self.boards.len() as u16);
            zones.extend((0..info.cell_count()).map(|place| ZoneInfo { name: info.cell_name(place), board, ..cell.clone() }));
            self.index.add_id(Sort::Board(at.kind), &info.name, self.boards.len());
            self.boards.push(info);
            self.board_places.push((name.span, fits));
        }
    }

    /// The error for a board of a piece or of a sheet's files. The table, sides and entrants can have boards.
    fn misplaced_board_problem(&self, at: &BoardAt) -> Option<Problem> {
        let wrong = |message: &str, remark: &str| Problem::error(codes::BOARD_UNFIT, message).with_label(at.span, remark);
        let kind = &self.kinds[usize::from(at.kind)];
        if kind.sort == KindSort::Piece {
            let problem = wrong("a piece cannot have a board", "of a piece");
            return Some(problem.help("give boards to the table, to sides or to entrants"));
        }
        if at.of_sheet {
            let help = format!("declare it beside the sheet: `each {} has {{ zone … }}`", kind.name);
            return Some(wrong("the files of a sheet cannot list a board", "in a sheet").help(help));
        }
        at.optional.then(|| wrong("files never list boards, so this cannot be optional", "`= none`").help("leave out `= none`"))
    }

    /// Maximum number of things of a kind at the same time.
    fn max_owners(&self, kind: KindId) -> usize {
        let most = |number: i64| usize::try_from(number).unwrap_or(0).max(1);
        let sides = self.sides.map_or(2, |sides| most(sides.most));
        let entrants = self.sides.and_then(|sides| sides.entrants.as_ref()).map_or(1, |(_, entrants, _)| most(*entrants));
        match self.kinds[usize::from(kind)].sort {
            KindSort::Side => sides,
            KindSort::Entrant => sides.saturating_mul(entrants),
            KindSort::Table | KindSort::Piece => 1,
        }
    }

    /// The number of cells of all boards in a match, with as many sides and entrants as there can be.
    fn cells_in_game(&self) -> usize {
        self.boards.iter().map(|board| self.max_owners(board.kind).saturating_mul(board.cell_count())).sum()
    }

    /// Checks that members of pieces on boards do not have the names of cell members.
    pub(super) fn check_boards(&self, problems: &mut Vec<Problem>) {
        for (board, (place, _)) in self.boards.iter().zip(&self.board_places) {
            let holds = self.board_piece_kind(board);
            let kind = &self.kinds[usize::from(holds)];
            let names = CELL_MEMBERS.iter().map(|(name, _)| *name).chain([kind.name.as_str(), kind.plural.as_str()]);
            for name in names.filter(|name| self.has_member(holds, name)) {
                let message = format!("{} has `{name}`, and so has every cell of a board", with_article(&kind.name));
                let first = self.place(Sort::Member(holds), name);
                let problem = Problem::error(codes::DECLARED_TWICE, message).with_label(first.unwrap_or(*place), "of the piece");
                let problem = match first {
                    Some(_) => problem.with_label(*place, format!("these {} are in its cells", kind.plural)),
                    None => problem,
                };
                problems.push(problem.help("give it another name, or leave it out: `piece.place` is the cell of a piece"));
            }
        }
    }

    /// Whether pieces of a kind have a field, zone or column of this name.
    fn has_member(&self, kind: KindId, name: &str) -> bool {
        let printed = self.sheet_of(kind).is_some_and(|sheet| self.column_names(sheet).any(|column| column == name));
        printed || self.find_field(kind, name).is_some() || self.find_zone(kind, name).is_some()
    }

    /// The kind of the pieces on a board.
    pub fn board_piece_kind(&self, board: &BoardInfo) -> KindId {
        self.kinds[usize::from(board.kind)].zones[usize::from(board.first)].holds
    }

    /// The board of a kind with this name.
    pub fn find_board(&self, kind: KindId, name: &str) -> Option<u16> {
        self.id(Sort::Board(kind), name)
    }

    /// Whether a board is valid as written, so that its size can be used in messages.
    pub fn is_valid_board(&self, board: u16) -> bool {
        self.board_places.get(usize::from(board)).is_some_and(|(_, fits)| *fits)
    }

    /// Whether pieces of a kind may be on a board.
    pub fn can_be_on_boards(&self, kind: KindId) -> bool {
        self.boards.iter().any(|board| self.board_piece_kind(board) == kind)
    }
}

/// The columns and rows of a board. Fails if it is empty or too large.
fn board_size(size: &BoardSize) -> Result<(u16, u16), Problem> {
    let cells = size.columns.checked_mul(size.rows).and_then(|cells| usize::try_from(cells).ok());
    let fits = cells.is_some_and(|cells| (1..=MOST_BOARD_CELLS).contains(&cells));
    let sizes = u16::try_from(size.columns).ok().zip(u16::try_from(size.rows).ok());
    if let Some(sizes) = sizes.filter(|_| fits) {
        return Ok(sizes);
    }
    let words = match cells {
        Some(0) => "a board has at least one cell".to_string(),
        Some(cells) => format!("a board has at most {MOST_BOARD_CELLS} cells, and this one would have {cells}"),
        None => format!("a board has at most {MOST_BOARD_CELLS} cells"),
    };
    let problem = Problem::error(codes::BOARD_UNFIT, words).with_label(size.span, "here");
    Err(problem.help("write how many columns and rows there are: `grid 8 by 8 of …`"))
}
