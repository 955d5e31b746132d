use super::*;
use ludex_program::{
    AbilityInfo, FieldInfo, Kind, KindSort, MarkInfo, ProcedureInfo, Program, SIDE, Shape, Sheet, SidesInfo, UseLimit,
    Visibility, ZoneInfo,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::SourceId;
use ludex_syntax::yaml;

fn kind(name: &str, sort: KindSort, fields: Vec<FieldInfo>, zones: &[&str]) -> Kind {
    let zone = |name: &&str| ZoneInfo::plain_zone(name, 3);
    Kind {
        name: name.to_string(),
        plural: format!("{name}s"),
        sort,
        fields,
        zones: zones.iter().map(zone).collect(),
        title: Vec::new(),
    }
}

fn counter(name: &str, shape: Shape) -> FieldInfo {
    FieldInfo {
        name: name.to_string(),
        shape,
        range: Some((0, 100)),
        room: 0,
        counter: true,
        shown: true,
        seen: Visibility::All,
        initial: 0,
        printed: false,
        optional: true,
        sheets: Vec::new(),
        text: None,
    }
}

fn procedure(name: &str, params: &[(&str, Shape)], entry: bool) -> ProcedureInfo {
    ProcedureInfo {
        name: name.to_string(),
        params: params.iter().map(|(name, shape)| (name.to_string(), shape.clone())).collect(),
        gives: Shape::Nothing,
        start: 0,
        slots: 1,
        scope: true,
        entry,
        span: Span::new(SourceId(0), 0, 0),
        chain: Vec::new(),
    }
}

fn sheet(id: &str) -> (String, Sheet) {
    let sheet = Sheet {
        id: id.to_string(),
        name: id.to_string(),
        kind: 2,
        zones: Vec::new(),
        fields: Vec::new(),
        abilities: vec![ludex_program::ListedAbility { ability: 0, settings: None }],
        print: 0,
        provenance: BTreeMap::new(),
        note: None,
        source: SourceId(0),
        before_play: None,
    };
    (id.to_string(), sheet)
}

/// Two sides with one beast each; a day of one side is an entry.
fn program() -> Program {
    let next = FieldInfo {
        name: "next".to_string(),
        shape: Shape::OrNone(Box::new(Shape::Entity(SIDE))),
        range: None,
        room: 0,
        counter: false,
        shown: false,
        seen: Visibility::All,
        initial: 0,
        printed: false,
        optional: true,
        sheets: Vec::new(),
        text: None,
    };
    Program {
        game: "pond".to_string(),
        sides: SidesInfo::with_two_sides(Some(2)),
        die_sizes: vec![4, 6, 8],
        die: Some(3),
        kinds: vec![
            kind("table", KindSort::Table, vec![next], &["reeds"]),
            kind("side", KindSort::Side, vec![counter("fish", Shape::Number), counter("score", Shape::Halves)], &["bank"]),
            kind("beast", KindSort::Entrant, vec![counter("breath", Shape::Number)], &["nest"]),
            kind("die", KindSort::Piece, Vec::new(), &[]),
        ],
        marks: vec![MarkInfo { name: "wet".to_string(), ..MarkInfo::default() }],
        procedures: vec![procedure("day", &[("of", Shape::Entity(SIDE))], true), procedure("night", &[], false)],
        abilities: vec![AbilityInfo {
            settings: None,
            id: "dive".to_string(),
            title: "Dive".to_string(),
            text: String::new(),
            uses: vec![UseLimit { times: 2, per: 0, shared: false }],
            provenance: None,
            works: Vec::new(),
            clauses: Vec::new(),
            grants: Vec::new(),
            restrictions: Vec::new(),
            rules: Vec::new(),
            span: Span::new(SourceId(0), 0, 0),
        }],
        sheets: [sheet("newt"), sheet("otter")].into(),
        ..Program::default()
    }
}

fn position(text: &str) -> (Option<Position>, Vec<Problem>) {
    let (node, mut problems) = yaml::parse_document(text, SourceId(0));
    let position = node.and_then(|node| Position::read(&node, &program(), &mut problems));
    (position, problems)
}

/// A position with one side's lines written out.
fn side(lines: &str) -> String {
    format!("sides:\n  - entrants: [otter]\n    {lines}\n  - entrants: [newt]\n")
}

#[track_caller]
fn case(text: &str, code: &str, marked: &str) {
    let (position, problems) = position(text);
    let found: Vec<(&str, &str)> = problems
        .iter()
        .map(|problem| {
            let span = problem.labels.first().map(|(span, _)| span.start as usize..span.end as usize);
            (problem.code, span.and_then(|span| text.get(span)).unwrap_or(""))
        })
        .collect();
    assert_eq!(found, [(code, marked)], "{problems:?}");
    assert!(position.is_none());
}

#[test]
fn a_whole_position_is_read() {
    let text = "ludex-position: 1\ngame: pond\nsides:\n  \
        - {entrants: [otter], zones: {nest: [{id: a, size: 4, value: 1, owner: 1, marks: [wet]}, 6], bank: []}, \
        counters: {fish: 3, score: \"36.5\"}, used: {dive: 1}}\n  \
        - entrants: [newt]\ntable: {next: 1, reeds: [8]}\nat: \"day(of: 1)\"\n";
    let (position, problems) = position(text);
    assert_eq!(problems, vec![]);
    let position = position.expect("a position");
    let otter = position.sides.first().expect("a side");
    let nest = otter.entrant_zones.get(&0).expect("a nest");
    assert_eq!(nest.iter().map(|piece| (piece.piece.size, piece.value)).collect::<Vec<_>>(), [(4, Some(1)), (6, None)]);
    assert_eq!(nest.first().map(|piece| (piece.owner, piece.marks)), Some((Some(Owner::Side(1)), 1)));
    assert_eq!(otter.zones.get(&0).map(Vec::len), Some(0));
    assert_eq!(otter.counters.get(&1).map(|score| &score.value), Some(&StatedValue::Value(73)));
    assert_eq!(otter.used.get(&0).map(|used| used.value), Some(1));
    assert_eq!(position.table.get(&0).map(|next| &next.value), Some(&StatedValue::Side(1)));
    assert_eq!(position.table_zones.get(&0).map(Vec::len), Some(1));
    assert_eq!(position.at.map(|at| at.entry_text(&program())), Some("day(of: 1)".to_string()));
}

#[test]
fn a_die_cannot_show_more_than_its_size() {
    case(&side("zones: {nest: [{size: 4, value: 5}]}"), codes::POSITION_VALUE, "5");
    case(&side("zones: {nest: [{size: 4, value: 0}]}"), codes::POSITION_VALUE, "0");
    case(&side("zones: {nest: [7]}"), codes::DIE_SIZE, "7");
}

#[test]
fn a_name_is_given_to_one_piece() {
    case(&side("zones: {nest: [{id: a, size: 4}, {id: a, size: 6}]}"), codes::POSITION_PIECE, "a");
}

#[test]
fn unknown_names_are_marked() {
    case(&side("zones: {nset: [4]}"), codes::POSITION_ZONE, "nset");
    case(&side("counters: {fsih: 4}"), codes::UNKNOWN_COUNTER, "fsih");
    case(&side("used: {dvie: 1}"), codes::UNKNOWN_ABILITY, "dvie");
    case(&side("zones: {nest: [{size: 4, marks: [dry]}]}"), codes::UNKNOWN_MARK, "dry");
    case("sides: [{entrants: [oter]}, {entrants: [newt]}]\n", codes::UNKNOWN_ENTRANT, "oter");
}

#[test]
fn numbers_keep_their_range() {
    case(&side("counters: {fish: 101}"), codes::YAML_RANGE, "101");
    case(&side("counters: {score: \"0.3\"}"), codes::YAML_TYPE, "\"0.3\"");
    case(&side("used: {dive: 3}"), codes::YAML_RANGE, "3");
}

#[test]
fn halves_are_read_as_they_are_written() {
    let program = program();
    for value in [-73, -3, -2, -1, 0, 1, 2, 73] {
        let words = crate::field::format_value(&program, &Shape::Halves, value);
        assert_eq!(crate::field::parse_value(&program, &Shape::Halves, &words), Some(value), "{words}");
    }
}

#[test]
fn the_game_tells_how_many_sides_there_are() {
    case("at: \"day(of: 1)\"\n", codes::YAML_MISSING_KEY, "at: \"day(of: 1)\"");
    case("sides: [{entrants: [newt]}]\n", codes::POSITION_SIDES, "[{entrants: [newt]}]");
    case("sides: [{entrants: [newt, otter]}, {entrants: [newt]}]\n", codes::POSITION_SIDES, "[newt, otter]");
}

#[test]
fn play_starts_at_an_entry_with_its_arguments() {
    let at = |entry: &str| format!("sides: [{{entrants: [newt]}}, {{entrants: [newt]}}]\nat: \"{entry}\"\n");
    for wrong in ["night", "dya(of: 0)", "day", "day(of: 2)", "day(of: 0, of: 1)", "day(on: 0)", "day(of: x)", "day(of: 0"] {
        case(&at(wrong), codes::POSITION_ENTRY, &format!("\"{wrong}\""));
    }
    let (position, _) = position(&at("day(1)"));
    assert_eq!(position.and_then(|position| position.at).map(|at| at.entry_text(&program())), Some("day(of: 1)".to_string()));
}

#[test]
fn the_entry_may_stand_without_quotes() {
    let (position, problems) = position("sides: [{entrants: [newt]}, {entrants: [newt]}]\nat: day(of: 0)\n");
    assert_eq!(problems, vec![]);
    assert!(position.is_some_and(|position| position.at.is_some()));
}

#[test]
fn an_entrant_may_stand_with_its_fields_and_marks() {
    let text = "sides: [{entrants: [{otter: {breath: 5, marks: [wet]}}]}, {entrants: [newt]}]\n";
    let (found, problems) = position(text);
    assert_eq!(problems, vec![]);
    let setting = found.and_then(|position| position.sides.first().and_then(|side| side.settings.first().cloned()));
    let setting = setting.expect("a setting");
    assert_eq!(setting.fields.get(&0).map(|breath| &breath.value), Some(&StatedValue::Value(5)));
    assert_eq!(setting.marks, 1);
    case(&text.replace("breath: 5", "breth: 5"), codes::UNKNOWN_COUNTER, "breth");
    case(&text.replace("breath: 5", "breath: 500"), codes::YAML_RANGE, "500");
    case(&text.replace("[wet]", "[wte]"), codes::UNKNOWN_MARK, "wte");
    case(&text.replace("{otter:", "{oter:"), codes::UNKNOWN_ENTRANT, "oter");
}
