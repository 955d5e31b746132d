//! The variants of `sim --compare`: the same request with another option, mode, player or library.

use super::plan::LineUp;
use super::request::{PreparedRequest, Request};
use crate::args::{CommonArgs, SeatSpec};
use crate::load::path_text;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::path::{Path, PathBuf};

/// A named request.
#[derive(Clone, Debug)]
pub struct Variant {
    name: String,
    /// For the unchanged game: the setting that the others change, if it has a value in it.
    unchanged: Option<OriginalSetting>,
    pub request: Request,
    /// With the libraries of this variant.
    common: CommonArgs,
}

/// A setting with a value before any change.
#[derive(Clone, Debug)]
enum OriginalSetting {
    Mode,
    Option(String),
}

/// One `--compare`.
enum CompareFlag {
    Mode(Vec<String>),
    Option(String, Vec<String>),
    Seat(SeatSpec),
    Library(PathBuf),
}

/// The variants for the values of `--compare`, starting with the one that the others are compared with. If one `--compare` has
/// several values, its first value comes first; otherwise the unchanged request does, followed by one variant for each flag.
pub fn build_variants(request: &Request, common: &CommonArgs, values: &[String]) -> Result<Vec<Variant>, Stop> {
    let plain = Variant { name: String::new(), unchanged: None, request: request.clone(), common: common.clone() };
    let compared: Vec<CompareFlag> =
        values.iter().map(|value| CompareFlag::parse_flag(value)).collect::<Result<_, _>>().map_err(Stop::usage_error)?;
    let several = compared.iter().any(|compared| compared.value_count() > 1);
    if several && compared.len() > 1 {
        let message = "a `--compare` with several values must be the only one";
        let help = "give each `--compare` one value: each is compared with the game as the other flags set it";
        return Err(Stop::usage_error(Problem::error(codes::COMMAND_LINE, message).help(help)));
    }
    let mut variants: Vec<Variant> = compared.iter().flat_map(|compared| compared.make_variants(&plain)).collect();
    if let Some(given) = compared.iter().find(|_| several).and_then(|compared| compared.conflicting_flag(request)) {
        let message = format!("`{given}` sets one value, but `--compare` sets several");
        let help = format!("leave out `{given}`, or give `--compare` one value to compare with it");
        return Err(Stop::usage_error(Problem::error(codes::COMMAND_LINE, message).help(help)));
    }
    if !several {
        variants.insert(0, Variant { name: unchanged_name(&compared, request), unchanged: original_setting(&compared), ..plain });
    }
    Ok(variants)
}

impl Variant {
    pub fn prepare_variant(&self) -> Result<PreparedRequest<'_>, Stop> {
        self.request.prepare_game(&self.common)
    }
}

impl CompareFlag {
    /// Parses an existing path, a seat, a mode or an option.
    fn parse_flag(value: &str) -> Result<CompareFlag, Problem> {
        let wrong = |message: String, help: &str| Problem::error(codes::COMMAND_LINE, message).help(help);
        if Path::new(value).exists() {
            return Ok(CompareFlag::Library(PathBuf::from(value)));
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
            return Ok(CompareFlag::Seat(seat));
        }
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_string()).collect();
        if name.is_empty() || values.iter().any(String::is_empty) {
            return Err(wrong(format!("`--compare {value}` lacks a name or a value"), "write `--compare OPTION=3,5`"));
        }
        Ok(match name {
            "mode" => CompareFlag::Mode(values),
            _ => CompareFlag::Option(name.to_string(), values),
        })
    }

    fn value_count(&self) -> usize {
        match self {
            CompareFlag::Mode(values) | CompareFlag::Option(_, values) => values.len(),
            CompareFlag::Seat(_) | CompareFlag::Library(_) => 1,
        }
    }

    /// Creates a variant for each value.
    fn make_variants(&self, plain: &Variant) -> Vec<Variant> {
        let with = |name: String, change: &dyn Fn(&mut Variant)| {
            let mut variant = Variant { name, ..plain.clone() };
            change(&mut variant);
            variant
        };
        match self {
            CompareFlag::Mode(modes) => {
                let mode = |mode: &String| with(format!("mode={mode}"), &|variant| variant.request.mode = Some(mode.clone()));
                modes.iter().map(mode).collect()
            }
            CompareFlag::Option(option, values) => {
                let value = |value: &String| {
                    with(format!("{option}={value}"), &|variant| {
                        variant.request.options.insert(option.clone(), value.clone());
                    })
                };
                values.iter().map(value).collect()
            }
            CompareFlag::Seat(seat) => vec![with(seat.to_string(), &|variant| override_seat(&mut variant.request.seats, seat))],
            CompareFlag::Library(path) => {
                vec![with(format!("with {}", path_text(path)), &|variant| variant.common.libraries.push(path.clone()))]
            }
        }
    }

    /// The flag of a request that already sets what is compared.
    fn conflicting_flag(&self, request: &Request) -> Option<String> {
        match self {
            CompareFlag::Mode(_) => request.mode.as_ref().map(|mode| format!("--mode {mode}")),
            CompareFlag::Option(name, _) => request.options.get(name).map(|value| format!("--option {name}={value}")),
            CompareFlag::Seat(_) | CompareFlag::Library(_) => None,
        }
    }
}

/// Changes a seat; missing parts stay as they are.
fn override_seat(seats: &mut Vec<SeatSpec>, other: &SeatSpec) {
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
fn unchanged_name(compared: &[CompareFlag], request: &Request) -> String {
    let given = match compared {
        [CompareFlag::Library(path)] => Some(format!("without {}", path_text(path))),
        [CompareFlag::Seat(seat)] => request.seats.iter().find(|given| given.side == seat.side).map(ToString::to_string),
        [one] => one.conflicting_flag(request).and_then(|flag| Some(flag.split_once(' ')?.1.to_string())),
        _ => None,
    };
    given.unwrap_or_else(|| "as it is".to_string())
}

/// The only setting that is compared, if it is the mode or an option: the unchanged game has a value for it too.
fn original_setting(compared: &[CompareFlag]) -> Option<OriginalSetting> {
    match compared {
        [CompareFlag::Mode(_)] => Some(OriginalSetting::Mode),
        [CompareFlag::Option(name, _)] => Some(OriginalSetting::Option(name.clone())),
        _ => None,
    }
}

/// The names of the variants, once their games are known.
pub fn variant_names(variants: &[Variant], prepared: &[PreparedRequest<'_>]) -> Vec<String> {
    let name = |(variant, prepared): (&Variant, &PreparedRequest<'_>)| {
        let program = &prepared.program;
        let value = match &variant.unchanged {
            None => None,
            Some(OriginalSetting::Mode) => Some(format!("mode={}", program.mode)),
            Some(OriginalSetting::Option(name)) => {
                let option = program.options.iter().find(|option| option.name == *name);
                option.map(|option| format!("{name}={}", option.value_text(option.value)))
            }
        };
        value.unwrap_or_else(|| variant.name.clone())
    };
    variants.iter().zip(prepared).map(name).collect()
}

/// Refuses variants that allow no conclusion: equal games, and pairs with different entrants.
pub fn ensure_comparable(variants: &[Variant], names: &[String], prepared: &[PreparedRequest<'_>]) -> Result<(), Stop> {
    let repeated = names.iter().enumerate().find(|(place, name)| names.iter().take(*place).any(|before| before == *name));
    if let Some((_, name)) = repeated {
        let problem = Problem::error(codes::COMMAND_LINE, format!("`{name}` is compared with itself"));
        return Err(Stop::usage_error(problem.help("give another value")));
    }
    let Some(first) = prepared.first() else { return Ok(()) };
    for (variant, other) in variants.iter().zip(prepared).skip(1) {
        let library = variant.common.libraries.last().filter(|_| variant.name.starts_with("with "));
        if let Some(library) = library.filter(|_| other.program.hash == first.program.hash) {
            let message = format!("`{}` changes nothing in `{}`", path_text(library), first.program.game);
            let help = "`ludex diff LIBRARY` shows what a library changes";
            return Err(Stop::usage_error(Problem::error(codes::COMMAND_LINE, message).help(help)));
        }
        if let (LineUp::Pairs(one), LineUp::Pairs(other)) = (&first.plan.line_up, &other.plan.line_up)
            && one != other
        {
            let message =
                format!("`{}` pairs other entrants than `{}`", variant.name, variants.first().map_or("", |first| &first.name));
            let help = "leave out `--all-pairs`, and name the entrants with `--seat`";
            return Err(Stop::usage_error(Problem::error(codes::SEATS, message).help(help)));
        }
    }
    Ok(())
}
