//! Facts about missing values that follow from conditions: after `if die.place != ()` there is one.
//!
//! `()` is rhai's word for no value. The compiler uses these facts for the code that only runs if the condition holds, or if it
//! does not.

use rhai::{Expr, Token};

/// The index of a variable that is known to have a value.
pub type Fact = usize;

/// The variables that have a value if a condition holds, and if it does not.
#[derive(Default)]
pub struct Told {
    pub holds: Vec<String>,
    pub fails: Vec<String>,
}

/// The facts that follow from a condition.
pub fn told(condition: &Expr) -> Told {
    match condition {
        Expr::FnCall(call, _) => match (&call.op_token, call.args.as_slice()) {
            (Some(Token::Bang), [inner]) => {
                let Told { holds, fails } = told(inner);
                Told { holds: fails, fails: holds }
            }
            (Some(Token::NotEqualsTo), [left, right]) => Told { holds: compared(left, right), ..Told::default() },
            (Some(Token::EqualsTo), [left, right]) => Told { fails: compared(left, right), ..Told::default() },
            _ => Told::default(),
        },
        Expr::And(parts, _) => Told { holds: parts.iter().flat_map(|part| told(part).holds).collect(), fails: Vec::new() },
        Expr::Or(parts, _) => Told { holds: Vec::new(), fails: parts.iter().flat_map(|part| told(part).fails).collect() },
        _ => Told::default(),
    }
}

/// The variable that is compared with `()`, if one is.
fn compared(left: &Expr, right: &Expr) -> Vec<String> {
    match (left, right) {
        (Expr::Variable(name, ..), Expr::Unit(_)) | (Expr::Unit(_), Expr::Variable(name, ..)) => vec![name.1.to_string()],
        _ => Vec::new(),
    }
}
