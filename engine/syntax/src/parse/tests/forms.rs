//! Forms known from elsewhere are understood and answered with the right one.

use super::shape::shape;
use super::*;

#[test]
fn wrong_forms_are_understood_and_answered() {
    let cases: [(&str, &[&str], &str); 33] = [
        (
            "die sizes d4, 6, d8",
            &[
                "1:11 the size of a die is a number alone [d4: write `4`]",
                "1:18 the size of a die is a number alone [d8: write `8`]",
            ],
            "diesizes(sizes: [(4), (6), (8)])",
        ),
        (
            "sides 2 named \"A\", \"B\" in a ring",
            &["1:24 `in a ring` comes before the names of the sides [in a ring: write it before `named`]"],
            "sides(sides(least: 2, most: 2, ring: true, names: [\"A\", \"B\"]))",
        ),
        ("define a = b == c", &["1:14 `==` is written `=` [==: write `=`]"], "define(name: a, value: (b equal c))"),
        (
            "define a = b && c || !d",
            &[
                "1:14 `&&` is written `and` [&&: write `and`]",
                "1:19 `||` is written `or` [||: write `or`]",
                "1:22 `!` is written `not` [!: write `not`]",
            ],
            "define(name: a, value: ((b and c) or not(d)))",
        ),
        (
            "define a = b <> c and d =< e and f => g",
            &[
                "1:14 `<>` is written `!=` [<>: write `!=`]",
                "1:25 `=<` is written `<=` [=<: write `<=`]",
                "1:36 `=>` is written `>=` [=>: write `>=`]",
            ],
            "define(name: a, value: (((b notequal c) and (d lessequal e)) and (f greaterequal g)))",
        ),
        (
            "define a = 1 < b < 3",
            &["1:18 only two values are compared at a time [< 3: write `and` between two comparisons]"],
            "define(name: a, value: ((1 less b) and (b less 3)))",
        ),
        (
            "define a = b is at least 3 and c is not more than d",
            &[
                "1:14 `is at least` is written `>=` [is at least: write `>=`]",
                "1:34 `is not more than` is written `<=` [is not more than: write `<=`]",
            ],
            "define(name: a, value: ((b greaterequal 3) and (c lessequal d)))",
        ),
        (
            "define a = b is equal to c",
            &["1:14 `is equal to` is written `=` [is equal to: write `=`]"],
            "define(name: a, value: (b equal c))",
        ),
        (
            "define a = x.y / 2",
            &["1:16 a division says how it is rounded [/: `/` does not]"],
            "define(name: a, value: divided(left: x.y, right: 2))",
        ),
        (
            "define a = x / n",
            &["1:14 a division says how it is rounded [/: `/` does not]"],
            "define(name: a, value: divided(left: x, right: n))",
        ),
        (
            "define a = “b“ + 'c' + ‘d’",
            &[
                r#"1:12 a text needs straight quotes [“: write `"`]"#,
                r#"1:18 a text needs straight quotes [': write `"`]"#,
                r#"1:24 a text needs straight quotes [‘: write `"`]"#,
            ],
            r#"define(name: a, value: (("b" plus "c") plus "d"))"#,
        ),
        (
            "define pointsOf(theSide: side) = 3",
            &[
                "1:8 warning: names are written in small letters: `pointsOf` [pointsOf: write `points_of`]",
                "1:17 warning: names are written in small letters: `theSide` [theSide: write `the_side`]",
            ],
            "define(name: pointsOf, params: [param(name: theSide, of: side)], value: 3)",
        ),
        ("define a = 1 // one", &["1:14 a comment begins with `#` [//: write `#`]"], "define(name: a, value: 1)"),
        (
            "action a(b in c)\n  when d   DC-021\n",
            &["2:12 a rule id has `@` before it: `DC-021` [DC-021: write `@DC-021`]"],
            "action(name: a, roles: [role(name: b, amount: one, from: c)], clauses: [when(d, none) cites [DC-021]])",
        ),
        (
            "action a(b in c)\n  when d   @rule-1\n",
            &["2:12 `@rule-1` is not a rule id [@rule-1: not a rule id]"],
            "action(name: a, roles: [role(name: b, amount: one, from: c)], clauses: [when(d, none) cites [rule-1]])",
        ),
        ("function a { leave }", &["1:1 `function` is written `to` [function: write `to`]"], "procedure(name: a, body: [leave])"),
        (
            "def a(b: side): number { give 1 }",
            &["1:1 `def` is written `to` [def: write `to`]"],
            "procedure(name: a, params: [param(name: b, of: side)], gives: number, body: [give(value: 1)])",
        ),
        (
            "to a { b = 3; c.d += e; f -= 1; g++ }",
            &[
                "1:8 a value is changed with `set`, `add` or `take` [b = 3: write `set b to 3`]",
                "1:15 a value is changed with `set`, `add` or `take` [c.d += e: write `add e to c.d`]",
                "1:25 a value is changed with `set`, `add` or `take` [f -= 1: write `take 1 from f`]",
                "1:33 a value is changed with `set`, `add` or `take` [g++: write `add 1 to g`]",
            ],
            "procedure(name: a, body: [set(place: b, value: 3), add(place: c.d, value: e), add(place: f, value: 1, less: true), add(place: g, value: 1)])",
        ),
        (
            "to a { set b = 3 }",
            &["1:14 `set` says `to`, not `=` [=: write `to`]"],
            "procedure(name: a, body: [set(place: b, value: 3)])",
        ),
        (
            "to a { var b = 3 }",
            &["1:8 `var` is written `let` [var: write `let`]"],
            "procedure(name: a, body: [let(name: b, value: 3)])",
        ),
        (
            "to a { if (b) then { leave } elseif c { skip } elif d { stop } }",
            &[
                "1:15 before a block there is no `then` [then: leave it out]",
                "1:30 `elseif` is written `else if` [elseif: write `else if`]",
                "1:48 `elif` is written `else if` [elif: write `else if`]",
            ],
            "procedure(name: a, body: [if(arms: [(b, [leave]), (c, [skip]), (d, [stop()])])])",
        ),
        (
            "to a { while b { leave } }",
            &["1:8 there is no `while`: a repetition says how often at most [while: write `repeat`]"],
            "procedure(name: a, body: [repeat(most: 100, until: not(b), body: [leave])])",
        ),
        (
            "to a { for b in c { leave } foreach d in e { skip } for each f in g { skip } }",
            &[
                "1:8 `for` is written `each` [for: write `each`]",
                "1:29 `foreach` is written `each` [foreach: write `each`]",
                "1:53 `for` is written `each` [for: write `each`]",
            ],
            "procedure(name: a, body: [each(name: b, set: c, body: [leave]), each(name: d, set: e, body: [skip]), each(name: f, set: g, body: [skip])])",
        ),
        (
            "to a { return b } to c { return }",
            &["1:8 `return` is written `give` [return: write `give`]", "1:26 `return` is written `stop` [return: write `stop`]"],
            "procedure(name: a, body: [give(value: b)]); procedure(name: c, body: [stop()])",
        ),
        (
            "to a { active chooses attack as b }",
            &["1:15 `chooses` does not say whether `active` has to [chooses: write `must choose` or `may choose`]"],
            "procedure(name: a, body: [ask(who: active, must: true, what: families([(attack, none)]), name: b)])",
        ),
        (
            "to a { active must choose a die in active.dice as b }",
            &["1:27 a choice in a set begins with a number [a die: write `1`, as in `choose 1 in active.dice`]"],
            "procedure(name: a, body: [ask(who: active, must: true, what: among(amount: one, set: active.dice), name: b)])",
        ),
        (
            "to a { let b = active must choose attack }",
            &["1:12 a question gives its answer a name with `as` [b: write `active … as b`]"],
            "procedure(name: a, body: [ask(who: active, must: true, what: families([(attack, none)]), name: b)])",
        ),
        (
            r#"to a { let b = do hop(c) let d = roll 3 d6 because "e" }"#,
            &[
                "1:8 a result gets its name with `as` [let b = do hop(c): write `do hop(c) as b`]",
                r#"1:26 a result gets its name with `as` [let d = roll 3 d6 because "e": write `roll 3 d6 because "e" as d`]"#,
            ],
            r#"procedure(name: a, body: [do(name: hop, args: [c], result: b), roll(what: 3, pool: 6, reason: "e", name: d)])"#,
        ),
        (
            "to a { settle(die, place) }",
            &["1:8 a procedure is carried out with `do` [settle(die, place): write `do settle(die, place)`]"],
            "procedure(name: a, body: [do(name: settle, args: [die, place])])",
        ),
        (
            r#"action a(b in c) says "one" says "two""#,
            &[r#"1:29 `says` is written twice [says "two": the second time]"#],
            r#"action(name: a, roles: [role(name: b, amount: one, from: c)], clauses: [says("one"), says("two")])"#,
        ),
        (
            r#"to a { active may choose b as c as d "one" "two" "three" }"#,
            &[
                "1:33 `as` is written twice [as d: the second time]",
                r#"1:50 a question has at most two texts ["three": the third]"#,
            ],
            r#"procedure(name: a, body: [ask(who: active, what: families([(b, none)]), name: d, prompt: "one", pass_text: "three")])"#,
        ),
        (
            "to a { repeat 3 times at most 4 times { leave } }",
            &["1:23 `times` is written twice [at most 4 times: the second time]"],
            "procedure(name: a, body: [repeat(most: 4, body: [leave])])",
        ),
        (
            "define a = 2147483648",
            &["1:12 the number `2147483648` is too large [2147483648: at most 2147483647]"],
            "define(name: a, value: 2147483647)",
        ),
    ];
    for (text, expected, tree) in cases {
        let ParsedRules { items, problems, .. } = parse_rules(SourceId(0), text);
        assert_eq!(told(text, &problems), expected, "{text}");
        assert_eq!(items.iter().map(shape).collect::<Vec<_>>().join("; "), tree, "{text}");
    }
}

#[test]
fn a_division_is_answered_with_both_ways_to_round() {
    let help = |text: &str| parse_expression(SourceId(0), text).expect_err(text).help.unwrap_or_default();
    assert_eq!(help("a.b / 2"), "write `a.b divided by 2 rounded down`, or `half of a.b` to keep the half that may be left");
    assert_eq!(help("(a + 1) / n"), "write `(a + 1) divided by n rounded down`, or `rounded up`");
}

#[test]
fn semicolons_and_tabs_do_no_harm() {
    assert_eq!(items("to a {\n\tleave;\n\tskip;;\n}\n").len(), 1);
}
