//! Command-line arguments that several verbs share.

use ludex_engine::codes;
use ludex_engine::library::CompileRequest;
use ludex_engine::problem::{Problem, nearest_word};
use ludex_engine::program::Program;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// How a game is shown on a terminal.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct DisplayArgs {
    /// Print plain lines, for screen readers and pipes. By default the game uses the
    /// whole terminal, if it has at least 80 columns and 24 lines
    #[arg(long)]
    pub plain: bool,
}

/// The flags that several verbs take: each those that mean something to it, see `cli/flags.rs`.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct CommonArgs {
    /// A folder, or a file made by `ludex pack`, with games, characters or scripts of
    /// your own (repeatable)
    #[arg(long = "library", value_name = "DIR|ZIP")]
    pub libraries: Vec<PathBuf>,
    /// Leave out the games, characters and scripts in the current folder
    #[arg(long)]
    pub no_local: bool,
    /// The mode of the game
    #[arg(long, value_name = "MODE")]
    pub mode: Option<String>,
    /// A value for an option of the game (repeatable)
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    pub options: Vec<(String, String)>,
    /// Who plays: SIDE=CHARACTER[,CHARACTER…][:PLAYER], where PLAYER is human,
    /// random, greedy, auto, policy=NAME or exec=PROGRAM (repeatable)
    #[arg(long = "seat", value_name = "SEAT")]
    #[allow(rustdoc::broken_intra_doc_links, reason = "it is written for those who read the help of the command")]
    pub seats: Vec<SeatSpec>,
    /// Who plays the referee, in games that have one: a player as in --seat,
    /// auto by default
    #[arg(long, value_name = "PLAYER")]
    pub referee: Option<PlayerSpec>,
    /// The format of results
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Print everything at once, without a pager
    #[arg(long)]
    pub no_pager: bool,
}

/// What the players of sides are called.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct PlayerNames {
    /// The name of a side's player: SIDE=NAME (repeatable)
    #[arg(long = "name", value_name = "SIDE=NAME")]
    names: Vec<NameSpec>,
}

/// A side and the name of its player: `0=Ada`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NameSpec {
    side: usize,
    name: String,
}

/// Maximum number of characters in a player's name.
const MOST_OF_NAME: usize = 40;

/// The default name of a side's player. `Player 1` plays side 0, since people count from 1.
pub fn player_name(side: usize) -> String {
    format!("Player {}", side + 1)
}

impl PlayerNames {
    /// Names the sides of a table, given the entrants that each side brought.
    ///
    /// A side keeps the name it was given. Otherwise it gets [`player_name`], unless the rules or its entrants name it. A name
    /// that the rules or entrants supply is left empty; the list is empty if all names are.
    pub fn names_at_table(&self, program: &Program, sides: &[Vec<String>]) -> Result<Vec<String>, Problem> {
        let mut names = self.names_by_side(sides.len())?;
        let own = &program.sides.names;
        for (side, brought) in sides.iter().enumerate().filter(|(side, _)| own.get(*side).is_none()) {
            let usual = player_name(side);
            if brought.is_empty() && !names.contains(&usual) {
                names.resize(sides.len(), String::new());
                let name = &mut names[side];
                if name.is_empty() {
                    *name = usual;
                }
            }
        }
        Ok(names)
    }

    /// The names in the order of the sides, empty for a side without one. The list is empty if no side has a name.
    pub fn names_by_side(&self, sides: usize) -> Result<Vec<String>, Problem> {
        let mut names = vec![String::new(); if self.names.is_empty() { 0 } else { sides }];
        for NameSpec { side, name } in &self.names {
            let wrong = |message: String, help: &str| Problem::error(codes::SEATS, message).help(help);
            if names.contains(name) {
                return Err(wrong(format!("two sides are called `{name}`"), "give each side another name"));
            }
            match names.get_mut(*side) {
                None => {
                    let message = format!("`{name}` is the name of side {side}, but there are {sides} sides");
                    return Err(wrong(message, "sides are numbered from 0"));
                }
                Some(place) if !place.is_empty() => {
                    return Err(wrong(format!("side {side} has two names, `{place}` and `{name}`"), "give it one"));
                }
                Some(place) => place.clone_from(name),
            }
        }
        Ok(names)
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Adds the name of a side that has none yet.
    pub fn add_name(&mut self, side: usize, name: String) {
        self.names.push(NameSpec { side, name });
    }

    /// Returns why a side cannot have this name beside the others, if it cannot.
    pub fn name_problem(&self, name: &str, others: &[&str]) -> Option<String> {
        match self.names.iter().any(|named| named.name == *name) || others.contains(&name) {
            true => Some(format!("two sides are called `{name}`")),
            false => (!is_name(name)).then(name_rule_text),
        }
    }
}

/// Whether a text may be the name of a player.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().count() <= MOST_OF_NAME && !name.chars().any(char::is_control)
}

fn name_rule_text() -> String {
    format!("a name has 1 to {MOST_OF_NAME} characters on one line")
}

impl FromStr for NameSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<NameSpec, String> {
        let (side, name) = text.split_once('=').ok_or("write it as `0=Ada`")?;
        let side = side.trim().parse().map_err(|_| format!("`{side}` is not the number of a side; sides are numbered from 0"))?;
        let name = name.trim();
        if !is_name(name) {
            return Err(name_rule_text());
        }
        Ok(NameSpec { side, name: name.to_string() })
    }
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people
    #[default]
    #[value(alias = "pretty")]
    Text,
    /// One object, for programs
    Json,
    /// A table for spreadsheets
    Csv,
    /// One line per problem
    Concise,
    /// GitHub workflow commands, one per problem
    Github,
    /// A log of problems in SARIF 2.1.0
    Sarif,
}

impl CommonArgs {
    pub fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    pub fn is_csv(&self) -> bool {
        self.format == Format::Csv
    }

    /// Whether results are for programs, in any form.
    pub fn for_programs(&self) -> bool {
        self.format != Format::Text
    }

    /// Whether results are in a form that only `check` has.
    pub fn is_check_format(&self) -> bool {
        matches!(self.format, Format::Concise | Format::Github | Format::Sarif)
    }

    /// The requested mode and options. If an option is given twice, the last value counts.
    pub fn requested_settings(&self) -> CompileRequest {
        CompileRequest { mode: self.mode.clone(), options: self.options.iter().cloned().collect(), open: false }
    }

    /// Returns a side that more than one `--seat` names, if there is one.
    pub fn side_named_twice(&self) -> Option<usize> {
        let sides = self.seats.iter().map(|seat| seat.side);
        let mut named = sides.clone().enumerate();
        named.find(|(place, side)| sides.clone().take(*place).any(|before| before == *side)).map(|(_, side)| side)
    }
}

/// Parses `name=value` into a name and its value.
pub fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_string(), value.trim().to_string())),
        _ => Err("write it as `name=value`".to_string()),
    }
}

/// The entrants of a side and the player that answers for it: `0=sailor-mercury,sailor-mars:greedy`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct SeatSpec {
    pub side: usize,
    /// Empty if left open (`1=:greedy`).
    pub entrants: Vec<String>,
    /// `None`: the verb decides.
    pub player: Option<PlayerSpec>,
}

#[derive(Default, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum PlayerSpec {
    Human,
    Random,
    Greedy,
    /// Takes the usual choice: passes whenever it may.
    #[default]
    Auto,
    Policy(String),
    Exec(String),
}

impl FromStr for SeatSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<SeatSpec, String> {
        let wrong = || "write it as `0=character:player`, for instance `1=:greedy`".to_string();
        let (side, rest) = text.split_once('=').ok_or_else(wrong)?;
        let side = side.trim().parse().map_err(|_| format!("`{side}` is not the number of a side; sides are numbered from 0"))?;
        let (entrants, player) = match rest.split_once(':') {
            Some((entrants, player)) => (entrants, Some(player.parse()?)),
            None => (rest, None),
        };
        let entrants: Vec<String> = entrants.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_string).collect();
        if entrants.is_empty() && player.is_none() {
            return Err(wrong());
        }
        Ok(SeatSpec { side, entrants, player })
    }
}

impl FromStr for PlayerSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayerSpec, String> {
        const PLAYERS: [&str; 6] = ["human", "random", "greedy", "auto", "policy=NAME", "exec=PROGRAM"];
        match text.split_once('=') {
            Some(("policy", name)) if !name.is_empty() => return Ok(PlayerSpec::Policy(name.to_string())),
            Some(("exec", program)) if !program.is_empty() => return Ok(PlayerSpec::Exec(program.to_string())),
            _ => {}
        }
        match text {
            "human" => Ok(PlayerSpec::Human),
            "random" => Ok(PlayerSpec::Random),
            "greedy" => Ok(PlayerSpec::Greedy),
            "auto" => Ok(PlayerSpec::Auto),
            _ => Err(match nearest_word(text, PLAYERS) {
                Some(near) => format!("there is no player `{text}`; did you mean `{near}`?"),
                None => format!("there is no player `{text}`; players are {}", PLAYERS.join(", ")),
            }),
        }
    }
}

/// Written in command-line form.
impl fmt::Display for SeatSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.side, self.entrants.join(","))?;
        self.player.as_ref().map_or(Ok(()), |player| write!(f, ":{player}"))
    }
}

/// A player as anyone may see it. The command line of a program stays private to its owner.
pub fn public_player(player: &str) -> &str {
    if player.starts_with("exec=") { "a program" } else { player }
}

/// Written in command-line form.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Human => f.write_str("human"),
            PlayerSpec::Random => f.write_str("random"),
            PlayerSpec::Greedy => f.write_str("greedy"),
            PlayerSpec::Auto => f.write_str("auto"),
            PlayerSpec::Policy(name) => write!(f, "policy={name}"),
            PlayerSpec::Exec(program) => write!(f, "exec={program}"),
        }
    }
}

impl From<SeatSpec> for String {
    fn from(seat: SeatSpec) -> String {
        seat.to_string()
    }
}

impl From<PlayerSpec> for String {
    fn from(player: PlayerSpec) -> String {
        player.to_string()
    }
}

impl TryFrom<String> for SeatSpec {
    type Error = String;

    fn try_from(text: String) -> Result<SeatSpec, String> {
        text.parse()
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = String;

    fn try_from(text: String) -> Result<PlayerSpec, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(text: &str) -> Result<(usize, Vec<String>, Option<PlayerSpec>), String> {
        text.parse::<SeatSpec>().map(|seat| (seat.side, seat.entrants, seat.player))
    }

    #[test]
    fn seats_name_side_entrants_and_player() {
        assert_eq!(seat("0=otter"), Ok((0, vec!["otter".to_string()], None)));
        assert_eq!(seat("1=otter,newt:greedy"), Ok((1, vec!["otter".to_string(), "newt".to_string()], Some(PlayerSpec::Greedy))));
        assert_eq!(seat("1=:exec=bot:a"), Ok((1, Vec::new(), Some(PlayerSpec::Exec("bot:a".to_string())))));
        assert_eq!(seat("0=:policy=careful"), Ok((0, Vec::new(), Some(PlayerSpec::Policy("careful".to_string())))));
    }

    #[test]
    fn seats_are_written_as_they_are_read() {
        for text in
            ["0=otter", "1=otter,newt:greedy", "1=:exec=bot:a", "0=:policy=careful", "2=:human", "0=:auto", "1=newt:random"]
        {
            assert_eq!(text.parse::<SeatSpec>().map(|seat| seat.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn other_words_are_refused_with_advice() {
        for wrong in ["otter", "x=otter", "0=", "0=otter:gredy", "-1=otter"] {
            assert!(seat(wrong).is_err(), "{wrong}");
        }
        assert_eq!(seat("0=:gredy").err().as_deref(), Some("there is no player `gredy`; did you mean `greedy`?"));
    }
}
