use super::*;
use ludex_program::{AbilityInfo, FieldInfo, Kind, KindSort, Shape, SidesInfo, Visibility, WordType, ZoneInfo};
use ludex_syntax::codes;
use ludex_syntax::source::Span;
use ludex_syntax::yaml;

fn zone(name: &str, printed: bool, optional: bool) -> ZoneInfo {
    ZoneInfo { printed, optional, ..ZoneInfo::plain_zone(name, 3) }
}

fn kind(name: &str, sort: KindSort, zones: Vec<ZoneInfo>) -> Kind {
    Kind { name: name.to_string(), plural: format!("{name}s"), sort, fields: Vec::new(), zones, title: Vec::new() }
}

fn ability(id: &str, title: &str) -> AbilityInfo {
    AbilityInfo {
        id: id.to_string(),
        title: title.to_string(),
        text: String::new(),
        uses: Vec::new(),
        settings: None,
        provenance: None,
        works: Vec::new(),
        clauses: Vec::new(),
        grants: Vec::new(),
        restrictions: Vec::new(),
        rules: Vec::new(),
        span: Span::new(SourceId(0), 0, 0),
    }
}

/// Beasts with a nest and perhaps a den, of d4, d6 and d8.
fn program() -> Program {
    Program {
        game: "pond".to_string(),
        sides: SidesInfo::with_two_sides(Some(2)),
        die_sizes: vec![4, 6, 8],
        die: Some(3),
        kinds: vec![
            kind("table", KindSort::Table, Vec::new()),
            kind("side", KindSort::Side, Vec::new()),
            kind("beast", KindSort::Entrant, vec![zone("nest", true, false), zone("den", true, true), zone("out", false, false)]),
            kind("die", KindSort::Piece, Vec::new()),
        ],
        abilities: vec![ability("second-jump", "Second Jump"), ability("dive", "Dive")],
        ..Program::default()
    }
}

/// As [`program`], and a beast has a speed, a coat, and perhaps a weight and a mate.
fn program_with_values() -> Program {
    let field = |name: &str, shape, range, optional| FieldInfo {
        name: name.to_string(),
        shape,
        range,
        room: 0,
        counter: false,
        shown: false,
        seen: Visibility::All,
        initial: 0,
        printed: true,
        optional,
        sheets: Vec::new(),
        text: None,
    };
    let mut program = program();
    program.words =
        vec![WordType { name: "coat".to_string(), plural: None, words: vec!["fur".to_string(), "feathers".to_string()] }];
    program.kinds[2].fields = vec![
        field("speed", Shape::Number, Some((1, 12)), false),
        field("coat", Shape::Word(0), None, false),
        field("weight", Shape::Halves, None, true),
        field("tame", Shape::Flag, None, true),
    ];
    program
}

fn sheet(text: &str) -> (Option<Sheet>, Vec<Problem>) {
    sheet_for(&program(), text)
}

fn sheet_for(program: &Program, text: &str) -> (Option<Sheet>, Vec<Problem>) {
    let (node, mut problems) = yaml::parse_document(text, SourceId(0));
    let sheet = node.and_then(|node| read_entrant_sheet(&node, SourceId(0), "otter", None, &mut program.clone(), &mut problems));
    (sheet, problems)
}

/// Code, the marked text, the help.
fn told(text: &str) -> Vec<(&'static str, String, String)> {
    told_by(&program(), text)
}

fn told_by(program: &Program, text: &str) -> Vec<(&'static str, String, String)> {
    let (_, problems) = sheet_for(program, text);
    problems
        .into_iter()
        .map(|problem| {
            let marked = problem.labels.first().and_then(|(span, _)| text.get(span.start as usize..span.end as usize));
            (problem.code, marked.unwrap_or("").to_string(), problem.help.unwrap_or_default())
        })
        .collect()
}

#[track_caller]
fn case(text: &str, code: &str, marked: &str, help: &str) {
    assert_eq!(told(text), [(code, marked.to_string(), help.to_string())] as [(&str, String, String); 1]);
}

#[test]
fn a_whole_sheet_is_read() {
    let text = "name: Otter\nnest: [4, 8]\nden: [6]\nabilities: [dive]\nprovenance: {nest: seed, den: ours}\nnote: wet\n";
    let (sheet, problems) = sheet(text);
    assert_eq!(problems, vec![]);
    let sheet = sheet.expect("a sheet");
    assert_eq!((sheet.id.as_str(), sheet.name.as_str(), sheet.note.as_deref()), ("otter", "Otter", Some("wet")));
    assert_eq!(sheet.abilities, [ListedAbility { ability: 1, settings: None }]);
    let piece = |size| PrintedPiece { kind: 3, size, print: None, marks: 0 };
    assert_eq!(sheet.zones, [(0, vec![piece(4), piece(8)]), (1, vec![piece(6)])]);
    assert_eq!(sheet.provenance.get("den").map(String::as_str), Some("ours"));
}

#[test]
fn an_unknown_ability_gets_a_suggestion() {
    case("name: O\nnest: [4]\nabilities: [second-jmup]\n", codes::UNKNOWN_ABILITY, "second-jmup", "did you mean `second-jump`?");
    case("name: O\nnest: [4]\nabilities: [Second Jump]\n", codes::UNKNOWN_ABILITY, "Second Jump", "did you mean `second-jump`?");
}

#[test]
fn a_die_that_does_not_exist_is_marked() {
    case("name: O\nnest: [4, 7]\n", codes::DIE_SIZE, "7", "sizes are 4, 6 and 8");
    case("name: O\nnest: [d8]\n", codes::YAML_TYPE, "d8", "write `8`");
}

#[test]
fn a_missing_list_is_told_beside_the_name() {
    case("name: O\nden: [4]\n", codes::MISSING_LIST, "name", "add a line such as `nest: [4, 6, 8]`");
}

#[test]
fn a_misspelt_key_is_one_problem() {
    case("name: O\nnset: [4]\n", codes::YAML_UNKNOWN_KEY, "nset", "did you mean `nest`?");
    case("nmae: O\nnest: [4]\n", codes::YAML_UNKNOWN_KEY, "nmae", "did you mean `name`?");
}

#[test]
fn zones_that_are_not_printed_are_no_keys() {
    assert_eq!(told("name: O\nnest: [4]\nout: [4]\n").first().map(|found| found.0), Some(codes::YAML_UNKNOWN_KEY));
}

#[test]
fn a_list_must_be_a_list() {
    case("name: O\nnest: 4\n", codes::YAML_TYPE, "4", "put it in brackets: `[4]`");
    case("name: O\nnest: 6 6 8\n", codes::YAML_TYPE, "6 6 8", "put it in brackets: `[6, 6, 8]`");
    case("name: O\nnest: [6 6 8]\n", codes::YAML_TYPE, "6 6 8", "put a comma after each: `6, 6, 8`");
}

#[test]
fn an_ability_is_given_once() {
    case("name: O\nnest: [4]\nabilities: [dive, dive]\n", codes::ABILITY_TWICE, "dive", "remove one of the two");
}

#[test]
fn provenance_is_for_lists_that_are_there() {
    case("name: O\nnest: [4]\nprovenance: {den: seed}\n", codes::UNKNOWN_PROVENANCE, "den", "add the list `den`, or remove this");
    case("name: O\nnest: [4]\nprovenance: {nest: sead}\n", codes::UNKNOWN_PROVENANCE, "sead", "did you mean `seed`?");
}

#[test]
fn more_pieces_than_a_sheet_may_have_are_refused() {
    let many = vec!["4"; MOST_PIECES + 1].join(", ");
    let text = format!("name: O\nnest: [{many}]\n");
    assert_eq!(told(&text).first().map(|found| found.0), Some(codes::LIST_LENGTH));
}

#[test]
fn several_mistakes_are_told_at_once() {
    let text = "name: O\nnest: [4, 7]\nabilities: [dvie]\nfood: fish\n";
    assert_eq!(told(text).len(), 3);
}

/// One mistake beside a nest, a speed and a coat, unless the text tells them itself.
#[track_caller]
fn value_case(lines: &str, code: &str, marked: &str, help: &str) {
    let usual = ["name: O", "nest: [4]", "speed: 4", "coat: fur"];
    let key = |line: &str| line.split(':').next().unwrap_or_default().to_string();
    let kept = usual.iter().filter(|line| !lines.lines().any(|other| key(other).trim_start_matches('-') == key(line)));
    let text: String = kept.map(|line| format!("{line}\n")).collect();
    let given: Vec<&str> = lines.lines().filter(|line| !line.starts_with('-')).collect();
    let text = format!("{text}{}\n", given.join("\n"));
    assert_eq!(told_by(&program_with_values(), &text), [(code, marked.to_string(), help.to_string())], "{text}");
}

#[test]
fn numbers_and_words_fill_fields() {
    let text = "name: Otter\nnest: [4]\nweight: 36.5\ncoat: feathers\nspeed: 12\nprovenance: {speed: seed, nest: ours}\n";
    let (sheet, problems) = sheet_for(&program_with_values(), text);
    assert_eq!(problems, vec![]);
    let sheet = sheet.expect("a sheet");
    assert_eq!(sheet.fields, [(0, 12), (1, 1), (2, 73)]);
    assert_eq!(sheet.provenance.get("speed").map(String::as_str), Some("seed"));
}

#[test]
fn a_value_without_a_first_value_is_required() {
    value_case("-speed:", codes::MISSING_VALUE, "name", "add a line such as `speed: 1`; it goes from 1 to 12");
    value_case("-coat:", codes::MISSING_VALUE, "name", "add a line `coat: …` with `fur` or `feathers`");
}

#[test]
fn values_are_checked_like_lists() {
    value_case("speed: 13", codes::YAML_RANGE, "13", "");
    value_case("speed: fast", codes::YAML_TYPE, "fast", "write a number such as `4`");
    value_case("speed: [4]", codes::YAML_TYPE, "[4]", "write a number such as `4`");
    value_case("coat: fru", codes::YAML_WORD, "fru", "did you mean `fur`?");
    value_case("tame: 1", codes::YAML_TYPE, "1", "write `true` or `false`");
    value_case("sped: 4\n-speed", codes::YAML_UNKNOWN_KEY, "sped", "did you mean `speed`?");
    value_case("provenance: {tame: seed}", codes::UNKNOWN_PROVENANCE, "tame", "add the line `tame`, or remove this");
    value_case("provenance: {sped: seed}", codes::UNKNOWN_PROVENANCE, "sped", "did you mean `speed`?");
}

#[test]
fn a_value_is_given_once() {
    let text = "name: O\nnest: [4]\nspeed: 4\ncoat: fur\nspeed: 5\n";
    assert_eq!(told_by(&program_with_values(), text).first().map(|found| found.1.as_str()), Some("speed"));
}
