//! What a reader calls each rule of the grammar.

use super::Rule;

/// What to say when a rule was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// What can follow when everything before it is complete: beside it, optional words go without saying.
    Strong(&'static str),
    Thing(&'static str),
    Sign(&'static str),
    /// A word of the language; see [`keyword`].
    Keyword,
    /// What would only have gone on with the value before it.
    Operator,
    OperatorKeyword,
    /// Not worth saying.
    Hidden,
}

/// Whether a rule is a keyword or a sign, which the tree does not need.
pub(super) fn is_token(rule: Rule) -> bool {
    rule == Rule::quote || rule == Rule::dot || matches!(word(rule), Word::Keyword | Word::OperatorKeyword | Word::Sign(_))
}

/// The word that a keyword's rule stands for.
pub(super) fn keyword(rule: Rule) -> Option<String> {
    format!("{rule:?}").strip_prefix("k_").map(str::to_string)
}

/// Every rule has its word here, so that no message ever shows a rule's name.
pub(super) fn word(rule: Rule) -> Word {
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
            Word::Strong("a statement")
        }
        policy_row | table_row => Word::Strong("a row"),
        depending_arm | arm => Word::Strong("a case"),
        EOI => Word::Strong("the end"),
        name | names | slug => Word::Thing("a name"),
        int | int_range => Word::Thing("a number"),
        text | text_part | hole | quote => Word::Thing("a text in quotes"),
        type_name | list_of | zone_of => Word::Thing("a type"),
        role => Word::Thing("a role"),
        amount | amount_any | amount_optional | amount_counted => Word::Thing("how many"),
        sort => Word::Thing("a sort of declaration"),
        zone_word | seen_all | seen_owner | seen_nobody | in_order | out_of_play | at_most | falls_to => {
            Word::Thing("a word about the zone")
        }
        use_ => Word::Thing("how many uses"),
        side_word | equally_many | all_different => Word::Thing("`equally many` or `all different`"),
        hook_use => Word::Thing("a hook with its names"),
        action => Word::Thing("an action"),
        param => Word::Thing("a parameter"),
        ask_number | ask_word | ask_among | ask_families | family_use | ask_order | ask_divide => Word::Thing("what is asked"),
        until_end | until_leaves => Word::Thing("how long"),
        expr | value | if_expr | supposing | suppose | or_expr | and_expr | not_expr | comparison | sum | product | prefix
        | of_word | of_name | sorted | top_of | quantified | quantifier | best | can | negative | postfix | atom | paren
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
        // Keywords say themselves.
        k_a | k_abilities | k_ability | k_action | k_add | k_after | k_all | k_among | k_an | k_answer | k_answers | k_any
        | k_as | k_ask | k_asking | k_at | k_because | k_bottom | k_by | k_can | k_choose | k_count | k_counter | k_create
        | k_define | k_demand | k_depending | k_dice | k_die | k_different | k_divide | k_do | k_down | k_during | k_draw
        | k_each | k_early | k_else | k_empty | k_end | k_entry | k_equal | k_equally | k_even | k_extends | k_faces
        | k_falls | k_family | k_finish | k_first | k_for | k_free | k_forbid | k_forced | k_from | k_game | k_give | k_gives
        | k_goes | k_grant | k_has | k_have | k_highest | k_hook | k_if | k_instead | k_it | k_late | k_layers | k_least
        | k_leave | k_leaves | k_lending | k_let | k_list | k_ludex | k_many | k_mark | k_may | k_mode | k_modify | k_more
        | k_most | k_move | k_must | k_next | k_nobody | k_none | k_nothing | k_number | k_obliges | k_odd | k_of | k_offer
        | k_on | k_once | k_one | k_open | k_option | k_order | k_otherwise | k_out | k_owner | k_package | k_parameter
        | k_per | k_piece | k_play | k_policy | k_prefer | k_printed | k_priority | k_provenance | k_random | k_referee
        | k_remove | k_repeat | k_replace | k_restore | k_return | k_ring | k_roll | k_round | k_rounded | k_say | k_says
        | k_scope | k_secret | k_seen | k_set | k_share | k_sheet | k_show | k_shown | k_shuffle | k_sides | k_size | k_sizes
        | k_skip | k_sorted | k_standing | k_steps | k_stop | k_supposing | k_table | k_take | k_tells | k_than | k_the
        | k_then | k_this | k_those | k_times | k_to | k_top | k_trigger | k_type | k_unmark | k_until | k_untold | k_up
        | k_use | k_uses | k_when | k_while | k_with | k_work | k_works | k_zone => Word::Keyword,
        // What only holds other rules, may be left out, or does not belong to the language.
        chunk | ability_chunk | part_chunk | expression_chunk | else_if | WHITESPACE | idc | reserved | entrants | ring
        | word_option | in_range | from_sheet | is_base | table | layers | answers | goes_round | moment | is_family
        | or_more | up_to | when | entry | procedure_word | scope | wrong_to | policy_when | table_otherwise | lending
        | shown | untold | printed | or_none | offer_clause | in_layer | wrong_result | wrong_let | wrong_equals | event_name
        | zone_end | top | bottom | die_word | pool_die | because | as_name | for_owner | until | until_of | next
        | wrong_then | wrong_else_if | else_ | at_once | in_secret | down | repeat_head | repeat_most | repeat_until
        | repeat_times | otherwise | stopped | asking_first | after_use | nothing | say_to | finish_nobody | must | may
        | ask_what | chosen | wrong_among | ask_tail | during | wrong_while | wrong_for | for_each | wrong_return
        | even_when_forced | wrong_choose | wrong_set | wrong_step | wrong_assign | wrong_call | wrong_more | wrong_less
        | rounded_down | rounded_up | wrong_slash | the_one | those | members | has_members | mark_body | arms | plural
        | roles | params | args | named_args | of_type | hook_value | number_option | default | empty_default => Word::Hidden,
    }
}
