//! Compiles a game's files to a program with its sheets.
//!
//! A line is a game with the packages that it extends, and layers are the order in which they may change each other's declarations,
//! see `compose`. All modes are resolved together, and then each is compiled to a program of its own. The word `looked` is for the
//! shared results.

use crate::compile;
use crate::compile::CompileInput;
use crate::compose::{
    ComposedGame, ComposedMode, Layers, Package, RemovedDeclaration, ReshapedDeclaration, STANDARD, compose_line,
};
use crate::library::line::line_layers;
use crate::library::packages::AbilityFile;
use crate::library::sheets::LineSheets;
use crate::library::{CompileRequest, Game, Library, limits};
use crate::resolve::{Resolved, ResolvedMode, ScriptWords, is_unknown_code, resolve_game, words_in_script};
use crate::scripting::ReadScripts;
use crate::sheet;
use crate::sheet::AbilityHolders;
use crate::symbols::plain_text;
use ludex_program::{BeforePlay, ModeInfo, Program};
use ludex_syntax::codes;
use ludex_syntax::parse::ParsedRules;
use ludex_syntax::problem::{Problem, join_words};
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::tree::{Item, ItemKind};
use ludex_syntax::yaml::{Node, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The own declarations of a game and of each package it extends.
pub(super) struct DeclaredPackages<'l> {
    line: Vec<&'l Game>,
    packages: Vec<Package<'l>>,
    /// All ability files, with their ids and headers.
    abilities: Vec<AbilityFile>,
}

/// The parts of a game, including those of the packages it extends.
pub(super) struct CombinedGame<'l> {
    line: &'l [&'l Game],
    layers: Layers,
    pub(super) composed: ComposedGame<'l>,
    abilities: &'l [AbilityFile],
    sheets: LineSheets<'l>,
}

/// Computes a sheet's values before play, by the sheet's id, or returns an error. This needs a machine, so the caller
/// provides it. The last argument is the budget of work left for reading sheets.
pub type BeforePlayOf = fn(&Program, &str, &mut u64) -> Result<Option<Box<BeforePlay>>, Problem>;

/// The results for a game before any of its modes is compiled.
struct GameAnalysis<'l> {
    before_play: BeforePlayOf,
    /// The budget of work left for reading the game's sheets in all modes.
    work_left: u64,
    line: &'l [&'l Game],
    layers: Layers,
    removed: Vec<RemovedDeclaration>,
    reshaped: Vec<ReshapedDeclaration>,
    /// By mode: its clashes, which do not affect other modes.
    clashes: BTreeMap<String, Vec<Problem>>,
    resolved: Option<Resolved<'l>>,
    /// The names and titles of all modes.
    modes: Vec<ModeInfo>,
    /// The ids of the abilities in the game or any of its modes.
    elsewhere: BTreeSet<String>,
    abilities: &'l [AbilityFile],
    sheets: LineSheets<'l>,
    /// The spans of the modes' own declarations.
    blocks: Vec<Span>,
    scripts: ReadScripts<'l>,
}

impl GameAnalysis<'_> {
    /// Drops warnings of settled conditions that only occur in some modes, since another mode may replace a range. Also drops
    /// them for a package: the games it extends are checked on their own.
    fn drop_partial_warnings(&self, problems: Vec<Problem>, modes: usize) -> Vec<Problem> {
        let is_settled = |problem: &Problem| problem.code == codes::ALWAYS_SO;
        let mut times: BTreeMap<Option<Span>, usize> = BTreeMap::new();
        for problem in problems.iter().filter(|problem| is_settled(problem)) {
            *times.entry(first_span(problem)).or_default() += 1;
        }
        let everywhere = |problem: &Problem| {
            let place = first_span(problem);
            let in_block = |block: &Span| {
                place.is_some_and(|place| block.source == place.source && block.start <= place.start && place.end <= block.end)
            };
            concerns_last_game(problem, self.line) && (times[&place] == modes || self.blocks.iter().any(in_block))
        };
        problems.into_iter().filter(|problem| !is_settled(problem) || everywhere(problem)).collect()
    }
}

/// The main place of a problem.
fn first_span(problem: &Problem) -> Option<Span> {
    problem.labels.first().map(|(span, _)| *span)
}

impl Library {
    /// Compiles a game with all sheets and abilities. Returns a program if no problem is an error.
    pub fn compile_by(&self, before_play: BeforePlayOf, game: &str, wanted: &CompileRequest) -> (Option<Program>, Vec<Problem>) {
        let mut problems = Vec::new();
        let Some(declared) = self.read_packages(game, &mut problems) else { return (None, problems) };
        let parts = self.combine_packages(&declared, &mut problems);
        let program = self.compile_parts(before_play, parts, wanted, &mut problems);
        let sound = !problems.iter().any(Problem::is_error);
        let program = program.filter(|_| sound).map(|mut program| {
            self.line_hashes(&declared.line).add_to(&mut program);
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
        wanted: &[CompileRequest],
    ) -> (Vec<(Option<String>, Program)>, Vec<Problem>) {
        let mut problems = Vec::new();
        let Some(declared) = self.read_packages(game, &mut problems) else { return (Vec::new(), problems) };
        let parts = self.combine_packages(&declared, &mut problems);
        let mut looked = self.analyse_game(before_play, parts, &mut problems);
        let sound = !problems.iter().any(Problem::is_error);
        let mut programs = Vec::new();
        for wanted in wanted {
            let mut found = Vec::new();
            let program = self.compile_mode(&mut looked, wanted, &mut found);
            let program = program.filter(|_| sound && !found.iter().any(Problem::is_error));
            programs.extend(program.map(|program| (wanted.mode.clone(), program)));
            problems.extend(found);
        }
        if !programs.is_empty() {
            let hashes = self.line_hashes(looked.line);
            programs.iter_mut().for_each(|(_, program)| hashes.add_to(program));
        }
        compile::drop_proven_suspicions(&mut problems);
        (programs, looked.drop_partial_warnings(problems, wanted.len()))
    }

    /// Compiles a game in the requested mode with one extra declaration, made from the declarations of that mode. The program
    /// has no digests, because it is not made of the game's files alone; see [`Library::game_hash`].
    pub fn compile_with(
        &self,
        before_play: BeforePlayOf,
        game: &str,
        wanted: &CompileRequest,
        make: impl FnOnce(&[Cow<Item>]) -> Result<Item, Vec<Problem>>,
    ) -> Result<Program, Vec<Problem>> {
        let mut problems = Vec::new();
        let declared = self.read_packages(game, &mut problems).ok_or_else(|| problems.clone())?;
        let mut parts = self.combine_packages(&declared, &mut problems);
        // Other modes have other names.
        parts.composed.modes.retain(|mode| Some(&mode.name.text) == wanted.mode.as_ref());
        let items = match parts.composed.modes.first_mut() {
            Some(mode) => &mut mode.items,
            None => &mut parts.composed.standard,
        };
        let made = make(items)?;
        items.push(Cow::Owned(made));
        let program = self.compile_parts(before_play, parts, wanted, &mut problems);
        let sound = !problems.iter().any(Problem::is_error);
        program.filter(|_| sound).ok_or(problems)
    }

    /// Compiles one mode of a game.
    fn compile_parts(
        &self,
        before_play: BeforePlayOf,
        parts: CombinedGame,
        wanted: &CompileRequest,
        problems: &mut Vec<Problem>,
    ) -> Option<Program> {
        let mut looked = self.analyse_game(before_play, parts, problems);
        let program = self.compile_mode(&mut looked, wanted, problems);
        compile::drop_proven_suspicions(problems);
        program
    }

    /// Does the work that all modes share: resolves all names, and reports problems that no mode is needed for.
    fn analyse_game<'l>(
        &'l self,
        before_play: BeforePlayOf,
        parts: CombinedGame<'l>,
        problems: &mut Vec<Problem>,
    ) -> GameAnalysis<'l> {
        let CombinedGame { line, layers, mut composed, abilities, sheets } = parts;
        let (removed, reshaped) = (composed.removed.clone(), composed.reshaped.clone());
        let clash = |mode: &mut ComposedMode| (mode.name.text.clone(), std::mem::take(&mut mode.problems));
        let clashes = composed.modes.iter_mut().map(clash).collect();
        let on_sheets = || {
            let mut words = BTreeSet::new();
            sheets.entries.iter().for_each(|entry| add_words(entry.node, &mut words));
            words
        };
        let (resolved, found) = resolve_game(composed, self.script_words(abilities), &on_sheets);
        let unread = self.unreadable_rules(line);
        let found = found.into_iter().filter(|problem| problem.is_error() || concerns_last_game(problem, line));
        let found: Vec<Problem> = found.filter(|problem| !unread.may_cause(problem)).collect();
        let mut looked = GameAnalysis {
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
        problems.extend(self.problems_of_files(&looked.sheets.files).cloned());
        if let Some(resolved) = &looked.resolved {
            looked.modes = mode_infos(resolved.composed_game(), problems);
            looked.blocks = resolved.composed_game().modes.iter().flat_map(|mode| mode.blocks.iter().copied()).collect();
            looked.elsewhere = all_ability_ids(resolved.composed_game());
        }
        looked
    }

    /// Points problems caused by a package's removal or replacement to its place.
    fn with_changes(&self, looked: &GameAnalysis, found: Vec<Problem>) -> Vec<Problem> {
        let found = self.with_replacements(found, &looked.reshaped, looked.line);
        let with_removal = |problem| self.with_removal(problem, &looked.removed, looked.line, &looked.layers);
        found.into_iter().map(with_removal).collect()
    }

    /// Compiles a mode, whose declarations are taken from the shared results. Its problems then point to the package that causes
    /// them.
    fn compile_mode(&self, looked: &mut GameAnalysis, wanted: &CompileRequest, problems: &mut Vec<Problem>) -> Option<Program> {
        let mut found = Vec::new();
        let program = self.compile_resolved_mode(looked, wanted, &mut found);
        problems.extend(self.with_changes(looked, found));
        program
    }

    /// Compiles the rules of a mode, then the scripts into that program, and then reads the sheets against it.
    fn compile_resolved_mode(
        &self,
        looked: &mut GameAnalysis,
        wanted: &CompileRequest,
        problems: &mut Vec<Problem>,
    ) -> Option<Program> {
        let clash = wanted.mode.as_ref().and_then(|mode| looked.clashes.remove(mode));
        problems.extend(clash.into_iter().flatten());
        let rules = take_requested_mode(looked.resolved.as_mut()?, &looked.modes, wanted, problems)?;
        let (abilities, holders) = (looked.abilities.to_vec(), sheet::ability_holders(&looked.sheets.entries));
        let mut program = self.compile_items(rules, abilities, holders, wanted, problems)?;
        program.sources = self.sources.clone();
        program.modes.clone_from(&looked.modes);
        let here: BTreeSet<&str> = program.abilities.iter().map(|ability| ability.id.as_str()).collect();
        program.absent_abilities = looked.elsewhere.iter().filter(|id| !here.contains(id.as_str())).cloned().collect();
        problems.extend(crate::scripting::compile(&mut program, &mut looked.scripts));
        compile::finish_program(&mut program, problems);
        self.add_sheets(&mut program, looked, problems);
        Some(program)
    }

    /// The unreadable parts of the rules.
    fn unreadable_rules(&self, line: &[&Game]) -> UnreadableRules<'_> {
        let files = line.iter().flat_map(|game| &game.rules).filter_map(|source| self.parsed_rules(*source));
        files.fold(UnreadableRules::default(), |unread, read| unread.add_file_words(read))
    }

    /// Compiles the rules of a mode.
    fn compile_items(
        &self,
        rules: ResolvedMode<'_>,
        abilities: Vec<AbilityFile>,
        holders: AbilityHolders,
        wanted: &CompileRequest,
        problems: &mut Vec<Problem>,
    ) -> Option<Program> {
        let (mode, options) = (wanted.mode.as_deref().unwrap_or(STANDARD), &wanted.options);
        let (program, found) =
            compile::compile_program(&CompileInput { rules, abilities, holders, mode, options, open: wanted.open });
        problems.extend(found);
        program
    }

    /// The size of the rules of a game and those it extends, in bytes.
    pub(super) fn rules_size(&self, line: &[&Game]) -> usize {
        line.iter().flat_map(|game| &game.rules).map(|source| self.sources.get(*source).text.len()).sum()
    }

    /// Reads the own declarations of each package of a game's line. None if the line has errors or is too large.
    pub(super) fn read_packages(&self, game: &str, problems: &mut Vec<Problem>) -> Option<DeclaredPackages<'_>> {
        let line = self.checked_line(game, problems)?;
        let items: Vec<&Item> = line.iter().flat_map(|game| self.own_rules(game)).collect();
        if let Some(problem) = line.last().and_then(|game| limits::names_limit_problem(game, &items, self.rules_size(&line))) {
            problems.push(problem);
            return None;
        }
        let mut abilities = Vec::new();
        let packages = line.iter().map(|game| self.read_package(game, &mut abilities, problems)).collect();
        Some(DeclaredPackages { line, packages, abilities })
    }

    /// Combines the declarations and the sheets of a line.
    pub(super) fn combine_packages<'l>(
        &'l self,
        declared: &'l DeclaredPackages<'l>,
        problems: &mut Vec<Problem>,
    ) -> CombinedGame<'l> {
        let DeclaredPackages { line, packages, abilities } = declared;
        let layers = line_layers(line);
        let composed = compose_line(packages, &layers, problems);
        let sheets = self.sheets_of_line(line, &layers, problems);
        CombinedGame { line, layers, composed, abilities, sheets }
    }

    /// The words that the functions of each script mention.
    fn script_words(&self, abilities: &[AbilityFile]) -> ScriptWords {
        let words = |source: &SourceId| words_in_script(&self.sources.get(*source).text);
        abilities.iter().map(|(_, source, _)| (*source, words(source))).collect()
    }

    /// Reads all sheets into a program, and computes their values before play.
    fn add_sheets(&self, program: &mut Program, looked: &mut GameAnalysis, problems: &mut Vec<Problem>) {
        let sheets = &looked.sheets;
        let broken = |source: &SourceId| self.source_problems(*source).iter().any(Problem::is_error);
        program.prints.unread.any = sheets.files.iter().any(broken);
        sheet::check_files(sheets.files.iter().filter_map(|source| self.sheet_node(*source)), problems);
        let before = problems.len();
        sheet::read_all_sheets(&sheets.entries, program, problems);
        // If a sheet lacks a required line, values computed from it are meaningless.
        if !program.prints.unread.any && !problems.iter().skip(before).any(Problem::is_error) {
            self.compute_before_play(looked, program, problems);
        }
    }

    /// Computes each sheet's values before play, once. They must be allowed by the rules. Stops if the budget of work is spent.
    fn compute_before_play(&self, looked: &mut GameAnalysis, program: &mut Program, problems: &mut Vec<Problem>) {
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
            problems.push(problem.with_label(
                self.sheet_start(sheet.source),
                if is_too_much { "the limit was reached here" } else { "on this sheet" },
            ));
            if is_too_much {
                break;
            }
        }
        for (sheet, before_play) in program.sheets.values_mut().zip(worked_out) {
            sheet.before_play = before_play;
        }
    }

    /// The span of a sheet's first key.
    fn sheet_start(&self, sheet: SourceId) -> Span {
        match self.sheet_node(sheet) {
            Some(Node { value: Value::Map(entries), .. }) => entries.first().map_or(Span::new(sheet, 0, 0), |(key, _)| key.span),
            _ => Span::new(sheet, 0, 0),
        }
    }
}

/// The unreadable parts of rules. They may declare and use any name they contain.
#[derive(Default)]
struct UnreadableRules<'l> {
    /// The rules have syntax errors.
    any: bool,
    /// All words in the unreadable parts.
    words: BTreeSet<&'l str>,
    /// The places of syntax errors.
    places: BTreeSet<(SourceId, u32)>,
}

impl<'l> UnreadableRules<'l> {
    /// Adds the unreadable parts of one file.
    fn add_file_words(mut self, read: &'l ParsedRules) -> UnreadableRules<'l> {
        self.any |= read.problems.iter().any(Problem::is_error);
        self.words.extend(read.unread.iter().map(String::as_str));
        let errors = read.problems.iter().filter(|problem| problem.is_error());
        self.places.extend(errors.filter_map(first_span).map(|place| (place.source, place.start)));
        self
    }

    /// Whether a problem may only be a consequence of unreadable parts.
    fn may_cause(&self, problem: &Problem) -> bool {
        let stands_there = || first_span(problem).is_some_and(|place| self.places.contains(&(place.source, place.start)));
        let is_unread = || problem.subject.as_deref().is_some_and(|name| self.words.contains(name));
        let unknown = is_unknown_code(problem.code) && (is_unread() || stands_there());
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
fn take_requested_mode<'l>(
    resolved: &mut Resolved<'l>,
    modes: &[ModeInfo],
    wanted: &CompileRequest,
    problems: &mut Vec<Problem>,
) -> Option<ResolvedMode<'l>> {
    let mode = wanted.mode.as_deref().unwrap_or(STANDARD);
    let found = resolved.take_mode(mode);
    if found.is_none() {
        let names: Vec<String> = modes.iter().map(|mode| mode.name.clone()).chain([STANDARD.to_string()]).collect();
        let problem = Problem::error(codes::UNKNOWN_MODE, format!("there is no mode `{mode}`"));
        problems.push(problem.help(format!("the modes are: {}", join_words(&names, "and"))));
    }
    found
}

/// The names and titles of the modes.
fn mode_infos(composed: &ComposedGame, problems: &mut Vec<Problem>) -> Vec<ModeInfo> {
    let mut info = |mode: &ComposedMode| ModeInfo { name: mode.name.text.clone(), title: plain_text(&mode.title, problems) };
    composed.modes.iter().map(&mut info).collect()
}

/// The ids of all abilities that a game or any of its modes has, or that a mode has removed.
fn all_ability_ids(composed: &ComposedGame) -> BTreeSet<String> {
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
fn concerns_last_game(warning: &Problem, line: &[&Game]) -> bool {
    let Some((_, extended)) = line.split_last() else { return true };
    let is_extended = |source: SourceId| extended.iter().any(|game| game.has_file(source));
    warning.labels.is_empty() || warning.labels.iter().any(|(span, _)| !is_extended(span.source))
}
