//! A new ability. Its hook is one that comes up in play, and a scenario shows a bearer with it.
//!
//! A hook is a moment that the rules open for abilities. Its number of uses is found by playing with a probe, an ability that
//! reports every hook. A bearer is an entrant or card whose sheet lists the new ability.

use super::sheet_text::comment_text;
use super::{Name, NewFile, NewFiles, Workshop, trial};
use crate::game::loaded::entrant_word;
use crate::retelling::Story;
use crate::scenario::{Argument, MatchableEvent};
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::{Problem, join_words, on_one_line};
use ludex_engine::program::{HookInfo, KindSort, Program, Shape};
use ludex_engine::sheet::SheetFiles;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Number of games played to see which hooks come up.
const PROBED: u64 = 3;
/// Maximum number of games played until the ability is used.
const MOST_GAMES: u64 = 40;

/// How an ability acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum AbilityKind {
    /// Its owner may use it.
    Offer,
    /// It happens by itself.
    Trigger,
}

/// A moment at which an ability may act.
#[derive(Clone, Debug)]
pub struct Hook {
    pub name: String,
    params: Vec<String>,
    /// The first parameter that is a side.
    side: Option<String>,
    /// Number of times it came up in the probe games.
    pub times: usize,
    /// The rules' note on it.
    pub note: Option<String>,
}

impl Hook {
    fn from_info(program: &Program, hook: &HookInfo) -> Hook {
        let is_side = |shape: &Shape| matches!(shape, Shape::Entity(kind) if program.kind(*kind).sort == KindSort::Side);
        let side = hook.params.iter().find(|(_, shape)| is_side(shape)).map(|(name, _)| name.clone());
        let params = hook.params.iter().map(|(name, _)| name.clone()).collect();
        Hook { name: hook.name.clone(), params, side, times: 0, note: None }
    }

    /// The hook with its parameters, such as `turn_begins(active)`.
    pub fn signature_text(&self) -> String {
        format!("{}({})", self.name, self.params.join(", "))
    }
}

impl Workshop<'_> {
    /// The hooks of the game, with the number of times each came up in a few random games. Hooks that must return a value are
    /// left out: an offer or a trigger cannot act there.
    pub fn probe_hooks(&self) -> Result<Vec<Hook>, Stop> {
        let mut hooks: Vec<Hook> = self
            .program
            .hooks
            .iter()
            .filter(|hook| hook.value.is_none())
            .map(|hook| Hook::from_info(&self.program, hook))
            .collect();
        if hooks.is_empty() {
            let problem =
                Problem::error(codes::NEW_NAME, format!("{} has no hooks, so no ability can act in it", self.program.title));
            return Err(problem
                .help("declare one in the rules, as in `hook turn_begins(active: side)`, and open it where abilities may act")
                .into());
        }
        let words = self.loaded.library.declared_words(&self.game, &ludex_engine::library::CompileRequest::default());
        for hook in &mut hooks {
            hook.note = words.iter().find(|word| word.name == hook.name).and_then(|word| word.note.clone());
        }
        let name = Name { id: "probe".to_string(), title: "Probe".to_string() };
        let (files, bearer) = self.create_bearer(&name, None, probe_script(&self.game, &hooks))?;
        let program = self.compile_with_files(&files)?;
        for seed in 1..=PROBED {
            let story = trial::play_trial(&program, Some(&bearer), seed)?;
            for (place, hook) in hooks.iter_mut().enumerate() {
                hook.times += story.count_events(|told| says_words(told, &format!("probe {place}")));
            }
        }
        Ok(hooks)
    }

    /// Creates a new ability with a bearer, and a scenario in which it acts. `bearer` is the name of the sheet to make for it;
    /// by default it is derived from the ability's name.
    pub fn create_ability(&self, name: &Name, hook: &Hook, kind: AbilityKind, bearer: Option<&Name>) -> Result<NewFiles, Stop> {
        self.refuse_taken_name(name)?;
        let script = |function: &str| {
            NewFile::new(format!("scripts/{}/{}.rhai", self.game, name.id), self.script_text(name, hook, kind, function))
        };
        let plain = self.create_bearer(name, bearer, script(&name.in_rules()));
        // The name may be a word of the rules or of scripts.
        let (mut files, entrant) = plain
            .or_else(|stop| self.create_bearer(name, bearer, script(&format!("use_{}", name.in_rules()))).map_err(|_| stop))?;
        let program = self.compile_with_files(&files)?;
        let (story, step) = find_acting_game(&program, &entrant, &name.id).map_err(|_| never_acts_problem(name, hook, kind))?;
        let text = trial::scenario_text(&story, &format!("{} acts", name.title), step.saturating_sub(1), step)?;
        let head = comment_text(
            "A scenario is a test: where play starts, what the dice show, what the players answer, and what must result. Change the ability, then the expectations here. `ludex explain scenarios` explains every line.",
        );
        files.push(NewFile::new(format!("rules/{}/scenarios/{}.yaml", self.game, name.id), format!("{head}\n{text}")));
        let next = vec![
            (format!("ludex play {} --seat 0={entrant}", self.game), "play it against a bot"),
            (format!("ludex sim {} --seat 0={entrant} --usage", self.game), "see how often it acts, and who wins"),
        ];
        Ok(self.with_next_steps(files, next))
    }

    /// Creates a bearer for a script: an entrant, or a card if only cards have abilities. Returns the id of the entrant that
    /// brings the ability into the game.
    fn create_bearer(&self, name: &Name, bearer: Option<&Name>, script: NewFile) -> Result<(Vec<NewFile>, String), Stop> {
        let ability = vec![name.id.clone()];
        let beside = vec![script];
        let mut files = beside.clone();
        if let Some(sheet) = self.card_with_abilities() {
            let bearer = bearer.cloned().unwrap_or_else(|| name.with_suffix("card"));
            self.refuse_taken_name(&bearer)?;
            let card = self.create_card_with(&bearer, sheet, None, &ability, &beside)?;
            files.extend(card.files);
            if let Some(entrant) = card.bearer {
                return Ok((files, entrant));
            }
        }
        let bearer = bearer.cloned().unwrap_or_else(|| name.with_suffix(entrant_word(&self.program)));
        self.refuse_taken_name(&bearer)?;
        let entrant = self.create_entrant(&bearer, None, &ability, &BTreeMap::new(), &beside)?;
        files = beside;
        files.push(entrant.file);
        Ok((files, bearer.id))
    }

    /// The sheet of cards with abilities, if only cards have any in this game.
    fn card_with_abilities(&self) -> Option<SheetFiles> {
        if self.program.sides.entrant.is_none() || self.program.sheets.values().any(|sheet| !sheet.abilities.is_empty()) {
            return None;
        }
        let with = self.program.prints.ids.values().filter_map(|print| self.program.prints.find_print(*print));
        with.filter(|print| !print.abilities.is_empty()).map(|print| SheetFiles::Card(print.sheet)).next()
    }

    /// The text of the script, with comments that explain it. `function` is the name of the function that the ability calls.
    fn script_text(&self, name: &Name, hook: &Hook, kind: AbilityKind, function: &str) -> String {
        let title = &name.title;
        let mut text = format!("//! ability {} \"{title}\"\n//!   \"What it does, in words for players.\"\n", name.id);
        if kind == AbilityKind::Offer {
            text.push_str(&format!("//! uses 1 per {}\n", self.usual_scope()));
        }
        let word = if kind == AbilityKind::Offer { "offer" } else { "trigger" };
        text.push_str(&format!("//!\n//! {word} {function} at {}\n", hook.signature_text()));
        text.extend(hook.side.iter().map(|side| format!("//!   when {side} is me\n")));
        if kind == AbilityKind::Offer {
            text.push_str(&format!("//!   says \"use {title}\"\n"));
        }
        let mut known: Vec<String> = hook.params.iter().map(|param| format!("`{param}`")).collect();
        known.extend(["`me`", "`holder`", "`table`"].map(str::to_string));
        let moment = hook.note.as_deref().map_or(String::new(), |note| format!("When: {} ", full_sentence(note)));
        let about = format!(
            "{moment}Write what it does in the function, and name between its brackets what it needs to know: {}. `me` is the side that has the ability. `ludex show {} words` lists the fields of each, `ludex explain roll` and similar pages explain what a function may call, and `ludex show {} order` lists the other moments at which an ability may act.",
            join_words(&known, "or"),
            self.game,
            self.game
        );
        text.push('\n');
        text.push_str(&comment_text(&about).replace("# ", "// "));
        text.push_str(&format!("fn {function}() {{\n    say(\"{title}\");\n}}\n"));
        text
    }

    /// The most common scope of ability limits; without limits the scope that begins first.
    fn usual_scope(&self) -> String {
        let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
        let limits = self.program.abilities.iter().flat_map(|ability| &ability.uses);
        limits.for_each(|limit| *counts.entry(limit.per).or_default() += 1);
        let most = counts.into_iter().max_by_key(|(_, count)| *count).map(|(scope, _)| usize::from(scope));
        let scope = most.or_else(|| self.program.procedures.iter().position(|procedure| procedure.scope));
        scope.and_then(|scope| self.program.procedures.get(scope)).map_or("match".to_string(), |scope| scope.name.clone())
    }
}

/// A note on one line, with a full stop.
fn full_sentence(note: &str) -> String {
    let line = on_one_line(note);
    if line.ends_with('.') { line } else { format!("{line}.") }
}

/// An ability that reports each hook.
fn probe_script(game: &str, hooks: &[Hook]) -> NewFile {
    let mut text = "//! ability probe \"Probe\"\n//!   \"Says when hooks come up.\"\n//!\n".to_string();
    text.extend(
        hooks.iter().enumerate().map(|(place, hook)| format!("//! trigger probe_{place} at {}\n", hook.signature_text())),
    );
    text.push('\n');
    text.extend((0..hooks.len()).map(|place| format!("fn probe_{place}() {{ say(\"probe {place}\"); }}\n")));
    NewFile::new(format!("scripts/{game}/probe.rhai"), text)
}

/// Whether an event is a `say` of exactly these words.
fn says_words(told: &MatchableEvent, words: &str) -> bool {
    told.kind == "said" && told.readings.iter().flatten().any(|argument| *argument == Argument::Word(words.to_string()))
}

/// Finds a game in which an ability acts, and the answer after which it does. The game is the one with the earliest such answer
/// among the first few. An error if none of many games has one.
fn find_acting_game(program: &Arc<Program>, entrant: &str, ability: &str) -> Result<(Story, usize), Problem> {
    let used = |told: &MatchableEvent| {
        told.kind == "used" && told.readings.iter().flatten().any(|argument| *argument == Argument::Word(ability.to_string()))
    };
    let mut best: Option<(Story, usize)> = None;
    for seed in 1..=MOST_GAMES {
        let story = trial::play_trial(program, Some(entrant), seed)?;
        let step = story.first_step_with(used);
        if let Some(step) = step.filter(|step| best.as_ref().is_none_or(|(_, known)| step < known)) {
            best = Some((story, step));
        }
        if best.is_some() && seed >= PROBED {
            break;
        }
    }
    best.ok_or_else(|| Problem::error(codes::NEW_NAME, ""))
}

fn never_acts_problem(name: &Name, hook: &Hook, kind: AbilityKind) -> Problem {
    let what = if kind == AbilityKind::Offer { "is used" } else { "happens" };
    let message = format!("`{}` never {what} at `{}` in {MOST_GAMES} games, so no file was written", name.id, hook.name);
    Problem::error(codes::NEW_NAME, message)
        .help("choose another hook with `--at`; without `--at`, you see which hooks come up in play")
}
