//! Sheets of entrants that build on another: what all of them have, and what some.

use crate::runtime::{Session, Viewer};
use crate::testing::{Table, Texts, game, setup};
use ludex_syntax::codes;

/// Racers are swimmers or fliers; a gull is a flier that dives.
const SHEETS: &str = "sides 2 of 1..3 racer
die sizes 4, 6
piece die (dice) {}
type coat is one of fur, feathers
type wind is one of calm, storm
sheet gull (gulls) is a flier { depth: number in 1..9 }
sheet racer (racers) {
  zone stock: dice, open = none
  speed: number in 1..12
  coat: coat = fur
  stamina: number = 2 * speed
}
sheet swimmer (swimmers) is a racer {
  zone pearls: dice, open
  lungs: number = speed + 1 in 2..9
  motto: text = \"\"
}
sheet flier (fliers) is a racer {
  span: halves = 3
  likes: wind
  fears: wind = storm
  motto: text
  counter height = 2
  lungs: number = 5 in 2..9
}
each racer has { counter breath = stamina + lungs }
";

fn racers(play: &str) -> Texts {
    game(&format!("{SHEETS}{play}"))
        .sheet("otter", "sheet: swimmer\nname: Otter\nspeed: 4\npearls: [4, 6]\n")
        .sheet("tern", "sheet: flier\nname: Tern\nspeed: 3\nlikes: calm\nmotto: Higher\nlungs: 3\n")
        .sheet("skua", "sheet: gull\nname: Skua\nspeed: 2\nlikes: storm\nfears: calm\nspan: 4.5\nmotto: Deeper\ndepth: 7\n")
        .sheet("hare", "name: Hare\nspeed: 5\ncoat: fur\n")
}

fn said(play: &str, sides: &[&[&str]]) -> Vec<String> {
    let mut table = Table::new(&racers(&format!("to play {{ {play} }}")).program(), &setup(sides));
    let said = table.new_said_texts();
    table.check();
    said
}

#[test]
fn what_all_have_is_read_and_worked_out_of_each() {
    let play = "each racer in racers { say \"{racer} {racer.speed} {racer.coat} {racer.stamina}\" }";
    let all = ["Otter 4 fur 8", "Tern 3 fur 6", "Skua 2 fur 4", "Hare 5 fur 10"];
    assert_eq!(said(play, &[&["otter", "tern"], &["skua", "hare"]]), all);
}

#[test]
fn what_some_have_is_nothing_on_the_others() {
    let play = "each racer in racers {
        say \"{racer}: {racer.lungs} {racer.span} {racer.height} {racer.depth} {count of racer.pearls}\"
        say \"{if racer.likes is calm then \"calm\" else \"-\"} {racer.fears is none} {racer.motto is \"Higher\"} {racer.motto is none}\"
    }";
    assert_eq!(
        said(play, &[&["otter", "tern"], &["skua", "hare"]]),
        [
            "Otter: 5 0 0 0 2",
            "- yes no no",
            "Tern: 3 3 2 0 0",
            "calm no yes no",
            "Skua: 5 4.5 2 7 0",
            "- no no no",
            "Hare: 0 0 0 0 0",
            "- yes no yes",
        ]
    );
}

#[test]
fn each_is_of_its_sheet_and_of_those_that_it_builds_on() {
    let play = "each racer in racers { say \"{racer is a racer} {racer is a flier} {racer is a gull} {racer is not a swimmer}\" }
        say \"{count of (racers where it is a flier and it.span >= 3)}\"";
    let told = ["yes no no no", "yes yes no yes", "yes yes yes yes", "yes no no yes", "2"];
    assert_eq!(said(play, &[&["otter", "tern"], &["skua", "hare"]]), told);
}

#[test]
fn what_has_no_say_in_it_is_worked_out_of_what_some_have() {
    let breaths = "each racer in racers { say \"{racer.breath}\" }";
    assert_eq!(said(breaths, &[&["otter", "tern"], &["skua", "hare"]]), ["13", "9", "9", "10"]);
}

#[test]
fn what_some_have_is_changed_and_moved_in_play() {
    let play = "let tern = first of racers where it is a flier
        let otter = first of racers where it is a swimmer
        if tern is none or otter is none { stop }
        add 3 to tern.height as rose
        set tern.likes to storm
        move otter.pearls to tern.stock
        say \"{tern.height} {tern.likes} {count of tern.stock} {count of otter.pearls}\"";
    assert_eq!(said(play, &[&["otter"], &["tern"]]), ["5 storm 2 0"]);
}

#[test]
fn a_side_lends_what_only_some_have() {
    let rules = "each side has { fighter: racer = first of racers, lending pearls }
        to play { each side in sides { say \"{count of side.pearls}\" } }";
    assert_eq!(Table::new(&racers(rules).program(), &setup(&[&["otter"], &["tern"]])).new_said_texts(), ["2", "0"]);
}

#[test]
fn a_file_that_says_no_sheet_is_of_the_one_that_all_build_on() {
    let program = racers("to play {}").program();
    let of = |id: &str| {
        let print = program.sheets.get(id).and_then(|sheet| program.prints.find_print(sheet.print));
        print.map(|print| program.prints.sheets[usize::from(print.sheet)].name.as_str())
    };
    assert_eq!((of("hare"), of("skua")), (Some("racer"), Some("gull")));
}

#[test]
fn views_show_of_each_what_it_has() {
    let table = Table::new(&racers("to play {}").program(), &setup(&[&["otter", "tern"], &["hare"]]));
    let view = table.session.view(Viewer::Spectator);
    let [otter, tern] = &view.sides[0].each[..] else { panic!("{:?}", view.sides[0].each) };
    let has = |name: &str| (otter.counters.contains_key(name), tern.counters.contains_key(name));
    assert_eq!((has("breath"), has("height")), ((true, true), (false, true)));
    assert_eq!((otter.zones.contains_key("pearls"), tern.zones.contains_key("pearls")), (true, false));
    assert_eq!((otter.fields.contains_key("span"), tern.fields.get("span").map(String::as_str)), (false, Some("3")));
    assert!(!view.sides[1].zones.contains_key("pearls") && !view.sides[1].counters.contains_key("height"));
}

#[test]
fn views_show_what_the_rules_give_to_one_that_lacks_it() {
    let play = "to play {
        let hare = first of racers where it is not a swimmer
        let otter = first of racers where it is a swimmer
        if hare is none or otter is none { stop }
        move first of otter.pearls to hare.pearls
        add 4 to hare.height
        hare may \"Seen?\" as seen
        if seen { say \"seen\" }
    }";
    let table = Table::new(&racers(play).program(), &setup(&[&["otter"], &["hare"]]));
    let view = table.session.view(Viewer::Spectator);
    let hare = &view.sides[1];
    assert_eq!(hare.counters.get("height").map(String::as_str), Some("4"));
    assert!(hare.zones.contains_key("pearls") && !hare.fields.contains_key("span"), "{hare:?}");
}

#[test]
fn abilities_stand_on_each_of_them_and_ask_which_it_is() {
    let play = "hook begun()\nto play { open begun() }";
    let told = |sheet: &str, text: &str| {
        let script = "//! ability soar \"Soar\"\n//! trigger soar at begun()\n//!   when holder is a flier\n\
                      fn soar(holder) { add(holder, \"height\", 2); say(`${is_a(holder, \"gull\")} ${holder.height}`); }\n";
        let texts = racers(play).sheet(sheet, text).script("soar", script);
        Table::new(&texts.program(), &setup(&[&[sheet], &["otter"]])).new_said_texts()
    };
    assert_eq!(told("gannet", "sheet: flier\nname: G\nspeed: 1\nlikes: calm\nmotto: M\nabilities: [soar]\n"), ["false 4"]);
    assert_eq!(told("newt", "sheet: swimmer\nname: N\nspeed: 1\npearls: [4]\nabilities: [soar]\n"), [""; 0]);
}

#[test]
fn only_some_of_them_may_be_wanted() {
    let admitted = SHEETS.replace("of 1..3 racer", "of 1..3 racer where it is a flier else \"only fliers play\"");
    let texts = game(&format!("{admitted}to play {{}}"))
        .sheet("tern", "sheet: flier\nname: Tern\nspeed: 3\nlikes: calm\nmotto: Higher\n")
        .sheet("hare", "name: Hare\nspeed: 5\n");
    let refused = |sheet: &str| Session::check_entrant(&texts.program(), sheet).err().map(|problem| problem.message.to_string());
    assert_eq!(refused("tern"), None);
    assert_eq!(refused("hare").as_deref(), Some("`hare` cannot play: only fliers play"));
}

// --- positions -----------------------------------------------------------------------

#[test]
fn a_position_says_how_each_stands() {
    let texts = racers(
        "to play { do look }\nentry to look { each racer in racers { say \"{racer.height} {racer.lungs} {racer.breath}\" } }",
    );
    let text = "sides: [{entrants: [{tern: {height: 9, speed: 1}}]}, {entrants: [{otter: {speed: 6}}]}]\nat: look\n";
    assert_eq!(texts.play_from_position(text).new_said_texts(), ["9 3 5", "0 7 19"]);
}

// --- mistakes --------------------------------------------------------------------------

fn one(code: &'static str, message: &str, help: &str) -> Vec<(&'static str, String, String)> {
    vec![(code, message.to_string(), help.to_string())]
}

#[test]
fn a_file_must_say_what_its_sheet_and_those_below_print() {
    let texts = racers("to play {}").sheet("gull", "sheet: gull\nname: Gull\nlikes: none\nmotto: M\ndepth: 3\n");
    let messages: Vec<String> = texts.error_details().into_iter().map(|(_, message, _)| message).collect();
    assert_eq!(messages, ["`likes` cannot be `none`", "the gull has no `speed`"]);
}

#[test]
fn a_line_of_another_sheet_is_told_with_that_sheet() {
    let lines = [
        ("depth: 3", "a gull", "gull"),
        ("pearls: [4]", "a swimmer", "swimmer"),
        ("motto: M", "a swimmer or a flier", "swimmer"),
        ("lungs: 4", "a swimmer or a flier", "swimmer"),
    ];
    for (line, sheets, first) in lines {
        let texts = racers("to play {}").sheet("vole", &format!("name: Vole\nspeed: 1\n{line}\n"));
        let name = line.split(':').next().unwrap_or_default();
        let message = format!("the racer has no key `{name}`");
        let help = format!("{sheets} has it: is a line `sheet: {first}` missing?");
        assert_eq!(texts.error_details(), one(codes::YAML_UNKNOWN_KEY, &message, &help));
    }
}

#[test]
fn an_unknown_sheet_is_told() {
    let texts = racers("to play {}").sheet("vole", "sheet: flyer\nname: Vole\nspeed: 1\n");
    assert_eq!(texts.error_details(), one(codes::UNKNOWN_SHEET, "there is no sheet `flyer` here", "did you mean `flier`?"));
}

#[test]
fn a_first_value_out_of_range_is_told_of_those_that_have_it() {
    let texts = racers("to play {}").sheet("vole", "name: Vole\nspeed: 12\n");
    assert_eq!(texts.error_details(), [], "a vole has no lungs");
    let texts = racers("to play {}").sheet("newt", "sheet: swimmer\nname: Newt\nspeed: 12\npearls: [4]\n");
    let message = "`lungs` of `newt` is worked out as 13, but must be from 2 to 9";
    assert_eq!(
        texts.error_details(),
        one(codes::FIRST_VALUE, message, "change what it is worked out from, or give `lungs` a value of its own")
    );
}

#[test]
fn one_of_several_sheets_is_no_kind_of_thing() {
    let wrong = |rules: &str| game(&format!("{SHEETS}{rules}\nto play {{}}")).error_details();
    assert_eq!(
        wrong("to train(flier: flier) { add 1 to flier.height }"),
        one(
            codes::UNKNOWN_TYPE,
            "`flier` is a sheet, not a kind of thing",
            "write `racer`, and test with `is a flier` which it is"
        )
    );
    assert_eq!(
        wrong("each flier has { counter loops }"),
        one(
            codes::UNKNOWN_TYPE,
            "`flier` is a sheet, not a kind of thing",
            "write `racer`, the kind that it belongs to; all things of that kind will have it"
        )
    );
    assert_eq!(
        wrong("to tell { say \"{count of fliers}\" }"),
        one(codes::UNKNOWN_NAME, "nothing here is called `fliers`", "write `(racers where it is a flier)`")
    );
}

#[test]
fn sides_bring_what_all_build_on() {
    let message = "`flier` builds on `racer`, so sides bring a `racer`";
    let help = "write `racer`, and after it `where it is a flier else \"only fliers play\"`";
    let rules = SHEETS.replace("of 1..3 racer", "of 1..3 flier");
    assert_eq!(game(&format!("{rules}to play {{}}")).error_details(), one(codes::UNKNOWN_TYPE, message, help));
}

#[test]
fn sheets_that_build_on_one_write_a_member_alike() {
    let wrong = |more: &str| {
        let told = game(&format!("{SHEETS}{more}\nto play {{}}")).error_details();
        told.into_iter().map(|(_, message, _)| message).collect::<Vec<_>>()
    };
    assert_eq!(
        wrong("sheet newt (newts) is a racer { lungs: number = 3 in 2..8 }"),
        ["`lungs` is declared differently on another sheet"]
    );
    assert_eq!(
        wrong("sheet newt (newts) is a racer { zone pearls: dice, open, at most 2 }"),
        ["`pearls` is declared differently on another sheet"]
    );
    assert_eq!(
        wrong("sheet newt (newts) is a racer { motto: list of number = none }"),
        ["`motto` has different types on two sheets"]
    );
    assert_eq!(wrong("sheet newt (newts) is a racer { speed: number }"), ["`speed` is declared twice"]);
    assert_eq!(wrong("sheet newt (newts) is a swimmer { motto: text }"), ["`motto` is declared twice"]);
    assert_eq!(wrong("each racer has { counter height }"), ["`height` is declared twice"]);
    assert_eq!(wrong("sheet newt (newts) is a newt { }"), ["the sheet `newt` builds on itself"]);
}

#[test]
fn cards_do_not_build_on_what_sides_bring() {
    let rules = "sides 2 of 1 racer\nsheet racer (racers) { speed: number }\nsheet card is a racer { }\npiece card (cards) from card { }\nto play {}";
    let message = "`card` is printed on pieces, and builds on `racer`, which is not";
    let help = "leave out `is a racer`, and declare the fields that it needs in this sheet";
    assert_eq!(game(rules).error_details(), one(codes::WRONG_TYPE, message, help));
}
