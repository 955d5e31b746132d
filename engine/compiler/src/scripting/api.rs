//! The functions that scripts may call, in one table for the compiler, `explain` and the documentation.
//!
//! A row of the table is one function with one list of parameters. The compiler checks calls by the rows, and
//! `scripting/compile/effects.rs` states for each name which instructions it becomes.

/// The type of a parameter or of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A side.
    Side,
    /// A side, the table, an entrant or a piece.
    Thing,
    /// A thing, a list of things, or a zone.
    Things,
    /// A die, a list of dice, or a zone of dice.
    Dice,
    /// A list or zone. As a result, a list.
    List,
    /// A zone.
    Zone,
    /// A whole number.
    Number,
    /// True or false.
    Flag,
    /// A text.
    Text,
    /// The name of a mark.
    Mark,
    /// The name of a declared sheet.
    Sheet,
    /// The name of a scope: `turn`.
    Scope,
    /// An answer of the open hook.
    Answer,
    /// The name of a field or counter.
    Field,
    /// The name of an option of the game.
    Option,
    /// The name of a family whose only parameter, if any, is the side that chooses.
    Family,
    /// A name for an event, which the script's author chooses.
    Event,
    /// A move.
    Move,
    /// A length of time, such as `end_of_this("turn")`.
    Duration,
    /// The type of the field, or of the list's members.
    Any,
    /// A member of the given list.
    Member,
    /// A member of the given list, or nothing.
    MemberOrNone,
    /// A move of the given family, or nothing.
    MoveOrNone,
    /// A list of members of the given list.
    Members,
    /// No value.
    Nothing,
}

impl Kind {
    /// The type in the reader's words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Kind::Side => "a side",
            Kind::Thing => "a thing",
            Kind::Things => "a thing, a list of things or a zone",
            Kind::Dice => "a die, a list of dice or a zone of dice",
            Kind::List => "a list or zone",
            Kind::Zone => "a zone",
            Kind::Number => "a number",
            Kind::Flag => "true or false",
            Kind::Text => "a text",
            Kind::Mark => "the name of a mark",
            Kind::Sheet => "the name of a sheet",
            Kind::Scope => "the name of a scope",
            Kind::Answer => "an answer of the hook",
            Kind::Field => "the name of a field or counter",
            Kind::Option => "the name of an option",
            Kind::Family => "the name of a family of moves",
            Kind::Event => "a name for the event, such as \"extra_turn\"",
            Kind::Move => "a move",
            Kind::Duration => "a length of time",
            Kind::Any => "any value",
            Kind::Member => "the member chosen",
            Kind::MemberOrNone => "the member chosen, or nothing",
            Kind::MoveOrNone => "the move chosen, or nothing",
            Kind::Members => "a list of the members chosen",
            Kind::Nothing => "nothing",
        }
    }
}

/// A function of the table.
pub struct Row {
    /// Its name in scripts. Functions with the same name differ in their parameters.
    pub name: &'static str,
    /// The name and type of each parameter.
    pub params: &'static [(&'static str, Kind)],
    /// The type of its result.
    pub(crate) gives: Kind,
    /// Its description for authors of scripts, in one or two sentences.
    pub doc: &'static str,
}

impl Row {
    /// Its form in a script: `choose(side, prompt, things)`.
    pub(crate) fn written(&self) -> String {
        let params: Vec<&str> = self.params.iter().map(|(name, _)| *name).collect();
        format!("{}({})", self.name, params.join(", "))
    }

    /// Whether it changes or asks something, rather than only reading.
    pub(crate) fn acts(&self) -> bool {
        self.gives == Kind::Nothing || self.params.first().is_some_and(|(_, kind)| *kind == Kind::Side)
    }

    /// Its result, as described in the documentation.
    fn given(&self) -> &'static str {
        match (self.gives, self.name) {
            (Kind::List, _) => "a list",
            (Kind::Any, _) => "a number or text",
            (gives, _) => gives.words(),
        }
    }
}

/// The text of `ludex explain NAME` for a function, if there is one.
pub fn explain(name: &str) -> Option<String> {
    let name = name.trim().trim_end_matches("()");
    let rows: Vec<String> = ROWS.iter().filter(|row| row.name == name).map(explained).collect();
    (!rows.is_empty()).then(|| rows.join("\n"))
}

/// The text for one row.
fn explained(row: &Row) -> String {
    let mut text = format!("{}\n\n  {}\n\n", row.written(), row.doc);
    for (name, kind) in row.params {
        text.push_str(&format!("  {name}: {}\n", kind.words()));
    }
    text.push_str(&format!("  gives {}\n", row.given()));
    text
}

/// The names of all functions, without duplicates.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    names.dedup();
    names
}

/// The function table of `scripts/README.md`.
#[cfg(test)]
pub(crate) fn table() -> String {
    let mut text = "| function | gives | what it does |\n|---|---|---|\n".to_string();
    for row in ROWS {
        text.push_str(&format!("| `{}` | {} | {} |\n", row.written(), row.given(), row.doc.replace('|', "\\|")));
    }
    text
}

/// The parameters of all functions, each with its type.
#[cfg(test)]
pub(crate) fn parameters() -> String {
    let mut found: Vec<(&str, &str)> = Vec::new();
    for (name, kind) in ROWS.iter().flat_map(|row| row.params) {
        if !found.contains(&(name, kind.words())) {
            found.push((name, kind.words()));
        }
    }
    found.sort_unstable();
    let mut text = "| parameter | what it takes |\n|---|---|\n".to_string();
    for (name, words) in found {
        text.push_str(&format!("| `{name}` | {words} |\n"));
    }
    text
}

/// All functions, in documentation order.
pub static ROWS: &[Row] = &[
    Row {
        name: "choose",
        params: &[("side", Kind::Side), ("prompt", Kind::Text), ("things", Kind::List)],
        gives: Kind::Member,
        doc: "Asks a side to choose one member of a list or zone. A single member is chosen unasked; an empty list is a fault.",
    },
    Row {
        name: "may_choose",
        params: &[("side", Kind::Side), ("prompt", Kind::Text), ("things", Kind::List), ("pass", Kind::Text)],
        gives: Kind::MemberOrNone,
        doc: "Asks a side to choose one member of a list or zone, or none; `pass` is the text of the option to choose none.",
    },
    Row {
        name: "choose_some",
        params: &[
            ("side", Kind::Side),
            ("prompt", Kind::Text),
            ("things", Kind::List),
            ("least", Kind::Number),
            ("most", Kind::Number),
        ],
        gives: Kind::Members,
        doc: "Asks a side to choose from `least` to `most` members of a list or zone; gives them in their order there.",
    },
    Row {
        name: "choose_number",
        params: &[("side", Kind::Side), ("prompt", Kind::Text), ("least", Kind::Number), ("most", Kind::Number)],
        gives: Kind::Number,
        doc: "Asks a side for a number from `least` to `most`.",
    },
    Row {
        name: "may",
        params: &[("side", Kind::Side), ("question", Kind::Text)],
        gives: Kind::Flag,
        doc: "Asks a side yes or no.",
    },
    Row {
        name: "may_choose_move",
        params: &[("side", Kind::Side), ("prompt", Kind::Text), ("family", Kind::Family), ("pass", Kind::Text)],
        gives: Kind::MoveOrNone,
        doc: "Asks a side to choose a move of a family, or none. `do_move` makes it.",
    },
    Row {
        name: "do_move",
        params: &[("move", Kind::Move)],
        gives: Kind::Nothing,
        doc: "Makes a move: what the rules say it does.",
    },
    Row {
        name: "roll",
        params: &[("dice", Kind::Dice)],
        gives: Kind::Nothing,
        doc: "Rolls a die, a list of dice, or all dice of a zone.",
    },
    Row {
        name: "roll",
        params: &[("dice", Kind::Dice), ("reason", Kind::Text)],
        gives: Kind::Nothing,
        doc: "Rolls dice; players who roll real dice read the reason.",
    },
    Row {
        name: "move_to",
        params: &[("things", Kind::Things), ("zone", Kind::Zone)],
        gives: Kind::Nothing,
        doc: "Moves pieces to the end of a zone.",
    },
    Row {
        name: "move_to",
        params: &[("things", Kind::Things), ("zone", Kind::Zone), ("event", Kind::Event), ("sentence", Kind::Text)],
        gives: Kind::Nothing,
        doc: "The same; the event has this name, and players read this sentence.",
    },
    Row {
        name: "move_to_bottom",
        params: &[("things", Kind::Things), ("zone", Kind::Zone)],
        gives: Kind::Nothing,
        doc: "Moves pieces to the beginning of a zone: under a pile.",
    },
    Row { name: "shuffle", params: &[("zone", Kind::Zone)], gives: Kind::Nothing, doc: "Shuffles the pieces of a zone." },
    Row {
        name: "show",
        params: &[("things", Kind::Things), ("side", Kind::Side)],
        gives: Kind::Nothing,
        doc: "Lets a side see pieces.",
    },
    Row {
        name: "set",
        params: &[("thing", Kind::Thing), ("field", Kind::Field), ("value", Kind::Any)],
        gives: Kind::Nothing,
        doc: "Sets a field or counter of a thing, within its range.",
    },
    Row {
        name: "set",
        params: &[
            ("thing", Kind::Thing),
            ("field", Kind::Field),
            ("value", Kind::Any),
            ("event", Kind::Event),
            ("sentence", Kind::Text),
        ],
        gives: Kind::Nothing,
        doc: "The same; the event has this name, and players read this sentence.",
    },
    Row {
        name: "add",
        params: &[("thing", Kind::Thing), ("field", Kind::Field), ("number", Kind::Number)],
        gives: Kind::Nothing,
        doc: "Adds a number, which may be negative, to a field or counter of a thing.",
    },
    Row {
        name: "add",
        params: &[
            ("thing", Kind::Thing),
            ("field", Kind::Field),
            ("number", Kind::Number),
            ("event", Kind::Event),
            ("sentence", Kind::Text),
        ],
        gives: Kind::Nothing,
        doc: "The same; the event has this name, and players read this sentence.",
    },
    Row {
        name: "mark",
        params: &[("things", Kind::Things), ("mark", Kind::Mark)],
        gives: Kind::Nothing,
        doc: "Puts a mark on things, until it is taken off.",
    },
    Row {
        name: "mark",
        params: &[("things", Kind::Things), ("mark", Kind::Mark), ("until", Kind::Duration)],
        gives: Kind::Nothing,
        doc: "Puts a mark on things for a length of time.",
    },
    Row {
        name: "unmark",
        params: &[("things", Kind::Things), ("mark", Kind::Mark)],
        gives: Kind::Nothing,
        doc: "Takes a mark off things.",
    },
    Row {
        name: "has_mark",
        params: &[("thing", Kind::Thing), ("mark", Kind::Mark)],
        gives: Kind::Flag,
        doc: "Whether a thing has a mark.",
    },
    Row {
        name: "is_a",
        params: &[("thing", Kind::Thing), ("sheet", Kind::Sheet)],
        gives: Kind::Flag,
        doc: "Whether a card or an entrant is of a sheet, or of one that builds on it.",
    },
    Row {
        name: "end_of_this",
        params: &[("scope", Kind::Scope)],
        gives: Kind::Duration,
        doc: "Until the scope that is running now ends: `end_of_this(\"turn\")`.",
    },
    Row {
        name: "end_of_next",
        params: &[("scope", Kind::Scope)],
        gives: Kind::Duration,
        doc: "Until the next run of the scope ends, for any side.",
    },
    Row {
        name: "end_of_next",
        params: &[("scope", Kind::Scope), ("side", Kind::Side)],
        gives: Kind::Duration,
        doc: "Until the next run of the scope that is this side's ends.",
    },
    Row {
        name: "answer",
        params: &[("word", Kind::Answer)],
        gives: Kind::Nothing,
        doc: "Gives one of the answers that the open hook declares; the rules say what it means.",
    },
    Row { name: "say", params: &[("text", Kind::Text)], gives: Kind::Nothing, doc: "Announces a text to everybody." },
    Row {
        name: "debug",
        params: &[("value", Kind::Any)],
        gives: Kind::Nothing,
        doc: "`ludex test` prints the value, with its place in the script. It is not shown in play.",
    },
    Row { name: "len", params: &[("things", Kind::List)], gives: Kind::Number, doc: "How many members a list or zone has." },
    Row {
        name: "contains",
        params: &[("things", Kind::List), ("member", Kind::Any)],
        gives: Kind::Flag,
        doc: "Whether something is in a list or zone.",
    },
    Row {
        name: "pieces",
        params: &[("zone", Kind::Zone)],
        gives: Kind::List,
        doc: "The pieces of a zone as a list, in order: for `for piece in pieces(me.hand) { … }`.",
    },
    Row {
        name: "top",
        params: &[("number", Kind::Number), ("zone", Kind::Zone)],
        gives: Kind::List,
        doc: "A number of pieces from the top of a zone, the topmost first; all if there are fewer.",
    },
    Row {
        name: "sorts",
        params: &[("things", Kind::List)],
        gives: Kind::List,
        doc: "A list without members that equal an earlier one: of three equal cards, one.",
    },
    Row { name: "sides", params: &[], gives: Kind::List, doc: "All sides that are in the game." },
    Row {
        name: "option",
        params: &[("name", Kind::Option)],
        gives: Kind::Any,
        doc: "The value of an option of the game: a number, or a word as text.",
    },
    Row {
        name: "text_of",
        params: &[("thing", Kind::Thing)],
        gives: Kind::Text,
        doc: "A thing in words that everybody may hear: `d8:5`. A piece that not all can see is called by its kind, as `a card`.",
    },
];
