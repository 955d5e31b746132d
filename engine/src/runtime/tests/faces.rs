//! Dice with faces of their own, beside ordinary ones.

use crate::runtime::{Choice, Dice, Pending, Setup, Viewer, ZoneView};
use crate::testing::{Table, Texts, game, setup};
use ludex_compiler::position::Position;
use ludex_program::DIE_VALUE;
use ludex_syntax::parse::{ParsedRules, parse_rules};
use ludex_syntax::problem::Problem;
use ludex_syntax::source::SourceId;
use ludex_syntax::yaml;

const DICE: &str = "die sizes 4, 6
die primes \"dp\" with faces 2, 3, 5, 7, 11
die tens \"d%\" with faces 10, 20, 30
";

/// Two baskets of apples, one of each die.
fn orchard(then: &str) -> Texts {
    game(&format!(
        "sides 2
{DICE}piece die (dice) {{ born_in: zone of dice = place }}
each side has {{ zone basket: dice, open  counter apples }}
to play {{
  each side in sides {{
    create die(size: 4) in side.basket for side
    create primes() in side.basket for side as prime
    create tens() in side.basket for side
  }}
  let me = first of sides
  {then}
  finish with nobody
}}"
    ))
}

#[test]
fn a_die_shows_its_faces_and_is_as_large_as_they_are_many() {
    let mut table = orchard(
        "roll me.basket because \"harvest\"
  say \"{me.basket}: {sum of me.basket.size} and {sum of me.basket.value}\"",
    )
    .play_with_results(&[4, 11, 30]);
    assert_eq!(
        table.new_event_texts()[6..],
        [
            "rolled(0, 4 by 0)",
            "rolled(1, 11 by 0)",
            "rolled(2, 30 by 0)",
            "said(d4:4, dp:11 and d%:30: 12 and 45)",
            "finished(nobody)"
        ]
    );
    let rolled = table.events.iter().find(|event| event.name == "rolled" && event.text.contains("dp"));
    assert_eq!(rolled.map(|event| event.text.as_str()), Some("side 0's dp shows 11 (harvest)"));
    table.check();
}

#[test]
fn every_face_comes_up_equally_often_and_nothing_else() {
    let program = orchard("repeat 3000 times { roll me.basket where it is a primes }  me may \"Go on?\" as over").program();
    let table = Table::new(&program, &setup(&[&[], &[]]));
    let mut seen = std::collections::BTreeMap::new();
    for event in table.events.iter().filter(|event| event.name == "rolled") {
        if let crate::runtime::EventKind::Rolled { value, .. } = event.kind {
            *seen.entry(value).or_insert(0) += 1;
        }
    }
    assert_eq!(seen.keys().copied().collect::<Vec<_>>(), [2, 3, 5, 7, 11]);
    assert!(seen.values().all(|times| (500..700).contains(times)), "{seen:?}");
    let unwatched = Table::new(&program, &Setup { watched: false, ..setup(&[&[], &[]]) });
    assert_eq!(table.session.view(Viewer::Trusted), unwatched.session.view(Viewer::Trusted));
    table.check();
}

#[test]
fn it_is_a_die_among_dice() {
    let mut table = orchard(
        "say \"{count of dice} {count of (dice where it is a primes)} {count of (dice where it is not a tens)}\"
  say \"{dice}\"
  say \"{all of dice has it is a die}, {count of (dice where it.born_in is me.basket)}\"
  let first_prime = first of (me.basket where it is a primes)
  move first_prime to me.foe.basket
  say \"{count of me.foe.basket} {first_prime is a primes} {first_prime is a tens}\"",
    )
    .play();
    assert_eq!(table.new_said_texts(), ["6 2 4", "d4, dp, d%, d4, dp and d%", "yes, 3", "4 yes no"]);
    table.check();
}

#[test]
fn nothing_but_a_face_can_be_set() {
    let fault = |statement: &str| {
        orchard(&format!("each die in me.basket where it is a primes {{ {statement} }}")).fault().message.to_string()
    };
    let refused = "`value` would become 4, but a dp shows 2, 3, 5, 7 or 11";
    assert_eq!(fault("set die.value to 4"), refused);
    assert_eq!(fault("add 4 to die.value"), refused);
    let told = orchard("create tens(value: 15) in me.basket for me").error_details();
    assert_eq!(told[0].1, "`value` would become 15, but a d% shows 10, 20 or 30");
    let mut table = orchard(
        "each die in me.basket where it is a primes { set die.value to 7 }
  create tens(value: 20) in me.basket for me as ten
  say \"{me.basket}\"",
    )
    .play();
    assert_eq!(table.new_said_texts(), ["d4, dp:7, d% and d%:20"]);
    table.check();
}

#[test]
fn results_from_outside_are_faces() {
    let start = |dice| crate::runtime::Session::start(orchard("roll me.basket").program(), &Setup { dice, ..setup(&[&[], &[]]) });
    let listed = |results: &[i64]| {
        start(Dice::Listed(results.to_vec())).err().map(|problem| problem.message.to_string()).unwrap_or_default()
    };
    assert_eq!(listed(&[1, 4, 10]), "result 2 of the list is 4, which a dp cannot show");
    assert_eq!(listed(&[1, 2]), "a d% is rolled, but no listed result is left (2 were given)");
    let mut session = start(Dice::External).expect("it starts");
    let Pending::Random(request) = session.pending() else { panic!("dice are wanted") };
    let faces: Vec<_> = request.draws.iter().map(|draw| (draw.size, draw.die_text(), draw.faces.is_some())).collect();
    assert_eq!(faces, [(4, "d4".into(), false), (5, "dp".into(), true), (3, "d%".into(), true)]);
    let refused = session.supply(&[4, 11, 3]).expect_err("no face");
    assert_eq!(refused.message.to_string(), "3 is given, but a d% shows 10, 20 or 30");
    session.supply(&[4, 11, 30]).expect("faces");
    assert!(matches!(session.pending(), Pending::Finished(_)));
}

#[test]
fn a_view_tells_its_kind_and_its_name() {
    let table = orchard("roll me.basket  me must choose 1 in me.basket as die").play_with_results(&[1, 11, 30]);
    let view = table.session.view(Viewer::Spectator);
    let Some(ZoneView::Seen(pieces)) = view.sides[0].zones.get("basket") else { panic!("a basket") };
    let found = serde_json::to_value(&pieces[1]).expect("plain");
    assert_eq!(found["kind"], "primes");
    assert_eq!(found["title"], "dp");
    assert_eq!((&found["size"], &found["value"]), (&5.into(), &11.into()));
    let plain = serde_json::to_value(&pieces[0]).expect("plain");
    assert_eq!((&plain["kind"], plain.get("title")), (&"die".into(), None));
    assert_eq!(table.session.option(table.decision(0).id, 1).map(|option| option.text).as_deref(), Some("dp:11"));
    let mut imagined = table.session.imagine(0, 5);
    imagined.choose(table.decision(0).id, Choice::Option(1)).expect("legal");
}

#[test]
fn a_script_sets_faces_and_rolls_them() {
    let rules = |run: &str| {
        game(&format!(
            "sides 2 of 1 tree\n{DICE}sheet tree (trees) {{ zone crown: dice, open }}
each side has {{ tree: tree = first of trees, lending crown }}
hook noon()
to play {{ open noon()  say \"{{(first of sides).crown}}\"  finish with nobody }}"
        ))
        .sheet("oak", "name: Oak\ncrown: [4, primes]\nabilities: [gust]\n")
        .sheet("elm", "name: Elm\ncrown: [tens, 6]\n")
        .script("gust", &format!("//! ability gust \"Gust\"\n//! trigger gust at noon()\n\nfn gust(me) {{ {run} }}\n"))
    };
    let mut table = rules("for die in me.crown { if die.size == 5 { set(die, \"value\", 7); } else { roll(die); } }")
        .play_with_sheets(&["oak", "elm"]);
    let said = table.new_said_texts();
    assert!(said[0].starts_with("d4:") && said[0].ends_with(" and dp:7"), "{said:?}");
    table.check();
    let program = rules("set(me.crown[1], \"value\", 8);").program();
    let sides = vec![vec!["oak".to_string()], vec!["elm".to_string()]];
    let fault = crate::runtime::Session::start(program, &Setup { sides, ..setup(&[]) }).expect_err("no face");
    assert!(fault.message.to_string().contains("a dp shows 2, 3, 5, 7 or 11"), "{}", fault.message.to_string());
}

// --- in files --------------------------------------------------------------------

fn position(text: &str) -> (Option<Position>, Vec<Problem>) {
    let program = orchard("me must choose 1 in me.basket as die").program();
    let (node, mut problems) = yaml::parse_document(text, SourceId(0));
    let position = node.and_then(|node| Position::read(&node, &program, &mut problems));
    (position, problems)
}

#[test]
fn a_position_names_it() {
    let text = "sides:\n  - zones: {basket: [{id: p, die: primes, value: 11, owner: 1}, primes, 4]}\n  - {}\n";
    let (position, problems) = position(text);
    assert_eq!(problems, vec![]);
    let program = orchard("me must choose 1 in me.basket as die").program();
    let table = Table::new(&program, &Setup { position, ..setup(&[&[], &[]]) });
    let board = &table.session.machine.state.board;
    let shown: Vec<_> = (0..3).map(|piece| board.field(piece + 3, DIE_VALUE)).collect();
    assert_eq!(shown, [Some(11), Some(0), Some(0)]);
    let texts: Vec<_> = table.session.options(table.decision(0).id, 0, 9).into_iter().map(|option| option.text).collect();
    assert_eq!(texts[..3], ["dp:11 of side 1", "dp", "d4"]);
}

#[test]
fn a_position_tells_what_is_wrong_with_one() {
    let told = |piece: &str| {
        let (found, problems) = position(&format!("sides:\n  - zones: {{basket: [{piece}]}}\n  - {{}}\n"));
        assert!(found.is_none(), "{piece}");
        let problem = problems.into_iter().next().expect("a problem");
        let label = problem.labels.first().map(|(_, label)| label.clone()).unwrap_or_default();
        (problem.message.to_string(), label, problem.help.unwrap_or_default())
    };
    let parts = |(a, b, c): (&str, &str, &str)| (a.to_string(), b.to_string(), c.to_string());
    assert_eq!(told("{die: primes, value: 4}"), parts(("a dp cannot show 4", "must be 2, 3, 5, 7 or 11", "")));
    assert_eq!(told("{die: prime}"), parts(("there is no die called `prime`", "not known", "did you mean `primes`?")));
    assert_eq!(told("{die: dp}"), parts(("there is no die called `dp`", "not known", "write `primes`")));
    assert_eq!(
        told("{die: 6}"),
        parts(("`die` must name a die with faces of its own", "this is a number", "write `size: 6` for a die that shows 1 to 6"))
    );
    assert_eq!(told("{size: primes}"), parts(("`primes` is not a size", "a die with faces of its own", "write `die: primes`")));
    assert_eq!(told("d%"), parts(("there is no die called `d%`", "neither a size nor the name of a die", "write `tens`")));
    assert_eq!(
        told("7"),
        parts(("there is no d7", "no die has this size", "sizes are 4 and 6; others are called `primes` and `tens`"))
    );
}

#[test]
fn rules_tell_what_is_wrong_with_one() {
    let problems = |rules: &str| game(&format!("sides 2\ndie sizes 4\n{rules}\nto play {{ finish with nobody }}")).problems();
    assert_eq!(problems("die odd \"do\" with faces 1, 0, 3"), ["a face of a die cannot show 0"]);
    assert_eq!(problems("die odd \"do\" with faces 1, 1000001"), ["a face of a die cannot show 1000001"]);
    assert_eq!(problems("die odd \"do\" with faces 1, 3\ndie odd \"dd\" with faces 1, 3")[0], "`odd` is declared twice");
    assert_eq!(
        game(&format!("sides 2\n{DICE}each side has {{ zone box: dice, open }}\nto play {{ each side in sides {{ create tens(size: 4) in side.box }} finish with nobody }}"))
            .problems(),
        ["a tens has 3 faces, so it takes no size"]
    );
}

#[test]
fn dice_may_have_nothing_but_faces() {
    let mut table = game(
        "sides 2
die odd \"odd die\" with faces 1, 1, 3
the table has { zone box: dice, open }
to play { create odd() in table.box as die  roll die  say \"{die} {die.size}\"  finish with nobody }",
    )
    .play_with_results(&[3]);
    assert_eq!(table.new_said_texts(), ["odd die:3 3"]);
}

#[test]
fn a_mode_replaces_and_removes_it() {
    let rules = format!(
        "sides 2\n{DICE}the table has {{ zone box: dice, open }}
to play {{ do fill  roll table.box  finish with nobody }}
to fill {{ create tens() in table.box }}
mode small \"Small\" {{ replace die tens \"d%\" with faces 1, 2 }}
mode plain \"Plain\" {{ remove die tens  replace to fill {{ create die(size: 4) in table.box }} }}
"
    );
    let ParsedRules { items, problems, .. } = parse_rules(SourceId(0), &rules);
    assert_eq!((problems, items.is_empty()), (vec![], false));
    let faces = |mode: &str| {
        let program = game(&rules).in_mode(mode);
        program.faces.iter().map(|faces| (faces.title.clone(), faces.values.clone())).collect::<Vec<_>>()
    };
    assert_eq!(faces("small")[1], ("d%".to_string(), vec![1, 2]));
    assert_eq!(faces("plain").len(), 1);
}
