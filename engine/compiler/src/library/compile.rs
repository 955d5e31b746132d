//! Compiles a game's files to a program with its sheets.

use crate::compile;
use crate::compile::Input;
use crate::compose::{Composed, Layers, Mode, Package, Removed, Reshaped, STANDARD, compose};
use crate::library::line::layers;
use crate::library::packages::AbilityFile;
use crate::library::sheets::Sheets;
use crate::library::{Game, Library, Wanted, limits};
use crate::resolve::{Resolved, ResolvedMode, ScriptWords, is_unknown, resolve, words_of};
use crate::scripting::ReadScripts;
use crate::sheet;
use crate::sheet::Holders;
use crate::symbols::plain;
use ludex_program::{BeforePlay, ModeInfo, Program};
use ludex_syntax::codes;
use ludex_syntax::parse::RulesRead;
use ludex_syntax::problem::{Problem, joined};
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::tree::{Item, ItemKind};
use ludex_syntax::yaml::{Node, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The own declarations of a game and of each package it extends.
pub(super) struct Declared<'l> {
    line: Vec<&'l Game>,
    packages: Vec<Package<'l>>,
    /// All ability files, with their ids and headers.
    abilities: Vec<AbilityFile>,
}

/// The parts of a game, including those of the packages it extends.
pub(super) struct Parts<'l> {
    line: &'l [&'l Game],
    layers: Layers,
    pub(super) composed: Composed<'l>,
    abilities: &'l [AbilityFile],
    sheets: Sheets<'l>,
}

/// Computes a sheet's values before play, by the sheet's id, or returns an error. This needs a machine, so the caller
/// provides it. The last argument is the budget of work left for reading sheets.
pub type BeforePlayOf = fn(&Program, &str, &mut u64) -> Result<Option<Box<BeforePlay>>, Problem>;

/// The results for a game before any of its modes is compiled.
struct LookedAt<'l> {
    before_play: BeforePlayOf,
    /// The budget of work left for reading the game's sheets in all modes.
    work_left: u64,
    line: &'l [&'l Game],
    layers: Layers,
    removed: Vec<Removed>,
    reshaped: Vec<Reshaped>,
    /// By mode: its clashes, which do not affect other modes.
    clashes: BTreeMap<String, Vec<Problem>>,
    resolved: Option<Resolved<'l>>,
    modes: Vec<ModeInfo>,
    /// The ids of the abilities in the game or any of its modes.
    elsewhere: BTreeSet<String>,
    abilities: &'l [AbilityFile],
    sheets: Sheets<'l>,
    /// The spans of the modes' own declarations.
    blocks: Vec<Span>,
    scripts: ReadScripts<'l>,
}

impl LookedAt<'_> {
    /// Drops warnings of settled conditions that only occur in some modes, since another mode may replace a range. Also drops
    /// them for a package: the games it extends are checked on their own.
    fn settled_everywhere(&self, problems: Vec<Problem>, modes: usize) -> Vec<Problem> {
        let is_settled = |problem: &Problem| problem.code == codes::ALWAYS_SO;
        let mut times: BTreeMap<Option<Span>, usize> = BTreeMap::new();
        for problem in problems.iter().filter(|problem| is_settled(problem)) {
            *times.entry(place_of(problem)).or_default() += 1;
        }
        let everywhere = |problem: &Problem| {
            let place = place_of(problem);
            let in_block = |block: &Span| {
                place.is_some_and(|place| block.source == place.source && block.start <= place.start && place.end <= block.end)
            };
            concerns_itself(problem, self.line) && (times[&place] == modes || self.blocks.iter().any(in_block))
        };
        problems.into_iter().filter(|problem| !is_settled(problem) || everywhere(problem)).collect()
    }
}

fn place_of(problem: &Problem) -> Option<Span> {
    problem.labels.first().map(|(span, _)| *span)
}

impl Library {
    /// Compiles a game with all sheets and abilities. Returns a program if no problem is an error.
    pub fn compile_by(&self, before_play: BeforePlayOf, game: &str, wanted: &Wanted) -> (Option<Program>, Vec<Problem>) {
        let mut problems = Vec::new();
        let Some(declared) = self.declared(game, &mut problems) else { return (None, problems) };
        let parts = self.parts(&declared, &mut problems);
        let program = self.compiled_parts(before_play, parts, wanted, &mut problems);
        let sound = !problems.iter().any(Problem::is_error);
        let program = program.filter(|_| sound).map(|mut program| {
            self.hashes(&declared.line).add_to(&mut program);
            program
        });
        (program, problems)
    }

    /// Compiles a game with each of these parameters. Returns the programs without errors, each with its mode. Shared work is
    /// done once.
    pub fn compile_each_by(
        &self,
        before_play: BeforePlayOf,
        game: &str,
        wanted: &[Wanted],
    ) -> (Vec<(Option<String>, Program)>, Vec<Problem>) {
        let mut problems = Vec::new();
        let Some(declared) = self.declared(game, &mut problems) else { return (Vec::new(), problems) };
        let parts = self.parts(&declared, &mut problems);
        let mut looked = self.looked_at(before_play, parts, &mut problems);
        let sound = !problems.iter().any(Problem::is_error);
        let mut programs = Vec::new();
        for wanted in wanted {
            let mut found = Vec::new();
            let program = self.lowered(&mut looked, wanted, &mut found);
            let program = program.filter(|_| sound && !found.iter().any(Problem::is_error));
            programs.extend(program.map(|program| (wanted.mode.clone(), program)));
            problems.extend(found);
        }
        if !programs.is_empty() {
            let hashes = self.hashes(looked.line);
            programs.iter_mut().for_each(|(_, program)| hashes.add_to(program));
        }
        compile::leave_out_suspicions(&mut problems);
        (programs, looked.settled_everywhere(problems, wanted.len()))
    }

    /// Compiles a game in the requested mode with one extra declaration, made from the declarations of that mode. The program
    /// has no digests, because it is not made of the game's files alone; see [`Library::game_hash`].
    pub fn compile_with(
        &self,
        before_play: BeforePlayOf,
        game: &str,
        wanted: &Wanted,
        make: impl FnOnce(&[Cow<Item>]) -> Result<Item, Vec<Problem>>,
    ) -> Result<Program, Vec<Problem>> {
        let mut problems = Vec::new();
        let declared = self.declared(game, &mut problems).ok_or_else(|| problems.clone())?;
        let mut parts = self.parts(&declared, &mut problems);
        // Other modes have other names.
        parts.composed.modes.retain(|mode| Some(&mode.name.text) == wanted.mode.as_ref());
        let items = match parts.composed.modes.first_mut() {
            Some(mode) => &mut mode.items,
            None => &mut parts.composed.standard,
        };
        let made = make(items)?;
        items.push(Cow::Owned(made));
        let program = self.compiled_parts(before_play, parts, wanted, &mut problems);
        let sound = !problems.iter().any(Problem::is_error);
        program.filter(|_| sound).ok_or(problems)
    }

    fn compiled_parts(
        &self,
        before_play: BeforePlayOf,
        parts: Parts,
        wanted: &Wanted,
        problems: &mut Vec<Problem>,
    ) -> Option<Program> {
        let mut looked = self.looked_at(before_play, parts, problems);
        let program = self.lowered(&mut looked, wanted, problems);
        compile::leave_out_suspicions(problems);
        program
    }

    /// Does the work that all modes share.
    fn looked_at<'l>(&'l self, before_play: BeforePlayOf, parts: Parts<'l>, problems: &mut Vec<Problem>) -> LookedAt<'l> {
        let Parts { line, layers, mut composed, abilities, sheets } = parts;
        let (removed, reshaped) = (composed.removed.clone(), composed.reshaped.clone());
        let clash = |mode: &mut Mode| (mode.name.text.clone(), std::mem::take(&mut mode.problems));
        let clashes = composed.modes.iter_mut().map(clash).collect();
        let on_sheets = || {
            let mut words = BTreeSet::new();
            sheets.entries.iter().for_each(|entry| add_words(entry.node, &mut words));
            words
        };
        let (resolved, found) = resolve(composed, self.script_words(abilities), &on_sheets);
        let unread = self.unread(line);
        let found = found.into_iter().filter(|problem| problem.is_error() || concerns_itself(problem, line));
        let found: Vec<Problem> = found.filter(|problem| !unread.leads_to(problem)).collect();
        let mut looked = LookedAt {
            before_play,
            work_left: limits::WORK_ON_SHEETS / self.games.len().max(1) as u64,
            layers,
            modes: Vec::new(),
            blocks: Vec::new(),
            scripts: ReadScripts::new(&self.sources),
            elsewhere: BTreeSet::new(),
            resolved,
            removed,
            reshaped,
            clashes,
            line,
            abilities,
            sheets,
        };
        problems.extend(self.with_changes(&looked, found));
        problems.extend(self.unreadable(&looked.sheets.files).cloned());
        if let Some(resolved) = &looked.resolved {
            looked.modes = modes_of(resolved.game(), problems);
            looked.blocks = resolved.game().modes.iter().flat_map(|mode| mode.blocks.iter().copied()).collect();
            looked.elsewhere = abilities_of_all(resolved.game());
        }
        looked
    }

    /// Points problems caused by a package's removal or replacement to its place.
    fn with_changes(&self, looked: &LookedAt, found: Vec<Problem>) -> Vec<Problem> {
        let found = self.with_replacements(found, &looked.reshaped, looked.line);
        let with_removal = |problem| self.with_removal(problem, &looked.removed, looked.line, &looked.layers);
        found.into_iter().map(with_removal).collect()
    }

    /// Compiles a mode, whose declarations are taken from the shared results.
    fn lowered(&self, looked: &mut LookedAt, wanted: &Wanted, problems: &mut Vec<Problem>) -> Option<Program> {
        let mut found = Vec::new();
        let program = self.lowered_mode(looked, wanted, &mut found);
        problems.extend(self.with_changes(looked, found));
        program
    }

    fn lowered_mode(&self, looked: &mut LookedAt, wanted: &Wanted, problems: &mut Vec<Problem>) -> Option<Program> {
        let clash = wanted.mode.as_ref().and_then(|mode| looked.clashes.remove(mode));
        problems.extend(clash.into_iter().flatten());
        let rules = chosen(looked.resolved.as_mut()?, &looked.modes, wanted, problems)?;
        let (abilities, holders) = (looked.abilities.to_vec(), sheet::holders(&looked.sheets.entries));
        let mut program = self.lowered_items(rules, abilities, holders, wanted, problems)?;
        program.sources = self.sources.clone();
        program.modes.clone_from(&looked.modes);
        let here: BTreeSet<&str> = program.abilities.iter().map(|ability| ability.id.as_str()).collect();
        program.absent_abilities = looked.elsewhere.iter().filter(|id| !here.contains(id.as_str())).cloned().collect();
        problems.extend(crate::scripting::compile(&mut program, &mut looked.scripts));
        compile::finish(&mut program, problems);
        self.add_sheets(&mut program, looked, problems);
        Some(program)
    }

    /// The unreadable parts of the rules.
    fn unread(&self, line: &[&Game]) -> Unread<'_> {
        let files = line.iter().flat_map(|game| &game.rules).filter_map(|source| self.whole(*source));
        files.fold(Unread::default(), |unread, read| unread.with(read))
    }

    fn lowered_items(
        &self,
        rules: ResolvedMode<'_>,
        abilities: Vec<AbilityFile>,
        holders: Holders,
        wanted: &Wanted,
        problems: &mut Vec<Problem>,
    ) -> Option<Program> {
        let (mode, options) = (wanted.mode.as_deref().unwrap_or(STANDARD), &wanted.options);
        let (program, found) = compile::compile(&Input { rules, abilities, holders, mode, options, open: wanted.open });
        problems.extend(found);
        program
    }

    fn bytes_of_rules(&self, line: &[&Game]) -> usize {
        line.iter().flat_map(|game| &game.rules).map(|source| self.sources.get(*source).text.len()).sum()
    }

    pub(super) fn declared(&self, game: &str, problems: &mut Vec<Problem>) -> Option<Declared<'_>> {
        let line = self.checked_line(game, problems)?;
        let items: Vec<&Item> = line.iter().flat_map(|game| self.own_rules(game)).collect();
        if let Some(problem) = line.last().and_then(|game| limits::too_many_names(game, &items, self.bytes_of_rules(&line))) {
            problems.push(problem);
            return None;
        }
        let mut abilities = Vec::new();
        let packages = line.iter().map(|game| self.package(game, &mut abilities, problems)).collect();
        Some(Declared { line, packages, abilities })
    }

    pub(super) fn parts<'l>(&'l self, declared: &'l Declared<'l>, problems: &mut Vec<Problem>) -> Parts<'l> {
        let Declared { line, packages, abilities } = declared;
        let layers = layers(line);
        let composed = compose(packages, &layers, problems);
        let sheets = self.sheets_of(line, &layers, problems);
        Parts { line, layers, composed, abilities, sheets }
    }

    /// The words that the functions of each script mention.
    fn script_words(&self, abilities: &[AbilityFile]) -> ScriptWords {
        let words = |source: &SourceId| words_of(&self.sources.get(*source).text);
        abilities.iter().map(|(_, source, _)| (*source, words(source))).collect()
    }

    fn add_sheets(&self, program: &mut Program, looked: &mut LookedAt, problems: &mut Vec<Problem>) {
        let sheets = &looked.sheets;
        let broken = |source: &SourceId| self.miswritten(*source).iter().any(Problem::is_error);
        program.prints.unread.any = sheets.files.iter().any(broken);
        sheet::check_files(sheets.files.iter().filter_map(|source| self.sheet(*source)), problems);
        let before = problems.len();
        sheet::read_all(&sheets.entries, program, problems);
        // If a sheet lacks a required line, values computed from it are meaningless.
        if !program.prints.unread.any && !problems.iter().skip(before).any(Problem::is_error) {
            self.work_out_before_play(looked, program, problems);
        }
    }

    /// Computes each sheet's values before play, once. They must be allowed by the rules.
    fn work_out_before_play(&self, looked: &mut LookedAt, program: &mut Program, problems: &mut Vec<Problem>) {
        let mut worked_out = Vec::new();
        for sheet in program.sheets.values() {
            let problem = match (looked.before_play)(program, &sheet.id, &mut looked.work_left) {
                Ok(before_play) => {
                    worked_out.push(before_play);
                    continue;
                }
                Err(problem) => problem,
            };
            worked_out.push(None);
            let is_too_much = problem.code == codes::TOO_MANY;
            problems.push(
                problem.at(self.start_of(sheet.source), if is_too_much { "the limit was reached here" } else { "on this sheet" }),
            );
            if is_too_much {
                break;
            }
        }
        for (sheet, before_play) in program.sheets.values_mut().zip(worked_out) {
            sheet.before_play = before_play;
        }
    }

    /// The span of a sheet's first key.
    fn start_of(&self, sheet: SourceId) -> Span {
        match self.sheet(sheet) {
            Some(Node { value: Value::Map(entries), .. }) => entries.first().map_or(Span::new(sheet, 0, 0), |(key, _)| key.span),
            _ => Span::new(sheet, 0, 0),
        }
    }
}

/// The unreadable parts of rules. They may declare and use any name they contain.
#[derive(Default)]
struct Unread<'l> {
    /// The rules have syntax errors.
    any: bool,
    words: BTreeSet<&'l str>,
    /// The places of syntax errors.
    places: BTreeSet<(SourceId, u32)>,
}

impl<'l> Unread<'l> {
    fn with(mut self, read: &'l RulesRead) -> Unread<'l> {
        self.any |= read.problems.iter().any(Problem::is_error);
        self.words.extend(read.unread.iter().map(String::as_str));
        let errors = read.problems.iter().filter(|problem| problem.is_error());
        self.places.extend(errors.filter_map(place_of).map(|place| (place.source, place.start)));
        self
    }

    /// Whether a problem may only be a consequence of unreadable parts.
    fn leads_to(&self, problem: &Problem) -> bool {
        let stands_there = || place_of(problem).is_some_and(|place| self.places.contains(&(place.source, place.start)));
        let is_unread = || problem.subject.as_deref().is_some_and(|name| self.words.contains(name));
        let unknown = is_unknown(problem.code) && (is_unread() || stands_there());
        let unused = [
            codes::UNUSED_NAME,
            codes::UNUSED_LET,
            codes::ACTION_NEVER_OFFERED,
            codes::HOOK_NEVER_OPENED,
            codes::WORD_NEVER_SAID,
        ]
        .contains(&problem.code);
        unknown || self.any && unused
    }
}

/// Adds all words of a sheet, keys and texts.
fn add_words<'n>(node: &'n Node, words: &mut BTreeSet<&'n str>) {
    match &node.value {
        Value::Map(entries) => {
            for (key, value) in entries {
                words.insert(&key.name);
                add_words(value, words);
            }
        }
        Value::List(list) => list.iter().for_each(|node| add_words(node, words)),
        Value::Text(text) => {
            words.insert(text);
        }
        _ => {}
    }
}

/// Takes the declarations of the requested mode.
fn chosen<'l>(
    resolved: &mut Resolved<'l>,
    modes: &[ModeInfo],
    wanted: &Wanted,
    problems: &mut Vec<Problem>,
) -> Option<ResolvedMode<'l>> {
    let mode = wanted.mode.as_deref().unwrap_or(STANDARD);
    let found = resolved.take_mode(mode);
    if found.is_none() {
        let names: Vec<String> = modes.iter().map(|mode| mode.name.clone()).chain([STANDARD.to_string()]).collect();
        let problem = Problem::error(codes::UNKNOWN_MODE, format!("there is no mode `{mode}`"));
        problems.push(problem.help(format!("the modes are: {}", joined(&names, "and"))));
    }
    found
}

/// The names and titles of the modes.
fn modes_of(composed: &Composed, problems: &mut Vec<Problem>) -> Vec<ModeInfo> {
    let mut info = |mode: &Mode| ModeInfo { name: mode.name.text.clone(), title: plain(&mode.title, problems) };
    composed.modes.iter().map(&mut info).collect()
}

/// The ids of all abilities that a game or any of its modes has, or that a mode has removed.
fn abilities_of_all(composed: &Composed) -> BTreeSet<String> {
    let removed = composed.removed.iter().filter(|gone| gone.in_mode).map(|gone| gone.name.clone());
    let items = composed.standard.iter().chain(composed.modes.iter().flat_map(|mode| &mode.items));
    let id = |item: &Cow<Item>| match &item.kind {
        ItemKind::Ability(ability) => Some(ability.id.text.clone()),
        _ => None,
    };
    items.filter_map(id).chain(removed).collect()
}

/// Whether a warning is for the authors of the last game in a line. Warnings of the games it extends appear when those are
/// checked: a declaration that a package does not use may be used without it.
fn concerns_itself(warning: &Problem, line: &[&Game]) -> bool {
    let Some((_, extended)) = line.split_last() else { return true };
    let is_extended = |source: SourceId| extended.iter().any(|game| game.holds(source));
    warning.labels.is_empty() || warning.labels.iter().any(|(span, _)| !is_extended(span.source))
}
