//! Boards: cells by their place, what stands around and in line, what lies on them, how they are chosen and called.

use crate::json;
use crate::runtime::{Choice, Viewer, ZoneView};
use crate::testing::{Table, Texts, game};
use ludex_program::Program;

/// A meadow of four columns and three rows, on which frogs sit.
const MEADOW: &str = "sides 2
piece frog (frogs) shown as \"{owner}\" { counter spots }
the table has { zone meadow: grid 4 by 3 of frogs, open  zone pond: frogs, open }
define at(column: number, row: number) = cell column, row of meadow
define lengths(lines: list of list of zone of frogs): list of number = [count of lines, count of first of lines, count of last of lines]
";

fn meadow(then: &str) -> Texts {
    game(&format!("{MEADOW}to play {{ let me = first of sides  {then}  finish with nobody }}"))
}

/// What the rules say of a meadow, text by text.
#[track_caller]
fn says(texts: &[&str]) -> Vec<String> {
    let say: Vec<String> = texts.iter().map(|text| format!("say \"{text}\"")).collect();
    meadow(&say.join("  ")).play().new_said_texts()
}

#[test]
fn a_cell_is_found_by_its_column_and_row_and_knows_them() {
    assert_eq!(
        says(&[
            "{cell 2, 3 of meadow}",
            "{at(4, 1)}: {at(4, 1).column} and {at(4, 1).row}",
            "{cell 1 + 1, 2 + 1 of meadow is at(2, 3)}",
            "{count of meadow} {first of meadow} {last of meadow}",
            "{meadow.column}",
        ]),
        [
            "column 2, row 3",
            "column 4, row 1: 4 and 1",
            "yes",
            "12 column 1, row 1 column 4, row 3",
            "1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3 and 4",
        ]
    );
}

/// Conditions on cells.
const ON_CELLS: &str = "
define holds(side: side, cell: zone of frogs) = any of cell has it.owner is side
define calm(cell: zone of frogs) = none of cell has (it.spots > 0 or it.owner is (first of sides))
define home(cell: zone of frogs) = all of cell has it.place is cell
";

/// What is looked for among lines and cells, for which no list is made, is what lists of them hold.
#[test]
fn lines_that_are_only_looked_through_are_those_of_a_list() {
    let lines = [
        "rows of meadow",
        "columns of meadow",
        "diagonals of meadow",
        "lines of 3 of meadow",
        "lines of 2 through at(2, 2)",
        "lines of 3 through at(4, 1)",
        "lines of 3 through at(1, 2)",
    ];
    // What is asked of the cell itself, of what lies there, and of both together, which no test of cells can be.
    let conditions = [
        "all of line has it is not empty",
        "all of line has holds(me, it)",
        "any of line has holds(you, it)",
        "none of line has calm(it)",
        "all of line has home(it)",
    ];
    let of_lines = lines.map(|lines| {
        let alike = |condition: &str| {
            let alike = |which: &str| {
                format!("{{({which} of {lines} as line has {condition}) = ({which} of made as line has {condition})}}")
            };
            format!("say \"{} {} {}\"", alike("any"), alike("all"), alike("none"))
        };
        format!("set made to {lines} {}", conditions.map(alike).join(" "))
    });
    let cells = ["row 1 of meadow", "column 2 of meadow", "run 1, 1 from at(1, 1)", "row 3 of meadow", "column 4 of meadow"];
    let tests = ["it is empty", "holds(me, it)", "calm(it)", "home(it)"];
    let of_cells = cells.map(|cells| {
        let alike = |test: &str| {
            format!(
                "say \"{{(first of {cells} where {test}) is first of kept where {test}}} \
                 {{count of ({cells} where {test}) = count of (kept where {test})}} \
                 {{(any of {cells} has {test}) = (any of kept has {test})}}\""
            )
        };
        format!("set kept to {cells} {}", tests.map(alike).join(" "))
    });
    let asks = [of_lines.join("\n"), of_cells.join("\n")].join("\n");
    let ask = format!("to ask(me: side, you: side) {{ let made = rows of meadow  let kept = row 1 of meadow  {asks} }}");
    let frogs = [
        "(1, 1) for me",
        "(2, 1) for me",
        "(3, 1) for me",
        "(2, 2) for you",
        "(4, 1) for me",
        "(2, 3) for you",
        "(1, 1) for you",
        "(3, 3) for me",
    ];
    let filled = frogs.map(|frog| format!("create frog(spots: 1) in at{frog}  do ask(me, you)"));
    let play = format!("let me = first of sides  let you = last of sides  do ask(me, you)  {}", filled.join("  "));
    let said = game(&format!("{MEADOW}{ON_CELLS}{ask}\nto play {{ {play}  finish with nobody }}")).play().new_said_texts();
    assert_eq!(said.len(), (1 + frogs.len()) * (lines.len() * conditions.len() + cells.len() * tests.len()));
    assert!(said.iter().all(|text| text == "yes yes yes"), "{said:?}");
}

#[test]
fn a_place_outside_the_board_is_none() {
    assert_eq!(
        says(&["{at(0, 1)} {at(5, 1)} {at(1, 4)} {at(1, -1)} {at(2147483647, -2147483647)}", "{at(0, 1) is none}"]),
        ["none none none none none", "yes"]
    );
}

#[test]
fn what_stands_around_a_cell() {
    assert_eq!(
        says(&[
            "{at(1, 1).neighbours}",
            "{at(2, 2).orthogonal_neighbours}",
            "{at(4, 3).diagonal_neighbours}",
            "{count of at(3, 2).neighbours}",
            "{count of meadow.neighbours}",
        ]),
        [
            "column 2, row 1, column 1, row 2 and column 2, row 2",
            "column 2, row 1, column 1, row 2, column 3, row 2 and column 2, row 3",
            "column 3, row 2",
            "8",
            "58",
        ]
    );
}

#[test]
fn rows_columns_diagonals_and_lines() {
    assert_eq!(
        says(&[
            "{row 3 of meadow}",
            "{column 2 of meadow}",
            "{lengths(rows of meadow)} {lengths(columns of meadow)} {lengths(diagonals of meadow)}",
            "{lengths(lines of 3 of meadow)} {lengths(lines of 4 of meadow)}",
            "{count of lines of 3 through at(2, 2)} {count of lines of 3 through at(1, 1)} {first of lines of 2 through at(1, 1)}",
            "{count of lines of 1 of meadow} {count of lines of 1 through at(2, 2)}",
        ]),
        [
            "column 1, row 3, column 2, row 3, column 3, row 3 and column 4, row 3",
            "column 2, row 1, column 2, row 2 and column 2, row 3",
            "3, 4 and 4 4, 3 and 3 8, 3 and 2",
            "14, 3 and 3 3, 4 and 4",
            "5 3 column 1, row 1 and column 2, row 1",
            "12 1",
        ]
    );
}

#[test]
fn a_run_goes_on_until_the_board_ends() {
    assert_eq!(
        says(&[
            "{run 1, 0 from at(2, 2)}",
            "{run -1, -1 from at(3, 3)}",
            "{run 2, 1 from at(1, 1)}",
            "{run 0, 1 from at(1, 3)} {run 0, 0 from at(1, 3)}",
            "{member 2 of run 0, 1 from at(4, 1)}",
            "{count of run 1 from at(1, 2)}",
        ]),
        [
            "column 3, row 2 and column 4, row 2",
            "column 2, row 2 and column 1, row 1",
            "column 3, row 2",
            "nothing nothing",
            "column 4, row 3",
            "3",
        ]
    );
}

/// Lists of lists are lists like all others: they are kept, handed on, given back and gone through.
#[test]
fn lines_are_kept_handed_on_and_gone_through() {
    let texts = game(&format!(
        "{MEADOW}to play {{
  create frog() in at(2, 2) for first of sides
  do crowded(lines of 3 of meadow) as lines
  let spare = [1, 2, 3]
  each line in lines {{ say \"{{line}}\" }}
  say \"{{count of spare}}, {{none of lines as line has at(2, 2) not in line}}\"
  let longest = columns of meadow
  say \"{{member 2 of longest}}\"
  finish with nobody
}}
to crowded(lines: list of list of zone of frogs): list of list of zone of frogs {{
  let some = lines where any of it as cell has cell is not empty
  give some where first of it is at(1, 1) or first of it is at(2, 1)
}}"
    ));
    let mut table = texts.play();
    assert_eq!(
        table.new_said_texts(),
        [
            "column 2, row 1, column 2, row 2 and column 2, row 3",
            "column 1, row 1, column 2, row 2 and column 3, row 3",
            "3, yes",
            "column 2, row 1, column 2, row 2 and column 2, row 3",
        ]
    );
    table.check();
}

#[test]
fn pieces_come_to_cells_and_are_found_there() {
    let mut table = meadow(
        "create frog() in at(2, 3) for me as one  create frog() in pond for last of sides as other
  say \"{at(2, 3).frog} {at(1, 1).frog} {count of meadow.frogs} {one.place} {if one.place is none then 0 else one.place.column}\"
  move one to at(4, 1)
  move other to at(4, 1)
  say \"{at(4, 1).frog} {at(4, 1).frogs} {count of at(4, 1)} {at(4, 1).frogs.spots} {at(2, 3) is empty}\"
  say \"{one in at(4, 1)} {at(4, 1) in meadow} {pond.column} {count of pond.neighbours} {pond}\"
  each frog in meadow.frogs { if frog.place is not none { add frog.place.row to frog.spots } }
  say \"{meadow.frogs.spots} {any of meadow has it.frogs.spots = [1, 1]}\"",
    )
    .play();
    assert_eq!(
        table.new_said_texts(),
        ["side 0 none 1 column 2, row 3 2", "side 1 side 0 and side 1 2 0 and 0 yes", "yes yes 0 0 nothing", "1 and 1 yes",]
    );
    let moved: Vec<String> = table.events.iter().filter(|event| event.name == "moved").map(|event| event.text.clone()).collect();
    assert_eq!(moved, ["side 0 goes to column 4, row 1", "side 1 goes to column 4, row 1"]);
    table.check();
}

#[test]
fn whether_a_place_that_is_worked_out_is_on_the_board_is_asked_first() {
    let wrong = meadow("create frog() in pond for me as one  move one to at(1, 3 + count of sides)").problems();
    assert_eq!(wrong, ["this may be none instead of a zone of frogs"]);
    let moved = meadow(
        "create frog() in pond for me as one
        let far = at(1, 3 + count of sides)
        if far is not none { move one to far }
        let near = at(1, 1 + count of sides)
        if near is not none { move one to near }
        say \"{far is none} {one.place}\"",
    );
    assert_eq!(moved.play().new_said_texts(), ["yes column 1, row 3"]);
}

#[test]
fn a_cell_may_have_room_for_so_many_only() {
    let text = "sides 2
piece frog (frogs)
the table has { zone path: row of 5 of frogs, open, at most 1 }
to play { create frog() in cell 2 of path  create frog() in cell 2 of path  finish with nobody }";
    let fault = game(text).fault();
    assert_eq!(fault.message.to_string(), "a piece cannot go into place 2, which holds at most 1");
}

// --- questions ----------------------------------------------------------------------

const HOPPING: &str = "family hop(active: side) { frog: frog  cell: zone of frogs }
action leap(frog in meadow.frogs where it.owner is active, cell in meadow where it is empty) is hop
  when frog.place is not none and cell in frog.place.orthogonal_neighbours
  says \"hop from {frog.place} to {cell}\"
";

fn hopping() -> Texts {
    game(&format!(
        "{MEADOW}{HOPPING}to play {{
  create frog() in at(1, 1) for first of sides  create frog() in at(1, 3) for last of sides
  let active = first of sides
  active must choose hop as hop else {{ stop play }}
  move hop.frog to hop.cell
  active may choose 1 in meadow where it is not empty as seen \"Which?\"
  if seen is not none {{ say \"{{active}} looks at {{seen}}\" }}
  active must choose 2 in row 2 of meadow as pair
  active must order row 1 of meadow without pair as ordered
  say \"{{pair}}; {{last of ordered}}\"
  finish with active
}}"
    ))
}

#[test]
fn cells_are_chosen_under_their_names() {
    let mut table = hopping().play();
    assert_eq!(table.options(0), ["leap(0>meadow.2.1)", "leap(0>meadow.1.2)"]);
    let decision = table.decision(0);
    let option = &table.session.options(decision.id, 1, 1)[0];
    assert_eq!(option.text, "hop from column 1, row 1 to column 1, row 2");
    assert_eq!(json::option_json(option)["args"]["cell"], "meadow.1.2");
    let refused = table.session.find_choice(decision.id, "leap(0>meadow.3.1)").unwrap_err();
    assert!(refused.reason.contains("cell in frog.place.orthogonal_neighbours"), "{refused:?}");
    assert!(table.session.find_choice(decision.id, "leap(0>meadow.9.1)").is_err());
    table.answer(0, "leap(0>meadow.1.2)");
    assert_eq!(table.options(0), ["choose(meadow.1.2)", "choose(meadow.1.3)", "pass"]);
    table.answer(0, "choose(meadow.1.3)");
    table.answer(0, "choose(meadow.2.2+meadow.4.2)");
    table.answer(0, "order(meadow.4.1+meadow.1.1+meadow.2.1+meadow.3.1)");
    assert_eq!(
        table.new_said_texts(),
        ["side 0 looks at column 1, row 3", "column 2, row 2 and column 4, row 2; column 3, row 1"]
    );
    let moved = table.events.iter().find(|event| event.name == "moved").map(crate::testing::event_text);
    assert_eq!(moved.as_deref(), Some("moved(0, meadow.1.2)"));
    table.check();
}

const FIELDS: &str = "sides 2
piece frog (frogs)
each side has { zone field: grid 2 by 2 of frogs, open }
family look(active: side) { cell: zone of frogs }
action spy(cell in sides.field where it.column = 2) is look says \"look at {cell}\"
to play {
  let active = first of sides
  active must choose look as look else { stop play }
  let there = cell look.cell.column - 1, look.cell.row of active.foe.field
  if there is none { stop play }
  create frog() in there for active
  active must choose 1 in active.field as own
  finish with active
}";

#[test]
fn cells_of_sides_say_whose_they_are() {
    let mut table = game(FIELDS).play();
    assert_eq!(
        table.options(0),
        ["spy(0.field.2.1)", "spy(0.field.2.2)", "spy(1.field.2.1)", "spy(1.field.2.2)"],
        "each key is another"
    );
    let decision = table.decision(0);
    assert_eq!(table.session.options(decision.id, 3, 1)[0].text, "look at column 2, row 2 of field of side 1");
    table.answer(0, "spy(1.field.2.2)");
    assert_eq!(table.options(0)[0], "choose(0.field.1.1)");
    let view = json::view_json(&table.session.view(Viewer::Seat(1)));
    assert_eq!(view["sides"][1]["zones"]["field.1.2"][0]["kind"], "frog");
    assert_eq!(view["sides"][1]["zones"]["field.2.2"].to_string(), "[]");
    table.check();
}

#[test]
fn entrants_have_boards_too_and_may_lend_them() {
    let text = "sides 2 of 1 otter
sheet otter (otters) { speed: number }
piece frog (frogs)
each otter has { zone burrow: row of 3 of frogs, open }
each side has { fighter: otter = first of otters, lending burrow }
to play {
  let me = first of sides
  let there = cell me.fighter.speed of me.burrow
  if there is none { stop play }
  create frog() in there for me
  say \"{cell 2 of me.burrow is empty} {cell 3 of me.fighter.burrow is empty} {count of otters.burrow}\"
  finish with me
}";
    let texts = game(text).sheet("otter", "name: Otter\nspeed: 2\n");
    assert_eq!(texts.play_with_sheets(&["otter", "otter"]).new_said_texts(), ["no yes 6"]);
}

#[test]
fn scripts_go_through_the_cells_and_use_what_rules_define() {
    let text = "sides 2 of 1 otter
sheet otter (otters) { speed: number }
piece frog (frogs)
the table has { zone meadow: grid 4 by 3 of frogs, open }
hook dawn()
define at(column: number, row: number) = cell column, row of meadow
to play { create frog() in at(2, 3) for first of sides  open dawn()  finish with nobody }";
    let script = "//! ability look \"Look\"\n//! trigger look at dawn()\n
fn look(table) {
    let full = 0;
    for cell in table.meadow { if !is_empty(cell) { full += 1; } }
    let there = at(2, 3);
    if there != () { say(`${full} of ${len(table.meadow)}, ${len(there)}`); }
}";
    let texts = game(text).script("look", script);
    let texts = texts.sheet("one", "name: One\nspeed: 1\nabilities: [look]\n").sheet("other", "name: Other\nspeed: 2\n");
    assert_eq!(texts.play_with_sheets(&["one", "other"]).new_said_texts(), ["1 of 12, 1"]);
}

// --- positions ----------------------------------------------------------------------

#[test]
fn a_position_tells_what_lies_in_each_cell() {
    let texts = game(&format!(
        "{MEADOW}to play {{ say \"{{meadow.frogs.spots}} {{cell 2, 3 of meadow}}: {{at(2, 3).frog}}\"  finish with nobody }}"
    ));
    let position = "table:\n  meadow.2.3: [{owner: 1, spots: 4}]\n  meadow.4.1: [frog, {spots: 2}]\nsides: [{}, {}]\n";
    let mut table = texts.play_from_position(position);
    assert_eq!(table.new_said_texts(), ["0, 2 and 4 column 2, row 3: side 1"]);
    table.check();
    let wrong = |key: &str| texts.position_problems(&format!("table: {{{key}: [frog]}}\nsides: [{{}}, {{}}]\n"));
    let help = "write a line for each cell that is not empty: its cells are `meadow.1.1` to `meadow.4.3`";
    let expected = |message: &str| vec![("LX0802", message.to_string(), help.to_string())];
    assert_eq!(wrong("meadow"), expected("`meadow` is a board, and its pieces are in its cells"));
    assert_eq!(wrong("meadow.5.1"), expected("`meadow` has no cell `meadow.5.1`"));
    assert_eq!(wrong("meadow.1.01"), expected("`meadow` has no cell `meadow.1.01`"));
}

#[test]
fn a_position_tells_it_of_sides_as_well() {
    let texts = game(FIELDS);
    let table = texts.play_from_position("sides: [{zones: {field.1.1: [frog]}}, {zones: {field.2.2: [frog, frog]}}]\n");
    let view = table.session.view(Viewer::Spectator);
    assert!(matches!(&view.sides[1].zones["field.2.2"], ZoneView::Seen(frogs) if frogs.len() == 2));
    let wrong = texts.position_problems("sides: [{zones: {field.3.1: [frog]}}, {}]\n");
    assert_eq!(wrong[0].1, "`field` has no cell `field.3.1`");
}

// --- a race ---------------------------------------------------------------------------

/// Two runners on a track of twelve places. Who comes to the other sends it back; whoever would leave the track is home.
const RACE: &str = "sides 2 named \"Hare\", \"Tortoise\"
die sizes 6
piece runner (runners) shown as \"{owner}\"
the table has { zone track: row of 12 of runners, open  zone start, home: runners, open  zone cup: dice, open }
define next(runner: runner, steps: number) = cell runner.place.column + steps of track

to play {
  create die(size: 6) in cup
  each side in sides { create runner() in start for side }
  repeat at most 100 times { each side in sides { do turn(side) } }
}
scope turn(active: side) {
  roll cup
  let runner = first of runners where it.owner is active
  if runner is none or runner.place is none { stop turn }
  let there = next(runner, sum of cup.value)
  if there is none { move runner to home  finish with active }
  move there.runners to start
  move runner to there
}";

#[test]
fn a_track_is_a_row_of_cells() {
    let mut table = game(RACE).play_with_results(&[4, 4, 6, 5, 3, 6, 4]);
    let told: Vec<String> = table.new_event_texts().into_iter().filter(|line| line.starts_with("moved")).collect();
    assert_eq!(
        told,
        [
            "moved(1, track.4)",
            // The tortoise comes to the same place, and the hare goes back.
            "moved(1, start)",
            "moved(2, track.4)",
            "moved(1, track.6)",
            "moved(2, track.9)",
            "moved(2, start)",
            "moved(1, track.9)",
            "moved(2, track.6)",
            // From the ninth place four more lead off the track.
            "moved(1, home)",
        ]
    );
    table.check();
}

// --- secrets ------------------------------------------------------------------------

/// Side 1 has two frogs that side 0 cannot tell apart. It may hop with a large one.
fn secret(large: usize) -> Table {
    let text = format!(
        "sides 2
piece frog (frogs) {{ size: number in 0..9, shown  mark wet \"is wet\" }}
the table has {{ zone meadow: grid 3 by 3 of frogs, seen by nobody }}
each side has {{ zone field: grid 3 by 3 of frogs, seen by owner }}
family hop(active: side) {{ cell: zone of frogs  there: zone of frogs }}
action leap(cell in active.field where any of it has it.size > 5, there in cell.neighbours where it is empty) is hop
to play {{
  let one = first of sides
  let other = last of sides
  create frog(size: {}) in cell 1, 1 of other.field for other
  create frog(size: {}) in cell 3, 3 of other.field for other
  create frog(size: 1) in cell 2, 2 of meadow for one
  other may choose hop as hop \"Hop?\" \"stay\"
  if hop is not none {{ move first of hop.cell to hop.there }}
  one may \"Go on?\" as go
  finish with nobody
}}",
        if large == 0 { 8 } else { 2 },
        if large == 1 { 8 } else { 2 },
    );
    game(&text).play()
}

/// All that a seat is told, what it sees, and what it is asked.
fn heard(table: &Table, seat: usize) -> Vec<String> {
    let viewer = Viewer::Seat(seat);
    let told =
        table.events.iter().filter(|event| event.reaches_anyone() && event.reaches_viewer(viewer)).map(|event| {
            match event.seen_by(viewer) {
                Some(event) => format!("{} {}", serde_json::Value::Object(json::event_facts(event)), event.text),
                None => "something happens".to_string(),
            }
        });
    let asked = table.open_decisions().into_iter().filter(|decision| decision.seat == seat);
    let asked = asked.map(|open| format!("{open:?} {:?}", table.session.options(open.id, 0, open.count)));
    told.chain(asked).chain([json::view_json(&table.session.view(viewer)).to_string()]).collect()
}

#[test]
fn what_lies_in_cells_that_a_seat_cannot_see_makes_no_difference_to_it() {
    // In the third arrangement nothing can hop, so that nobody is asked.
    let tables: Vec<Table> = (0..3)
        .map(|large| {
            let mut table = secret(large);
            if table.asked_seats() == [1] {
                table.answer(1, "pass");
            }
            table
        })
        .collect();
    assert_eq!(secret(0).asked_seats(), [1]);
    assert_eq!(secret(2).asked_seats(), [0]);
    assert_eq!(heard(&tables[0], 0), heard(&tables[1], 0));
    assert_eq!(heard(&tables[0], 0), heard(&tables[2], 0));
    assert_ne!(heard(&tables[0], 1), heard(&tables[1], 1), "the other seat sees its own");
}

#[test]
fn a_cell_that_a_seat_cannot_see_is_counted_and_one_that_it_owns_is_seen() {
    let table = secret(0);
    let zones = |seat: usize| table.session.view(Viewer::Seat(seat)).sides[1].zones.clone();
    assert!(matches!(zones(0)["field.3.3"], ZoneView::Hidden { count: 1, .. }));
    assert!(matches!(zones(0)["field.3.2"], ZoneView::Hidden { count: 0, .. }));
    assert!(matches!(&zones(1)["field.3.3"], ZoneView::Seen(frogs) if frogs.len() == 1));
    let meadow = table.session.view(Viewer::Seat(0)).table.zones;
    assert!(matches!(meadow["meadow.2.2"], ZoneView::Hidden { count: 1, .. }), "nobody sees it, whoever's frog it is");
}

// --- what is wrong ----------------------------------------------------------------------

fn wrong(rules: &str) -> Vec<String> {
    let texts = game(&format!("sides 2\npiece frog (frogs) {{}}\n{rules}\nto play {{ do look  finish with nobody }}"));
    texts.error_details().into_iter().map(|(code, message, help)| format!("{code} {message} / {help}")).collect()
}

fn wrong_value(value: &str) -> Vec<String> {
    wrong(&format!(
        "the table has {{ zone meadow: grid 4 by 3 of frogs, open  zone path: row of 6 of frogs, open  zone pond: frogs, open }}
to look {{ let value = {value}  say \"{{value}}\" }}"
    ))
}

#[test]
fn boards_that_cannot_be_are_told() {
    let of = |board: &str| {
        wrong(&format!("the table has {{ zone meadow: {board} of frogs, open }}\nto look {{ say \"{{count of meadow}}\" }}"))
    };
    assert_eq!(of("grid 32 by 32"), Vec::<String>::new());
    let help = "write how many columns and rows there are: `grid 8 by 8 of …`";
    for (board, message) in [
        ("grid 33 by 32", "a board has at most 1024 cells, and this one would have 1056"),
        ("grid 0 by 3", "a board has at least one cell"),
        ("row of 2000", "a board has at most 1024 cells, and this one would have 2000"),
    ] {
        assert_eq!(of(board), [format!("LX0529 {message} / {help}")], "{board}");
    }
    insta::assert_snapshot!(
        [
            wrong("each frog has { zone back: row of 2 of frogs, open }\nto look {}"),
            wrong("each side has { zone a, b, c, d, e, f, g, h, i: row of 1000 of frogs, open }\nto look {}"),
            wrong("each frog has { column: number }\nthe table has { zone meadow: grid 2 by 2 of frogs, open }\nto look {}"),
            wrong("the table has { zone meadow: grid 2 by 2 of frogs, open  counter meadow }\nto look {}"),
        ]
        .concat()
        .join("\n")
    );
}

#[test]
fn places_that_are_known_to_be_off_the_board_are_told() {
    insta::assert_snapshot!(
        [
            "cell 5, 1 of meadow",
            "cell 0, 1 of meadow",
            "cell 1, 4 of meadow",
            "cell 2 of meadow",
            "cell 7 of path",
            "cell 1, 2 of path",
            "row 4 of meadow",
            "column 5 of meadow",
            "count of lines of 5 of meadow",
            "count of lines of 0 of meadow",
        ]
        .map(|value| wrong_value(value).join("\n"))
        .join("\n")
    );
}

#[test]
fn what_is_no_board_and_no_cell_is_told() {
    insta::assert_snapshot!(
        [
            "cell 1, 1 of pond",
            "cell 1, 1 of (meadow where it is empty)",
            "rows of frogs",
            "count of lines of 2 through meadow",
            "run 1, 0 from 3",
            "(first of meadow).colum",
            "(first of meadow).speckles",
            "cell(1, 1)",
        ]
        .map(|value| wrong_value(value).join("\n"))
        .join("\n")
    );
}

#[test]
fn boards_are_part_of_a_program() {
    let program: std::sync::Arc<Program> = game(&format!("{MEADOW}to play {{ say \"{{count of pond}}\" }}")).program();
    let board = &program.boards[0];
    assert_eq!((board.name.as_str(), board.columns, board.rows, board.cell_count()), ("meadow", 4, 3, 12));
    assert_eq!(board.cell_name(5), "meadow.2.2");
}

/// Whatever the size, a cell is found at once: a look at one costs as much work on a large board as on a small one.
#[test]
fn a_cell_is_found_without_a_look_at_others() {
    let work = |size: usize| {
        let text = format!(
            "sides 2
piece frog (frogs)
the table has {{ zone meadow: grid {size} by {size} of frogs, open }}
to play {{
  count step from 1 to 500 {{ let cell = cell {size}, {size} of meadow  if cell is not empty {{ say \"full\" }} }}
  finish with nobody
}}"
        );
        game(&text).play().session.usage().work_of_match
    };
    assert_eq!(work(2), work(32));
}

#[test]
fn choices_of_cells_may_be_taken_back_like_all_others() {
    let table = hopping().play();
    let mut other = table.clone();
    let decision = other.decision(0);
    other.session.choose(decision.id, Choice::Key("leap(0>meadow.2.1)".to_string())).unwrap();
    assert_eq!(other.options(0), ["choose(meadow.2.1)", "choose(meadow.1.3)", "pass"]);
    assert_eq!(table.options(0).len(), 2);
}
