//! The grammar of the rules language, and the parser that is made of it. It is a package of its own because that parser is large and
//! hardly ever changes: it is compiled once, beside everything else, and with optimisations even for tests.

use pest::Parser as _;
use pest::error::Error;
use pest::iterators::Pairs;
use std::num::NonZeroUsize;
use std::sync::Once;

/// How many steps reading one text may take. Reading is linear in the length of a declaration; this only guards against a
/// mistake in the grammar.
const MOST_STEPS: Option<NonZeroUsize> = NonZeroUsize::new(20_000_000);

/// The rules of the grammar are listed in `grammar.pest`; each is a [`Rule`].
#[derive(pest_derive::Parser)]
#[grammar = "grammar.pest"]
struct Grammar;

/// The grammar as it is written.
pub const GRAMMAR: &str = include_str!("grammar.pest");

/// Reads a text by a rule.
///
/// # Errors
///
/// Where the text cannot be read any further, and what the grammar would have taken there.
// The error is as large as pest makes it.
#[allow(clippy::result_large_err)]
pub fn read(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Error<Rule>> {
    static LIMIT: Once = Once::new();
    LIMIT.call_once(|| pest::set_call_limit(MOST_STEPS));
    Grammar::parse(rule, text)
}
