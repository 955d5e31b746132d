//! Computes the contribution of each face of a die to the folds of a throw.
//!
//! A *fold* is a number that is made from a list die by die, such as a sum (see `readings`). The *share* of a die is its part of
//! that number. `search` calls this before it lists the results of a throw, and `open_dice` to find out whether open dice count.
//! `base` is that of the frame that rolls, and `slots` are those that hold the throw.

use crate::odds::budget::{Budget, Trouble};
use crate::odds::readings::{Fold, FoldKind};
use crate::odds::throws::Share;
use crate::runtime::context::Context as PlayContext;
use crate::runtime::eval::meter::Meter;
use crate::runtime::flow::Machine;
use ludex_program::{Slot, Value};

/// Maximum number of folds of one throw, with one for each member of other lists.
const MOST_FOLDS: usize = 64;

/// Returns the kinds of the folds, one for each time it is asked, and the contribution of each of `faces` to each. `before` is
/// the machine at the throw, which stays as it is. Fails with `TooMuch` if they cannot be computed.
pub fn compute_face_shares(
    context: &PlayContext,
    before: &Machine,
    base: usize,
    folds: &[Fold],
    slots: &[Slot],
    faces: &[Value],
    budget: &mut Budget,
) -> Result<(Vec<FoldKind>, Vec<Vec<Share>>), Trouble> {
    let mut machine = before.clone();
    machine.meter = Meter::default();
    let mut kinds = Vec::new();
    budget.reserve_bytes(faces.len() * size_of::<Vec<Share>>())?;
    let mut found = vec![Vec::new(); faces.len()];
    for fold in folds {
        visit_fold_members(context, &mut machine, base, fold, 0, slots, faces, &mut kinds, &mut found, budget)?;
    }
    Ok((kinds, found))
}

/// Evaluates a fold for each combination of members of the lists over which it is asked. `depth` is the number of these lists
/// that already have their member.
#[expect(clippy::too_many_arguments, reason = "one walk in two steps")]
fn visit_fold_members(
    context: &PlayContext,
    machine: &mut Machine,
    base: usize,
    fold: &Fold,
    depth: usize,
    slots: &[Slot],
    faces: &[Value],
    kinds: &mut Vec<FoldKind>,
    found: &mut [Vec<Share>],
    budget: &mut Budget,
) -> Result<(), Trouble> {
    if let Some((slot, list)) = fold.over.get(depth) {
        let list = machine.evaluate(context, base, list);
        if machine.fault.is_some() {
            return Err(Trouble::TooMuch);
        }
        for member in machine.state.list_values(list).to_vec() {
            machine.set_slot(base, *slot, member);
            visit_fold_members(context, machine, base, fold, depth + 1, slots, faces, kinds, found, budget)?;
        }
        return Ok(());
    }
    if kinds.len() >= MOST_FOLDS {
        return Err(Trouble::TooMuch);
    }
    kinds.push(match (fold.kind, &fold.count) {
        (FoldKind::Kept { highest, .. }, Some(count)) => {
            let count = usize::try_from(machine.evaluate(context, base, count)).unwrap_or(0);
            FoldKind::Kept { highest, count }
        }
        (kind, _) => kind,
    });
    let lists = machine.state.lists.len();
    budget.reserve_bytes(faces.len() * size_of::<Share>())?;
    for (face, shares) in faces.iter().zip(found) {
        budget.spend_work(1)?;
        machine.state.lists.truncate(lists);
        // The throw is replaced by a list of this one die.
        let shown = machine.push_list(&[*face]);
        let before: Vec<Value> = slots.iter().map(|slot| machine.read_slot(base, *slot)).collect();
        slots.iter().for_each(|slot| machine.set_slot(base, *slot, shown));
        let value = machine.evaluate(context, base, &fold.expr);
        if machine.fault.is_some() {
            return Err(Trouble::TooMuch);
        }
        let list = || machine.state.list_values(value).iter().map(|member| i64::from(*member));
        shares.push(match fold.kind {
            FoldKind::Count => Share::Number(list().count() as i64),
            FoldKind::Sum => Share::Number(list().sum()),
            FoldKind::Highest => list().max().map_or(Share::Nothing, Share::Number),
            FoldKind::Lowest => list().min().map_or(Share::Nothing, Share::Number),
            FoldKind::Kept { .. } => list().next().map_or(Share::Nothing, Share::Number),
            FoldKind::Any | FoldKind::All => Share::Number(i64::from(value != 0)),
        });
        slots.iter().zip(before).for_each(|(slot, value)| machine.set_slot(base, *slot, value));
    }
    Ok(())
}
