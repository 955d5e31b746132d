//! The ways in which `test --mutants` breaks a place of the rules, and their words in `unnoticed.yaml` and reports.

/// A way to break rules or a script at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Breaking {
    /// A statement is left out.
    LeftOut,
    /// Two statements are exchanged.
    Exchanged,
    /// A condition is negated.
    Opposite,
    /// A number is one larger.
    OneMore,
    /// A comparison includes or excludes its bound: `>=` becomes `>`.
    Bound,
    /// Another zone for the same pieces is named.
    Zone,
    /// Something is read from the other side, or no longer from it.
    Side,
}

impl Breaking {
    pub const ALL: [Breaking; 7] = [
        Breaking::LeftOut,
        Breaking::Exchanged,
        Breaking::Opposite,
        Breaking::OneMore,
        Breaking::Bound,
        Breaking::Zone,
        Breaking::Side,
    ];

    /// The word by which `unnoticed.yaml` names it.
    pub fn yaml_word(self) -> &'static str {
        match self {
            Breaking::LeftOut => "left-out",
            Breaking::Exchanged => "exchanged",
            Breaking::Opposite => "opposite",
            Breaking::OneMore => "one-more",
            Breaking::Bound => "bound",
            Breaking::Zone => "zone",
            Breaking::Side => "side",
        }
    }

    /// Describes the change for people.
    pub fn change_text(self) -> &'static str {
        match self {
            Breaking::LeftOut => "left out",
            Breaking::Exchanged => "exchanged with the next",
            Breaking::Opposite => "turned into its opposite",
            Breaking::OneMore => "one more",
            Breaking::Bound => "another bound",
            Breaking::Zone => "another zone",
            Breaking::Side => "the other side",
        }
    }
}
