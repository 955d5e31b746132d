//! Parses a recording as far as it is intact. Everything from the first damage on is left out with a note.
//!
//! Each line is an object with a checksum ([`Chain`]), except in the first format. A line is *torn* if it is the last one and
//! lacks its line end, as after a crash. The command reads recordings entry by entry with a [`Reader`].

use super::ending::Ending;
use super::{Chain, Entry, FIRST_FORMAT, FORMAT, Header, Recording, TakeBack};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::{SourceId, Span};
use serde_json::{Map, Value};

/// Maximum size of a recording, in bytes.
pub const MOST_BYTES: usize = 64 << 20;
/// Maximum length of a line, in bytes. Only a first line with a position comes near it.
pub const LONGEST_LINE: usize = 4 << 20;
/// Maximum length of a line after the first. Its content takes up to thirty times as much memory.
const LONGEST_ENTRY: usize = 1 << 20;

type Object = Map<String, Value>;

/// The result of parsing a file.
#[derive(Clone, Debug)]
pub struct ParsedRecording {
    /// The intact part.
    pub recording: Recording,
    /// A note about what was left out; empty if nothing was.
    pub notes: Vec<Problem>,
    /// The chain for further lines. `None` unless the file is whole and of the current format.
    pub chain: Option<Chain>,
}

/// The result of reading a file entry by entry.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The first line.
    pub header: Header,
    /// Number of intact entries.
    pub entries: usize,
    /// The end of play; `None` while it goes on, or if the end is damaged.
    pub ending: Option<Ending>,
    /// See [`ParsedRecording::notes`].
    pub notes: Vec<Problem>,
    /// See [`ParsedRecording::chain`].
    pub chain: Option<Chain>,
}

impl Recording {
    /// Parses a recording up to its end or to the first damaged line.
    pub fn parse(source: SourceId, bytes: &[u8]) -> Result<ParsedRecording, Problem> {
        check_length(source, bytes.len() as u64)?;
        let mut reader = Reader::new(source, bytes.split_inclusive(|byte| *byte == b'\n'))?;
        let entries = reader.by_ref().collect();
        let Contents { header, ending, notes, chain, .. } = reader.read_rest();
        Ok(ParsedRecording { recording: Recording { header, entries, ending }, notes, chain })
    }
}

/// Refuses a file that is too long.
pub fn check_length(source: SourceId, bytes: u64) -> Result<(), Problem> {
    if bytes > MOST_BYTES as u64 { Err(too_long_problem(source)) } else { Ok(()) }
}

/// Reads a recording line by line and iterates over its entries, up to its end or to the first damaged line. It holds only one
/// line at a time.
pub struct Reader<L> {
    lines: Lines<L>,
    header: Header,
    chain: Chain,
    /// For each entry so far, whether it is an answer.
    answers: Vec<bool>,
    ending: Option<Ending>,
    /// Whether the last line read has its line end.
    is_whole: bool,
    /// The note about the first damage; reading ends there.
    note: Option<Problem>,
}

impl<L: Iterator<Item: AsRef<[u8]>>> Reader<L> {
    /// Reads the first line. Lines include their line ends; the last one may lack it.
    pub fn new(source: SourceId, lines: L) -> Result<Reader<L>, Problem> {
        let mut lines = Lines { source, lines, start: 0, number: 0 };
        let Some((place, bytes)) = lines.next() else {
            return Err(not_recording_problem(Span::new(source, 0, 0), "the file is empty".to_string()));
        };
        let first = place.make_line(&bytes);
        let mut chain = Chain::default();
        let header = parse_header(&first, &mut chain)?;
        Ok(Reader { header, chain, answers: Vec::new(), ending: None, is_whole: !place.torn, note: None, lines })
    }

    /// Reads the rest and returns everything known about the file.
    pub fn read_rest(mut self) -> Contents {
        while self.next().is_some() {}
        let can_go_on = self.is_sealed() && self.is_whole && self.note.is_none();
        Contents {
            header: self.header,
            entries: self.answers.len(),
            ending: self.ending,
            notes: self.note.into_iter().collect(),
            chain: can_go_on.then_some(self.chain),
        }
    }

    /// Whether the lines have checksums.
    fn is_sealed(&self) -> bool {
        self.header.format != FIRST_FORMAT
    }

    /// Parses the entry in a line; `None` for the last line, which holds the ending.
    fn parse_line(&mut self, line: &Line) -> Result<Option<Entry>, Problem> {
        if self.is_sealed() {
            line.verify_checksum(&mut self.chain)?;
        }
        if self.ending.is_some() {
            return Err(line.line_problem("no line may follow the outcome").help("remove this line and those after it"));
        }
        let object = line.parse_object()?;
        if object.contains_key("outcome") {
            self.ending = Some(parse_ending(line, object)?);
            return Ok(None);
        }
        let entry = parse_entry(line, &object)?;
        self.check_fits(line, &entry)?;
        self.answers.push(matches!(entry, Entry::Answer { .. }));
        Ok(Some(entry))
    }

    /// Refuses an entry that does not fit the lines before it. A take-back names an entry, counted from 1.
    fn check_fits(&self, line: &Line, entry: &Entry) -> Result<(), Problem> {
        let seats = self.header.seats.len();
        let seat = entry.acting_seat();
        if seat.is_some_and(|seat| seat >= seats) {
            return Err(line.line_problem(format!("there is no seat {}", seat.unwrap_or_default())));
        }
        if let Entry::TakenBack { undo } = entry {
            let is_answer = undo.to.checked_sub(1).and_then(|index| self.answers.get(index));
            if is_answer != Some(&true) {
                return Err(line.line_problem(format!("entry {} is not an answer that can be taken back", undo.to)));
            }
        }
        Ok(())
    }
}

impl<L: Iterator<Item: AsRef<[u8]>>> Iterator for Reader<L> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        while self.note.is_none() {
            let (place, bytes) = self.lines.next()?;
            let line = place.make_line(&bytes);
            match self.parse_line(&line) {
                Ok(entry) => {
                    self.is_whole &= !line.torn;
                    if entry.is_some() {
                        return entry;
                    }
                }
                Err(problem) => self.note = Some(damage_note(&line, &problem, self.lines.by_ref().count())),
            }
        }
        None
    }
}

/// Parses the first line, and begins the chain with its checksum.
fn parse_header(line: &Line, chain: &mut Chain) -> Result<Header, Problem> {
    let not_one = |why: &str| not_recording_problem(line.span(), format!("this is not a recording: {why}"));
    let object = line.parse_object().map_err(|problem| not_one(&problem.message.to_string()))?;
    match object.get("ludex-recording") {
        None => return Err(not_one("its first line has no `ludex-recording`")),
        Some(format) if *format == FORMAT => line.verify_checksum(chain).map_err(|problem| problem.help(NO_HEADER))?,
        Some(format) if *format == FIRST_FORMAT => {}
        Some(format) => return Err(wrong_format_problem(line, format)),
    }
    let header: Header = serde_json::from_value(Value::Object(object))
        .map_err(|error| line.line_problem(format!("the first line of the recording is not complete: {error}")))?;
    let numbered = header.seats.iter().enumerate().all(|(index, seat)| seat.seat == index);
    if !numbered {
        return Err(line.line_problem("the seats are not numbered from 0 in order"));
    }
    Ok(header)
}

const NO_HEADER: &str = "the first line says what was played; look for a copy of the file in which it is intact";

/// The problem of a format that this version cannot read.
fn wrong_format_problem(line: &Line, format: &Value) -> Problem {
    let message = format!("recordings of format {} cannot be read", shorten_text(&format.to_string()));
    let help =
        format!("this version of Ludex reads formats {FIRST_FORMAT} and {FORMAT}; use the version that made the recording");
    Problem::error(codes::RECORDING_FORMAT, message).with_label(line.span(), "the format is given here").help(help)
}

/// Parses the last line.
fn parse_ending(line: &Line, object: Object) -> Result<Ending, Problem> {
    serde_json::from_value(Value::Object(object))
        .map_err(|error| line.line_problem(format!("the outcome is not complete: {error}")))
}

/// Parses a line by the field that names its sort.
fn parse_entry(line: &Line, object: &Object) -> Result<Entry, Problem> {
    if object.contains_key("decision") {
        return parse_answer(line, object);
    }
    if object.contains_key("random") {
        return parse_throw(line, object);
    }
    if let Some(undo) = object.get("undo") {
        return parse_take_back(line, undo);
    }
    if let Some(seat) = object.get("withdraw") {
        return Ok(Entry::Withdrawn { withdraw: parse_index(line, "withdraw", Some(seat))? });
    }
    if let Some(seat) = object.get("resign") {
        return Ok(Entry::Resigned { resign: parse_index(line, "resign", Some(seat))? });
    }
    Err(line
        .line_problem("this line is neither an answer, a throw, a take-back, a withdrawal, a resignation nor the outcome")
        .help("an answer looks like `{\"decision\":3,\"seat\":0,\"key\":\"pass\"}`"))
}

/// Parses the answer to a decision.
fn parse_answer(line: &Line, object: &Object) -> Result<Entry, Problem> {
    let key = object.get("key").and_then(Value::as_str);
    Ok(Entry::Answer {
        decision: parse_whole_number(line, "decision", object.get("decision"))?,
        seat: parse_index(line, "seat", object.get("seat"))?,
        key: key.ok_or_else(|| line.line_problem("`key` must be the key of an option, as text"))?.to_string(),
    })
}

/// Parses results of chance from outside.
fn parse_throw(line: &Line, object: &Object) -> Result<Entry, Problem> {
    let wrong = || line.line_problem("`result` must be a list of whole numbers");
    let result = object.get("result").and_then(Value::as_array).ok_or_else(wrong)?;
    let result = result.iter().map(Value::as_i64).collect::<Option<Vec<i64>>>().ok_or_else(wrong)?;
    Ok(Entry::Thrown { random: parse_whole_number(line, "random", object.get("random"))?, result })
}

/// Parses the content of `undo`.
fn parse_take_back(line: &Line, undo: &Value) -> Result<Entry, Problem> {
    let seed = match undo.get("seed") {
        None | Some(Value::Null) => None,
        Some(seed) => Some(serde_json::from_value(seed.clone()).map_err(|error| line.line_problem(error.to_string()))?),
    };
    let to = parse_index(line, "to", undo.get("to"))?;
    let redeals = match undo.get("redeals") {
        None => false,
        Some(redeals) => redeals.as_bool().ok_or_else(|| line.line_problem("`redeals` must be true or false"))?,
    };
    Ok(Entry::TakenBack { undo: TakeBack { seat: parse_index(line, "seat", undo.get("seat"))?, to, seed, redeals } })
}

/// The number in a field of a line, which must be there.
fn parse_whole_number(line: &Line, name: &str, value: Option<&Value>) -> Result<u64, Problem> {
    value.and_then(Value::as_u64).ok_or_else(|| line.line_problem(format!("`{name}` must be a whole number, 0 or more")))
}

/// A number of a seat or an entry. One that is too large for this machine becomes the greatest, which is refused later.
fn parse_index(line: &Line, name: &str, value: Option<&Value>) -> Result<usize, Problem> {
    parse_whole_number(line, name, value).map(|number| usize::try_from(number).unwrap_or(usize::MAX))
}

/// The error of a line that is not JSON. The position is only a column, because each line is parsed as a text of its own.
fn json_error_text(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let what = words.split(" at line ").next().unwrap_or_default();
    format!("this line is not JSON: {what} at column {}", error.column())
}

/// The note about the first damaged line, with the number of lines `after` it.
fn damage_note(line: &Line, problem: &Problem, after: usize) -> Problem {
    if line.torn {
        return Problem::warning(codes::RECORDING_TORN, "the last line was cut off while it was written, and is left out")
            .with_label(line.span(), format!("line {}", line.number));
    }
    let reason = &problem.message;
    let message = match after {
        0 => format!("the last line is left out: {reason}"),
        1 => format!("line {} and the one after it are left out: {reason}", line.number),
        _ => format!("line {} and the {after} after it are left out: {reason}", line.number),
    };
    let warning = Problem::warning(codes::RECORDING_LINE, message).with_label(line.span(), format!("line {}", line.number));
    warning.help("everything before it is used; if you play on, this file is not changed")
}

/// The problem of a file that is too long.
fn too_long_problem(source: SourceId) -> Problem {
    let message = format!("a recording is at most {} MiB long, and this file is longer", MOST_BYTES >> 20);
    not_recording_problem(Span::new(source, 0, 0), message)
}

/// The problem of a file that is no recording.
fn not_recording_problem(place: Span, message: String) -> Problem {
    Problem::error(codes::RECORDING_FORMAT, message)
        .with_label(place, "the first line")
        .help("`ludex play` writes recordings; their names end in `.ludexrec`")
}

/// The start of an external text, for a message.
fn shorten_text(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// One line of the file, without its line end. `start` is its first byte in the file, and `number` counts from 1.
struct Line<'a> {
    source: SourceId,
    number: usize,
    start: usize,
    bytes: &'a [u8],
    /// It is the last line, and it has no line end.
    torn: bool,
}

impl Line<'_> {
    /// Parses the line as an object, if it is not too long.
    fn parse_object(&self) -> Result<Object, Problem> {
        if self.bytes.len() > if self.number == 1 { LONGEST_LINE } else { LONGEST_ENTRY } {
            return Err(self.line_problem(format!("a line of {} bytes is too long", self.bytes.len())));
        }
        let text = std::str::from_utf8(self.bytes).map_err(|_| self.line_problem("this line is not text"))?;
        match serde_json::from_str(text) {
            Ok(Value::Object(object)) => Ok(object),
            Ok(_) => Err(self.line_problem("this line is not an object in braces")),
            Err(error) => Err(self.line_problem(json_error_text(&error))),
        }
    }

    /// Fails unless the checksum is right.
    fn verify_checksum(&self, chain: &mut Chain) -> Result<(), Problem> {
        match chain.verify_line(self.bytes) {
            true => Ok(()),
            false => Err(self.line_problem("its checksum does not fit, so it or a line before it was changed, lost or moved")),
        }
    }

    /// A problem with this line.
    fn line_problem(&self, message: impl Into<String>) -> Problem {
        Problem::error(codes::RECORDING_LINE, message).with_label(self.span(), format!("line {}", self.number))
    }

    fn span(&self) -> Span {
        Span::new(self.source, self.start, self.start + self.bytes.len())
    }
}

/// An iterator over the lines with their places. Empty lines are counted but skipped.
struct Lines<L> {
    source: SourceId,
    lines: L,
    start: usize,
    number: usize,
}

/// The place of a line in the file.
#[derive(Clone, Copy, Debug)]
struct LinePlace {
    source: SourceId,
    number: usize,
    start: usize,
    torn: bool,
}

impl LinePlace {
    /// The line at this place with its bytes, without its line end.
    fn make_line<'b>(&self, bytes: &'b impl AsRef<[u8]>) -> Line<'b> {
        let LinePlace { source, number, start, torn } = *self;
        Line { source, number, start, bytes: bytes.as_ref().trim_ascii_end(), torn }
    }
}

impl<L: Iterator<Item: AsRef<[u8]>>> Iterator for Lines<L> {
    type Item = (LinePlace, L::Item);

    fn next(&mut self) -> Option<(LinePlace, L::Item)> {
        loop {
            let line = self.lines.next()?;
            let bytes = line.as_ref();
            self.number += 1;
            let torn = bytes.last() != Some(&b'\n');
            let place = LinePlace { source: self.source, number: self.number, start: self.start, torn };
            self.start += bytes.len();
            if !bytes.trim_ascii_end().is_empty() {
                return Some((place, line));
            }
        }
    }
}
