//! The code of scripts before it is added to the program.
//!
//! An address counts the instructions of the program first and those of the script after them, so that code can be appended without
//! changes. If a script is invalid, its code is dropped.

use ludex_program::{
    Address, CodePlace, Expr, Instruction, LocalInfo, NO_LOCAL, ProcedureId, ProcedureInfo, Program, ScriptPoint, Shape, Slot,
    TextId, TextPart,
};
use ludex_syntax::source::Span;

/// The code of a script's functions. It is added to the program if the script is valid.
pub struct Code<'a> {
    program: &'a Program,
    made: Made,
    /// The place of the current statement, with the rules that its clause cites.
    pub place: CodePlace,
}

/// Generated code, whose addresses and indices follow those of the program.
#[derive(Default)]
pub struct Made {
    code: Vec<Instruction>,
    places: Vec<CodePlace>,
    locals: Vec<LocalInfo>,
    texts: Vec<Vec<TextPart>>,
    procedures: Vec<ProcedureInfo>,
    answers: Vec<String>,
    event_names: Vec<String>,
    points: Vec<ScriptPoint>,
}

/// A place in the code, to go back to if a function must be compiled again.
#[derive(Clone, Copy)]
pub struct Mark {
    code: usize,
    locals: usize,
    texts: usize,
    procedures: usize,
    points: usize,
}

impl<'a> Code<'a> {
    pub fn new(program: &'a Program, span: Span) -> Code<'a> {
        let place = CodePlace { span, rules: Vec::new() };
        Code { program, made: Made::default(), place }
    }

    /// The address of the next instruction.
    pub fn next_address(&self) -> Address {
        (self.program.code.len() + self.made.code.len()) as Address
    }

    /// Appends an instruction at the current place of the source. Returns its address.
    pub fn emit(&mut self, instruction: Instruction) -> Address {
        self.made.code.push(instruction);
        self.made.places.push(self.place.clone());
        self.next_address() - 1
    }

    /// Begins the code of a function, or resumes it after another one.
    pub fn begin_function(&mut self) {
        self.record_slot_contents(NO_LOCAL, "", Shape::Nothing);
    }

    /// Sets the contents of a slot from here on.
    pub fn record_slot_contents(&mut self, slot: Slot, name: &str, shape: Shape) {
        let local = LocalInfo { at: self.next_address(), slot, name: name.to_string(), shape };
        self.made.locals.push(local);
    }

    /// Puts a value into a slot. `list`: it is a list or a move, which stays in the arena of lists.
    pub fn emit_let(&mut self, slot: Slot, value: Expr, list: bool) -> Address {
        self.emit(Instruction::Let { list, slot, value })
    }

    /// Emits a jump, to be patched with [`Code::patch_to_next`].
    pub fn jump(&mut self) -> Address {
        self.emit(Instruction::Jump(0))
    }

    /// Emits a jump that is taken if a condition is false, to be patched with [`Code::patch_to_next`].
    pub fn jump_unless(&mut self, condition: Expr) -> Address {
        self.emit(Instruction::JumpUnless { condition, to: 0 })
    }

    /// Patches a jump to lead to the next instruction.
    pub fn patch_to_next(&mut self, jump: Address) {
        self.patch_jump(jump, self.next_address());
    }

    pub fn land_all(&mut self, jumps: Vec<Address>) {
        jumps.into_iter().for_each(|jump| self.patch_to_next(jump));
    }

    /// Patches a jump to lead to an address.
    pub fn patch_jump(&mut self, jump: Address, target: Address) {
        if let Some(instruction) = self.instruction_mut(jump) {
            instruction.set_target(target);
        }
    }

    /// The instruction at an address, if it belongs to this script.
    pub fn instruction_mut(&mut self, address: Address) -> Option<&mut Instruction> {
        self.made.code.get_mut((address as usize).checked_sub(self.program.code.len())?)
    }

    /// Adds a text. Returns its id in the program.
    pub fn text(&mut self, parts: Vec<TextPart>) -> TextId {
        self.made.texts.push(parts);
        (self.program.texts.len() + self.made.texts.len()) as TextId - 1
    }

    /// The index of an answer.
    pub fn answer(&mut self, word: &str) -> u16 {
        place_among(&self.program.answers, &mut self.made.answers, word)
    }

    /// The index of an event name.
    pub fn event_name(&mut self, name: &str) -> u16 {
        place_among(&self.program.event_names, &mut self.made.event_names, name)
    }

    /// Adds a procedure for a function of the script, which begins at the next instruction. Its slots and its result are set
    /// after it is compiled.
    pub fn procedure(&mut self, name: &str, params: Vec<(String, Shape)>, span: Span) -> ProcedureId {
        self.made.procedures.push(ProcedureInfo {
            // Names of procedures of the rules never contain brackets.
            name: format!("{name}()"),
            params,
            gives: Shape::Nothing,
            start: self.next_address(),
            slots: 0,
            scope: false,
            entry: false,
            span,
            chain: Vec::new(),
        });
        (self.program.procedures.len() + self.made.procedures.len()) as ProcedureId - 1
    }

    /// Sets the result and the slots of a procedure.
    pub fn finish_procedure(&mut self, procedure: ProcedureId, gives: Shape, slots: Slot) {
        if let Some(info) = self.made.procedures.get_mut(usize::from(procedure) - self.program.procedures.len()) {
            (info.gives, info.slots) = (gives, slots);
        }
    }

    /// Adds a point for a statement or a condition.
    pub fn point(&mut self, span: Span, at: Address, condition: bool) {
        self.made.points.push(ScriptPoint { span, at, condition });
    }

    /// The current end of the code.
    pub fn mark(&self) -> Mark {
        Mark {
            code: self.made.code.len(),
            locals: self.made.locals.len(),
            texts: self.made.texts.len(),
            procedures: self.made.procedures.len(),
            points: self.made.points.len(),
        }
    }

    /// Removes the code made since a mark.
    pub fn go_back(&mut self, mark: Mark) {
        self.made.code.truncate(mark.code);
        self.made.places.truncate(mark.code);
        self.made.locals.truncate(mark.locals);
        self.made.texts.truncate(mark.texts);
        self.made.procedures.truncate(mark.procedures);
        self.made.points.truncate(mark.points);
    }

    /// The code to add to the program.
    pub fn made(self) -> Made {
        self.made
    }
}

impl Made {
    /// Appends the code to the program, in the same order in which its addresses were given out.
    pub fn join(self, program: &mut Program) {
        program.code.extend(self.code);
        program.places.extend(self.places);
        program.locals.extend(self.locals);
        program.texts.extend(self.texts);
        program.procedures.extend(self.procedures);
        program.answers.extend(self.answers);
        program.event_names.extend(self.event_names);
        program.script_points.extend(self.points);
    }
}

/// The index of a word among those of the program and the new ones. Adds it if it is missing.
fn place_among(known: &[String], new: &mut Vec<String>, word: &str) -> u16 {
    let found = known.iter().chain(new.iter()).position(|known| known == word);
    found.unwrap_or_else(|| {
        new.push(word.to_string());
        known.len() + new.len() - 1
    }) as u16
}
