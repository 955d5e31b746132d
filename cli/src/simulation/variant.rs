//! The variants of `sim --compare`: the same request with another option, mode, player or library.

use super::plan::LineUp;
use super::request::{Prepared, Request};
use crate::args::{Common, SeatSpec};
use crate::load::shown;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::path::{Path, PathBuf};

/// A named request.
#[derive(Clone, Debug)]
pub struct Variant {
    name: String,
    /// For the unchanged game: the setting that the others change, if it has a value in it.
    unchanged: Option<Unchanged>,
    pub request: Request,
    /// With the libraries of this variant.
    common: Common,
}

/// A setting with a value before any change.
#[derive(Clone, Debug)]
enum Unchanged {
    Mode,
    Option(String),
}

/// One `--compare`.
enum Compared {
    Mode(Vec<String>),
    Option(String, Vec<String>),
    Seat(SeatSpec),
    Library(PathBuf),
}

/// The variants for the values of `--compare`, starting with the one that the others are compared with.
pub fn variants(request: &Request, common: &Common, values: &[String]) -> Result<Vec<Variant>, Stop> {
    let plain = Variant { name: String::new(), unchanged: None, request: request.clone(), common: common.clone() };
    let compared: Vec<Compared> =
        values.iter().map(|value| Compared::read(value)).collect::<Result<_, _>>().map_err(Stop::usage)?;
    let several = compared.iter().any(|compared| compared.count() > 1);
    if several && compared.len() > 1 {
        let message = "a `--compare` with several values must be the only one";
        let help = "give each `--compare` one value: each is compared with the game as the other flags set it";
        return Err(Stop::usage(Problem::error(codes::COMMAND_LINE, message).help(help)));
    }
    let mut variants: Vec<Variant> = compared.iter().flat_map(|compared| compared.variants(&plain)).collect();
    if let Some(given) = compared.iter().find(|_| several).and_then(|compared| compared.given(request)) {
        let message = format!("`{given}` sets one value, but `--compare` sets several");
        let help = format!("leave out `{given}`, or give `--compare` one value to compare with it");
        return Err(Stop::usage(Problem::error(codes::COMMAND_LINE, message).help(help)));
    }
    if !several {
        variants.insert(0, Variant { name: name_of_plain(&compared, request), unchanged: unchanged(&compared), ..plain });
    }
    Ok(variants)
}

impl Variant {
    pub fn prepare(&self) -> Result<Prepared<'_>, Stop> {
        self.request.prepare(&self.common)
    }
}

impl Compared {
    fn read(value: &str) -> Result<Compared, Problem> {
        let wrong = |message: String, help: &str| Problem::error(codes::COMMAND_LINE, message).help(help);
        if Path::new(value).exists() {
            return Ok(Compared::Library(PathBuf::from(value)));
        }
        let Some((name, values)) = value.split_once('=') else {
            let help = "write `--compare OPTION=3,5`, `mode=basic,full` or `0=:greedy`, or name a folder or a packed library";
            return Err(wrong(format!("there is no library `{value}` to compare with"), help));
        };
        let name = name.trim();
        if name.starts_with(|first: char| first.is_ascii_digit()) {
            let seat: SeatSpec = value.parse().map_err(|why: String| {
                wrong(format!("`--compare {value}`: {why}"), "a number before `=` is a side, as in `--seat`")
            })?;
            return Ok(Compared::Seat(seat));
        }
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_string()).collect();
        if name.is_empty() || values.iter().any(String::is_empty) {
            return Err(wrong(format!("`--compare {value}` lacks a name or a value"), "write `--compare OPTION=3,5`"));
        }
        Ok(match name {
            "mode" => Compared::Mode(values),
            _ => Compared::Option(name.to_string(), values),
        })
    }

    fn count(&self) -> usize {
        match self {
            Compared::Mode(values) | Compared::Option(_, values) => values.len(),
            Compared::Seat(_) | Compared::Library(_) => 1,
        }
    }

    /// Creates a variant for each value.
    fn variants(&self, plain: &Variant) -> Vec<Variant> {
        let with = |name: String, change: &dyn Fn(&mut Variant)| {
            let mut variant = Variant { name, ..plain.clone() };
            change(&mut variant);
            variant
        };
        match self {
            Compared::Mode(modes) => {
                let mode = |mode: &String| with(format!("mode={mode}"), &|variant| variant.request.mode = Some(mode.clone()));
                modes.iter().map(mode).collect()
            }
            Compared::Option(option, values) => {
                let value = |value: &String| {
                    with(format!("{option}={value}"), &|variant| {
                        variant.request.options.insert(option.clone(), value.clone());
                    })
                };
                values.iter().map(value).collect()
            }
            Compared::Seat(seat) => vec![with(seat.to_string(), &|variant| take_seat(&mut variant.request.seats, seat))],
            Compared::Library(path) => {
                vec![with(format!("with {}", shown(path)), &|variant| variant.common.libraries.push(path.clone()))]
            }
        }
    }

    /// The flag of a request that already sets what is compared.
    fn given(&self, request: &Request) -> Option<String> {
        match self {
            Compared::Mode(_) => request.mode.as_ref().map(|mode| format!("--mode {mode}")),
            Compared::Option(name, _) => request.options.get(name).map(|value| format!("--option {name}={value}")),
            Compared::Seat(_) | Compared::Library(_) => None,
        }
    }
}

/// Changes a seat; missing parts stay as they are.
fn take_seat(seats: &mut Vec<SeatSpec>, other: &SeatSpec) {
    let Some(seat) = seats.iter_mut().find(|seat| seat.side == other.side) else {
        seats.push(other.clone());
        return;
    };
    if !other.entrants.is_empty() {
        seat.entrants.clone_from(&other.entrants);
    }
    seat.player = other.player.clone().or(seat.player.take());
}

/// The name of the unchanged game: its own value of the compared setting, or `as it is`.
fn name_of_plain(compared: &[Compared], request: &Request) -> String {
    let given = match compared {
        [Compared::Library(path)] => Some(format!("without {}", shown(path))),
        [Compared::Seat(seat)] => request.seats.iter().find(|given| given.side == seat.side).map(ToString::to_string),
        [one] => one.given(request).and_then(|flag| Some(flag.split_once(' ')?.1.to_string())),
        _ => None,
    };
    given.unwrap_or_else(|| "as it is".to_string())
}

fn unchanged(compared: &[Compared]) -> Option<Unchanged> {
    match compared {
        [Compared::Mode(_)] => Some(Unchanged::Mode),
        [Compared::Option(name, _)] => Some(Unchanged::Option(name.clone())),
        _ => None,
    }
}

/// The names of the variants, once their games are known.
pub fn names(variants: &[Variant], prepared: &[Prepared<'_>]) -> Vec<String> {
    let name = |(variant, prepared): (&Variant, &Prepared<'_>)| {
        let program = &prepared.program;
        let value = match &variant.unchanged {
            None => None,
            Some(Unchanged::Mode) => Some(format!("mode={}", program.mode)),
            Some(Unchanged::Option(name)) => {
                let option = program.options.iter().find(|option| option.name == *name);
                option.map(|option| format!("{name}={}", option.shown(option.value)))
            }
        };
        value.unwrap_or_else(|| variant.name.clone())
    };
    variants.iter().zip(prepared).map(name).collect()
}

/// Refuses variants that allow no conclusion: equal games, and pairs with different entrants.
pub fn comparable(variants: &[Variant], names: &[String], prepared: &[Prepared<'_>]) -> Result<(), Stop> {
    let repeated = names.iter().enumerate().find(|(place, name)| names.iter().take(*place).any(|before| before == *name));
    if let Some((_, name)) = repeated {
        let problem = Problem::error(codes::COMMAND_LINE, format!("`{name}` is compared with itself"));
        return Err(Stop::usage(problem.help("give another value")));
    }
    let Some(first) = prepared.first() else { return Ok(()) };
    for (variant, other) in variants.iter().zip(prepared).skip(1) {
        let library = variant.common.libraries.last().filter(|_| variant.name.starts_with("with "));
        if let Some(library) = library.filter(|_| other.program.hash == first.program.hash) {
            let message = format!("`{}` changes nothing in `{}`", shown(library), first.program.game);
            let help = "`ludex diff LIBRARY` shows what a library changes";
            return Err(Stop::usage(Problem::error(codes::COMMAND_LINE, message).help(help)));
        }
        if let (LineUp::Pairs(one), LineUp::Pairs(other)) = (&first.plan.line_up, &other.plan.line_up)
            && one != other
        {
            let message =
                format!("`{}` pairs other entrants than `{}`", variant.name, variants.first().map_or("", |first| &first.name));
            let help = "leave out `--all-pairs`, and name the entrants with `--seat`";
            return Err(Stop::usage(Problem::error(codes::SEATS, message).help(help)));
        }
    }
    Ok(())
}
