//! Each kind of problem once: what is said, where, and what help is given.

use super::*;
use crate::compose::{Layers, Package, ability_item, compose_line};
use ludex_syntax::parse::{ParsedRules, parse_ability, parse_rules};
use ludex_syntax::source::Sources;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

const POND: &str = "\
type sign is one of leaf, stone
option rounds = 3 in 1..9
sides 2 of 1 otter
die sizes 4, 6
sheet otter (otters) { zone nest: dice, open }
piece die (dice) { home: zone of dice = place  mark wet }
each side has { fighter: otter = first of otters, lending nest  counter fish }
hook day_begins(active: side) answers rained
hook catch(active: side): number = 1 in layers early_bird
family hop(active: side) { frog: die }
action leap(frog in active.nest) is hop
define dry(side: side) = side.nest where it is not wet
to play { do day(first of sides) }
scope day(active: side) {
  open day_begins(active) { when rained { stop day } when nothing { } }
  active may choose hop as jump
  if jump is not none { mark jump.frog as wet until end of day }
  if active.fish > rounds or count of dry(active) = 0 { finish with active }
  add catch(active) to active.fish
  if jump is leap { do flood(leaf) }
}
to flood(sign: sign) {
  each die in dice where it.home is not none { move die to die.home }
  if sign is leaf { stop day }
}
";

const RAIN: &str = "//! ability rain \"Rain\"\n//! trigger rain at day_begins(active)\n//!   do { answer rained }\n";

/// What is wrong, place by place, as `CODE severity: message` with the marked words, remarks and help.
fn told(rules: &str, abilities: &[&str]) -> String {
    let mut sources = Sources::default();
    let source = sources.add("rules", rules);
    let ParsedRules { items, problems, .. } = parse_rules(source, rules);
    assert_eq!(problems, [], "{rules}");
    let mut game = Package { items: items.into_iter().map(Cow::Owned).collect(), ..Package::default() };
    let mut scripts = ScriptWords::new();
    for text in abilities {
        let source = sources.add("ability", *text);
        let (ability, problems) = parse_ability(source, text);
        assert_eq!(problems, [], "{text}");
        scripts.insert(source, words_in_script(text));
        game.items.extend(ability.map(ability_item).map(Cow::Owned));
    }
    let mut problems = Vec::new();
    let alone = Layers::new([("pond".to_string(), Vec::new())]);
    let game = [game];
    let game = compose_line(&game, &alone, &mut problems);
    let on_a_sheet = || BTreeSet::from(["stone"]);
    problems.extend(resolve_game(game, scripts, &on_a_sheet).1);
    problems.iter().map(|problem| shown(problem, &sources)).collect::<Vec<_>>().join("\n")
}

fn shown(problem: &Problem, sources: &Sources) -> String {
    let severity = if problem.is_error() { "error" } else { "warning" };
    let mut shown = format!("{} {severity}: {}", problem.code, problem.message);
    for (span, remark) in &problem.labels {
        let words = sources.span_text(*span).lines().next().unwrap_or("");
        let (line, column) = sources.line_column(*span);
        write!(shown, "\n  {line}:{column} `{words}` {remark}").expect("texts can be written to");
    }
    if let Some(help) = &problem.help {
        write!(shown, "\n  help: {help}").expect("texts can be written to");
    }
    shown
}

/// The pond with a few lines more, which begin at line 1.
fn with(more: &str) -> String {
    told(&format!("{more}\n{POND}"), &[RAIN])
}

/// The pond with a procedure that the play carries out.
fn in_procedure(statements: &str) -> String {
    with(&format!("entry to test(side: side) {{ {statements} }}"))
}

/// The pond with a procedure that speaks of some of several dice.
fn in_loop(statements: &str) -> String {
    const PICKS: &str = "define tallest(side: side) = highest of side.nest.size
define front(side: side) = first of (side.nest where it is not wet)
define best = highest of dice.value
define far(side: side) = highest of side.foe.hidden.size
each side has { zone hidden: dice, open }
to idle(side: side) { say \"{tallest(side)} {best} {far(side)}\"  if front(side) is none { stop }  move first of side.hidden to side.nest }";
    let told = with(&format!("{PICKS}\nentry to test(side: side) {{ {statements}  do idle(side) }}"));
    told.lines().take_while(|line| !line.contains("LX03")).collect::<Vec<_>>().join("\n")
}

/// The pond with an ability.
fn in_ability(lines: &str) -> String {
    let lines: Vec<String> = lines.lines().map(|line| format!("//! {}\n", line.trim())).collect();
    told(POND, &[RAIN, &format!("//! ability test \"Test\"\n{}", lines.concat())])
}

macro_rules! tells {
    ($($name:ident: $found:expr, @$snapshot:literal)*) => {
        $(#[test] fn $name() { insta::assert_snapshot!($found, @$snapshot); })*
    };
}

tells! {
    nothing_is_wrong_with_the_pond: with(""), @""

    // --- names -----------------------------------------------------------------------
    an_unknown_name: in_procedure("if ruonds > 1 { stop }"), @r#"
    LX0301 error: nothing here is called `ruonds`
      1:32 `ruonds` not known
      help: did you mean `rounds`?
    "#
    an_unknown_name_is_told_once_with_all_places: in_procedure("if frgo = 1 { say \"{frgo}\" }"), @r#"
    LX0301 error: nothing here is called `frgo`
      1:32 `frgo` not known
      1:49 `frgo` and here
    "#
    a_name_whose_braces_have_ended: in_procedure("if rounds = 1 { let some = 2 } say \"{some}\""), @r#"
    LX0301 error: nothing here is called `some`
      1:66 `some` not known
      1:49 `some` known in these braces only
      help: give it its name before the braces, or use it inside them
    "#
    it_without_a_test: in_procedure("if it.value = 1 { stop }"), @r#"
    LX0301 error: nothing here is called `it`
      1:32 `it` not known
      help: `it` is the member that is tested, after `where`, `has` and `with`
    "#
    me_outside_an_ability: in_procedure("finish with me"), @r#"
    LX0301 error: nothing here is called `me`
      1:41 `me` not known
      help: only an ability has `me`
    "#
    a_member_without_its_thing: in_procedure("move nest to side.nest"), @r#"
    LX0301 error: nothing here is called `nest`
      1:34 `nest` not known
      help: write whose `nest`, as in `otter.nest`
    "#
    a_kind_instead_of_all_of_them: in_procedure("roll die"), @r#"
    LX0301 error: nothing here is called `die`
      1:34 `die` not known
      help: `die` is a kind of thing; all of them are `dice`
    "#
    an_unknown_member: in_procedure("add 1 to side.fsih"), @r#"
    LX0303 error: nothing has a field called `fsih`
      1:43 `fsih` not known
      help: did you mean `fish`?
    "#
    an_unknown_call: in_procedure("roll dri(side)"), @r#"
    LX0301 error: nothing is defined as `dri`
      1:34 `dri` not known
      help: did you mean `dry`?
    "#
    too_many_values: in_procedure("roll dry(side, side)"), @r#"
    LX0402 error: `dry` takes 1 value, but 2 are given
      1:34 `dry` here
      13:8 `dry` declared here
      help: give it `side`: `dry(side)`
    "#
    a_value_with_something_in_brackets: in_procedure("let bid = 3\n add bid(side) to side.fish"), @r#"
    LX0402 error: `bid` takes nothing in brackets
      2:6 `bid` here
      1:33 `bid` named here
      help: write `bid`; brackets are for answers of several seats asked at once, and for parts of a divided total
    "#
    a_procedure_in_an_expression: in_procedure("roll flood(leaf)"), @r#"
    LX0501 error: `flood` does something, so it cannot be part of an expression
      1:34 `flood` a procedure
      help: give it a line of its own: `do flood(…) as result`, and use `result` here
    "#
    a_hook_in_an_expression: in_procedure("if day_begins(side) = 1 { stop }"), @r#"
    LX0501 error: `day_begins` is a moment, not a value
      1:32 `day_begins` not a value
      help: it is opened by a statement: `open day_begins(…)`
    "#
    an_unknown_name_in_the_prompt_of_a_hook: with("hook dusk(active: side) \"{actve} is tired\"\nentry to test(side: side) { open dusk(side) }"), @r#"
    LX0301 error: nothing here is called `actve`
      1:27 `actve` not known
      help: did you mean `active`?
    "#
    an_unknown_mark: in_procedure("mark side.nest as wte"), @r#"
    LX0305 error: there is no mark `wte`
      1:47 `wte` not declared
      help: did you mean `wet`?
    "#
    an_unknown_word_behind_is: in_procedure("if side.nest is wett { stop }"), @r#"
    LX0301 error: nothing here is called `wett`
      1:45 `wett` not known
      help: did you mean `wet`?
    "#
    an_unknown_hook: in_procedure("open day_begin(side)"), @r#"
    LX0306 error: there is no hook `day_begin`
      1:34 `day_begin` not declared
      help: did you mean `day_begins`?
    "#
    a_hook_with_too_few_values: in_procedure("open day_begins() { when rained { } when nothing { } }"), @r#"
    LX0402 error: `day_begins` takes 1 value, but none is given
      1:34 `day_begins` here
      9:6 `day_begins` declared here
      help: give it `active`: `day_begins(active)`
    "#
    an_unknown_family: in_procedure("side may choose hopp as chosen"), @r#"
    LX0307 error: there is no family of moves called `hopp`
      1:45 `hopp` not declared
      help: did you mean `hop`?
    "#
    an_action_instead_of_its_family: in_procedure("side may choose leap as chosen"), @r#"
    LX0307 error: there is no family of moves called `leap`
      1:45 `leap` not declared
      help: `leap` is one action; choose from its family: `hop`
    "#
    a_word_type_instead_of_a_family: in_procedure("side may choose sign as chosen"), @r#"
    LX0307 error: there is no family of moves called `sign`
      1:45 `sign` not declared
      help: a word is chosen with `a`: `choose a sign`
    "#
    a_family_instead_of_a_word_type: in_procedure("side may choose a hop as chosen"), @r#"
    LX0314 error: there is no type `hop` to choose from
      1:47 `hop` not declared
      help: a move is chosen without `a`: `choose hop`
    "#
    an_unknown_procedure: in_procedure("do flod(leaf)"), @r#"
    LX0308 error: there is no procedure `flod`
      1:32 `flod` not declared
      help: did you mean `flood`?
    "#
    an_action_that_nobody_chose: in_procedure("do leap"), @r#"
    LX0308 error: there is no procedure `leap`
      1:32 `leap` not declared
      help: a move must be chosen first: `side must choose … as chosen`, and then `do chosen`
    "#
    a_scope_that_is_none: in_procedure("mark side.nest as wet until end of flood"), @r#"
    LX0308 error: `flood` is not a scope
      1:64 `flood` not a scope
      23:4 `flood` declared with `to`
      help: declare it with `scope flood` instead
    "#
    an_unknown_scope: in_procedure("restore uses of dya"), @r#"
    LX0308 error: `dya` is not a scope
      1:45 `dya` not a scope
      help: did you mean `day`?
    "#
    an_unknown_kind: with("each sied has { counter x }"), @r#"
    LX0314 error: there is no kind of thing called `sied`
      1:6 `sied` not declared
      help: did you mean `side`?
    "#
    an_unknown_type: with("define twice(a: nubmer) = a + a"), @r#"
    LX0314 error: there is no type `nubmer`
      1:17 `nubmer` not declared
      help: did you mean `number`?
    "#
    an_unknown_sheet: told("sides 2 of 1 beast", &[]), @r#"
    LX0314 error: there is no sheet `beast`
      1:14 `beast` not declared
      help: declare what its files print: `sheet beast { … }`
    "#
    something_that_is_no_piece: with("the table has { zone den: otters, open }"), @r#"
    LX0314 error: there is no kind of piece called `otters`
      1:27 `otters` not a piece
      help: zones hold only pieces
    "#
    a_field_that_a_piece_lacks: in_procedure("create die(size: 4, hme: side.nest) in side.nest for side"), @r#"
    LX0303 error: `die` has nothing called `hme`
      1:49 `hme` not known
      help: did you mean `home`?
    "#
    something_lent_that_is_not_there: with("each side has { other: otter = first of otters, lending nset }"), @r#"
    LX0303 error: `otter` has nothing called `nset` to lend
      1:57 `nset` not known
      help: did you mean `nest`?
    "#
    something_lent_by_what_may_be_none: with("each side has { other: otter or none = none, lending nset }"), @r#"
    LX0303 error: `otter` has nothing called `nset` to lend
      1:54 `nset` not known
      help: did you mean `nest`?
    "#
    an_arm_that_is_no_word: in_procedure("depending on leaf { laef { stop } }"), @r#"
    LX0301 error: `laef` is neither a word nor an action
      1:49 `laef` not known
      help: did you mean `leaf`?
    "#
    a_foe_among_many: told("sides 3\nentry to test(side: side) { finish with side.foe }", &[]), @r#"
    LX0316 error: with more than two sides there is no single `foe`
      2:46 `foe` which of them?
      help: write `opponents`, or `left` and `right` in a ring
    "#
    a_neighbour_without_a_ring: in_procedure("finish with side.left"), @r#"
    LX0303 error: a side has no `left`, because the sides do not sit in a ring
      1:46 `left` not known
      help: add `in a ring` to `sides`
    "#
    moves_that_read_alike: with("action dip(frog in active.nest, other: none or 1 in active.nest) is hop when frog is not other says \"{frog} dips\""), @r#"
    LX0317 warning: moves that differ only in `other` have the same text
      1:101 `"{frog} dips"` does not mention `other`
      1:33 `other` chosen here
      help: name it in the sentence, as in `{other}`, so that players can tell the moves apart
    "#
    moves_that_read_alike_for_some_only: with("action dip(frog in active.nest, sign in [leaf]) is hop says \"{if frog is wet then \"{frog}\" else \"it\"} dips\""), @""
    a_family_that_needs_what_is_not_there: with("family dive(active: side, depth: number) {}\naction plunge is dive\nentry to test(side: side) { side may choose dive as chosen }"), @r#"
    LX0301 error: `dive` needs `depth`, and nothing here is called that
      3:45 `dive` chosen here
      1:27 `depth` declared here
      help: say what it is: `choose dive(active, depth)`
    "#

    // --- declarations ------------------------------------------------------------------
    declared_twice: with("define dry(side: side) = side.nest"), @r#"
    LX0302 error: `dry` is declared twice
      13:8 `dry` again here
      1:8 `dry` first declared here
      help: give one of them another name
    "#
    a_parameter_twice: with("entry to test(a: side, a: side) { finish with a }"), @r#"
    LX0302 error: `a` is declared twice
      1:24 `a` again here
      1:15 `a` first declared here
      help: give one of them another name
    "#
    a_member_twice: with("each side has { counter fish }"), @r#"
    LX0302 error: `fish` is declared twice
      8:73 `fish` again here
      1:25 `fish` first declared here
      help: give one of them another name
    "#
    an_arm_twice: in_procedure("open day_begins(side) { when rained { } when rained { } when nothing { } when nothing { } }"), @r#"
    LX0302 error: `rained` is declared twice
      1:74 `rained` again here
      1:58 `rained` first declared here
      help: give one of them another name
    LX0302 error: the case without an answer is given twice
      1:102 `when nothing { }` again here
      1:85 `when nothing { }` first here
      help: remove one of them
    "#
    sides_twice: with("sides 3"), @r#"
    LX0302 error: `sides` is given twice
      4:1 `sides 2 of 1 otter` again here
      1:1 `sides 3` first here
      help: remove one of them
    "#
    an_option_without_its_usual_word: with("option rain is one of often, never = nevre\nentry to test(side: side) { if rain is often { stop } }"), @r#"
    LX0507 error: `nevre` is not one of the words of `rain`
      1:38 `nevre` the default
      help: did you mean `never`?
    "#
    a_local_that_hides_a_local: in_procedure("each die in dice { each die in dice { roll die } }"), @r#"
    LX0311 warning: `die` hides something of this name
      1:53 `die` hides it
      1:34 `die` is hidden
      help: choose another name for one of them
    "#
    a_local_that_hides_an_option: in_procedure("let rounds = 2 if rounds = 2 { stop }"), @r#"
    LX0311 warning: `rounds` hides a value of this name
      1:33 `rounds` hides it
      3:8 `rounds` is hidden
      help: choose another name for one of them
    "#
    a_value_that_hides_what_the_table_has: with("the table has { best: side or none }\ndefine best = first of sides\nentry to test(side: side) { if best is side { stop } }"), @r#"
    LX0311 warning: `best` hides something else of this name
      2:8 `best` hides it
      1:17 `best` is hidden
      help: give one of them another name
    "#
    a_game_without_a_beginning: told("game pond \"Pond\"", &[]), @r#"
    LX0505 error: no procedure is called `play`, so the game cannot begin
      1:1 `game pond "Pond"` this game
      help: write `to play { … }`: what it does is the whole game
    "#
    a_field_that_no_role_fills: with("action splash is hop"), @r#"
    LX0401 error: `splash` does not say what `frog` is, which every `hop` has
      1:8 `splash` here
      11:28 `frog` declared here
      help: call a role `frog`, or add `gives frog = …`
    "#
    a_field_that_the_family_lacks: with("action splash(frog in active.nest) is hop gives forg = frog"), @r#"
    LX0303 error: `hop` has no field `forg`
      1:49 `forg` not declared
      11:8 `hop` declared here
      help: did you mean `frog`?
    "#
    an_action_without_a_family: with("action splash"), @r#"
    LX0512 warning: the action `splash` belongs to no family
      1:8 `splash` never offered
      help: add `is` and a family after it, as in `is move`
    "#

    // --- hooks and answers -----------------------------------------------------------------
    an_answer_for_which_nothing_is_said: in_procedure("open day_begins(side)"), @r#"
    LX0502 error: no case handles the answer `rained`
      1:29 `open day_begins(side)` opened here
      9:39 `rained` declared here
      help: add `when rained { … }`
    "#
    no_arm_for_nothing: in_procedure("open day_begins(side) { when rained { } }"), @r#"
    LX0502 error: no case handles a missing answer
      1:29 `open day_begins(side) { when rained { } }` opened here
      help: add `when nothing { … }`; the braces may be empty
    "#
    an_arm_without_an_answer: in_procedure("open day_begins(side) { when rainde { } when rained { } when nothing { } }"), @r#"
    LX0301 error: `rainde` is not an answer of `day_begins`
      1:58 `rainde` not declared
      9:6 `day_begins` declared here
      help: did you mean `rained`?
    "#
    an_answer_that_no_hook_has: in_procedure("answer snowed"), @r#"
    LX0301 error: no hook has the answer `snowed`
      1:36 `snowed` not declared
      help: add `answers snowed` to the hook at which it is given
    "#
    an_answer_of_another_hook: in_ability("trigger storm at day_begins(active)\ndo { answer raind }"), @r#"
    LX0301 error: `raind` is not an answer of `day_begins`
      3:17 `raind` not declared
      8:6 `day_begins` declared here
      help: did you mean `rained`?
    "#
    an_answer_that_nobody_gives: told(POND, &[]), @r#"
    LX0313 warning: the answer `rained` is never given
      8:39 `rained` never given
      help: no ability and no procedure has an `answer` with this word
    "#
    a_value_that_is_opened: in_procedure("open catch(side)"), @r#"
    LX0401 error: `catch` is a value that abilities change, not a moment to open
      1:34 `catch` a value
      10:6 `catch` declared here
    "#
    a_part_with_too_few_names: in_ability("trigger storm at day_begins()\ndo { answer rained }"), @r#"
    LX0714 error: `day_begins` takes 1 name, but none is named
      2:22 `day_begins` here
      8:6 `day_begins` declared here
      help: write `day_begins(active)`
    "#
    a_part_at_a_value: in_ability("trigger storm at catch(active)\ndo { say \"wet\" }"), @r#"
    LX0401 error: abilities cannot act at `catch`: it is a value
      2:22 `catch` a value
      9:6 `catch` declared here
      help: to change it, write `modify … : …`
    "#
    a_moment_that_is_modified: in_ability("modify day_begins(active): it + 1"), @r#"
    LX0401 error: `day_begins` has no value to modify
      2:12 `day_begins` a moment
      8:6 `day_begins` declared here
    "#
    an_unknown_layer: in_ability("modify catch(active) in early_brid: it + 1"), @r#"
    LX0301 error: there is no layer `early_brid`
      2:29 `early_brid` not declared
      9:6 `catch` declared here
      help: did you mean `early_bird`?
    "#
    uses_per_something_else: in_ability("uses 1 per flood"), @r#"
    LX0308 error: `flood` is not a scope
      2:16 `flood` not a scope
      22:4 `flood` declared with `to`
      help: declare it with `scope flood` instead
    "#
    a_name_that_a_header_does_not_know: in_ability("offer storm at day_begins(active)\nwhen actve is me"), @r#"
    LX0301 error: nothing here is called `actve`
      3:10 `actve` not known
      help: did you mean `active`?
    "#

    // --- what cannot work ------------------------------------------------------------------
    a_choice_without_a_way_out: in_procedure("side must choose hop as chosen"), @r#"
    LX0502 error: there may be no move to choose
      1:29 `side must choose hop as chosen` no `else`
      help: add `else { … }`: it runs when there is nothing to choose
    "#
    a_loop_without_an_end: in_procedure("repeat { roll dice }"), @r#"
    LX0503 error: this could go on for ever
      1:29 `repeat { roll dice }` no limit
      help: set a limit, as in `repeat at most 100 times until …`, and say with `otherwise { … }` what happens when it is reached
    "#
    leaving_no_loop: in_procedure("leave"), @r#"
    LX0508 error: `leave` is outside every loop
      1:29 `leave` no loop around
      help: only `repeat`, `each` and `count` can be left; a procedure ends with `stop`
    "#
    leaving_a_loop_from_what_follows_a_use: in_procedure("repeat 3 times { open day_begins(side) after each use { leave } { when rained { } when nothing { } } }"), @r#"
    LX0508 error: `leave` is outside every loop
      1:85 `leave` no loop around
      help: only `repeat`, `each` and `count` can be left; a procedure ends with `stop`
    "#
    what_is_never_reached: in_procedure("if rounds = 1 { stop } else { finish with side } roll dice"), @r#"
    LX0504 warning: this can never happen
      1:78 `roll dice` never reached
      1:29 `if rounds = 1 { stop } else { finish with side }` always ends here
      help: remove one of the two, or put the first into an `if`
    "#
    a_definition_of_itself: with("define a = b + 1\ndefine b = a + 1\nentry to test(side: side) { if a = b { stop } }"), @r#"
    LX0506 error: `a` is defined by itself: `a` → `b` → `a`
      1:8 `a` goes round in a circle
      2:8 `b` by way of this
      help: define one of them without the others
    "#
    a_value_that_its_modifier_needs: in_ability("modify catch(active): catch(active) + 1"), @r#"
    LX0506 error: `catch` is defined by itself
      9:6 `catch` goes round in a circle
      help: define one of them without the others
    "#
    moves_that_depend_on_themselves: with("action splash(frog in active.nest) is hop when not can hop(active)"), @r#"
    LX0506 error: `can hop` is defined by itself
      11:8 `hop` goes round in a circle
      help: define one of them without the others
    "#
    procedures_that_carry_out_each_other: with("entry to ping { do pong }\nto pong { do ping }"), @r#"
    LX0506 warning: `ping` calls itself without a question in between: `ping` → `pong` → `ping`
      1:10 `ping` goes round in a circle
      2:4 `pong` by way of this
      help: more than 200 nested calls are a fault; `repeat at most … times` has no such limit
    "#
    a_procedure_that_may_carry_out_itself: with("entry to ping { if rounds = 1 { do ping } }"), @r#"
    LX0506 warning: `ping` calls itself without a question in between
      1:10 `ping` goes round in a circle
      help: more than 200 nested calls are a fault; `repeat at most … times` has no such limit
    "#
    stopping_what_is_not_going_on: in_procedure("stop flood"), @r#"
    LX0508 error: `flood` cannot be running here
      1:34 `flood` nothing to stop
      23:4 `flood` never leads to the `stop`
      help: `stop` alone ends the procedure around it
    "#
    stopping_from_a_script_that_is_called: told(&format!("{POND}to call_it_a_day {{ stop day }}"), &[RAIN, "//! ability dusk \"Dusk\"\n//! trigger dusk at day_begins(active)\n\nfn dusk() { call_it_a_day(); }"]), @""
    stopping_where_no_script_calls: told(&format!("{POND}entry to call_it_a_day {{ stop day }}"), &[RAIN]), @r#"
    LX0508 error: `day` cannot be running here
      26:31 `day` nothing to stop
      14:7 `day` never leads to the `stop`
      help: `stop` alone ends the procedure around it
    "#

    an_action_of_a_family_that_is_not_known: with("action splash(frog in activ.nest) is hpo when frog.value > depth and frog is muddy says \"{frog} splashes {frgo}\""), @r#"
    LX0307 error: there is no family of moves called `hpo`
      1:38 `hpo` not declared
      help: did you mean `hop`?
    "#
    a_ban_on_a_family_that_is_not_known: told(POND, &[RAIN, "//! ability calm \"Calm\"\n//! forbid hpo when activ is me"]), @r#"
    LX0307 error: there is no family of moves called `hpo`
      2:12 `hpo` not declared
      help: did you mean `hop`?
    "#
    a_policy_for_a_family_that_is_not_known: with("policy bold for hpo { prefer highest activ.fish }"), @r#"
    LX0307 error: there is no family of moves called `hpo`
      1:17 `hpo` not declared
      help: did you mean `hop`?
    "#

    // --- what changes in a loop -------------------------------------------------------------
    the_largest_of_those_that_go: in_loop("each die in side.nest { if die.size = tallest(side) { move die to side.foe.nest } }"), @r#"
    LX0531 warning: `tallest` is computed again for each `die`, and this loop changes what it reads
      7:67 `tallest(side)` may differ in the next round
      7:88 `die` changed here
      help: name it before the loop, `let … = tallest(…)`, and compare with that
    "#
    the_first_of_those_that_go: in_loop("each die in side.nest { if die is front(side) { remove die } }"), @r#"
    LX0531 warning: `front` is computed again for each `die`, and this loop changes what it reads
      7:63 `front(side)` may differ in the next round
      7:84 `die` changed here
      help: name it before the loop, `let … = front(…)`, and compare with that
    "#
    the_best_by_what_is_changed: in_loop("each frog in dice { if frog.value >= best and frog.value > 1 { set frog.value to 1 } }"), @r#"
    LX0531 warning: `best` is computed again for each `frog`, and this loop changes what it reads
      7:66 `best` may differ in the next round
      7:96 `frog.value` changed here
      help: name it before the loop, `let … = best`, and compare with that
    "#
    a_name_before_the_loop: in_loop("let size = tallest(side)  each die in side.nest { if die.size = size { remove die } }"), @""
    one_round_and_no_more: in_loop("each die in side.nest { if die.size = tallest(side) { remove die  leave } }"), @""
    what_looks_elsewhere: in_loop("each die in side.nest { if die.size = far(side) { remove die } }"), @""
    what_is_as_much_as_before: in_loop("each die in side.nest { if die.size = tallest(side) { set die.value to 1 } }"), @""
    what_goes_by_the_member: in_loop("each die in side.nest { if die.size = tallest(die.owner) { remove die } }"), @""

    // --- what is not used ------------------------------------------------------------------
    unused: with("define large = dice\nthe table has { zone pool: dice, open  counter days }\nto rest { add 1 to table.days }\nhook dusk()\noption storms = 1\nfamily dig(active: side) {}\neach die has { mark dirty }"), @r#"
    LX0313 warning: the definition `large` is never used
      1:8 `large` never used
      help: remove it, or check whether its name is misspelt in other places
    LX0313 warning: the zone `pool` is never used
      2:22 `pool` never used
      help: remove it, or check whether its name is misspelt in other places
    LX0313 warning: the counter `days` is never read
      2:48 `days` never read
      help: rules may add to it, but never read it
    LX0313 warning: the procedure `rest` is never called
      3:4 `rest` never called
      help: add `do rest` where it should run, or remove it
    LX0511 warning: the hook `dusk` is never opened
      4:6 `dusk` no ability can act here
      help: add `open dusk(…)` where it should happen
    LX0313 warning: the option `storms` is never used
      5:8 `storms` never used
      help: use it in a condition, or remove it
    LX0512 warning: no question offers the moves of `dig`
      6:8 `dig` never chosen from
      help: add a question like `side may choose dig as chosen`, or remove the family
    LX0313 warning: the mark `dirty` is never tested
      7:21 `dirty` never tested
      help: test it with `… is …`, or remove it
    "#
    a_family_that_is_part_of_one_that_is_chosen_from: with("family dig(active: side) is hop {}\naction burrow(frog in active.nest) is dig\nentry to test(side: side) { side may choose hop as deed  if deed is dig { stop } }"), @""
    a_family_whose_parts_are_chosen_from: with("family deed(active: side) {}\nfamily dig(active: side) is deed {}\naction burrow is dig\nfamily rest(active: side) is deed {}\naction nap is rest\nentry to test(side: side) { side may choose dig or rest as deed  if deed is dig { stop } }"), @""
    a_family_whose_parts_alone_are_chosen_from: with("family deed(active: side) {}\naction wait is deed\nfamily dig(active: side) is deed {}\naction burrow is dig\nentry to test(side: side) { side may choose dig as deed  if deed is none { stop } }"), @r#"
    LX0512 warning: no question offers the moves of `deed`
      1:8 `deed` never chosen from
      help: add a question like `side may choose deed as chosen`, or remove the family
    "#
    constants_of_other_languages: in_procedure("if side is null or true { stop }  if not false { let a = nil  say \"{a}\" }"), @r#"
    LX0104 error: `null` is written `none`
      1:40 `null` write `none`
    LX0104 error: `true` is written `yes`
      1:48 `true` write `yes`
      help: a condition needs neither: write `x` or `not x`
    LX0104 error: `false` is written `no`
      1:70 `false` write `no`
      help: a condition needs neither: write `x` or `not x`
    LX0104 error: `nil` is written `none`
      1:86 `nil` write `none`
    "#
    flags_of_other_languages: with("the table has { keen: flag = True  tired: flag = off }"), @r#"
    LX0104 error: `True` is written `yes`
      1:30 `True` write `yes`
      help: a condition needs neither: write `x` or `not x`
    LX0104 error: `off` is written `no`
      1:50 `off` write `no`
      help: a condition needs neither: write `x` or `not x`
    "#
    types_of_other_languages: with("define a(who: player, name: string, keen: bool): int = 1"), @r#"
    LX0314 error: there is no type `player`
      1:15 `player` not declared
      help: did you mean `side`?
    LX0314 error: there is no type `string`
      1:29 `string` not declared
      help: did you mean `text`?
    LX0314 error: there is no type `bool`
      1:43 `bool` not declared
      help: did you mean `flag`?
    LX0314 error: there is no type `int`
      1:50 `int` not declared
      help: did you mean `number`?
    "#
    dice_without_sizes: told("sides 2\nthe table has { zone tray: dice, open }\nto play { create die(size: 6) in table.tray  finish with nobody }", &[]), @r#"
    LX0314 error: there is no kind of piece called `dice`
      2:28 `dice` not declared
      help: declare the sizes that dice have: `die sizes 6`
    LX0314 error: there is no kind of thing called `die`
      3:18 `die` not declared
      help: declare the sizes that dice have: `die sizes 6`
    "#
    a_definition_is_no_hook: in_ability("modify dry(side): it"), @r#"
    LX0306 error: there is no hook `dry`
      2:12 `dry` not declared
      12:8 `dry` a definition, which abilities do not change
      help: the hooks are `catch` and `day_begins`
    "#
    uses_per_what_is_no_scope: in_ability("uses 3 per game"), @r#"
    LX0308 error: `game` is not a scope
      2:16 `game` not a scope
      help: the only scope is `day`
    "#
    names_like_constants_of_other_languages: with("each die has { mark null }\neach side has { counter true }\noption false = 2 in 1..9\ntype reply is one of nil, maybe\nentry to test(side: side) { do reply(false + side.true) as null  if null is nil { stop }  each die in dice where it is not null { mark die as null }  add 1 to side.true }\nto reply(true: number): reply { if true > 2 { give maybe }  give nil }"), @""
    a_mark_that_is_named_like_a_constant: with("each die has { mark null }\nentry to test(side: side) { each die in dice where it is null { mark die as null }  if side is null { stop }  say \"{null}\" }"), @r#"
    LX0301 error: nothing here is called `null`
      2:117 `null` not known
      help: a mark is tested with `… is null`
    "#
    definitions_for_the_odds: with("type luck is one of good, bad\ndefine over(shown: list of number, least: number) = count of (shown where it >= least)\ndefine bonus(shown: numbers, luck: luck, twice: flag): number or none = if twice and luck is good then highest of shown else none\ndefine always = 3\ndefine wet_over(side: side, least: number) = count of side.nest > least\ndefine lucky(luck: luck) = luck is bad"), @r#"
    LX0313 warning: the definition `always` is never used
      4:8 `always` never used
      help: remove it, or check whether its name is misspelt in other places
    LX0313 warning: the definition `wet_over` is never used
      5:8 `wet_over` never used
      help: remove it, or check whether its name is misspelt in other places
    LX0313 warning: the definition `lucky` is never used
      6:8 `lucky` never used
      help: remove it, or check whether its name is misspelt in other places
    "#
    procedures_that_are_given_dice: with("to total(shown: list of number): number { give sum of shown - lowest of shown }\nto tell(shown: list of number) { say \"{sum of shown}\" }\nto side_of(side: side): side { give side }"), @r#"
    LX0313 warning: the procedure `tell` is never called
      2:4 `tell` never called
      help: add `do tell` where it should run, or remove it
    LX0313 warning: the procedure `side_of` is never called
      3:4 `side_of` never called
      help: add `do side_of` where it should run, or remove it
    "#
    procedures_for_the_odds: with("to luck: number { roll 1 d6 as shown  give sum of shown }\nto luckier: number { do luck as a  give a + 1 }\nto asked: number { let first = first of sides  first must choose number in 1..6 as bid  give bid }\nto bold: number { roll 1 d6 as shown  let first = first of sides  first must choose number in 1..6 as bid  give bid + sum of shown }"), @""
    words_of_other_languages: with("define a = max(1, 2) + min(1, 2) + random(6) + count of players"), @r#"
    LX0301 error: nothing is defined as `max`
      1:12 `max` not known
      help: the highest of some numbers is written `highest of [a, b]`; a bound, `a but at least b`
    LX0301 error: nothing is defined as `min`
      1:24 `min` not known
      help: the lowest of some numbers is written `lowest of [a, b]`; a bound, `a but at most b`
    LX0301 error: nothing is defined as `random`
      1:36 `random` not known
      help: a statement rolls dice and names the results: `roll 1 d6 as shown`, and then `sum of shown`
    LX0301 error: nothing here is called `players`
      1:57 `players` not known
      help: the players are the `sides`
    "#
    a_zone_of_a_sheet_whose_pieces_are_found_among_all: told("sides 2 of 1 otter\ndie sizes 4\nsheet otter (otters) { zone box: dice, open }\npiece die (dice) {}\nto play { roll dice }", &[]), @""
    a_zone_of_a_sheet_whose_pieces_nobody_finds: told("sides 2 of 1 otter\ndie sizes 4\nsheet otter (otters) { zone box: dice, open }\npiece die (dice) {}\neach side has { zone nest: dice, open }\nto play { roll sides.nest }", &[]), @r#"
    LX0313 warning: the zone `box` is never used
      3:29 `box` never used
      help: remove it, or check whether its name is misspelt in other places
    "#
    used_by_a_script_only: told(&format!("{POND}the table has {{ counter days }}\nto rest {{ add 1 to table.days }}"), &[RAIN, "//! ability nap \"Nap\"\n//! offer nap at day_begins(active)\n\nfn nap(table) { rest(); say(table.days); }"]), @""
    used_by_a_mode_only: with("define large = dice\nmode big \"Big\" { replace define dry(side: side) = large }"), @""

    a_trigger_where_only_offers_are_asked_for: told(&format!("{POND}hook hops(active: side)\nentry to test(active: side) {{ active may choose hop during hops(active) as jump }}"), &[RAIN, "//! ability splash \"Splash\"\n//! trigger splash at hops(active)\n//!   do { say \"splash\" }"]), @r#"
    LX0511 warning: this never happens: its hook only adds offers to a question
      2:13 `splash` never happens
      26:6 `hops` named by `during` and never opened
      help: make it an `offer`, or add `open …` before the question
    "#

    // --- modes -----------------------------------------------------------------------
    a_mode_replaces_what_is_not_there: with("mode big \"Big\" { replace define dyr(side: side) = side.nest }"), @r#"
    LX0301 error: there is no `define dyr` to replace
      1:33 `dyr` not there
      help: did you mean `dry`?
    "#
    a_mode_with_an_unknown_name: with("mode big \"Big\" { replace define dry(side: side) = side.nset }"), @r#"
    LX0303 error: nothing has a field called `nset`
      1:56 `nset` not known
      help: did you mean `nest`?
    "#
    a_mode_twice: with("mode big \"Big\" { }\nmode big \"Large\" { }"), @r#"
    LX0302 error: `big` is declared twice
      2:6 `big` again here
      1:6 `big` first declared here
      help: give one of them another name
    "#
}
