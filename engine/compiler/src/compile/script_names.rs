//! Compiles the names of the rules that scripts may call, besides procedures: definitions, tables and hook values.
//!
//! Rules have them inlined at each use. For scripts, each becomes a formula of its own, whose parameters are in the first slots;
//! `scripting` uses it wherever a function of a script calls the name.

use super::Compiler;
use crate::resolve::ScriptWords;
use crate::types::Type;
use ludex_program::{Formula, NamedValue};
use ludex_syntax::tree::{Expr as Written, ExprKind, Name};

impl Compiler<'_> {
    /// Compiles those that scripts mention. `scripts` are the words of each script.
    pub(super) fn compile_named(&mut self, scripts: &ScriptWords) {
        let is_named = |name: &Name| scripts.values().any(|words| words.contains(&name.text));
        for define in self.symbols.defines.values().filter(|define| is_named(&define.name)) {
            let params = define.params.iter();
            let params = params.map(|param| (param.name.text.clone(), self.symbols.type_of(&param.of, &mut self.problems)));
            let params = params.collect();
            self.compile_named_value(&define.name, params);
        }
        for (table, params, _) in self.symbols.tables.values().filter(|(table, ..)| is_named(&table.name)) {
            let names = table.params.iter().map(|param| param.name.text.clone());
            self.compile_named_value(&table.name, names.zip(params.iter().cloned()).collect());
        }
        for (hook, params, _) in self.symbols.hooks.iter().filter(|(hook, ..)| hook.value.is_some() && is_named(&hook.name)) {
            let names = hook.params.iter().map(|param| param.name.text.clone());
            self.compile_named_value(&hook.name, names.zip(params.iter().cloned()).collect());
        }
    }

    /// Compiles a call of a name with its own parameters as arguments. Values that no script can use are left out.
    fn compile_named_value(&mut self, name: &Name, params: Vec<(String, Type)>) {
        let told = self.problems.len();
        self.begin_function();
        for (param, of) in &params {
            self.add_slot(param, of.clone());
        }
        let argument = |(param, _): &(String, Type)| Written { kind: ExprKind::Name(param.clone()), span: name.span };
        let arguments: Vec<Written> = params.iter().map(argument).collect();
        let (expr, of) = self.compile_call(name, &arguments);
        // The rules may have reported its errors at another use.
        for problem in self.problems.split_off(told) {
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        if !matches!(of, Type::None | Type::Unknown | Type::Moves(_)) {
            let params = params.into_iter().map(|(param, of)| (param, of.to_shape())).collect();
            let value = Formula { expr, slots: self.function.most_slots };
            self.program.named.push(NamedValue { name: name.text.clone(), params, gives: of.to_shape(), value });
        }
    }
}
