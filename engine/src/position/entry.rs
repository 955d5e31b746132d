//! `strike(target: x) in turn(active: 1)`: the entry at which play starts, and what the procedures around it were given.

use super::{Around, Call, Entry};
use crate::codes;
use crate::field::shown;
use crate::problem::Problem;
use crate::program::{CallSite, ProcedureInfo, Program, SIDE, Shape, Slot};

/// Separates an entry from the procedure around it.
pub(super) const IN: &str = " in ";

/// What a position gives to a procedure: words for each parameter, or none where nothing needs it.
pub type Given = Vec<Option<String>>;

type Param = (String, Shape);

/// An entry as a position names it, with no more than it must say: `turn(active: 0)`.
pub fn example(program: &Program, entry: &ProcedureInfo) -> String {
    let mut known: Vec<&Param> = entry.params.iter().collect();
    let mut levels = vec![sample_call(program, &entry.name, &known)];
    for (caller, site) in callers(program, entry) {
        let needs = site.needs.iter().filter_map(|slot| caller.params.get(usize::from(*slot)));
        let missing: Vec<&Param> = needs.filter(|param| !known.contains(param)).collect();
        if !missing.is_empty() {
            levels.push(sample_call(program, &caller.name, &missing));
            known.extend(missing);
        }
    }
    levels.join(IN)
}

fn sample_call(program: &Program, name: &str, params: &[&Param]) -> String {
    let arguments = params.iter().map(|(name, shape)| (name.clone(), sample(program, shape))).collect();
    Call { procedure: name.to_string(), arguments }.words()
}

/// Something that a parameter may be.
fn sample(program: &Program, shape: &Shape) -> String {
    match shape {
        Shape::OrNone(inner) => sample(program, inner),
        Shape::Entity(SIDE) => "0".to_string(),
        Shape::Entity(_) if program.is_piece(shape) => "a".to_string(),
        Shape::Entity(kind) => {
            let sheet = program.sheets.values().find(|sheet| sheet.kind == *kind);
            sheet.map_or_else(|| "none".to_string(), |sheet| sheet.id.clone())
        }
        _ => shown(program, shape, 0),
    }
}

/// The procedures around an entry from the inside out, each with the call in it that leads there.
pub(super) fn callers<'p>(
    program: &'p Program,
    entry: &'p ProcedureInfo,
) -> impl Iterator<Item = (&'p ProcedureInfo, &'p CallSite)> {
    let sites = entry.chain.iter().rev();
    sites.filter_map(|site| Some((program.procedures.get(usize::from(site.procedure))?, site)))
}

/// The entry of a name.
pub fn entry_called<'p>(program: &'p Program, name: &str) -> Option<&'p ProcedureInfo> {
    program.procedures.iter().find(|procedure| procedure.entry && procedure.name == name)
}

/// What each procedure around an entry is given, from the inside out. What the position does not say is what a procedure
/// further inside is given under the same name.
pub fn given(program: &Program, entry: &Entry) -> Result<Vec<Given>, Box<Problem>> {
    let (Around::Given(calls), Some(info)) = (&entry.around, entry_called(program, &entry.call.procedure)) else {
        return Ok(Vec::new());
    };
    let of_entry = info.params.iter().map(|(name, _)| entry.call.argument(name).map(str::to_string)).collect();
    let mut giving = Giving { program, entry, info, known: vec![(info.params.as_slice(), of_entry)] };
    for (caller, site) in callers(program, info) {
        let said = calls.iter().find(|call| call.procedure == caller.name);
        let slots = 0..caller.params.len() as Slot;
        let words = slots.map(|slot| giving.give(caller, site, slot, said)).collect::<Result<Given, _>>()?;
        giving.known.push((caller.params.as_slice(), words));
    }
    Ok(giving.known.into_iter().skip(1).map(|(_, words)| words).collect())
}

/// What is known while the procedures around an entry are gone through, from the inside out.
struct Giving<'p> {
    program: &'p Program,
    entry: &'p Entry,
    info: &'p ProcedureInfo,
    known: Vec<(&'p [Param], Given)>,
}

impl Giving<'_> {
    fn give(
        &self,
        caller: &ProcedureInfo,
        site: &CallSite,
        slot: Slot,
        said: Option<&Call>,
    ) -> Result<Option<String>, Box<Problem>> {
        let param = &caller.params[usize::from(slot)];
        let stated = said.and_then(|call| call.argument(&param.0));
        match (stated, self.implied(param)) {
            (Some(stated), Some(implied)) if stated != implied => Err(self.contradiction(caller, &param.0, stated, implied)),
            (Some(words), _) | (None, Some(words)) => Ok(Some(words.to_string())),
            (None, None) if site.needs.contains(&slot) => Err(self.not_said(caller, &param.0)),
            (None, None) => Ok(None),
        }
    }

    /// What the nearest procedure inside is given that has the same parameter.
    fn implied(&self, param: &Param) -> Option<&str> {
        let all = self.known.iter().flat_map(|(params, words)| params.iter().zip(words));
        let mut same = all.filter(|(other, _)| *other == param);
        same.find_map(|(_, words)| words.as_deref())
    }

    fn contradiction(&self, caller: &ProcedureInfo, param: &str, stated: &str, implied: &str) -> Box<Problem> {
        let message = format!("`{param}` of `{}` cannot be {stated}, because it is {implied} further inside", caller.name);
        self.wrong(message, "two values for one name")
    }

    fn not_said(&self, caller: &ProcedureInfo, param: &str) -> Box<Problem> {
        let message = format!("`{}` happens inside `{}`, which needs its `{param}`", self.info.name, caller.name);
        self.wrong(message, "not given here")
    }

    fn wrong(&self, message: String, remark: &str) -> Box<Problem> {
        let problem = Problem::error(codes::POSITION_ENTRY, message).at(self.entry.span, remark);
        Box::new(problem.help(format!("write it as `{}`", example(self.program, self.info))))
    }
}

impl Call {
    /// What a parameter is given.
    pub(crate) fn argument(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(own, _)| own == name).map(|(_, words)| words.as_str())
    }

    /// `turn(active: 0)`
    pub(crate) fn words(&self) -> String {
        let arguments: Vec<String> = self.arguments.iter().map(|(name, words)| format!("{name}: {words}")).collect();
        match arguments.is_empty() {
            true => self.procedure.clone(),
            false => format!("{}({})", self.procedure, arguments.join(", ")),
        }
    }
}

impl Entry {
    /// All that is given to it and to the procedures around it, said or not: `actions(active: 1) in turn(active: 1)`.
    pub(crate) fn words(&self, program: &Program) -> String {
        let around = entry_called(program, &self.call.procedure).into_iter().flat_map(|info| callers(program, info));
        let given = given(program, self).unwrap_or_default();
        let calls = around.zip(given).map(|((caller, _), given)| {
            let arguments = caller.params.iter().zip(given);
            let arguments = arguments.filter_map(|((name, _), words)| Some((name.clone(), words?))).collect();
            Call { procedure: caller.name.clone(), arguments }
        });
        let calls = calls.filter(|call| !call.arguments.is_empty());
        std::iter::once(self.call.words()).chain(calls.map(|call| call.words())).collect::<Vec<_>>().join(IN)
    }
}
