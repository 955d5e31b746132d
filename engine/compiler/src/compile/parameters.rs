//! Compiles parameters of abilities, which a sheet may set where it lists the ability.
//!
//! The values are columns of a settings sheet, whose print is in one slot of every clause. So a parameter is an alias: a read of
//! its column. Without a value in the file, its default counts.

use super::{Compiler, Local, Meaning};
use crate::symbols::{constant_value, is_printed_type};
use crate::types::Type;
use ludex_program::{Expr, FieldInfo, PrintedLine, SheetId, SheetInfo, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::tree::{Ability, Expr as Written, Name, PartKind, TypeName};

impl Compiler<'_> {
    /// Turns the parameters of an ability into columns of a sheet that only holds its settings. Returns that sheet; none without
    /// parameters. `id` is the ability's.
    pub(super) fn compile_parameters(&mut self, ability: &Ability, id: &str) -> Option<SheetId> {
        let mut sheet = SheetInfo {
            name: format!("settings of {id}"),
            plural: String::new(),
            base: None,
            root: self.program.prints.sheets.len() as SheetId,
            kind: None,
            columns: Vec::new(),
            prints: Vec::new(),
        };
        self.parameters.clear();
        for part in &ability.parts {
            if let PartKind::Parameter { name, of, range, default } = &part.kind {
                self.compile_parameter(name, of, range.as_ref(), default.as_ref(), &mut sheet);
            }
        }
        if sheet.columns.is_empty() {
            return None;
        }
        let root = sheet.root;
        self.program.prints.sheets.push(sheet);
        Some(root)
    }

    /// Compiles one parameter to a column, and keeps its name and type for the ability's parts.
    fn compile_parameter(
        &mut self,
        name: &Name,
        written: &TypeName,
        range: Option<&(Written, Written)>,
        default: Option<&Written>,
        sheet: &mut SheetInfo,
    ) {
        let of = self.symbols.type_of(written, &mut self.problems);
        if of != Type::Unknown && !is_printed_type(&of) {
            let problem = Problem::error(codes::WRONG_TYPE, "a sheet cannot set this")
                .with_label(written.span, "cannot be written in a file");
            self.problems.push(problem.help("a parameter is a number, a word, a text, yes or no, or a list of these"));
            return;
        }
        self.begin_function();
        let default = default.and_then(|default| self.compile_constant(default, &of));
        let range = range.and_then(|(least, most)| Some((constant_value(least)?, constant_value(most)?)));
        let column = sheet.columns.len() as u16;
        sheet.columns.push(FieldInfo::printed_field(&name.text, of.to_shape(), range, default.is_some()));
        sheet.prints.push(PrintedLine { column, default });
        self.parameters.push((name.text.clone(), of));
    }

    /// Compiles a value that is known before play; an error for any other. A list becomes a printed list.
    fn compile_constant(&mut self, written: &Written, of: &Type) -> Option<Value> {
        let member = |expr: &Expr| if let Expr::Constant(value) = expr { Some(*value) } else { None };
        let found = match self.compile_as_type(written, of) {
            Expr::Constant(value) => Some(value),
            Expr::Option(option) => Some(self.program.options[usize::from(option)].value),
            Expr::ListOf(members) => {
                members.iter().map(member).collect::<Option<Vec<Value>>>().map(|members| self.program.prints.add_list(members))
            }
            _ => None,
        };
        if found.is_none() {
            let problem = Problem::error(codes::WRONG_TYPE, "the default of a parameter must be known before play");
            self.problems.push(
                problem
                    .with_label(written.span, "computed during play")
                    .help("write a number, a word, yes or no, or a list of these"),
            );
        }
        found
    }

    /// Makes the current ability's parameters available. They are read from the sheet's settings.
    pub(super) fn add_parameter_locals(&mut self) {
        if self.parameters.is_empty() {
            return;
        }
        let slot = self.new_slot();
        for (column, (name, of)) in self.parameters.clone().into_iter().enumerate() {
            let (settings, column) = (Box::new(Expr::Local(slot)), column as u16);
            let value = match of {
                Type::List(_) => Expr::PrintedList { of: settings, column },
                _ => Expr::Printed { of: settings, column },
            };
            self.function.locals.push(Local { name, meaning: Meaning::Alias(value), of });
        }
    }
}
