//! Facts about a game between bots other than its outcome.

use crate::guard::catch_panic;
use ludex_bots::Player;
use ludex_bots::play::{MOST_ANSWERS, answer_next};
use ludex_engine::program::{KindSort, ProcedureId, Program, Shape};
use ludex_engine::recording::Entry;
use ludex_engine::runtime::Session;

/// The recorded entries of a game between bots. Failures during play are ignored. Used to replay a game in which something
/// failed, of which only the seed is known.
pub fn collect_entries(session: &mut Session, bots: &mut [Box<dyn Player>]) -> Vec<Entry> {
    let mut given = Vec::new();
    let _ = catch_panic(|| {
        for _ in 0..MOST_ANSWERS {
            let Ok(true) = answer_next(session, bots, Some(&mut given)) else { break };
        }
    });
    given
}

/// The scope for turns, if the rules have one: an entry whose first parameter is its side. A scope is a procedure that names a
/// time; an entry is one at which play can start from a position.
pub fn turn_scope(program: &Program) -> Option<ProcedureId> {
    let turn = program.procedures.iter().position(|procedure| {
        let of_a_side = procedure.params.first().is_some_and(|(_, shape)| is_side(program, shape));
        procedure.scope && procedure.entry && of_a_side
    });
    turn.map(|turn| turn as ProcedureId)
}

/// The scopes of the rules, in the order in which they are declared.
pub fn declared_scopes(program: &Program) -> impl Iterator<Item = (ProcedureId, &str)> {
    let procedures = program.procedures.iter().enumerate();
    procedures.filter(|(_, procedure)| procedure.scope).map(|(id, procedure)| (id as ProcedureId, procedure.name.as_str()))
}

fn is_side(program: &Program, shape: &Shape) -> bool {
    matches!(shape, Shape::Entity(kind) if program.kind(*kind).sort == KindSort::Side)
}
