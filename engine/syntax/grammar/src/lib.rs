//! The grammar of the rules language, with its generated parser. It is a separate crate because the parser is large and rarely
//! changes: it is compiled once, in parallel with other crates, and optimised even for tests.

use pest::Parser as _;
use pest::error::Error;
use pest::iterators::Pairs;
use std::num::NonZeroUsize;
use std::sync::Once;

/// Maximum number of steps for one text. Parsing is linear in the length of a declaration; this only guards against a mistake in
/// the grammar.
const MOST_STEPS: Option<NonZeroUsize> = NonZeroUsize::new(20_000_000);

/// The rules are in `grammar.pest`; each is a [`Rule`].
#[derive(pest_derive::Parser)]
#[grammar = "grammar.pest"]
struct Grammar;

/// The source of the grammar.
pub const GRAMMAR: &str = include_str!("grammar.pest");

/// Parses a text by a rule.
///
/// # Errors
///
/// Returns the place at which parsing stopped, and the rules expected there.
// Pest determines the size of the error.
#[allow(clippy::result_large_err)]
pub fn parse_rule(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Error<Rule>> {
    static LIMIT: Once = Once::new();
    LIMIT.call_once(|| pest::set_call_limit(MOST_STEPS));
    Grammar::parse(rule, text)
}
