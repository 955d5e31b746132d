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

    /// Its name in the report.
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

/// A class that `check` must report.
const fn class_to_report(name: &'static str, group: Group, changes: fn(&Corpus) -> Vec<Mistake>) -> Class {
    Class { name, group, judged: Judged::ByCheck, changes }
}

/// A class that may leave sound rules.
const fn sound(name: &'static str, changes: fn(&Corpus) -> Vec<Mistake>) -> Class {
    Class { name, group: Group::Soundness, judged: Judged::ByPlay, changes }
}

/// All classes, sorted by group.
pub static CLASSES: &[Class] = &[
    class_to_report("field misspelt", Group::Names, misspelt::fields),
    class_to_report("zone misspelt", Group::Names, misspelt::zones),
    class_to_report("counter misspelt", Group::Names, misspelt::counters),
    class_to_report("mark misspelt", Group::Names, misspelt::marks),
    class_to_report("kind misspelt", Group::Names, misspelt::kinds),
    class_to_report("type misspelt", Group::Names, misspelt::types),
    class_to_report("word misspelt", Group::Names, misspelt::words),
    class_to_report("option misspelt", Group::Names, misspelt::options),
    class_to_report("action misspelt", Group::Names, misspelt::actions),
    class_to_report("family misspelt", Group::Names, misspelt::families),
    class_to_report("procedure misspelt", Group::Names, misspelt::procedures),
    class_to_report("definition misspelt", Group::Names, misspelt::definitions),
    class_to_report("hook misspelt", Group::Names, misspelt::hooks),
    class_to_report("local name misspelt", Group::Names, misspelt::locals),
    class_to_report("parameter misspelt", Group::Names, misspelt::parameters),
    class_to_report("mode misspelt", Group::Names, misspelt::modes),
    class_to_report("name in a text misspelt", Group::Names, misspelt::in_texts),
    class_to_report("declaring word misspelt", Group::Names, misspelt::declaring_words),
    class_to_report("statement word misspelt", Group::Names, misspelt::statement_words),
    class_to_report("expression word misspelt", Group::Names, misspelt::expression_words),
    class_to_report("key of a sheet misspelt", Group::Names, sheets::keys),
    class_to_report("ability in a sheet misspelt", Group::Names, sheets::abilities),
    class_to_report("word in a sheet misspelt", Group::Names, sheets::words),
    class_to_report("card of a deck misspelt", Group::Names, sheets::cards),
    class_to_report("word of a script misspelt", Group::Names, scripts::keywords),
    class_to_report("function of scripts misspelt", Group::Names, scripts::functions),
    class_to_report("variable of a script misspelt", Group::Names, scripts::variables),
    class_to_report("member in a script misspelt", Group::Names, scripts::members),
    class_to_report("name in quotes misspelt", Group::Names, scripts::quoted),
    class_to_report("text for a number", Group::Types, types::text_for_number),
    class_to_report("list for a number", Group::Types, types::list_for_number),
    class_to_report("wrong type in a mode", Group::Types, types::in_a_mode),
    class_to_report("wrong type behind an option", Group::Types, types::behind_an_option),
    class_to_report("number for a thing", Group::Types, types::number_for_thing),
    class_to_report("list for a thing", Group::Types, types::list_for_thing),
    class_to_report("number for a condition", Group::Types, types::number_for_condition),
    class_to_report("number for a word", Group::Types, types::number_for_word),
    class_to_report("word of another type", Group::Types, types::word_of_another_type),
    class_to_report("text for a number in a script", Group::Types, scripts::text_for_number),
    class_to_report("word for a number in a sheet", Group::Types, sheets::word_for_number),
    class_to_report("list for one in a sheet", Group::Types, sheets::list_for_one),
    class_to_report("arguments swapped", Group::Places, arguments::swapped),
    class_to_report("argument left out", Group::Places, arguments::left_out),
    class_to_report("argument too many", Group::Places, arguments::too_many),
    class_to_report("script's argument left out", Group::Places, scripts::argument_left_out),
    class_to_report("zone of other pieces", Group::Places, arguments::zone_of_other_pieces),
    class_to_report("thing for a zone", Group::Places, arguments::thing_for_zone),
    class_to_report("field of another type", Group::Places, arguments::field_of_another_type),
    class_to_report("key of a scenario misspelt", Group::Scenarios, sheets::scenario_keys),
    class_to_report("member in a scenario misspelt", Group::Scenarios, sheets::scenario_members),
    class_to_report("sheet in a scenario misspelt", Group::Scenarios, sheets::scenario_sheets),
    class_to_report("scenario's option misspelt", Group::Scenarios, sheets::scenario_headings),
    class_to_report("event in a scenario misspelt", Group::Scenarios, sheets::scenario_events),
    class_to_report("unknown rule cited", Group::Citations, forms::unknown_citation),
    class_to_report("unknown rule in a scenario", Group::Citations, sheets::unknown_shown),
    class_to_report("closing brace missing", Group::Forms, forms::closing_brace),
    class_to_report("opening brace missing", Group::Forms, forms::opening_brace),
    class_to_report("bracket missing", Group::Forms, forms::bracket),
    class_to_report("quote missing", Group::Forms, forms::quote),
    class_to_report("sign of another language", Group::Forms, forms::foreign_sign),
    class_to_report("brace of a script missing", Group::Forms, scripts::brace),
    class_to_report("semicolon of a script missing", Group::Forms, scripts::semicolon),
    class_to_report("indentation of YAML", Group::Forms, sheets::indentation),
    class_to_report("tab in YAML", Group::Forms, sheets::tab),
    class_to_report("colon of YAML missing", Group::Forms, sheets::colon),
    class_to_report("bracket of YAML missing", Group::Forms, sheets::bracket),
    class_to_report("key of YAML twice", Group::Forms, sheets::key_twice),
    class_to_report("declared twice", Group::Declarations, declarations::twice),
    class_to_report("declared and not used", Group::Declarations, declarations::unused),
    class_to_report("declaration left out", Group::Declarations, declarations::left_out),
    class_to_report("clause twice", Group::Declarations, declarations::clause_twice),
    class_to_report("bounds reversed", Group::Declarations, declarations::bounds_reversed),
    class_to_report("bound of another type", Group::Declarations, declarations::bound_type),
    class_to_report("uses of another type", Group::Declarations, declarations::uses),
    class_to_report("set to itself", Group::Declarations, declarations::set_to_itself),
    class_to_report("divided by zero", Group::Declarations, declarations::by_zero),
    class_to_report("statement behind a stop", Group::Declarations, declarations::behind_a_stop),
    class_to_report("key of a sheet left out", Group::Declarations, sheets::key_left_out),
    class_to_report("sheet's number out of range", Group::Declarations, sheets::out_of_range),
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
