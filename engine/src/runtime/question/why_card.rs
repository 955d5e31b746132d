//! Explains why a card cannot be chosen now: the rule that prevents it, or the moment when it is possible.
//!
//! The source of an argument and its `where` define the purpose of the argument; each `when` is a possible obstacle. So a card
//! that fits an action is refused by the first `when` that fails, and a card that fits no action belongs to another moment.
//!
//! *Copies* are cards of one sheet that a player means by a name. A *when* is a condition of an action, an *argument* one of its
//! roles. `base` is that of the slots with the bound values and arguments of a move that is being tried. `Session::why_card`
//! calls this.

use crate::runtime::context::Context;
use crate::runtime::eval::question::{Group, GroupKind, Question, QuestionForm};
use crate::runtime::event::{Audience, Viewer};
use crate::runtime::question::Questions;
use crate::runtime::state::NOWHERE;
use crate::runtime::text::Speaker;
use crate::runtime::text::facts::distinguishing_text;
use ludex_program::{
    ActionId, ActionInfo, AskCode, AskCodeWhat, ClauseKind, ConditionInfo, Expr, FamilyId, Instruction, NONE, RoleAmount,
    RoleInfo, SIDE, Shape, TextPart, Value,
};
use ludex_syntax::problem::cites_text;

/// Maximum number of ways to fill the other arguments that are tried.
const MOST_WAYS: usize = 500;
/// Maximum number of option sentences that are shown.
pub const MOST_TOLD: usize = 3;

/// The reason why one way of choosing a card fails.
pub struct Obstacle {
    /// The action; `None` for one that the card itself grants.
    pub action: Option<String>,
    /// The progress: 0 if an argument has no candidate, else one more than the number of conditions that held.
    pub held: usize,
    /// The reason, for people.
    pub words: String,
}

/// The families that a question asks for, with the arguments of each.
type Families<'p> = &'p [(FamilyId, Vec<Expr>)];

/// A card whose name matches the request.
struct CardMatch {
    /// True if the request is only a part of its name.
    partly: bool,
    /// See [`Questions::card_nearness`].
    near: u8,
    /// Its print, which all copies share.
    print: Value,
    piece: Value,
}

impl Questions {
    /// The players' name for copies of one card. If `several` cards were found, with a phrase that distinguishes it from others
    /// with the same name.
    pub fn card_name(&self, context: &Context, copies: &[Value], several: bool) -> String {
        let Some(print) = copies.first().and_then(|card| self.print_of_piece(context, *card)) else { return String::new() };
        let name = context.program.prints.print_name(print);
        match distinguishing_text(context.program, print).filter(|_| several) {
            Some(apart) => format!("{name} ({apart})"),
            None => name.to_string(),
        }
    }

    /// The cards that a seat sees and owns, by their name or a part of it. They are grouped by nearness (in its hand, in play,
    /// out of play), and then by copies.
    pub fn cards_by_name(&self, context: &Context, seat: usize, called: &str) -> Vec<Vec<Vec<Value>>> {
        let called = called.trim().to_lowercase();
        let first = Value::from(context.roster.first_piece);
        let pieces =
            (first..self.state.board.entities.len() as Value).filter(|piece| self.owner_side(context, *piece) == Some(seat));
        let mut found: Vec<CardMatch> = pieces
            .filter_map(|piece| {
                let print = self.print_of_piece(context, piece)?;
                let name = context.program.prints.print_name(print).to_lowercase();
                let near = self.card_nearness(context, seat, piece).filter(|_| !name.is_empty() && name.contains(&called))?;
                Some(CardMatch { partly: name != called, near, print, piece })
            })
            .collect();
        // Exact matches hide partial ones.
        let whole = found.iter().any(|found| !found.partly);
        found.retain(|found| !(whole && found.partly));
        found.sort_by_key(|found| (found.near, found.print));
        let copies = |cards: &[CardMatch]| cards.iter().map(|found| found.piece).collect();
        let cards = |place: &[CardMatch]| place.chunk_by(|one, next| one.print == next.print).map(copies).collect();
        found.chunk_by(|one, next| one.near == next.near).map(cards).collect()
    }

    /// The nearness of a card to a seat that sees it: 0 in its hand, 1 in play, 2 out of play.
    fn card_nearness(&self, context: &Context, seat: usize, piece: Value) -> Option<u8> {
        let place = self.state.board.entities.get(piece as usize).map(|found| found.place).filter(|place| *place != NOWHERE)?;
        let viewers = self.viewers_of(context, place);
        if !viewers.includes(Viewer::Seat(seat)) {
            return None;
        }
        let out_of_play = self.zone_info(context, place)?.out_of_play;
        Some(match (viewers == Audience::All, out_of_play) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        })
    }

    /// The obstacles to choosing these cards in the open question at an index, one for each action that they fit: the one that
    /// gets furthest. The words are for the seat that is asked, and reveal nothing that is hidden from it.
    pub fn find_obstacles(&mut self, context: &Context, place: usize, copies: &[Value]) -> Vec<Obstacle> {
        let Some(open) = self.scratch.questions.get_mut(place) else { return Vec::new() };
        let question = std::mem::take(open);
        let audience = Audience::Seats(vec![question.side]);
        let obstacles = self.with_audience(audience, |machine| machine.obstacles_in(context, &question, copies));
        if let Some(open) = self.scratch.questions.get_mut(place) {
            *open = question;
        }
        obstacles
    }

    fn obstacles_in(&mut self, context: &Context, question: &Question, copies: &[Value]) -> Vec<Obstacle> {
        let mut obstacles = Vec::new();
        if question.form == QuestionForm::Options {
            for (action, bound) in self.possible_actions(context, question, copies) {
                let found = copies.iter().filter_map(|card| self.obstacle_of(context, question.side, action, &bound, *card));
                // The first of those with the most progress.
                let best = found.reduce(|best, found| if found.held > best.held { found } else { best });
                obstacles.extend(best);
            }
        }
        obstacles
    }

    /// The possible actions for the question on top, with their bound values: those of the rules, and those that the cards grant.
    fn possible_actions(&mut self, context: &Context, question: &Question, copies: &[Value]) -> Vec<(ActionId, Vec<Value>)> {
        let Some((base, families)) = self.families_asked(context) else { return Vec::new() };
        let mut ways = Vec::new();
        for (family, arguments) in families {
            let bound: Vec<Value> = arguments.iter().map(|argument| self.evaluate(context, base, argument)).collect();
            let Some(info) = context.program.families.get(usize::from(*family)) else { continue };
            for part in &info.parts {
                let declared = context.program.families.get(usize::from(*part)).map_or(&[][..], |info| info.actions.as_slice());
                ways.extend(declared.iter().map(|action| (*action, bound.clone())));
            }
            for (instance, action) in self.granted_actions(context, *family, copies) {
                let mut bound = bound.clone();
                bound.extend(self.owner_values(context, instance));
                ways.push((action, bound));
            }
        }
        // Groups of the question already have their bound values.
        let known = |group: &&Group| group.kind == GroupKind::Action;
        for group in question.groups().iter().filter(known) {
            ways.iter_mut().filter(|(action, _)| *action == group.action).for_each(|(_, bound)| {
                *bound = question.context_of(group).to_vec();
            });
        }
        ways
    }

    /// The families of moves that are asked for, and the base of the question's slots.
    fn families_asked<'p>(&self, context: &'p Context<'p>) -> Option<(usize, Families<'p>)> {
        let frame = self.state.frames.last().copied()?;
        let ask = context.program.code.get(frame.at as usize)?.ask_code()?;
        let AskCodeWhat::Families(families) = &ask.what else { return None };
        Some((frame.base as usize, families.as_slice()))
    }

    /// The actions that abilities of these cards grant to a family.
    fn granted_actions(&self, context: &Context, family: FamilyId, copies: &[Value]) -> Vec<(u16, ActionId)> {
        let grants = context.roster.grants.get(usize::from(family)).map_or(&[][..], Vec::as_slice);
        let of_copies = grants.iter().filter_map(|grant| {
            let found = context.roster.instances.get(usize::from(grant.instance))?;
            let ability = context.program.abilities.get(usize::from(found.ability))?;
            let action = ability.grants.get(usize::from(grant.index))?.action;
            copies.contains(&Value::from(found.holder)).then_some((grant.instance, action))
        });
        of_copies.collect()
    }

    /// The obstacle to a card as an argument of an action, or as its granter; `None` if it does not fit the action. `bound` are
    /// the bound values, and `seat` reads the words.
    fn obstacle_of(
        &mut self,
        context: &Context,
        seat: usize,
        action: ActionId,
        bound: &[Value],
        card: Value,
    ) -> Option<Obstacle> {
        let info = context.program.actions.get(usize::from(action))?;
        let base = self.state.slots.len();
        let lists = self.state.lists.len();
        self.state.slots.extend_from_slice(bound);
        self.state.slots.resize(base + usize::from(info.slots), NONE);
        // Beyond the arguments of the family, bound values are the owner of the ability that grants the action.
        let grants = bound.len() > info.family.map_or(0, |family| self.params_of(context, family)) && bound.contains(&card);
        let granting = context.program.abilities.iter().find(|ability| ability.grants.iter().any(|grant| grant.action == action));
        let cites = granting.map_or(info.rules.as_slice(), |ability| ability.rules.as_slice());
        let mut search = CardSearch { info, seat, rules: cites, card, grants, best: None, left: MOST_WAYS };
        self.try_roles(context, base, &mut search, 0, grants);
        let best = search.best.take();
        self.state.slots.truncate(base);
        self.state.lists.truncate(lists);
        best
    }

    /// Number of parameters of a family.
    fn params_of(&self, context: &Context, family: FamilyId) -> usize {
        context.program.families.get(usize::from(family)).map_or(0, |info| info.params.len())
    }

    /// Fills the arguments from the index `place` on, in every way that uses the card, and records failures. `has_card` says
    /// whether the card is already used.
    fn try_roles(&mut self, context: &Context, base: usize, ways: &mut CardSearch, place: usize, has_card: bool) {
        let info = ways.info;
        let Some(role) = info.roles.get(place) else {
            if has_card {
                self.try_conditions(context, base, ways);
            }
            return;
        };
        let candidates = self.fitting_candidates(context, base, info, role);
        let whens: Vec<_> = role.filter.iter().zip(&role.filter_places).filter(|(_, place)| is_when(info, place)).collect();
        if candidates.is_empty() && has_card {
            let words = format!("there is no {} for it{}", role.name.replace('_', " "), cites_text(ways.rules));
            ways.record_obstacle(0, words);
        }
        let several = role.shape.is_list();
        for candidate in candidates {
            if ways.left == 0 {
                return;
            }
            let value = if several { self.push_list(&[candidate]) } else { candidate };
            self.set_slot(base, info.context + place as u16, value);
            // An obstacle to this argument alone does not depend on the others.
            let failed = whens.iter().find(|(test, _)| !self.test_member(context, base, role.filter_slot, candidate, test));
            match failed {
                Some((test, condition)) if candidate == ways.card => {
                    if !self.is_hidden(context, base, ways.seat, &[test]) {
                        self.record_failure(context, base, ways, condition);
                    }
                }
                _ => self.try_roles(context, base, ways, place + 1, has_card || candidate == ways.card),
            }
        }
    }

    /// The candidates of an argument that its `where` allows. An optional argument may also be empty.
    fn fitting_candidates(&mut self, context: &Context, base: usize, info: &ActionInfo, role: &RoleInfo) -> Vec<Value> {
        let list = self.evaluate(context, base, &role.from);
        let candidates = self.state.list_values(list).to_vec();
        let tests: Vec<_> = role.filter.iter().zip(&role.filter_places).filter(|(_, place)| !is_when(info, place)).collect();
        let passes = |machine: &mut Questions, value: Value| {
            tests.iter().all(|(test, _)| machine.test_member(context, base, role.filter_slot, value, test))
        };
        let mut fitting: Vec<Value> = candidates.into_iter().filter(|value| passes(self, *value)).collect();
        if matches!(role.amount, RoleAmount::OneOrNone) {
            fitting.push(NONE);
        }
        fitting
    }

    /// With all arguments filled: records the first condition that fails or, if there is none, the restriction that forbids the
    /// move.
    fn try_conditions(&mut self, context: &Context, base: usize, ways: &mut CardSearch) {
        ways.left = ways.left.saturating_sub(1);
        let info = ways.info;
        match self.first_failing(context, base, ways.seat, &info.conditions) {
            Some(condition) => self.record_failure(context, base, ways, condition),
            None => {
                let side = ways.seat as Value;
                if let Some(words) = info.family.and_then(|family| self.barring_words(context, family, side)) {
                    ways.record_obstacle(info.conditions.len() + 1, words);
                }
            }
        }
    }

    /// Records a `when` that fails. A first one without a text only defines the action's purpose, as a `where` does.
    fn record_failure(&mut self, context: &Context, base: usize, ways: &mut CardSearch, condition: &ConditionInfo) {
        let held = ways.info.conditions.iter().position(|known| known.span == condition.span).unwrap_or(0);
        if held > 0 || condition.why_not.is_some() {
            let words = self.condition_words(context, base, ways.seat, condition);
            ways.record_obstacle(held + 1, words);
        }
    }

    // --- another moment -----------------------------------------------------------------

    /// The moments when these cards may be chosen: the questions that they fit, or else the moments of their abilities.
    pub fn find_moments(&mut self, context: &Context, seat: usize, copies: &[Value]) -> Vec<String> {
        let asks = context.program.code.iter().filter_map(Instruction::ask_code);
        let mut moments: Vec<String> = Vec::new();
        for ask in asks {
            if let Some(words) = prompt_words(context, ask).filter(|words| !moments.contains(words))
                && self.fits_question(context, ask, seat, copies)
            {
                moments.push(words);
            }
        }
        if moments.is_empty() {
            moments = self.moments_of_abilities(context, copies);
        }
        moments
    }

    /// Whether a question of moves fits a card. For questions that are not open yet, only sides are known.
    fn fits_question(&mut self, context: &Context, ask: &AskCode, seat: usize, copies: &[Value]) -> bool {
        let AskCodeWhat::Families(families) = &ask.what else { return false };
        families.iter().any(|(family, _)| {
            if !self.granted_actions(context, *family, copies).is_empty() {
                return true;
            }
            let Some(info) = context.program.families.get(usize::from(*family)) else { return false };
            let known = info.params.iter().all(|(_, shape)| *shape == Shape::Entity(SIDE));
            known && info.parts.iter().any(|part| self.takes_card(context, *part, seat, copies))
        })
    }

    /// Whether an action of a family takes one of these cards as an argument when a side is asked.
    fn takes_card(&mut self, context: &Context, family: FamilyId, seat: usize, copies: &[Value]) -> bool {
        let Some(info) = context.program.families.get(usize::from(family)) else { return false };
        info.actions.iter().filter_map(|action| context.program.actions.get(usize::from(*action))).any(|action| {
            let (base, lists) = (self.state.slots.len(), self.state.lists.len());
            self.state.slots.extend(std::iter::repeat_n(seat as Value, info.params.len()));
            self.state.slots.resize(base + usize::from(action.slots), NONE);
            let first = action.roles.first();
            let takes = first.is_some_and(|role| {
                self.fitting_candidates(context, base, action, role).iter().any(|card| copies.contains(card))
            });
            self.state.slots.truncate(base);
            self.state.lists.truncate(lists);
            takes
        })
    }

    /// The moments at which abilities of these cards act, and what they do.
    fn moments_of_abilities(&self, context: &Context, copies: &[Value]) -> Vec<String> {
        let instances = context.roster.instances.iter().filter(|found| copies.contains(&Value::from(found.holder)));
        let mut moments: Vec<String> = Vec::new();
        for ability in instances.filter_map(|found| context.program.abilities.get(usize::from(found.ability))) {
            let clauses = ability.clauses.iter().filter_map(|clause| context.program.clauses.get(usize::from(*clause)));
            let acting = clauses.filter(|clause| clause.kind != ClauseKind::Modifier);
            for hook in acting.filter_map(|clause| context.program.hooks.get(usize::from(clause.hook))) {
                let moment = hook.moment.clone().unwrap_or_else(|| format!("`{}`", hook.name.replace('_', " ")));
                let words = format!("it can act when {moment}{}. {}", cites_text(&ability.rules), ability.text);
                if !moments.contains(&words) {
                    moments.push(words);
                }
            }
        }
        moments
    }
}

/// Whether a test of an argument is one of the action's `when`s.
fn is_when(info: &ActionInfo, place: &ConditionInfo) -> bool {
    info.conditions.iter().any(|condition| condition.span == place.span)
}

/// The search for ways in which a card may be an argument of an action.
struct CardSearch<'p> {
    info: &'p ActionInfo,
    /// The seat that reads the reason.
    seat: usize,
    /// The rules cited by the action, or by the ability that grants it.
    rules: &'p [String],
    card: Value,
    /// The card itself grants the action.
    grants: bool,
    /// The obstacle with the most progress so far.
    best: Option<Obstacle>,
    /// Number of ways still to try.
    left: usize,
}

impl CardSearch<'_> {
    /// Keeps an obstacle if it has more progress than the best so far. `held` is [`Obstacle::held`].
    fn record_obstacle(&mut self, held: usize, words: String) {
        if self.best.as_ref().is_none_or(|best| held > best.held) {
            let action = (!self.grants).then(|| self.info.name.replace('_', " "));
            self.best = Some(Obstacle { action, held, words });
        }
    }
}

/// The words of a question, if they are always the same.
fn prompt_words(context: &Context, ask: &AskCode) -> Option<String> {
    match context.program.text_parts(ask.prompt?) {
        [TextPart::Words(words)] => Some(format!("it can be chosen when you are asked: {words}")),
        _ => None,
    }
}
