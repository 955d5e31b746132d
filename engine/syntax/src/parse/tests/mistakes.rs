//! Every mistake is told in a reader's words, at its place, and hides no other.

use super::shape::shape;
use super::*;

#[test]
fn mistakes_are_told_in_a_readers_words() {
    let cases: [(&str, &[&str]); 50] = [
        ("ludex 7", &["1:7 the language has no version 7 [7: not known]"]),
        ("sides two of 1 character", &["1:7 expected a number, found `two` [two: not expected here]"]),
        (r#"gmae pond "Pond""#, &["1:1 `gmae` does not begin a declaration [gmae: no declaration starts with this word]"]),
        ("move a to b", &["1:1 `move` does not begin a declaration [move: no declaration starts with this word]"]),
        ("offer swim at x()", &["1:1 `offer` does not begin a declaration [offer: no declaration starts with this word]"]),
        ("define points(side) = 3", &["1:19 expected `:`, found `)` [): not expected here]"]),
        ("define a = 1 +", &["1:14 expected a value after `+` [+: something is missing after this]"]),
        ("define a = 1 + * 2", &["1:16 expected a value, found `*` [*: not expected here]"]),
        ("define a = 3.5", &["1:14 expected a name, found `5` [5: not expected here]"]),
        ("define a = b ? 1 : 2", &["1:14 expected an operator or the end of the declaration, found `?` [?: not expected here]"]),
        ("define a = b[0]", &["1:13 expected an operator or the end of the declaration, found `[` [[: not expected here]"]),
        ("define a = 2d6", &["1:13 expected an operator or the end of the declaration, found `d6` [d6: not expected here]"]),
        ("define a = if b then c", &["1:22 expected `else` after `c` [c: something is missing after this]"]),
        ("define a = $b", &["1:12 expected a value, found `$` [$: not expected here]"]),
        ("define", &["1:1 expected a name after `define` [define: something is missing after this]"]),
        (
            "hook a() anwsers b",
            &["1:10 expected a text in quotes, `:`, `answers`, `goes` or `in`, found `anwsers` [anwsers: not expected here]"],
        ),
        ("action a(b of c)", &["1:12 expected `:` or `in`, found `of` [of: not expected here]"]),
        (
            "action a(b in c) wehn d",
            &["1:18 expected a clause such as `when` or the end of the declaration, found `wehn` [wehn: not expected here]"],
        ),
        ("action a(b in c) says hop", &["1:23 expected a text in quotes, found `hop` [hop: not expected here]"]),
        ("piece a { zne b: cards }", &["1:11 `zne` does not begin a member [zne: no member starts with this word]"]),
        ("piece a { counter if }", &["1:19 `if` is a word of the language and cannot be a name [if: choose another name]"]),
        ("piece a { counter b halves }", &["1:28 expected `,` or `:`, found `}` [}: not expected here]"]),
        ("to a { fnish with nobody }", &["1:8 `fnish` does not begin a statement [fnish: no statement starts with this word]"]),
        (
            "to a { meanwhile { do b } }",
            &["1:8 `meanwhile` does not begin a statement [meanwhile: no statement starts with this word]"],
        ),
        ("to a { choose attack }", &["1:8 expected a statement or `}`, found `choose` [choose: not expected here]"]),
        ("to a { active mst choose b }", &["1:15 expected `must` or `may`, found `mst` [mst: not expected here]"]),
        (
            "to a { active must chose b }",
            &["1:20 expected a text in quotes, `choose`, `divide` or `order`, found `chose` [chose: not expected here]"],
        ),
        ("to a { let if = 3 }", &["1:12 `if` is a word of the language and cannot be a name [if: choose another name]"]),
        (
            r#"to a { roll b becuase "c" }"#,
            &["1:15 `becuase` does not begin a statement [becuase: no statement starts with this word]"],
        ),
        ("to a { move b from c }", &["1:15 expected `to`, found `from` [from: not expected here]"]),
        ("to a { leave } else { skip }", &["1:16 expected the end of the declaration, found `else` [else: not expected here]"]),
        ("to a -> number { give 3 }", &["1:6 expected `{`, `(` or `:`, found `-` [-: not expected here]"]),
        ("to a { if b: leave }", &["1:12 expected `{`, found `:` [:: not expected here]"]),
        ("to a: { leave }", &["1:7 expected a type, found `{` [{: not expected here]"]),
        ("to a { repeat 3 { leave } }", &["1:17 expected `times`, found `{` [{: not expected here]"]),
        ("to a { open b(c) { wen d { leave } } }", &["1:20 expected `when`, found `wen` [wen: not expected here]"]),
        (
            "option a = 3 on 1..9",
            &["1:14 expected a text in quotes or the end of the declaration, found `on` [on: not expected here]"],
        ),
        ("option a is one of b, c", &["1:23 expected `,` or `=` after `c` [c: something is missing after this]"]),
        ("type a is one of b c", &["1:20 expected `,` or the end of the declaration, found `c` [c: not expected here]"]),
        ("table a(b) { 1: 2 3.. 4 }", &["1:25 expected `,` or `:`, found `}` [}: not expected here]"]),
        (r#"mode a "A" { define b = }"#, &["1:25 expected a value, found `}` [}: not expected here]"]),
        ("to a {\n  let b =\n  leave\n}", &["3:3 expected a value, found `leave` [leave: not expected here]"]),
        (r#"to a { say "hop }"#, &[r#"1:12 this text has no closing quote on its line [": the text begins here]"#]),
        (r#"to a { say "{b hops" }"#, &["1:13 a `{` in this text has no `}` [{: opened here]"]),
        ("to a { leave ", &["1:6 this `{` is never closed [{: opened here]"]),
        ("to a { do b(c }", &["1:12 this `(` is never closed [(: opened here]"]),
        ("to a ) { leave }", &["1:6 this `)` closes nothing [): no bracket is open here]"]),
        ("to a { do b(c] }", &["1:14 `(` and `]` do not belong together []: closed here]"]),
        ("define a = b   @", &["1:16 expected an operator or the end of the declaration, found `@` [@: not expected here]"]),
        ("   ", &["1:1 this file of rules is empty [: nothing is declared]"]),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(text), expected, "{text}");
    }
}

#[test]
fn advice_is_given_where_it_can_be() {
    let cases = [
        ("gmae pond \"Pond\"", "did you mean `game`?"),
        ("move a to b", "a statement belongs in the block of a procedure: `to name { … }`"),
        ("offer swim at x()", "this belongs to an ability, which a script declares in its `//!` lines"),
        ("frogs hop", "a declaration begins with a word such as `action`, `define`, `hook`, `option`, `piece` or `to`"),
        ("define points(side) = 3", "a parameter says what it is, as in `die: die`"),
        ("define a = 3.5", "numbers are whole"),
        ("define a = top of b", "say how many, as in `top 1 of deck`; the topmost piece alone is `last of deck`"),
        ("define a = b ? 1 : 2", "a choice between two values is written `if condition then value else value`"),
        (
            "define a = b[0]",
            "a member of a list is taken with `member 1 of`, `first of` or `last of`, several with `where` or `top 2 of`",
        ),
        ("define a = 2d6", "dice are rolled by a statement, as in `roll 2 d6 because \"luck\" as shown`"),
        ("define a = b % 2", "the remainder of a division is written `remainder of a divided by b`"),
        ("define a = b mod 2", "the remainder of a division is written `remainder of a divided by b`"),
        ("define a = the 2nd of b", "a member of a list is counted with `member 2 of xs`, from 1; it may be none"),
        ("define a = b @", "after `@` comes the id of a rule, as in `@DC-021`"),
        ("hook a() anwsers b", "did you mean `answers`?"),
        ("action a(b in c) wehn d", "did you mean `when`?"),
        ("action my-hop(b in c)", "words in a name are joined with `_`"),
        ("piece a { zne b: cards }", "did you mean `zone`?"),
        ("to a { fnish with nobody }", "did you mean `finish`?"),
        (
            "to a { meanwhile { do b } }",
            "a statement begins with a word such as `let`, `set`, `move`, `if`, `each` or `do`, or with who is asked",
        ),
        ("to a { choose attack }", "say who chooses: `active must choose …`"),
        ("to a { active mst choose b }", "did you mean `must`?"),
        ("to a { active must chose b }", "did you mean `choose`?"),
        ("to a { roll b becuase \"c\" }", "did you mean `because`?"),
        ("to a { move b from c to d }", "a piece knows where it is: say only where it goes, `move … to …`"),
        ("to a { leave } else { skip }", "an `else` follows the block of an `if` or a question"),
        (
            "to a { roll 2 dice of size b.c + 1 as d }",
            "put a size that is worked out in brackets, as in `2 dice of size (a + b)`",
        ),
        ("to a { roll 2 dice of size half of b }", "put a size that is worked out in brackets, as in `2 dice of size (a + b)`"),
        ("to a { if b: leave }", "a block goes between `{` and `}`"),
        (
            "to a { let b = c[0]\n say \"d\" }",
            "a member of a list is taken with `member 1 of`, `first of` or `last of`, several with `where` or `top 2 of`",
        ),
        (
            "to a { let b = c[0] }",
            "a member of a list is taken with `member 1 of`, `first of` or `last of`, several with `where` or `top 2 of`",
        ),
        (
            "to a { let b = c.d[0].value\n if b > 3 { stop } }",
            "a member of a list is taken with `member 1 of`, `first of` or `last of`, several with `where` or `top 2 of`",
        ),
        (
            "to a { set b to c[d + 1].value * 2 }",
            "a member of a list is taken with `member 1 of`, `first of` or `last of`, several with `where` or `top 2 of`",
        ),
        (
            "to a { b must choose from hop as c }",
            "write the moves alone, as in `choose hop`, or how many of which things, as in `choose 1 in xs`",
        ),
        ("to a { b must choose 1 from c as d }", "write `in`: `choose 1 in xs`, `draw 1 in xs at random as drawn`"),
        ("to a { draw 1 from b at random as c }", "write `in`: `choose 1 in xs`, `draw 1 in xs at random as drawn`"),
        ("to a { break }", "`leave` ends a loop early"),
        ("to a { continue }", "`skip` goes on with the next round of a loop"),
        ("to a { win b }", "`finish with active` ends the game with who has won, `finish with nobody` without a winner"),
        ("to a { end b }", "`stop turn` ends the scope `turn`, `stop` the procedure, and `finish with …` the game"),
        ("to a { print(\"b\") }", "`say \"…\"` shows it to the players"),
        ("players 2", "how many play is written `sides 2`, or `sides 2..4`"),
        ("each side has { counter größe }", "a name is written with the letters a to z, digits and `_`"),
        ("each side has { counter a: 3 }", "a first value is written with `=`, as in `counter fish = 3`"),
        ("game a \"A\" extends pond", "a package changes another game: `package deep \"Deep\" extends pond`"),
        ("define a = b and supposing c = 1 then d", "put it in brackets: `(supposing … = … then …)`"),
        ("define a = 1 + if b then c else d", "put it in brackets: `(if … then … else …)`"),
        ("to a -> number { give 3 }", "what a procedure gives is written after `:`"),
    ];
    for (text, expected) in cases {
        let ParsedRules { problems, .. } = parse_rules(SourceId(0), text);
        assert_eq!(problems.first().and_then(|problem| problem.help.as_deref()), Some(expected), "{text}: {problems:?}");
    }
}

#[test]
fn a_comma_between_members_is_told_at_the_comma() {
    let told = ["1:26 members follow one another without a `,` [,: leave this out]"];
    assert_eq!(problems("each side has { counter a,\n counter b\n}"), told);
    assert_eq!(problems("each side has { counter a, }"), told);
    assert_eq!(problems("each side has { counter a,\n counter b: number = 0 in 0..9\n}"), told);
    let behind_a_range = ["1:46 members follow one another without a `,` [,: leave this out]"];
    assert_eq!(problems("each side has { counter a: number = 0 in 0..9,\n counter b: number\n}"), behind_a_range);
}

#[test]
fn the_word_that_was_found_is_not_what_was_meant() {
    let ParsedRules { problems, .. } = parse_rules(SourceId(0), "policy a for b { prefer lowest c }");
    assert_eq!((problems.len(), problems[0].help.as_deref()), (1, None), "{problems:?}");
}

#[test]
fn six_mistakes_in_one_file_are_told_in_one_run() {
    let text = "\
ludex 1
game pond \"Pond\"
sides two

option limit = 3 in 1..9
each side has {
  zne hand: cards
}

define points(side: side) = 1 +

action hop(frog in pond
  when frog.size > 3

to play {
  do round
  fnish with nobody
}

scope round {
  repeat 3 times { leave }

action swim(frog of pond)
";
    assert_eq!(
        problems(text),
        [
            "3:7 expected a number, found `two` [two: not expected here]",
            "7:3 `zne` does not begin a member [zne: no member starts with this word]",
            "10:31 expected a value after `+` [+: something is missing after this]",
            "12:11 this `(` is never closed [(: opened here]",
            "17:3 `fnish` does not begin a statement [fnish: no statement starts with this word]",
            "20:13 this `{` is never closed [{: opened here]",
            "23:18 expected `:` or `in`, found `of` [of: not expected here]",
        ]
    );
}

#[test]
fn several_mistakes_in_one_declaration_are_told_in_one_run() {
    let text = "\
to play {
  move die from hand
  let x =
  move die to hand
  if x is y and {
    wehn z { leave }
    set x 3
  } otherwse {
    say hello
  }
  each die in dice wher it.size > 3 {
    roll die becuase \"x\"
  }
  do good(thing)
  stopp turn
}
";
    assert_eq!(
        problems(text),
        [
            "2:12 expected `to`, found `from` [from: not expected here]",
            "4:3 expected a value, found `move` [move: not expected here]",
            "5:17 expected a value, found `{` [{: not expected here]",
            "6:5 `wehn` does not begin a statement [wehn: no statement starts with this word]",
            "7:11 expected `to`, found `3` [3: not expected here]",
            "8:5 `otherwse` does not begin a statement [otherwse: no statement starts with this word]",
            "9:9 expected a text in quotes, found `hello` [hello: not expected here]",
            "11:20 expected `{` or `at`, found `wher` [wher: not expected here]",
            "12:14 `becuase` does not begin a statement [becuase: no statement starts with this word]",
            "15:3 `stopp` does not begin a statement [stopp: no statement starts with this word]",
        ]
    );
}

#[test]
fn what_can_be_read_of_a_bad_declaration_is_kept() {
    let ParsedRules { items, .. } = parse_rules(SourceId(0), "to play {\n  fnish with nobody\n  do good\n}\n");
    assert_eq!(items.iter().map(shape).collect::<String>(), "procedure(name: play, body: [do(name: good)])");
}

#[test]
fn an_open_brace_is_noticed_at_the_next_declaration() {
    let text = "to play {\n  if a {\n    leave\n}\n\ndefine b = 3\n";
    let ParsedRules { items, problems, .. } = parse_rules(SourceId(0), text);
    assert_eq!(told(text, &problems), ["2:8 this `{` is never closed [{: opened here]"]);
    let [problem] = &problems[..] else { panic!("{problems:?}") };
    assert_eq!(problem.labels[1].1, "still open here");
    assert_eq!(problem.labels[1].0.start as usize, text.find("}\n\ndefine").unwrap());
    assert_eq!(items.len(), 2, "both declarations are read");
}

#[test]
fn a_missing_brace_is_told_where_the_lines_are_no_longer_indented() {
    let rows = [
        ("to play {\n  if a {\n    leave\n  do b\n  do c\n}\ndefine d = 3\n", "2:8", "do b"),
        ("to play {\n  if a {\n    leave\n  } else {\n    skip\n  do b\n}\ndefine d = 3\n", "4:10", "do b"),
        ("to play {\n  each x in y {\n    if a {\n      leave\n  }\n}\ndefine d = 3\n", "3:10", "}\n}\ndefine"),
        ("to play {\n  do b\ndefine d = 3\n", "1:9", "define"),
        ("to play {\n  if a { leave\n  do b\n}\ndefine d = 3\n", "2:8", "do b"),
        ("to play {\n  if a {\n    leave\n  else { do b }\n}\ndefine d = 3\n", "2:8", "else"),
        // Nothing is indented.
        ("to play {\nif a {\nleave\ndo b\n}\ndefine d = 3\n", "1:9", "define"),
    ];
    for (text, opened, still_open) in rows {
        let ParsedRules { problems, .. } = parse_rules(SourceId(0), text);
        assert_eq!(told(text, &problems), [format!("{opened} this `{{` is never closed [{{: opened here]")], "{text}");
        assert_eq!(problems[0].labels[1].0.start as usize, text.find(still_open).unwrap(), "{text}");
    }
}

#[test]
fn what_stands_behind_a_missing_brace_is_read_as_if_it_were_there() {
    let text = "to play {\n  if a {\n    leave\n  do b\n}\n";
    let ParsedRules { items, .. } = parse_rules(SourceId(0), text);
    assert_eq!(
        items.iter().map(shape).collect::<String>(),
        "procedure(name: play, body: [if(arms: [(a, [leave])]), do(name: b)])"
    );
}

#[test]
fn a_brace_that_was_not_opened_is_told_where_it_should_be() {
    let rows: &[(&str, &str)] = &[
        ("to play\n  do b\n}\n", "1:7 a `{` is missing [y: after this]"),
        ("to play {\n  each x in y\n    if a { leave }\n  }\n  do b\n}\n", "2:13 a `{` is missing [y: after this]"),
        ("to play {\n  if a {\n    leave\n  } else\n    skip\n  }\n}\n", "4:8 a `{` is missing [e: after this]"),
        ("to play {\n  if a leave }\n  do b\n}\n", "2:14 a `{` is missing [}: closes nothing that begins on this line]"),
        // One too many, and what is not indented by any rule.
        ("to play {\n  do b\n}\n}\n", "4:1 this `}` closes nothing [}: no bracket is open here]"),
        ("to play {\n  if a {\n  leave } }\n  do b }\n", "4:8 this `}` closes nothing [}: no bracket is open here]"),
    ];
    for (text, expected) in rows {
        let ParsedRules { problems, .. } = parse_rules(SourceId(0), text);
        assert_eq!(told(text, &problems), [expected.to_string()], "{text}");
    }
}

#[test]
fn mistakes_in_a_header_are_told_at_their_place_in_the_script() {
    let text = "\
// A comment.
//! ability otter-swim \"Swim\"
//!  \"The otter swims.\"
//! uses 2 pre match
//! ofer swim at turn_begins(active)
//!   when active is me
//! grant act(die in me.x is attack
//!   when x == 3
//! modify conversions(loser) when loser == me: it + 1
fn x() { a == b }
//! not a part of the header
";
    let (ability, problems) = parse_ability(SourceId(0), text);
    assert_eq!(
        told(text, &problems),
        [
            "4:12 expected `per`, found `pre` [pre: not expected here]",
            "5:5 `ofer` does not begin a part of an ability [ofer: no part of an ability starts with this word]",
            "7:14 this `(` is never closed [(: opened here]",
            "9:42 `==` is written `=` [==: write `=`]",
        ]
    );
    assert_eq!(problems[0].code, codes::HEADER_SYNTAX);
    assert_eq!(ability.map(|ability| ability.parts.len()), Some(1));
}

#[test]
fn words_of_other_games_in_a_header_are_answered_with_what_to_write() {
    let text = "\
//! ability otter-swim \"Swim\"
//! uses per match
//! before: turn_begins(active)
fn swim() { }
";
    let (ability, problems) = parse_ability(SourceId(0), text);
    let help: Vec<&str> = problems.iter().filter_map(|problem| problem.help.as_deref()).collect();
    assert_eq!(
        told(text, &problems),
        [
            "2:10 the number of uses is missing [per: the number belongs before this]",
            "3:5 `before` does not begin a part of an ability [before: no part of an ability starts with this word]",
        ]
    );
    assert_eq!(
        help,
        [
            "write it, as in `uses 1 per match`",
            "what happens at a hook is written `trigger NAME at HOOK(…)`, or `offer NAME at HOOK(…)` if players choose it",
        ]
    );
    assert!(ability.is_some_and(|ability| ability.has_unread_parts));
}

#[test]
fn a_script_without_a_header_is_told() {
    for text in ["", "fn a() {}\n", "//!\n//! # a comment\nfn a() {}\n"] {
        let (ability, problems) = parse_ability(SourceId(0), text);
        assert!(ability.is_none());
        assert_eq!(problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), [codes::HEADER_MISSING], "{text}");
    }
}

#[test]
fn a_value_that_cannot_be_read_is_told() {
    for text in ["", "1 +", "(", "\"a", "a b", "a == b"] {
        let problem = parse_expression(SourceId(0), text).expect_err(text);
        assert!(problem.is_error(), "{text}");
    }
}
