//! A game's files → a program with its sheets.

use crate::language::compile;
use crate::language::compile::Input;
use crate::language::compose::{Composed, Mode, Package, STANDARD, compose};
use crate::language::parse::RulesRead;
use crate::language::resolve::{Resolved, ResolvedMode, ScriptWords, is_unknown, resolve, words_of};
use crate::language::symbols::plain;
use crate::language::syntax::{Item, ItemKind};
use crate::library::line::{ancestors, layers};
use crate::library::packages::AbilityFile;
use crate::library::sheets::Sheets;
use crate::library::{Game, Library, Wanted, limits};
use crate::problem::{Problem, joined};
use crate::program::{ModeInfo, Program};
use crate::runtime::session::setup::first_values;
use crate::sheet::Holders;
use crate::source::{SourceId, Span};
use crate::yaml::{Node, Value};
use crate::{codes, sheet};
use std::collections::BTreeSet;

/// What a game consists of, its own files and those of what it extends.
pub(super) struct Parts<'l> {
    line: Vec<&'l Game>,
    pub(super) composed: Composed,
    /// The files of all abilities, with their ids and headers.
    abilities: Vec<AbilityFile>,
    sheets: Sheets<'l>,
}

impl Library {
    /// Compiles a game with all sheets and abilities; the program is there if no problem is an error.
    pub fn compile(&self, game: &str, wanted: &Wanted) -> (Option<Program>, Vec<Problem>) {
        let mut problems = Vec::new();
        let program = self.compiled(game, wanted, &mut problems);
        let sound = !problems.iter().any(Problem::is_error);
        (program.filter(|_| sound), problems)
    }

    /// Compiles a game in the mode that is wanted with one declaration more, which is made from what the game declares
    /// in that mode.
    pub(crate) fn compile_with(
        &self,
        game: &str,
        wanted: &Wanted,
        make: impl FnOnce(&[Item]) -> Result<Item, Vec<Problem>>,
    ) -> Result<Program, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut parts = self.parts(game, &mut problems).ok_or_else(|| problems.clone())?;
        // In another mode other names are known.
        parts.composed.modes.retain(|mode| Some(&mode.name.text) == wanted.mode.as_ref());
        let items = match parts.composed.modes.first_mut() {
            Some(mode) => &mut mode.items,
            None => &mut parts.composed.standard,
        };
        let made = make(items)?;
        items.push(made);
        let program = self.compiled_parts(parts, wanted, &mut problems);
        let sound = !problems.iter().any(Problem::is_error);
        program.filter(|_| sound).ok_or(problems)
    }

    fn compiled(&self, game: &str, wanted: &Wanted, problems: &mut Vec<Problem>) -> Option<Program> {
        let parts = self.parts(game, problems)?;
        self.compiled_parts(parts, wanted, problems)
    }

    fn compiled_parts(&self, parts: Parts, wanted: &Wanted, problems: &mut Vec<Problem>) -> Option<Program> {
        let (line, removed) = (parts.line.clone(), parts.composed.removed.clone());
        let first = problems.len();
        let program = self.lowered_parts(parts, wanted, problems);
        let layers = layers(&line);
        for problem in problems.split_off(first) {
            problems.push(self.with_removal(problem, &removed, &line, &layers));
        }
        program
    }

    fn lowered_parts(&self, parts: Parts, wanted: &Wanted, problems: &mut Vec<Problem>) -> Option<Program> {
        let Parts { line, composed, abilities, sheets } = parts;
        problems.extend(wrong_in(&composed, wanted).iter().cloned());
        let (resolved, found) = resolve(composed, self.script_words(&abilities));
        let unread = self.unread(&line);
        let found = found.into_iter().filter(|problem| problem.is_error() || concerns_itself(problem, &line));
        problems.extend(found.filter(|problem| !unread.leads_to(problem)));
        problems.extend(self.unreadable(&sheets.files).cloned());
        let resolved = resolved?;
        let modes = modes_of(resolved.game(), problems);
        let elsewhere = abilities_of_all(resolved.game());
        let rules = chosen(resolved, wanted, problems)?;
        let mut program = self.lowered_items(rules, abilities, sheet::holders(&sheets.entries), wanted, problems)?;
        program.sources = self.sources.clone();
        program.modes = modes;
        program.absent_abilities = elsewhere.into_iter().filter(|id| program.ability(id).is_none()).collect();
        problems.extend(crate::scripting::compile(&mut program));
        problems.extend(compile::finish(&mut program));
        self.add_sheets(&mut program, &sheets, problems);
        self.add_hashes(&mut program, &line);
        Some(program)
    }

    /// What could not be read of the rules.
    fn unread(&self, line: &[&Game]) -> Unread<'_> {
        let files = line.iter().flat_map(|game| &game.rules).filter_map(|source| self.whole(*source));
        files.fold(Unread::default(), |unread, read| unread.with(read))
    }

    fn lowered_items(
        &self,
        rules: ResolvedMode,
        abilities: Vec<AbilityFile>,
        holders: Holders,
        wanted: &Wanted,
        problems: &mut Vec<Problem>,
    ) -> Option<Program> {
        let (mode, options) = (wanted.mode.as_deref().unwrap_or(STANDARD), &wanted.options);
        let (program, found) = compile::compile(&Input { rules, abilities, holders, mode, options });
        problems.extend(found);
        program
    }

    fn bytes_of_rules(&self, line: &[&Game]) -> usize {
        line.iter().flat_map(|game| &game.rules).map(|source| self.sources.get(*source).text.len()).sum()
    }

    pub(super) fn parts(&self, game: &str, problems: &mut Vec<Problem>) -> Option<Parts<'_>> {
        let line = self.checked_line(game, problems)?;
        let items: Vec<&Item> = line.iter().flat_map(|game| self.own_rules(game)).collect();
        if let Some(problem) = line.last().and_then(|game| limits::too_many_names(game, &items, self.bytes_of_rules(&line))) {
            problems.push(problem);
            return None;
        }
        let mut abilities = Vec::new();
        let packages: Vec<Package> = line
            .iter()
            .zip(ancestors(&line))
            .map(|(game, ancestors)| self.package(game, ancestors, &mut abilities, problems))
            .collect();
        let composed = compose(&packages, problems);
        let sheets = self.sheets_of(&line, problems);
        Some(Parts { line, composed, abilities, sheets })
    }

    /// What the functions of each script name.
    fn script_words(&self, abilities: &[AbilityFile]) -> ScriptWords {
        let words = |source: &SourceId| words_of(&self.sources.get(*source).text);
        abilities.iter().map(|(_, source, _)| (*source, words(source))).collect()
    }

    fn add_sheets(&self, program: &mut Program, sheets: &Sheets, problems: &mut Vec<Problem>) {
        let broken = |source: &SourceId| self.miswritten(*source).iter().any(Problem::is_error);
        program.prints.unread.any = sheets.files.iter().any(broken);
        sheet::check_files(sheets.files.iter().filter_map(|source| self.sheet(*source)), problems);
        sheet::read_all(&sheets.entries, program, problems);
        self.check_first_values(program, problems);
    }

    /// What the rules work out for each sheet must be something that they allow.
    fn check_first_values(&self, program: &Program, problems: &mut Vec<Problem>) {
        // Faults that have to do with who else plays show when a match begins.
        let unfit = |id: &String| first_values(program, id).err().filter(|problem| problem.code == codes::FIRST_VALUE);
        let derives = |kind| program.defaults.iter().any(|(of, _, _)| *of == kind);
        for sheet in program.sheets.values().filter(|sheet| derives(sheet.kind)) {
            problems.extend(unfit(&sheet.id).map(|problem| problem.at(self.start_of(sheet.source), "on this sheet")));
        }
    }

    /// The first key of a sheet.
    fn start_of(&self, sheet: SourceId) -> Span {
        match self.sheet(sheet) {
            Some(Node { value: Value::Map(entries), .. }) => entries.first().map_or(Span::new(sheet, 0, 0), |(key, _)| key.span),
            _ => Span::new(sheet, 0, 0),
        }
    }
}

/// What could not be read of rules. It may declare, and use, whatever its words name.
#[derive(Default)]
struct Unread<'l> {
    /// Whether anything is wrong with how the rules are written.
    any: bool,
    words: BTreeSet<&'l str>,
}

impl<'l> Unread<'l> {
    fn with(mut self, read: &'l RulesRead) -> Unread<'l> {
        self.any |= read.problems.iter().any(Problem::is_error);
        self.words.extend(read.unread.iter().map(String::as_str));
        self
    }

    /// Whether a problem may be there only because something could not be read.
    fn leads_to(&self, problem: &Problem) -> bool {
        let unknown = is_unknown(problem.code) && problem.message.split('`').nth(1).is_some_and(|name| self.words.contains(name));
        let unused = [codes::UNUSED_NAME, codes::ACTION_NEVER_OFFERED, codes::HOOK_NEVER_OPENED].contains(&problem.code);
        unknown || self.any && unused
    }
}

/// What is declared in the mode that is wanted.
fn chosen(resolved: Resolved, wanted: &Wanted, problems: &mut Vec<Problem>) -> Option<ResolvedMode> {
    let mode = wanted.mode.as_deref().unwrap_or(STANDARD);
    let mut names: Vec<String> = resolved.game().modes.iter().map(|mode| mode.name.text.clone()).collect();
    names.push(STANDARD.to_string());
    let found = resolved.into_mode(mode);
    if found.is_none() {
        let problem = Problem::error(codes::UNKNOWN_MODE, format!("there is no mode `{mode}`"));
        problems.push(problem.help(format!("the modes are: {}", joined(&names, "and"))));
    }
    found
}

/// What clashes in the mode that is wanted: it keeps nobody from playing another.
fn wrong_in<'a>(composed: &'a Composed, wanted: &Wanted) -> &'a [Problem] {
    let mode = composed.modes.iter().find(|mode| Some(&mode.name.text) == wanted.mode.as_ref());
    mode.map_or(&[], |mode| &mode.problems)
}

/// The names and titles of the modes.
fn modes_of(composed: &Composed, problems: &mut Vec<Problem>) -> Vec<ModeInfo> {
    let mut info = |mode: &Mode| ModeInfo { name: mode.name.text.clone(), title: plain(&mode.title, problems) };
    composed.modes.iter().map(&mut info).collect()
}

/// The ids of the abilities that a game or any of its modes has, or a mode has removed.
fn abilities_of_all(composed: &Composed) -> BTreeSet<String> {
    let removed = composed.removed.iter().filter(|gone| gone.in_mode).map(|gone| gone.name.clone());
    let items = composed.standard.iter().chain(composed.modes.iter().flat_map(|mode| &mode.items));
    let id = |item: &Item| match &item.kind {
        ItemKind::Ability(ability) => Some(ability.id.text.clone()),
        _ => None,
    };
    items.filter_map(id).chain(removed).collect()
}

/// Whether a warning is for the authors of the last game in a line. Those of the games it extends are warned when theirs
/// is looked at by itself: what a package has no use for may be of use without it.
fn concerns_itself(warning: &Problem, line: &[&Game]) -> bool {
    let Some((_, extended)) = line.split_last() else { return true };
    let is_extended = |source: SourceId| extended.iter().any(|game| game.holds(source));
    warning.labels.is_empty() || warning.labels.iter().any(|(span, _)| !is_extended(span.source))
}
