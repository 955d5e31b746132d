//! The classes of mistakes. Each finds its possible places, with the wrong text for each.
//!
//! A place is found by the words around it, never by asking the compiler: the subject of a measurement must not choose its test
//! cases. Every change must certainly be a mistake. A misspelt name is a word that occurs nowhere in the library, and a
//! replacement is declared with another type. So an accepted mistake has escaped; there is no need to ask whether it means the
//! same. If a change may well leave sound rules, the class is [`Judged::ByPlay`].

mod arguments;
mod declarations;
mod forms;
mod misspelt;
mod scripts;
mod sheets;
mod types;

use crate::self_test::corpus::Corpus;
use crate::self_test::mistake::Mistake;

/// Groups of classes for the sums at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Names,
    Types,
    /// Swapped arguments, zones of other pieces, fields of another type.
    Places,
    Scenarios,
    Citations,
    Forms,
    Declarations,
    Soundness,
}

impl Group {
    pub const ALL: [Group; 8] = [
        Group::Names,
        Group::Types,
        Group::Places,
        Group::Scenarios,
        Group::Citations,
        Group::Forms,
        Group::Declarations,
        Group::Soundness,
    ];

    pub fn words(self) -> &'static str {
        match self {
            Group::Names => "misspelt names",
            Group::Types => "wrong types",
            Group::Places => "arguments, zones and fields",
            Group::Scenarios => "keys and names in scenarios",
            Group::Citations => "citations",
            Group::Forms => "how it is written",
            Group::Declarations => "declarations and clauses",
            Group::Soundness => "sound or told",
        }
    }
}

/// The required result for a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// `check` must report it.
    ByCheck,
    /// The mutant may be sound; if accepted, it must play without a fault.
    ByPlay,
}

/// A class of mistakes.
pub struct Class {
    pub name: &'static str,
    pub group: Group,
    pub judged: Judged,
    /// Finds all its possible places.
    pub changes: fn(&Corpus) -> Vec<Mistake>,
}

const fn told(name: &'static str, group: Group, changes: fn(&Corpus) -> Vec<Mistake>) -> Class {
    Class { name, group, judged: Judged::ByCheck, changes }
}

const fn sound(name: &'static str, changes: fn(&Corpus) -> Vec<Mistake>) -> Class {
    Class { name, group: Group::Soundness, judged: Judged::ByPlay, changes }
}

/// All classes, sorted by group.
pub static CLASSES: &[Class] = &[
    told("field misspelt", Group::Names, misspelt::fields),
    told("zone misspelt", Group::Names, misspelt::zones),
    told("counter misspelt", Group::Names, misspelt::counters),
    told("mark misspelt", Group::Names, misspelt::marks),
    told("kind misspelt", Group::Names, misspelt::kinds),
    told("type misspelt", Group::Names, misspelt::types),
    told("word misspelt", Group::Names, misspelt::words),
    told("option misspelt", Group::Names, misspelt::options),
    told("action misspelt", Group::Names, misspelt::actions),
    told("family misspelt", Group::Names, misspelt::families),
    told("procedure misspelt", Group::Names, misspelt::procedures),
    told("definition misspelt", Group::Names, misspelt::definitions),
    told("hook misspelt", Group::Names, misspelt::hooks),
    told("local name misspelt", Group::Names, misspelt::locals),
    told("parameter misspelt", Group::Names, misspelt::parameters),
    told("mode misspelt", Group::Names, misspelt::modes),
    told("name in a text misspelt", Group::Names, misspelt::in_texts),
    told("declaring word misspelt", Group::Names, misspelt::declaring_words),
    told("statement word misspelt", Group::Names, misspelt::statement_words),
    told("expression word misspelt", Group::Names, misspelt::expression_words),
    told("key of a sheet misspelt", Group::Names, sheets::keys),
    told("ability in a sheet misspelt", Group::Names, sheets::abilities),
    told("word in a sheet misspelt", Group::Names, sheets::words),
    told("card of a deck misspelt", Group::Names, sheets::cards),
    told("word of a script misspelt", Group::Names, scripts::keywords),
    told("function of scripts misspelt", Group::Names, scripts::functions),
    told("variable of a script misspelt", Group::Names, scripts::variables),
    told("member in a script misspelt", Group::Names, scripts::members),
    told("name in quotes misspelt", Group::Names, scripts::quoted),
    told("text for a number", Group::Types, types::text_for_number),
    told("list for a number", Group::Types, types::list_for_number),
    told("wrong type in a mode", Group::Types, types::in_a_mode),
    told("wrong type behind an option", Group::Types, types::behind_an_option),
    told("number for a thing", Group::Types, types::number_for_thing),
    told("list for a thing", Group::Types, types::list_for_thing),
    told("number for a condition", Group::Types, types::number_for_condition),
    told("number for a word", Group::Types, types::number_for_word),
    told("word of another type", Group::Types, types::word_of_another_type),
    told("text for a number in a script", Group::Types, scripts::text_for_number),
    told("word for a number in a sheet", Group::Types, sheets::word_for_number),
    told("list for one in a sheet", Group::Types, sheets::list_for_one),
    told("arguments swapped", Group::Places, arguments::swapped),
    told("argument left out", Group::Places, arguments::left_out),
    told("argument too many", Group::Places, arguments::too_many),
    told("script's argument left out", Group::Places, scripts::argument_left_out),
    told("zone of other pieces", Group::Places, arguments::zone_of_other_pieces),
    told("thing for a zone", Group::Places, arguments::thing_for_zone),
    told("field of another type", Group::Places, arguments::field_of_another_type),
    told("key of a scenario misspelt", Group::Scenarios, sheets::scenario_keys),
    told("member in a scenario misspelt", Group::Scenarios, sheets::scenario_members),
    told("sheet in a scenario misspelt", Group::Scenarios, sheets::scenario_sheets),
    told("scenario's option misspelt", Group::Scenarios, sheets::scenario_headings),
    told("event in a scenario misspelt", Group::Scenarios, sheets::scenario_events),
    told("unknown rule cited", Group::Citations, forms::unknown_citation),
    told("unknown rule in a scenario", Group::Citations, sheets::unknown_shown),
    told("closing brace missing", Group::Forms, forms::closing_brace),
    told("opening brace missing", Group::Forms, forms::opening_brace),
    told("bracket missing", Group::Forms, forms::bracket),
    told("quote missing", Group::Forms, forms::quote),
    told("sign of another language", Group::Forms, forms::foreign_sign),
    told("brace of a script missing", Group::Forms, scripts::brace),
    told("semicolon of a script missing", Group::Forms, scripts::semicolon),
    told("indentation of YAML", Group::Forms, sheets::indentation),
    told("tab in YAML", Group::Forms, sheets::tab),
    told("colon of YAML missing", Group::Forms, sheets::colon),
    told("bracket of YAML missing", Group::Forms, sheets::bracket),
    told("key of YAML twice", Group::Forms, sheets::key_twice),
    told("declared twice", Group::Declarations, declarations::twice),
    told("declared and not used", Group::Declarations, declarations::unused),
    told("declaration left out", Group::Declarations, declarations::left_out),
    told("clause twice", Group::Declarations, declarations::clause_twice),
    told("bounds reversed", Group::Declarations, declarations::bounds_reversed),
    told("bound of another type", Group::Declarations, declarations::bound_type),
    told("uses of another type", Group::Declarations, declarations::uses),
    told("set to itself", Group::Declarations, declarations::set_to_itself),
    told("divided by zero", Group::Declarations, declarations::by_zero),
    told("statement behind a stop", Group::Declarations, declarations::behind_a_stop),
    told("key of a sheet left out", Group::Declarations, sheets::key_left_out),
    told("sheet's number out of range", Group::Declarations, sheets::out_of_range),
    sound("guard on none removed", forms::guard_removed),
    sound("otherwise removed", forms::otherwise_removed),
    sound("statement removed", forms::statement_removed),
    sound("guard of a script removed", scripts::guard_removed),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_many_classes_each_with_a_name_of_its_own() {
        let names: BTreeSet<&str> = CLASSES.iter().map(|class| class.name).collect();
        assert!(names.len() == CLASSES.len() && names.len() >= 40);
    }

    #[test]
    fn names_leave_room_for_the_table() {
        assert!(CLASSES.iter().all(|class| class.name.len() <= 29));
    }

    #[test]
    fn the_classes_of_a_group_stand_together() {
        assert!(CLASSES.is_sorted_by_key(|class| class.group));
    }
}
