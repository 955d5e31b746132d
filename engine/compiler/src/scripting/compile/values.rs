//! The values of script expressions, and how the machine evaluates them.
//!
//! Most values are expressions, which have no effects and are evaluated where they are used. A text is kept in parts until it is
//! shown, which composes it at run time, or stored, which makes a list of code points.

use super::{ScriptCompiler, Type};
use ludex_program::{Address, Calculation, Expr, Instruction, NONE, Program, SIDE, Shape, Slot, TextPart, UntilCode};

/// The type and value of an expression.
#[derive(Clone, Debug)]
pub struct TypedValue {
    pub of: Type,
    pub value: Value,
}

/// A way to evaluate a value. It has no effects, so evaluation can be deferred.
#[derive(Clone, Debug)]
pub enum Value {
    /// Evaluated by the machine. A text is the list of its code points.
    Expr(Expr),
    /// A text in parts, composed where it is shown or stored.
    Text(Vec<TextPart>),
    /// The numbers from the first up to the second, exclusive.
    Range(Expr, Expr),
    /// The duration of a mark.
    Duration(UntilCode),
}

impl TypedValue {
    pub fn new(of: Type, value: Expr) -> TypedValue {
        TypedValue { of, value: Value::Expr(value) }
    }

    pub fn number(value: Expr) -> TypedValue {
        TypedValue::new(Type::Number, value)
    }

    pub fn flag(value: Expr) -> TypedValue {
        TypedValue::new(Type::Flag, value)
    }

    pub fn text(parts: Vec<TextPart>) -> TypedValue {
        TypedValue { of: Type::Text, value: Value::Text(parts) }
    }

    pub fn nothing() -> TypedValue {
        TypedValue::new(Type::Nothing, Expr::Constant(NONE))
    }

    /// The value after an error that was already reported.
    pub fn unknown() -> TypedValue {
        TypedValue::new(Type::Unknown, Expr::Constant(NONE))
    }

    /// The same value with another, compatible type.
    pub fn with_type(self, of: Type) -> TypedValue {
        TypedValue { of, ..self }
    }

    /// Whether nothing can change the value.
    pub fn is_constant(&self) -> bool {
        match &self.value {
            Value::Expr(expr) => matches!(expr, Expr::Constant(_)),
            Value::Text(parts) => parts.iter().all(|part| matches!(part, TextPart::Words(_))),
            Value::Range(..) | Value::Duration(_) => false,
        }
    }
}

/// An operation that the machine calculates.
pub fn calculated(how: Calculation, of: impl Into<Vec<Expr>>) -> Expr {
    Expr::Calculated(how, of.into())
}

/// The code points of a literal text.
fn letters_of(words: &str) -> Expr {
    Expr::ListOf(words.chars().map(|letter| Expr::Constant(letter as i32)).collect())
}

/// Converts words to texts if the wanted type requires it: `of` is the type of the expression.
pub fn letters_of_words(program: &Program, expr: Expr, of: &Type, wanted: &Type) -> Expr {
    match (of.certain(), wanted.certain()) {
        (Type::Word(words), Type::Text) => calculated(Calculation::LettersOfWord(words_index(program, words)), [expr]),
        (Type::List(have), Type::List(want)) => match (have.as_ref(), want.as_ref()) {
            (Type::Word(words), Type::Text) => calculated(Calculation::LettersOfEachWord(words_index(program, words)), [expr]),
            _ => expr,
        },
        _ => expr,
    }
}

/// The index of a list of words among those of a program.
pub fn words_index(program: &Program, words: &[String]) -> u16 {
    program.words.iter().position(|list| list.words == words).unwrap_or_default() as u16
}

impl ScriptCompiler<'_> {
    /// Converts a value of the rules, of this shape, to one of scripts.
    pub(super) fn of_rules(&self, value: Expr, shape: &Shape) -> TypedValue {
        let of = Type::of_shape(self.program, shape);
        match shape {
            Shape::Text => TypedValue { of, value: Value::Text(vec![TextPart::Hole(value, Shape::Text)]) },
            Shape::OrNone(inner) if **inner == Shape::Text => TypedValue::new(of, calculated(Calculation::Letters, [value])),
            Shape::List(inner) if **inner == Shape::Text => TypedValue::new(of, calculated(Calculation::LettersOfEach, [value])),
            _ => TypedValue::new(of, value),
        }
    }

    /// Converts a value for the rules, which expect this compatible type: a text made by a script becomes a printed text, and a
    /// zone or thing a list.
    pub(super) fn for_rules(&mut self, worth: TypedValue, wanted: &Type) -> Expr {
        match (wanted.certain(), &worth.of, worth.value) {
            (Type::Text, _, Value::Text(parts)) => match parts.as_slice() {
                [TextPart::Hole(printed, Shape::Text)] => printed.clone(),
                _ => calculated(Calculation::PrintedText, [self.letters(parts)]),
            },
            (Type::Text, of, Value::Expr(expr)) if *of.certain() == Type::Text => calculated(Calculation::PrintedText, [expr]),
            (Type::List(_), Type::Zone(_), Value::Expr(zone)) => Expr::ZoneList(Box::new(zone)),
            (Type::List(_), Type::Entity(_), Value::Expr(thing)) => Expr::ListOf(vec![thing]),
            (_, of, value) => {
                let of = of.clone();
                self.stored(TypedValue { of, value }, wanted)
            }
        }
    }

    /// Converts a value for a variable of this compatible type: a text becomes a list of code points.
    pub(super) fn stored(&mut self, worth: TypedValue, wanted: &Type) -> Expr {
        let expr = match worth.value {
            Value::Text(parts) => return self.letters(parts),
            Value::Expr(expr) => expr,
            Value::Range(..) | Value::Duration(_) => Expr::Constant(NONE),
        };
        letters_of_words(self.program, expr, &worth.of, wanted)
    }

    /// The value as an expression of its own type.
    pub(super) fn expr(&mut self, worth: TypedValue) -> Expr {
        let of = worth.of.clone();
        self.stored(worth, &of)
    }

    /// The value as a list: its members, or the pieces of a zone.
    pub(super) fn members(&mut self, worth: TypedValue) -> Expr {
        let of = worth.of.clone();
        let expr = self.expr(worth);
        match of {
            Type::Zone(_) => Expr::ZoneList(Box::new(expr)),
            Type::Entity(_) => Expr::ListOf(vec![expr]),
            _ => expr,
        }
    }

    /// The parts that a value adds to a text.
    pub(super) fn parts(&mut self, worth: TypedValue) -> Vec<TextPart> {
        match (worth.of, worth.value) {
            (_, Value::Text(parts)) => parts,
            (Type::Flag, Value::Expr(condition)) => {
                let [yes, no] = ["true", "false"].map(|word| self.code.text(vec![TextPart::Words(word.to_string())]));
                vec![TextPart::Choice { condition, yes, no }]
            }
            (Type::Number, Value::Expr(number)) => vec![TextPart::Hole(number, Shape::Number)],
            (of, Value::Expr(expr)) => vec![TextPart::Written(letters_of_words(self.program, expr, &of, &Type::Text))],
            _ => Vec::new(),
        }
    }

    /// The parts that any value adds to a debugging text.
    pub(super) fn parts_for_testing(&mut self, worth: TypedValue) -> Vec<TextPart> {
        match (worth.of.certain(), &worth.value) {
            (Type::Text | Type::Flag | Type::Number | Type::Word(_), _) if !matches!(worth.of, Type::OrNone(_)) => {
                self.parts(worth)
            }
            (Type::Unknown, _) => Vec::new(),
            (of, Value::Expr(_)) if !holds_letters(of) => {
                let shape = worth.of.shape(self.program);
                vec![TextPart::Hole(self.expr(worth), shape)]
            }
            _ => {
                let (words, span) = (self.words(&worth.of), self.code.place.span);
                self.forbid(&format!("{words} cannot be printed"), span, "print its members, or what it was made of");
                Vec::new()
            }
        }
    }

    /// The code points of a text. If a part can only be formatted at run time, an instruction writes the text.
    pub(super) fn letters(&mut self, parts: Vec<TextPart>) -> Expr {
        if parts.iter().any(|part| matches!(part, TextPart::Hole(_, Shape::Entity(_)))) {
            let (slot, text) = (self.new_slot(), self.code.text(parts));
            self.code.emit(Instruction::Write { slot, text });
            return Expr::Local(slot);
        }
        let letters = parts.into_iter().map(|part| match part {
            TextPart::Words(words) => letters_of(&words),
            TextPart::Written(expr) => expr,
            TextPart::Hole(expr, Shape::Text) => calculated(Calculation::Letters, [expr]),
            TextPart::Hole(expr, _) => calculated(Calculation::Digits, [expr]),
            TextPart::Choice { condition, .. } => {
                Expr::If(Box::new(condition), Box::new(letters_of("true")), Box::new(letters_of("false")))
            }
        });
        letters
            .reduce(|front, back| Expr::Concatenate(Box::new(front), Box::new(back)))
            .unwrap_or_else(|| Expr::ListOf(Vec::new()))
    }

    /// Evaluates a value now into slots, because a following effect may change it.
    pub(super) fn keep(&mut self, worth: TypedValue) -> TypedValue {
        if worth.is_constant() {
            return worth;
        }
        match worth.value {
            Value::Range(from, to) => {
                let [from, to] = [from, to].map(|end| self.kept(end, &Type::Number));
                TypedValue { of: worth.of, value: Value::Range(from, to) }
            }
            Value::Duration(until) => {
                let of = until.of.map(|of| self.kept(of, &Type::Entity(SIDE)));
                TypedValue { of: worth.of, value: Value::Duration(UntilCode { of, ..until }) }
            }
            value => {
                let of = worth.of;
                let expr = self.expr(TypedValue { of: of.clone(), value });
                TypedValue { value: Value::Expr(self.kept(expr, &of)), of }
            }
        }
    }

    /// Puts a value into its own slot, unless it is constant.
    pub(super) fn kept(&mut self, expr: Expr, of: &Type) -> Expr {
        if matches!(expr, Expr::Constant(_)) {
            return expr;
        }
        let slot = self.new_slot();
        self.hold(slot, "", of);
        self.code.emit_let(slot, expr, of.is_list());
        Expr::Local(slot)
    }

    /// Converts the values that branches put into a slot or return, at these addresses and of these types: words become texts if
    /// other branches have texts. `of` is the common type.
    pub(super) fn join_values(&mut self, put: impl IntoIterator<Item = (Address, Type)>, of: &Type) {
        for (at, from) in put {
            if let Some(Instruction::Let { value, .. } | Instruction::Return { value: Some(value) }) =
                self.code.instruction_mut(at)
            {
                let old = std::mem::replace(value, Expr::Constant(NONE));
                *value = letters_of_words(self.program, old, &from, of);
            }
        }
    }

    /// Allocates the next free slot, whose contents are not known yet.
    pub(super) fn new_slot(&mut self) -> Slot {
        let slot = self.body.next_slot;
        self.body.next_slot += 1;
        self.body.most_slots = self.body.most_slots.max(self.body.next_slot);
        self.code.record_slot_contents(slot, "", Shape::Nothing);
        slot
    }

    /// Records the value that is about to be put into a slot.
    pub(super) fn hold(&mut self, slot: Slot, name: &str, of: &Type) {
        let shape = of.shape(self.program);
        self.code.record_slot_contents(slot, name, shape.clone());
        self.body.held.push((slot, name.to_string(), shape));
    }

    /// Frees the slots from `first` on.
    pub(super) fn leave_slots(&mut self, first: Slot) {
        (first..self.body.next_slot).for_each(|slot| self.code.record_slot_contents(slot, "", Shape::Nothing));
        self.body.held.retain(|(slot, ..)| *slot < first);
        self.body.next_slot = first;
    }

    /// Begins the code of the function, or resumes it after another one.
    pub(super) fn begin_function(&mut self) {
        self.code.begin_function();
        for (slot, name, shape) in &self.body.held {
            self.code.record_slot_contents(*slot, name, shape.clone());
        }
    }
}

/// Whether a type is or contains texts, which the machine stores as lists of code points.
fn holds_letters(of: &Type) -> bool {
    match of {
        Type::Text => true,
        Type::List(inner) | Type::OrNone(inner) => holds_letters(inner),
        _ => false,
    }
}
