//! The user's names for the rules of the grammar. `messages` lists the rules expected at a mistake with these words.

use super::Rule;

/// The text for an expected rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// Possible only after complete code; optional words next to it are not mentioned.
    Strong(&'static str),
    /// A sort of thing, such as `a name`.
    Thing(&'static str),
    /// A sign, as it is written.
    Sign(&'static str),
    /// A word of the language; see [`rule_keyword`].
    Keyword,
    /// Would only continue the value before it.
    Operator,
    OperatorKeyword,
    /// Never mentioned.
    Hidden,
}

/// Whether a rule is a keyword or a sign, which is not needed in the tree.
pub(super) fn is_token(rule: Rule) -> bool {
    rule == Rule::quote || rule == Rule::dot || matches!(rule_word(rule), Word::Keyword | Word::OperatorKeyword | Word::Sign(_))
}

/// The word of a keyword's rule.
pub(super) fn rule_keyword(rule: Rule) -> Option<String> {
    format!("{rule:?}").strip_prefix("k_").map(str::to_string)
}

const STATEMENT: Word = Word::Strong("a statement");

/// Words that begin a statement.
pub(super) const STATEMENTS: [&str; 28] = [
    "let",
    "set",
    "add",
    "take",
    "move",
    "roll",
    "shuffle",
    "draw",
    "create",
    "remove",
    "mark",
    "unmark",
    "show",
    "if",
    "each",
    "count",
    "repeat",
    "depending",
    "stop",
    "leave",
    "skip",
    "give",
    "open",
    "say",
    "finish",
    "answer",
    "restore",
    "do",
];

/// Every rule except keywords has its text here, so that messages never show the name of a rule.
pub(super) fn rule_word(rule: Rule) -> Word {
    use super::Rule::*;
    match rule {
        item | language | game | package | sides | referee | option | words | die_sizes | die_kind | piece | sheet
        | table_rows | has | define | hook | family | action_item | procedure | standing | policy | mode | replace
        | more_of_mode | remove_item | ability | abilities_work | ability_works | shared_uses => Word::Strong("a declaration"),
        part | uses | provenance | parameter | offer | trigger | instead | modify | grant | forbid | demand => {
            Word::Strong("a part of the ability")
        }
        clause | when_else | why_not | admission | says | gives | does | obliges | tells | early | late | free | priority
        | to_whom => Word::Strong("a clause such as `when`"),
        member | zone_member | counter_member | mark_member | field_member | replace_member => Word::Strong("a member"),
        statement | let_ | set_ | add | take | move_ | roll | shuffle | draw | create | remove | mark | unmark | show | if_
        | each | count | repeat | depending | stop | leave | skip | give | open | say | finish | answer | restore | do_ | ask => {
            STATEMENT
        }
        policy_row | table_row | table_key => Word::Strong("a row"),
        depending_arm | arm => Word::Strong("a case"),
        EOI => Word::Strong("the end"),
        name | names | slug => Word::Thing("a name"),
        int | int_range => Word::Thing("a number"),
        text | text_part | hole | quote => Word::Thing("a text in quotes"),
        type_name | list_of | zone_of => Word::Thing("a type"),
        board => Word::Thing("`grid` or `row`"),
        role => Word::Thing("a role"),
        amount | amount_any | amount_optional | amount_counted => Word::Thing("how many"),
        sort => Word::Thing("a sort of declaration"),
        zone_word | seen_all | seen_others | seen_owner | seen_nobody | in_order | out_of_play | at_most | falls_to => {
            Word::Thing("a word about the zone")
        }
        room => Word::Thing("`at most`"),
        use_ => Word::Thing("how many uses"),
        chance => Word::Thing("`with chance`"),
        out_of => Word::Sign("/"),
        payoff => Word::Thing("`payoff`"),
        side_word | equally_many | all_different => Word::Thing("`equally many` or `all different`"),
        hook_use => Word::Thing("a hook with its names"),
        action => Word::Thing("an action"),
        param | table_param => Word::Thing("a parameter"),
        ask_number | ask_word | ask_among | ask_families | family_use | ask_order | ask_divide => Word::Thing("what is asked"),
        until_end | until_leaves => Word::Thing("how long"),
        through => Word::Thing("`through`"),
        expr | value | if_expr | supposing | suppose | or_expr | and_expr | not_expr | comparison | sum | product | prefix
        | of_word | of_name | keep | sorted | top_of | nth | remainder | on_board | cell_at | run_from | row_at | column_at
        | board_lines | board_word | lines_of | quantified | quantifier | best | can | negative | postfix | atom | paren
        | call | list | none => Word::Thing("a value"),
        extreme | best_key => Word::Thing("`lowest` or `highest`"),
        named_arg => Word::Thing("a named value"),
        block => Word::Thing("a block"),
        asking => Word::Thing("`must` or `may`"),
        open_brace => Word::Sign("{"),
        close_brace => Word::Sign("}"),
        open_paren => Word::Sign("("),
        close_paren => Word::Sign(")"),
        open_bracket => Word::Sign("["),
        close_bracket => Word::Sign("]"),
        comma => Word::Sign(","),
        colon => Word::Sign(":"),
        equals => Word::Sign("="),
        dots => Word::Sign(".."),
        or_op | and_op | not_op | comparing | compare_op | is_state | is_a | is_than | is_ | in_ | in_end | sum_op | plus
        | minus | without | at_least | no_more | times_tail | divided_tail | where_ | missing | member_tail | dot | negated
        | empty | odd | even | than_least | than_most | than_more | than_less | than_equal | range_end | row_end => {
            Word::Operator
        }
        k_divided | k_where | k_or | k_and | k_is | k_in | k_not | k_but | k_without | k_missing => Word::OperatorKeyword,
        // Rules that only contain others, are optional, or do not belong to the language.
        chunk | ability_chunk | part_chunk | expression_chunk | else_if | WHITESPACE | idc | reserved | entrants | ring
        | word_option | in_range | from_sheet | shown_as | called | side_names | is_base | table | layers | answers
        | goes_round | moment | is_family | or_more | up_to | when | entry | procedure_word | scope | wrong_to | policy_when
        | table_otherwise | lending | shown | untold | printed | or_none | offer_clause | in_layer | wrong_result | wrong_let
        | wrong_equals | event_name | zone_end | top | bottom | die_word | pool_die | because | as_name | for_owner | until
        | until_of | next | wrong_then | wrong_else_if | else_ | at_once | in_secret | down | repeat_head | repeat_most
        | repeat_until | repeat_times | otherwise | stopped | asking_first | after_use | nothing | say_to | finish_nobody
        | must | may | ask_what | chosen | wrong_among | ask_tail | during | wrong_while | wrong_for | for_each
        | wrong_return | even_when_forced | into | seen_by | wrong_choose | wrong_set | wrong_step | wrong_assign
        | wrong_call | wrong_arm | wrong_case | wrong_key | wrong_arrow | wrong_more | wrong_less | rounded_down | rounded_up
        | wrong_slash | the_one | those | members | has_members | mark_body | arms | plural | roles | params | args
        | named_args | of_type | hook_value | number_option | default | empty_default => Word::Hidden,
        // Keywords are shown as they are.
        _ => Word::Keyword,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_statement_begins_with_its_word() {
        let is_one = |rule: &&Rule| rule_word(**rule) == STATEMENT && !matches!(rule, Rule::statement | Rule::ask);
        let names = Rule::all_rules().iter().filter(is_one).map(|rule| format!("{rule:?}").trim_end_matches('_').to_string());
        assert_eq!(names.collect::<BTreeSet<_>>(), STATEMENTS.iter().map(|word| word.to_string()).collect());
    }

    #[test]
    fn keywords_say_themselves_and_all_else_has_a_word_here() {
        for rule in Rule::all_rules() {
            let says_itself = matches!(rule_word(*rule), Word::Keyword | Word::OperatorKeyword);
            assert_eq!(says_itself, rule_keyword(*rule).is_some(), "{rule:?}");
        }
    }
}
