//! What is read is what was meant.

use super::shape::shape;
use super::*;
use crate::tree::ItemKind;

#[test]
fn the_bundled_files_are_read_without_problems() {
    for text in RULES {
        assert!(!items(text).is_empty());
    }
    for text in SCRIPTS {
        assert!(!ability(text).title.parts.is_empty());
    }
}

fn expression(text: &str) -> String {
    match parse_expression(SourceId(0), text) {
        Ok(expr) => shape(&expr),
        Err(problem) => panic!("{text}: {problem:?}"),
    }
}

#[test]
fn expressions_bind_as_they_read() {
    let cases = [
        ("1 + 2 * x - 3", "((1 plus (2 times x)) minus 3)"),
        ("a + 1 > 4 and b = c or not d", "((((a plus 1) greater 4) and (b equal c)) or not(d))"),
        ("not a in b", "not(in(item: a, set: b))"),
        ("a not in b", "in(negated: true, item: a, set: b)"),
        ("x in 2..9 and y is not none", "(in(item: x, set: (2..9)) and is(negated: true, left: y, right: none))"),
        ("(1..6)", "(1..6)"),
        ("-3 + -x", "(-3 plus (0 minus x))"),
        ("half of sum of side.dice.size + 1", "((half of (sum of side.dice.size)) plus 1)"),
        (
            "count of frogs where it.size > 3 and it is not tired",
            "(count of (frogs where ((it.size greater 3) and is(negated: true, left: it, right: tired))))",
        ),
        ("frogs where it.size > 3", "(frogs where (it.size greater 3))"),
        ("first of frogs where it is green", "(first of (frogs where is(left: it, right: green)))"),
        ("sorts of pond where it.size > 1", "(sorts of (pond where (it.size greater 1)))"),
        ("top 3 of pond where it.size > 1", "top(3, (pond where (it.size greater 1)))"),
        ("highest 3 of sizes where it > 1", "keep(extreme: highest, count: 3, list: (sizes where (it greater 1)))"),
        ("lowest n * 2 of sizes + 1", "(keep(extreme: lowest, count: (n times 2), list: sizes) plus 1)"),
        ("highest - 1", "(highest minus 1)"),
        ("sorted down frogs.size missing lowest", "sorted(down: true, list: frogs.size, missing: lowest)"),
        (
            "any of frogs has it.size = 3 or none of toads has it is a frog",
            "(quantified(which: any, set: frogs, condition: (it.size equal 3)) or quantified(which: noneof, set: toads, condition: isa(left: it, kind: frog)))",
        ),
        ("all of frogs have not it is green", "quantified(which: all, set: frogs, condition: not(is(left: it, right: green)))"),
        (
            "the one of sides with lowest it.score, then highest it.size",
            "best(one: true, set: sides, keys: [key(extreme: lowest, value: it.score), key(extreme: highest, value: it.size)])",
        ),
        (
            "those of frogs where it is green with highest size + 1",
            "best(set: (frogs where is(left: it, right: green)), keys: [key(extreme: highest, value: (size plus 1))])",
        ),
        (
            "those of sides with highest highest 2 of it.dice",
            "best(set: sides, keys: [key(extreme: highest, value: keep(extreme: highest, count: 2, list: it.dice))])",
        ),
        (
            "those of sides with lowest sorted it.dice missing highest, then lowest rolled(it) missing lowest",
            "best(set: sides, keys: [key(extreme: lowest, value: sorted(list: it.dice), missing: highest), key(extreme: lowest, value: rolled[it], missing: lowest)])",
        ),
        (
            "the one of sides with lowest highest 2 of sorted it.dice missing highest",
            "best(one: true, set: sides, keys: [key(extreme: lowest, value: keep(extreme: highest, count: 2, list: sorted(list: it.dice)), missing: highest)])",
        ),
        ("it is not null and true", "(is(negated: true, left: it, right: null) and true)"),
        ("if a then b else if c then d else e where f", "(if a then b else (if c then d else (e where f)))"),
        ("x divided by 3 rounded up * 2", "(divided(left: x, right: 3, up: true) times 2)"),
        ("a without b but at least 3 but at most 9", "(((a without b) atleast 3) atmost 9)"),
        (
            "supposing die.value = 3 and other.value = 1 + 2 then can attack(active)",
            "supposing([(die.value, 3), (other.value, (1 plus 2))], can(obliging: true, family: attack, arguments: [active]))",
        ),
        ("not may attack(active)", "not(can(family: attack, arguments: [active]))"),
        ("points(side).size", "points[side].size"),
        ("[1, [2], []]", "list([1, list([2]), list([])])"),
        (r#""{a.b} and \"{f("x")}\" \{no\}""#, r#""{a.b} and "{f["x"]}" {no}""#),
        (
            "x is empty and y is not even and z is a monster",
            "((isstate(left: x, state: empty) and isstate(negated: true, left: y, state: even)) and isa(left: z, kind: monster))",
        ),
        ("a without b.c + d", "((a without b.c) plus d)"),
    ];
    for (text, expected) in cases {
        assert_eq!(expression(text), expected, "{text}");
    }
}

/// The statements of the one procedure in some rules.
fn statements(text: &str) -> String {
    let items = items(text);
    let [Item { kind: ItemKind::Procedure(procedure), .. }] = &items[..] else {
        panic!("{text}: {items:?}");
    };
    procedure.body.statements.iter().map(shape).collect::<Vec<_>>().join("; ")
}

#[test]
fn statements_are_read() {
    let cases = [
        ("let x = 3 + 4", "let(name: x, value: (3 plus 4))"),
        (
            r#"set frog.home to pond as moved_house "{frog} moves""#,
            r#"set(place: frog.home, value: pond, event: eventname(name: moved_house, text: "{frog} moves"))"#,
        ),
        ("add 1 to side.score as scored", "add(place: side.score, value: 1, event: eventname(name: scored))"),
        ("take 2 from side.score", "add(place: side.score, value: 2, less: true)"),
        ("move frogs to bottom of pond", "move(what: frogs, to: pond, end: bottom)"),
        (
            r#"move top 2 of deck to top of me.hand as drawn "cards""#,
            r#"move(what: top(2, deck), to: me.hand, end: top, event: eventname(name: drawn, text: "cards"))"#,
        ),
        (r#"roll frog because "it hops""#, r#"roll(what: frog, reason: "it hops")"#),
        (r#"roll 6 d6 because "damage" as shown"#, r#"roll(what: 6, pool: 6, reason: "damage", name: shown)"#),
        ("roll n + 1 dice of size frog.size as shown", "roll(what: (n plus 1), pool: frog.size, name: shown)"),
        ("shuffle deck", "shuffle(zone: deck)"),
        (
            r#"create frog(size: 8, name: "Kermit") in me.pond for me as extra"#,
            r#"create(kind: frog, fields: [(size, 8), (name, "Kermit")], zone: me.pond, owner: me, name: extra)"#,
        ),
        ("remove frog", "remove(what: frog)"),
        (
            "mark frog as tired(by: toad) until end of next turn of foe",
            "mark(what: frog, mark: tired, fields: [(by, toad)], until: end(next: true, scope: turn, of: foe))",
        ),
        ("mark frog as tired until end of this turn", "mark(what: frog, mark: tired, until: end(scope: turn))"),
        ("mark frog as tired until it leaves", "mark(what: frog, mark: tired, until: leaves)"),
        ("unmark frog as tired", "unmark(what: frog, mark: tired)"),
        ("show me.deck to me", "show(what: me.deck, to: me)"),
        ("do settle(frog, pond) as done", "do(name: settle, args: [frog, pond], result: done)"),
        ("do hop", "do(name: hop)"),
        ("if a { leave } else if b { skip } else { stop }", "if(arms: [(a, [leave]), (b, [skip])], otherwise: [stop()])"),
        (
            "each frog in pond where it is green { remove frog }",
            "each(name: frog, set: (pond where is(left: it, right: green)), body: [remove(what: frog)])",
        ),
        (
            "each side in sides at once in secret must choose 2 in side.hand as picks",
            "ask(who: sides, at_once: (side, true), must: true, what: among(amount: exactly(2), set: side.hand), name: picks)",
        ),
        (
            "count moment from 20 down to 1 { do act(moment) }",
            "count(name: moment, from: 20, to: 1, down: true, body: [do(name: act, args: [moment])])",
        ),
        ("count x from 1 to n { skip }", "count(name: x, from: 1, to: n, body: [skip])"),
        ("repeat 3 times { leave }", "repeat(most: 3, exactly: true, body: [leave])"),
        (
            "repeat at most 9 times until a = b { leave } otherwise { stop round }",
            "repeat(most: 9, until: (a equal b), body: [leave], otherwise: [stop(name: round)])",
        ),
        (
            "depending on sign { rock { leave } paper { skip } } otherwise { stop }",
            "depending(on: sign, arms: [(rock, [leave]), (paper, [skip])], otherwise: [stop()])",
        ),
        ("stop active must choose hop", "stop(); ask(who: active, must: true, what: families([(hop, none)]))"),
        ("stop turn active may choose hop", "stop(name: turn); ask(who: active, what: families([(hop, none)]))"),
        ("give x + 1", "give(value: (x plus 1))"),
        (
            "open pond_opens(active) asking foe first after each use { do a } { when nothing { leave } when answered { skip } }",
            "open(hook: pond_opens, args: [active], first: foe, after_use: [do(name: a)], arms: [openarm(body: [leave]), openarm(answer: answered, body: [skip])])",
        ),
        (r#"say "hop" to active"#, r#"say(text: "hop", to: active)"#),
        (r#"finish with nobody "a draw""#, r#"finish(with: nobody, text: "a draw")"#),
        ("finish with winners", "finish(with: winners(winners))"),
        ("finish with payoff", "finish(with: winners(payoff))"),
        ("finish with payoff of side = 1", "finish(with: highest, payoff: (side, 1))"),
        (
            r#"finish with winner, payoff of side = side.score "over""#,
            r#"finish(with: winners(winner), payoff: (side, side.score), text: "over")"#,
        ),
        ("finish with nobody, payoff of player = 0", "finish(with: nobody, payoff: (player, 0))"),
        ("answer deflected", "answer(word: deflected)"),
        ("restore uses of round", "restoreuses(scope: round)"),
        (
            r#"active must choose hop(active) or swim during turn_begins(active) as hopping "Your turn" "do nothing" else { stop }"#,
            r#"ask(who: active, must: true, what: families([(hop, [active]), (swim, none)]), during: (turn_begins, [active]), name: hopping, prompt: "Your turn", pass_text: "do nothing", otherwise: [stop()])"#,
        ),
        (
            "active may choose 1 to 3 in me.hand as picked",
            "ask(who: active, what: among(amount: between(1, 3), set: me.hand), name: picked)",
        ),
        ("active may choose any number in me.hand", "ask(who: active, what: among(amount: any, set: me.hand))"),
        ("active may choose none or 1 in me.hand", "ask(who: active, what: among(amount: oneornone, set: me.hand))"),
        (
            "active must choose number in 2..12 as target",
            "ask(who: active, must: true, what: number(least: 2, most: 12), name: target)",
        ),
        ("active must choose a sign as mine", "ask(who: active, must: true, what: word(sign), name: mine)"),
        ("active must order me.hand as order", "ask(who: active, must: true, what: order(me.hand), name: order)"),
        (
            "active must divide total in steps of 10 among targets as shares",
            "ask(who: active, must: true, what: divide(total: total, step: 10, among: targets), name: shares)",
        ),
        (
            r#"active may "Defend?" as defends else { leave }"#,
            r#"ask(who: active, what: yesno, name: defends, prompt: "Defend?", otherwise: [leave])"#,
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(statements(&format!("to hop {{ {text} }}")), expected, "{text}");
    }
}

#[test]
fn declarations_are_read() {
    let cases = [
        (
            r#"package season-3 "Season 3" extends dice-challenge"#,
            r#"package(id: season-3, title: "Season 3", extends: [dice-challenge])"#,
        ),
        ("sides 2..6 of 1..3 fighter in a ring", "sides(sides(least: 2, most: 6, entrants: (1, 3, fighter), ring: true))"),
        (
            "sides 2 of 1 deck where count of it.cards >= 60 else \"{it} is too small\"",
            r#"sides(sides(least: 2, most: 2, entrants: (1, 1, deck), admission: (((count of it.cards) greaterequal 60), "{it} is too small")))"#,
        ),
        (r#"referee "Scout Master""#, r#"referee(title: "Scout Master")"#),
        (
            r#"option limit = 3 in 1..9 "how many""#,
            r#"gameoption(name: limit, kind: number(default: 3, range: (1, 9)), text: "how many")"#,
        ),
        (
            "option first_player is one of rolled, loser = rolled",
            "gameoption(name: first_player, kind: words(words: [rolled, loser], default: rolled))",
        ),
        ("type sign is one of rock, paper, scissors", "words(name: sign, words: [rock, paper, scissors])"),
        (r#"die percentile "d%" with faces 10, 20, 30"#, r#"diekind(name: percentile, title: "d%", faces: [(10), (20), (30)])"#),
        (
            "piece card (cards) from card { zone on_it: cards, seen by owner, in order, at most 3, falls to owner.discard }",
            "piece(name: card, plural: cards, from: card, members: [zone(names: [on_it], holds: cards, words: [seenbyowner, inorder, atmost(3), fallsto(owner.discard)])])",
        ),
        (
            "sheet ally (allies) is a card { zone deck: cards, seen by nobody = none  counter wounds: number = 0 in 0..3 }",
            "sheet(name: ally, plural: allies, base: card, members: [zone(names: [deck], holds: cards, words: [seenbynobody], optional: true), counter(names: [wounds], of: number, default: 0, range: (0, 3))])",
        ),
        (
            r#"the table has { mark locked "cannot attack" { by: side  uses 1 per turn  trigger t at x() when a do { leave } } }"#,
            r#"has(owner: table, members: [mark(name: locked, text: "cannot attack", fields: [field(names: [by], of: side)], parts: [uses([(1, turn)]), trigger(name: t, at: hookuse(hook: x), clauses: [when(a, none), do([leave])])])])"#,
        ),
        (
            "each side has { partner: side or none  friends: list of side = []  place: zone of dice in 1..2 }",
            "has(owner: side, members: [field(names: [partner], of: ornone(side)), field(names: [friends], of: listof(side), default: list([])), field(names: [place], of: zoneof(dice), range: (1, 2))])",
        ),
        (
            "hook strength(of_whom: side): number = 1 + 1 in layers bonus, armour answers yes_answer, no_answer goes round",
            "hook(name: strength, params: [param(name: of_whom, of: side)], value: (number, (1 plus 1)), layers: [bonus, armour], answers: [yes_answer, no_answer], goes_round: true)",
        ),
        (
            "family duel(active: side) is attack { target: die }",
            "family(name: duel, params: [param(name: active, of: side)], base: attack, fields: [field(names: [target], of: die)])",
        ),
        (
            r#"action hop(a: any number in x, b: none or 1 in y, c: 2 in z, d: 1 to 3 in w) is moving when a when b says "hop" gives x = 3 do { leave } obliges when c priority 3 early late free"#,
            r#"action(name: hop, roles: [role(name: a, amount: any, from: x), role(name: b, amount: oneornone, from: y), role(name: c, amount: exactly(2), from: z), role(name: d, amount: between(1, 3), from: w)], family: moving, clauses: [when(a, none), when(b, none), says("hop"), gives(x, 3), do([leave]), obligeswhen(c), priority(3), early, late, free])"#,
        ),
        ("standing of side = side.score - side.foe.score", "standing(param: side, value: (side.score minus side.foe.score))"),
        (
            "policy careful for attack { when a prefer highest b prefer highest c }",
            "policy(policy(name: careful, family: attack, lines: [policyrow(when: a, prefer: b), policyrow(prefer: c)]))",
        ),
        (
            "policy mixed for bid { prefer highest a with chance 1/3 when b prefer highest c with chance 0 / 1 prefer highest d }",
            "policy(policy(name: mixed, family: bid, lines: [policyrow(prefer: a), policyrow(chance: chance(times: 1, out_of: 3), when: b, prefer: c), policyrow(chance: chance(times: 0, out_of: 1), prefer: d)]))",
        ),
        (
            "table wounds(level) { 1: 2 3..4: 5 otherwise: 9 }",
            "table(table(name: wounds, params: [param(name: level, of: number)], rows: [tablerow(keys: [(1, none)], value: 2), tablerow(keys: [(3, 4)], value: 5)], otherwise: 9))",
        ),
        (
            "package ours \"Ours\" extends season-3,\n  house-dice",
            "package(id: ours, title: \"Ours\", extends: [season-3, house-dice])",
        ),
        (
            "each side has { replace counter tokens  replace: number  replace gulls: number }",
            "has(owner: side, members: [counter(names: [tokens]) replaces true, field(names: [replace], of: number), field(names: [gulls], of: number) replaces true])",
        ),
        (
            r#"mode single-combat "Single combat" { } replace mode single-combat { } replace mode old_name "New title" { remove action tag }"#,
            r#"mode(name: single-combat, title: "Single combat"); replace(mode(name: single-combat)); replace(mode(name: old_name, title: "New title", items: [remove(sort: action, name: tag)]))"#,
        ),
        (
            r#"mode duel "Duel" { option limit = 4 replace define points(side: side) = 3 remove action tag }"#,
            r#"mode(name: duel, title: "Duel", items: [gameoption(name: limit, kind: number(default: 4)), replace(define(name: points, params: [param(name: side, of: side)], value: 3)), remove(sort: action, name: tag)])"#,
        ),
        ("entry play { do a }", "procedure(name: play, body: [do(name: a)], entry: true)"),
        (
            "entry scope round(active: side): number { give 3 }",
            "procedure(name: round, params: [param(name: active, of: side)], gives: number, body: [give(value: 3)], scope: true, entry: true)",
        ),
        (
            r#"ability quick "Quick" "It is quick." uses 1 per game grant hop(a in b) is moving forbid attack when x demand swim modify speed(of_whom) in bonus when y: it + 1"#,
            r#"ability(ability(id: quick, title: "Quick", text: "It is quick.", parts: [uses([(1, game)]), grant(action: action(name: hop, roles: [role(name: a, amount: one, from: b)], family: moving)), forbid(family: attack, when: x), demand(family: swim), modify(at: hookuse(hook: speed, names: [of_whom]), layer: bonus, when: y, value: (it plus 1))]))"#,
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(items(text).iter().map(shape).collect::<Vec<_>>().join("; "), expected, "{text}");
    }
}

#[test]
fn parts_of_abilities_are_read() {
    let text = "\
//! ability swim \"Swim\"   @DC-001
//!   \"Swims {far}.\"   @DC-002
//! uses 2 per match, 1 per turn
//! parameter far: number in 1..9 = 2
//! offer dive(frog in pond) at turn_begins(active)   @DC-003
//!   to active.foe
//!   when active is me
//!     and far > 2   # far enough
//! instead sink at moved()
//!   do { stop }
//! forbid attack when far = 3
fn dive(me) {}
";
    let expected = concat!(
        r#"ability(id: swim, title: "Swim", text: "Swims {far}.", cites: [DC-001, DC-002], "#,
        "parts: [uses([(2, match), (1, turn)]), ",
        "parameter(name: far, of: number, range: (1, 9), default: 2), ",
        "offer(name: dive, roles: [role(name: frog, amount: one, from: pond)], at: hookuse(hook: turn_begins, names: [active]), clauses: [to(active.foe), when((is(left: active, right: me) and (far greater 2)), none)]) cites [DC-003], ",
        "instead(name: sink, at: hookuse(hook: moved), clauses: [do([stop()])]), ",
        "forbid(family: attack, when: (far equal 3))])",
    );
    assert_eq!(shape(&ability(text)), expected);
}

fn cites(cites: &[crate::tree::Cite]) -> String {
    cites.iter().map(|cite| cite.rule.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_rule_id_belongs_to_the_smallest_thing_it_stands_in_or_behind() {
    let text = "\
scope turn {   @A-1
  repeat 3 times {   @A-2
    do hop   @A-3 @A-4
  }   @A-5
  otherwise { stop }   @A-6
  if a { do b } else { do c }   @A-7
}   @A-8
define d = if a   @B-1
  then b   @B-2
  else c   @B-3

action hop(frog in pond,   @C-1
           fly in air)     @C-2
  when frog.size > 3       @C-3
    and fly.size < 2       @C-4
  says \"hop\"
";
    let items = items(text);
    let [turn, define, hop] = &items[..] else { panic!("{items:?}") };
    assert_eq!(cites(&turn.cites), "A-1 A-8");
    assert_eq!(cites(&define.cites), "B-1 B-2 B-3");
    assert_eq!(cites(&hop.cites), "C-1 C-2");
    let (ItemKind::Procedure(turn), ItemKind::Action(hop)) = (&turn.kind, &hop.kind) else { panic!("{items:?}") };
    let of_statements: Vec<String> = turn.body.statements.iter().map(|statement| cites(&statement.cites)).collect();
    assert_eq!(of_statements, ["A-2 A-5 A-6", "A-7"]);
    let of_clauses: Vec<String> = hop.clauses.iter().map(|clause| cites(&clause.cites)).collect();
    assert_eq!(of_clauses, ["C-3 C-4", ""]);
}

#[test]
fn documentation_stands_above_a_declaration_or_member_or_behind_it() {
    let text = "\
# A comment.

## What hops.
## And swims.
piece frog (frogs) {
  ## How far it hops.
  reach: number   @A-1
  home: pond      ## where it sleeps
  colour: number  # no documentation
  size: number
}

## Not of anything.

piece toad
";
    let items = items(text);
    let [frog, toad] = &items[..] else { panic!("{items:?}") };
    assert_eq!(frog.doc.as_deref(), Some("What hops.\nAnd swims."));
    assert_eq!(toad.doc, None);
    let ItemKind::Piece { members, .. } = &frog.kind else { panic!("{items:?}") };
    let docs: Vec<Option<&str>> = members.iter().map(|member| member.doc.as_deref()).collect();
    assert_eq!(docs, [Some("How far it hops."), Some("where it sleeps"), None, None]);
}

#[test]
fn layout_is_free() {
    let apart = "to hop {\n\tif a\r\n{ leave }\n\n  # a comment\n  else\n{ skip ; }\n}\n";
    let together = "to hop{if a{leave}else{skip}}";
    assert_eq!(statements(apart), statements(together));
    assert_eq!(items("action hop(frog in pond)\nwhen frog.size > 1\nsays \"hop\"").len(), 1);
    assert_eq!(items("\u{FEFF}ludex 1\n  define a = 1 define b = 2").len(), 3);
}

#[test]
fn names_may_begin_like_words_of_the_language() {
    for name in
        ["order", "island", "together_now", "gives_up", "tops", "doing", "asked", "noted", "insect", "within", "sorted_pond"]
    {
        assert_eq!(expression(name), format!("name({name})").replace("name(", "").replace(')', ""));
    }
}
