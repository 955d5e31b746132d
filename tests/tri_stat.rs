//! Tri-Stat combat by the shipped rules: its tables as exact fractions, its duels against what was worked out for them, and
//! fights of many.

use crate::support::{Folder, bundled, run};
use ludex_engine::library::{CompileRequest, Library};
use ludex_engine::odds::{Effort, Odds, OddsMethod, compute_odds};
use serde_json::Value;

/// The game's rules, and what is asked of them.
struct Rules(Library);

impl Rules {
    fn read() -> Rules {
        Rules(bundled("tri-stat"))
    }

    fn odds(&mut self, expression: &str) -> Odds {
        let source = self.0.sources.add("expression", expression);
        let sides = [vec!["youma".to_string()], vec!["youma".to_string()]];
        let found = compute_odds(&self.0, "tri-stat", &CompileRequest::default(), &sides, source, &Effort::default());
        let odds = found.unwrap_or_else(|problems| panic!("{expression}: {problems:#?}"));
        assert!(matches!(odds.found, OddsMethod::Exactly { .. }), "{expression}");
        odds
    }

    /// The chance that a condition holds, in lowest terms.
    fn chance(&mut self, condition: &str) -> String {
        let odds = self.odds(condition);
        odds.values.iter().find(|value| value.value == [1]).map_or("0".to_string(), |value| value.share.to_string())
    }
}

/// `15625/46656` and the like in lowest terms.
fn lowest(numerator: u64, denominator: u64) -> String {
    let (mut a, mut b) = (numerator, denominator);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if denominator == a { (numerator / a).to_string() } else { format!("{}/{}", numerator / a, denominator / a) }
}

#[test]
fn successes_of_six_dice() {
    // For each target, in how many of all cases there are 0, 1, 2 … successes.
    let table: [(u32, [u64; 7], u64); 10] = [
        (2, [1, 30, 375, 2500, 9375, 18750, 15625], 46656),
        (3, [1, 12, 60, 160, 240, 192, 64], 729),
        (4, [1, 6, 15, 20, 15, 6, 1], 64),
        (5, [64, 192, 240, 160, 60, 12, 1], 729),
        (6, [15625, 18750, 9375, 2500, 375, 30, 1], 46656),
        (8, [887503681, 858874530, 346320375, 74477500, 9009375, 581250, 15625], 2176782336),
        (9, [262144, 196608, 61440, 10240, 960, 48, 1], 531441),
        (10, [1771561, 966306, 219615, 26620, 1815, 66, 1], 2985984),
        (11, [24137569, 8519142, 1252815, 98260, 4335, 102, 1], 34012224),
        (12, [1838265625, 315131250, 22509375, 857500, 18375, 210, 1], 2176782336),
    ];
    let mut rules = Rules::read();
    for (target, cases, of) in table {
        let odds = rules.odds(&format!("successes(6, {target}, 0)"));
        let told: Vec<String> = odds.values.iter().map(|value| value.share.to_string()).collect();
        assert_eq!(told, cases.map(|cases| lowest(cases, of)), "target {target}");
    }
}

#[test]
fn an_attack_lands() {
    const DEFENCES: [u32; 7] = [0, 1, 2, 4, 6, 8, 10];
    let table: [(u32, [&str; 7]); 7] = [
        (1, ["1/2", "1/4", "1/8", "1/32", "1/128", "1/512", "1/2048"]),
        (2, ["3/4", "1/2", "5/16", "7/64", "9/256", "11/1024", "13/4096"]),
        (4, ["15/16", "13/16", "21/32", "93/256", "11/64", "299/4096", "235/8192"]),
        (6, ["63/64", "15/16", "219/256", "319/512", "793/2048", "3473/16384", "6885/65536"]),
        (7, ["127/128", "247/256", "233/256", "743/1024", "1/2", "9949/32768", "10889/65536"]),
        (8, ["255/256", "251/256", "121/128", "1651/2048", "2477/4096", "26333/65536", "15751/65536"]),
        (10, ["1023/1024", "509/512", "4017/4096", "14913/16384", "50643/65536", "77691/131072", "215955/524288"]),
    ];
    let mut rules = Rules::read();
    for (attack, row) in table {
        for (defence, chance) in DEFENCES.into_iter().zip(row) {
            let asked = format!("successes({attack}, 4, 0) > successes({defence}, 4, 0)");
            assert_eq!(rules.chance(&asked), chance, "{asked}");
        }
    }
}

#[test]
fn more_opponents_are_harder_to_hit() {
    let table: [(u32, [&str; 3]); 5] = [
        (1, ["21/32", "319/512", "2477/4096"]),
        (2, ["35/81", "355/972", "8357/26244"]),
        (4, ["517/2592", "16541/124416", "2455181/26873856"]),
        (8, ["546385/3359232", "592403255/5804752896", "2970012370085/45137758519296"]),
        (12, ["833/6561", "13159/177147", "1911269/43046721"]),
    ];
    let mut rules = Rules::read();
    for (opponents, row) in table {
        for ((attack, defence), chance) in [(4, 2), (6, 4), (8, 6)].into_iter().zip(row) {
            let asked = format!("successes({attack}, readable(target_for({opponents})), 0) > successes({defence}, 4, 0)");
            assert_eq!(rules.chance(&asked), chance, "{asked}");
        }
    }
    assert_eq!(rules.chance("successes(6, 8, 0) > 0"), "1289278655/2176782336");
}

#[test]
fn a_level_seldom_makes_a_miss_a_hit() {
    let table: [(u32, [&str; 4]); 5] = [
        (4, ["1/64", "1/729", "1/46656", "0"]),
        (5, ["64/729", "1/64", "1/729", "1/46656"]),
        (6, ["15625/46656", "64/729", "1/64", "1/729"]),
        (8, ["887503681/2176782336", "15625/46656", "15625/46656", "15625/46656"]),
        (9, ["262144/531441", "887503681/2176782336", "15625/46656", "15625/46656"]),
    ];
    let mut rules = Rules::read();
    for (target, row) in table {
        for (level, chance) in row.into_iter().enumerate() {
            let asked = format!("successes(6, {target}, {level}) = 0");
            assert_eq!(rules.chance(&asked), chance, "{asked}");
        }
    }
    for (level, chance) in [(0, "319/512"), (1, "465767/746496"), (2, "232915/373248"), (3, "639/1024"), (6, "639/1024")] {
        assert_eq!(rules.chance(&format!("successes(6, 4, {level}) > successes(4, 4, 0)")), chance);
    }
}

#[test]
fn damage_by_level() {
    let mut rules = Rules::read();
    for (asked, chance) in [
        ("damage_of(senshi, 2) >= 20", "283/1000"),
        ("damage_of(senshi, 2) >= 17", "1/2"),
        ("damage_of(senshi, 3) >= 33", "263813/500000"),
        ("damage_of(senshi, 4) >= 60", "125105611/1000000000"),
        ("damage_of(senshi, 6) >= 83", "1/2"),
        ("damage_of(senshi, 6) >= 60", "49056681965999/50000000000000"),
        ("damage_of(knight, 6) >= 20", "721/1024"),
    ] {
        assert_eq!(rules.chance(asked), chance, "{asked}");
    }
    let bounds = |odds: Odds| (odds.values.first().map(|low| low.value[0]), odds.values.last().map(|high| high.value[0]));
    for (level, dice, knight) in
        [(1, 1, (2, 5)), (2, 3, (4, 10)), (3, 6, (6, 15)), (4, 9, (8, 20)), (5, 12, (10, 25)), (6, 15, (12, 30))]
    {
        let (least, most) = bounds(rules.odds(&format!("damage_of(senshi, {level})")));
        assert_eq!((least, most), (Some(dice), Some(10 * dice)));
        let (least, most) = bounds(rules.odds(&format!("damage_of(knight, {level})")));
        assert_eq!((least, most), (Some(knight.0), Some(knight.1)));
    }
    assert_eq!(bounds(rules.odds("damage_of(martial, 0)")), (Some(1), Some(10)));
}

/// Two of a kind, by a policy; the report of so many fights.
fn duel(health: u32, policy: &str, fights: u32) -> Value {
    let folder = Folder::outside(&format!("duel-{health}-{policy}"));
    let sheet = format!("game: tri-stat\nname: Duellist\nbody: 6\nmind: 6\nsoul: 6\nmax_health: {health}\n");
    folder.write("duellist.yaml", &sheet);
    let seat = |number: u32| format!("{number}=duellist:policy={policy}");
    let (one, other, fights) = (seat(0), seat(1), fights.to_string());
    let args = ["sim", "tri-stat", "--seat", &one, "--seat", &other, "--games", &fights, "--seed", "1", "--format", "json"];
    let report = run(&folder, &args, "").stdout;
    serde_json::from_str(&report).unwrap()
}

#[test]
fn duels_come_out_as_worked_out() {
    const FIGHTS: u32 = 2_000;
    // Health, policy, how likely each is to win, how likely both are to fall, rounds.
    for (health, policy, wins, both, rounds) in [
        (1, "always_defends", 177.0 / 365.0, 11.0 / 365.0, 1_048_576.0 / 675_323.0),
        (1, "defends_for_free", 2_537_267.0 / 5_176_295.0, 101_761.0 / 5_176_295.0, 1_048_576.0 / 1_035_259.0),
        (10, "always_defends", 0.493990002, 0.012019997, 4.381044488),
        (10, "defends_for_free", 0.496356182, 0.007287636, 2.232931712),
    ] {
        let report = duel(health, policy, FIGHTS);
        let near = |times: &Value, chance: f64| {
            let (share, deviation) =
                (times.as_f64().unwrap() / f64::from(FIGHTS), (chance * (1.0 - chance) / f64::from(FIGHTS)).sqrt());
            assert!((share - chance).abs() < 3.0 * deviation, "{health} {policy}: {share} instead of {chance}");
        };
        near(&report["sides"][0]["wins"], wins);
        near(&report["sides"][1]["wins"], wins);
        near(&report["ties"], both);
        let mean = report["scopes"]["round"]["mean"].as_f64().unwrap();
        assert!((mean - rounds).abs() < rounds / 10.0, "{health} {policy}: {mean} rounds instead of {rounds}");
        assert_eq!((&report["faults"], &report["capped"]), (&Value::from(0), &Value::from(0)));
    }
}

#[test]
fn a_policy_may_rule_for_the_referee() {
    let folder = Folder::new("a policy rules");
    let seats = ["--seat", "0=sailor-mars:policy=always_defends", "--seat", "1=youma:policy=always_defends"];
    let told = |referee: &str| {
        let args = [&["play", "tri-stat"][..], &seats, &["--referee", referee, "--seed", "2"]].concat();
        run(&folder, &args, "").stdout
    };
    let (usual, by_night) = (told("auto"), told("policy=by_night"));
    assert!(usual.contains("Sailor Mars needs 4") && !usual.contains("Sailor Mars needs 5"), "{usual}");
    assert!(by_night.contains("Sailor Mars needs 5") && by_night.contains("Youma defends, needs 4"), "{by_night}");
}

#[test]
fn fights_of_five_against_twelve_end() {
    let scouts = "0=sailor-moon,sailor-mercury,sailor-mars,sailor-jupiter,sailor-venus";
    let foes = format!("1=dark-queen,stone-youma{}", ",youma".repeat(10));
    let folder = Folder::new("five against twelve");
    let args = ["sim", "tri-stat", "--seat", scouts, "--seat", &foes, "--games", "6", "--check", "--format", "json"];
    let report: Value = serde_json::from_str(&run(&folder, &args, "").stdout).unwrap();
    assert_eq!(
        (&report["faults"], &report["capped"], &report["check"]["failed"]),
        (&Value::from(0), &Value::from(0), &Value::from(0))
    );
}
