//! Options that depend on pieces which whoever is asked cannot see, where the rules do not say `tells`.

use super::{Room, Survey, amounts};
use crate::program::{
    ActionId, ActionInfo, Address, AskCode, AskCodeWhat, ClauseKind, Expr, Instruction, SIDE, Seen, Shape, Slot,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;

impl<'p> Survey<'p> {
    /// A warning for each action, offer and question that tells without saying so.
    pub fn telling(&mut self) -> Vec<Problem> {
        let program = self.program;
        let mut problems = Vec::new();
        for index in 0..program.actions.len() as ActionId {
            problems.extend(self.action_tells(index));
        }
        for (index, info) in program.clauses.iter().enumerate() {
            let asked = [self.params_of_hook(info.hook) as Slot];
            let is_looked_at = info.kind == ClauseKind::Offer && !info.tells && info.to.is_none();
            if is_looked_at && info.guard.iter().any(|guard| self.looks(Room::Clause(index as u16), guard, &asked)) {
                problems.push(warning(&format!("`{}`", info.name.replace('_', " ")), info.span));
            }
        }
        let code = std::mem::take(&mut self.code);
        for (room, addresses) in &code {
            problems.extend(addresses.iter().filter_map(|at| self.question_tells(*room, *at)));
        }
        self.code = code;
        problems
    }

    fn action_tells(&mut self, index: ActionId) -> Option<Problem> {
        let program = self.program;
        let (info, room) = (&program.actions[usize::from(index)], Room::Action(index));
        let offer = program.clauses.iter().find(|clause| clause.action == Some(index));
        if info.tells || offer.is_some_and(|clause| clause.tells || clause.to.is_some()) {
            return None;
        }
        let asked = match (offer, info.family) {
            (Some(clause), _) => vec![self.params_of_hook(clause.hook) as Slot],
            (None, Some(family)) => self.who_chooses(index, info, &program.families[usize::from(family)].params),
            (None, None) => return None,
        };
        let places = info.roles.iter().flat_map(|role| &role.filter_places).chain(&info.conditions);
        let place = places.into_iter().find(|place| self.looks(room, &place.expr, &asked)).map(|place| place.span);
        let roles = info.roles.iter().flat_map(|role| std::iter::once(&role.from).chain(amounts(&role.amount)));
        let span = place.or_else(|| roles.into_iter().any(|expr| self.looks(room, expr, &asked)).then_some(info.span))?;
        Some(warning(&format!("`{}`", info.name.replace('_', " ")), span))
    }

    /// The side that chooses a move is the first parameter of its family, and of a granted one `me`.
    fn who_chooses(&self, index: ActionId, info: &ActionInfo, params: &[(String, Shape)]) -> Vec<Slot> {
        let first = params.first().filter(|(_, shape)| *shape == Shape::Entity(SIDE)).map(|_| 0);
        let is_granted = self.granting(index).is_some() && usize::from(info.context) > params.len();
        let me = is_granted.then_some(params.len() as Slot);
        first.into_iter().chain(me).collect()
    }

    fn question_tells(&mut self, room: Room, at: Address) -> Option<Problem> {
        let program = self.program;
        let (ask, variable) = match program.code.get(at as usize)? {
            Instruction::Ask(ask) => (ask.as_ref(), None),
            Instruction::AskAtOnce(code) => (&code.ask, Some(code.variable)),
            _ => return None,
        };
        if ask.tells || program.is_script(at) {
            return None;
        }
        let who = match &ask.who {
            Expr::Local(slot) => Some(*slot),
            _ => None,
        };
        let asked: Vec<Slot> = who.into_iter().chain(variable).collect();
        let place = program.places.get(at as usize)?;
        let looks = read_by(ask).into_iter().any(|expr| self.looks(room, expr, &asked));
        looks.then(|| warning("this question", place.span))
    }

    /// Whether a value is worked out from what lies in a zone that a side cannot look into, which is in one of these slots.
    /// To count the pieces of a zone is no look into it.
    fn looks(&mut self, room: Room, expr: &'p Expr, asked: &[Slot]) -> bool {
        match expr {
            Expr::CountZone(zone) => self.looks_within(room, zone, asked),
            // Nor to see where its cells stand.
            Expr::OnBoard(_, operands) => operands.iter().any(|operand| self.looks_within(room, operand, asked)),
            Expr::CountList(list) => self.looks_to_count(room, list, asked),
            Expr::LocalZone { slot, zone } => {
                let of = self.slots.get(room, *slot);
                self.is_closed(&of.kinds, *zone, asked.contains(slot))
            }
            Expr::LentZone { slot, foe, field, zone } => {
                let of = self.field(&self.slots.get(room, *slot), *field);
                self.is_closed(&of.kinds, *zone, asked.contains(slot) && !foe)
            }
            Expr::Zone { of, zone } | Expr::MapZone { list: of, zone } => {
                let kinds = self.value(room, of).kinds;
                let is_own = matches!(of.as_ref(), Expr::Local(slot) if asked.contains(slot));
                self.is_closed(&kinds, *zone, is_own) || self.looks(room, of, asked)
            }
            Expr::LocalField { slot, field } => {
                let of = self.slots.get(room, *slot);
                self.is_private(&of.kinds, *field, asked.contains(slot))
            }
            Expr::Field { of, field } | Expr::Held { of, field } | Expr::FieldList { zone: of, field, .. } => {
                let kinds = self.value(room, of).kinds;
                let is_own = matches!(of.as_ref(), Expr::Local(slot) if asked.contains(slot));
                self.is_private(&kinds, *field, is_own) || self.looks(room, of, asked)
            }
            Expr::With { slot, value, then } if matches!(value.as_ref(), Expr::Local(from) if asked.contains(from)) => {
                let asked: Vec<Slot> = asked.iter().copied().chain([*slot]).collect();
                self.looks(room, then, &asked)
            }
            _ => self.looks_within(room, expr, asked),
        }
    }

    /// Whether it is to count the members of a list: zones side by side are no look into any of them.
    fn looks_to_count(&mut self, room: Room, list: &'p Expr, asked: &[Slot]) -> bool {
        match list {
            Expr::ZoneList(zone) => self.looks_within(room, zone, asked),
            Expr::MapZone { list: of, .. } => self.looks(room, of, asked),
            Expr::Concatenate(one, other) => self.looks_to_count(room, one, asked) || self.looks_to_count(room, other, asked),
            _ => self.looks(room, list, asked),
        }
    }

    /// Whether a part of it is; that of which it is a zone is none.
    fn looks_within(&mut self, room: Room, expr: &'p Expr, asked: &[Slot]) -> bool {
        let mut members: Vec<&'p Expr> = Vec::new();
        match expr {
            Expr::Zone { of, .. } => members.push(of),
            Expr::LocalZone { .. } | Expr::LentZone { .. } => {}
            _ => expr.parts(&mut |part| members.push(part)),
        }
        members.into_iter().any(|part| self.looks(room, part, asked))
    }

    fn is_private<'k>(&self, kinds: impl IntoIterator<Item = &'k u16>, field: u16, is_own: bool) -> bool {
        let infos = kinds.into_iter().filter_map(|kind| self.program.kind(*kind).fields.get(usize::from(field)));
        infos.into_iter().any(|info| is_kept_from(info.seen, is_own))
    }

    fn is_closed<'k>(&self, kinds: impl IntoIterator<Item = &'k u16>, zone: u16, is_own: bool) -> bool {
        let infos = kinds.into_iter().filter_map(|kind| self.program.kind(*kind).zones.get(usize::from(zone)));
        infos.into_iter().any(|info| is_kept_from(info.seen, is_own))
    }
}

/// Whether a side cannot see what is its own, or another's.
fn is_kept_from(seen: Seen, is_own: bool) -> bool {
    match seen {
        Seen::All => false,
        Seen::Owner => !is_own,
        Seen::Others => is_own,
        Seen::Nobody => true,
    }
}

/// What the options of a question are made from, but for moves, of which each tells by itself.
fn read_by(ask: &AskCode) -> Vec<&Expr> {
    match &ask.what {
        AskCodeWhat::Among { amount, set, .. } => std::iter::once(set).chain(amounts(amount)).collect(),
        AskCodeWhat::Order { set, .. } => vec![set],
        AskCodeWhat::Number { least, most } => vec![least, most],
        AskCodeWhat::Divide(divide) => vec![&divide.total, &divide.among],
        AskCodeWhat::Families(_) | AskCodeWhat::Word(_) | AskCodeWhat::YesNo => Vec::new(),
    }
}

fn warning(what: &str, span: Span) -> Problem {
    let message = format!("what {what} lets a side choose depends on pieces that it cannot see");
    Problem::suspicion(codes::QUESTION_TELLS, message)
        .at(span, "the options reveal something about them")
        .help("write `tells` after it if the rules mean to reveal this, or choose only from what the side can see")
}
