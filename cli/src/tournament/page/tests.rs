//! The page for the wall.

use super::*;
use crate::tournament::rules::{self, Actor, ReportedResult};
use crate::tournament::state::{Game, Settings, Team};
use std::collections::BTreeMap;

fn time(clock: &str) -> Timestamp {
    format!("2030-05-01T{clock}:00Z").parse().unwrap()
}

fn tournament(names: &[&str]) -> Tournament {
    let (id, title, mode, package_hash) = ("pond".to_string(), "Pond & Co".to_string(), String::new(), String::new());
    let game = Game { id, title, mode, options: BTreeMap::new(), package_hash, team: None };
    let mut tournament = Tournament::new(Settings {
        game,
        tokens: 2,
        organiser: "Olga".to_string(),
        created: time("10:00"),
        deadline: time("11:00"),
        time_up: false,
        closed: None,
        page: None,
    });
    for name in names {
        rules::join_tournament(&mut tournament, name, time("10:00")).unwrap();
    }
    tournament
}

/// A duel that the first of two has won.
fn play(tournament: &mut Tournament, winner: &str, loser: &str) {
    let [first, second] = [winner, loser].map(|name| Actor::find_by_name(tournament, Some(name)).unwrap());
    rules::challenge_player(tournament, &first, loser, time("10:10")).unwrap();
    rules::accept_challenge(tournament, &second, None, time("10:11")).unwrap();
    rules::report_result(tournament, &first, None, &ReportedResult::Winner(winner.to_string()), time("10:20")).unwrap();
}

fn page(tournament: &Tournament) -> String {
    page_html(tournament, time("10:30"), "n0nce")
}

#[test]
fn names_are_text_and_no_markup() {
    let names = ["<script>alert(1)</script>", "\"' onload=x &amp;", "a\u{1b}[2J\u{202e}b", "</style><img src=x>"];
    let mut tournament = tournament(&names);
    play(&mut tournament, names[0], names[3]);
    let page = page(&tournament);
    let tags = |tag: &str| page.matches(tag).count();
    assert_eq!((tags("<script"), tags("<style"), tags("<img"), tags("</style")), (1, 1, 0, 1), "{page}");
    assert!(page.contains("<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>"));
    assert!(page.contains("<bdi>&quot;&#39; onload=x &amp;amp;</bdi>"));
    assert!(page.contains("<h1>Pond &amp; Co tournament</h1>"));
    assert!(!page.contains(['\u{1b}', '\u{202e}']));
}

#[test]
fn the_page_needs_no_other_file_and_reloads_itself() {
    let page = page(&tournament(&["Ann"]));
    assert!(page.contains("<meta http-equiv=\"refresh\" content=\"10\">"));
    assert!(page.contains("default-src 'none'"));
    let loads = ["src=", "href=", "url(", "@import", "http:", "https:"];
    assert!(loads.iter().all(|loads| !page.contains(loads)), "{page}");
}

#[test]
fn open_duels_results_and_the_time_left_are_shown() {
    let mut tournament = tournament(&["Ann", "Bob", "Cleo"]);
    play(&mut tournament, "Ann", "Bob");
    let bob = Actor::find_by_name(&tournament, Some("Bob")).unwrap();
    rules::challenge_player(&mut tournament, &bob, "Cleo", time("10:25")).unwrap();
    let page = page(&tournament);
    assert!(page.contains("30 min left"));
    assert!(page.contains("3 players with 2 tokens each, 1 duel won; as of"));
    assert!(page.contains("<bdi>Ann</bdi> beats <bdi>Bob</bdi>"));
    assert!(page.contains("<bdi>Bob</bdi> challenges <bdi>Cleo</bdi>"));
    assert!(!page.contains("<section class=\"champion\">"), "nobody sees a champion before the end");
}

#[test]
fn how_many_each_brings_is_shown_where_it_is_more_than_one() {
    let mut tournament = tournament(&["Ann"]);
    let with = |tournament: &mut Tournament, size| {
        tournament.settings.game.team = Some(Team { size, entrants: "newts & toads".to_string() });
        page(tournament)
    };
    assert!(with(&mut tournament, 2).contains("each player brings 2 newts &amp; toads to each duel"));
    assert!(!with(&mut tournament, 1).contains("each player brings"));
}

#[test]
fn the_page_knows_who_is_champion_when_time_runs_out_before_the_next_operation() {
    let before = page(&tournament(&["Ann", "Bob"]));
    assert!(before.contains("<section class=\"champion\" hidden>Champions: <bdi>Ann</bdi>, <bdi>Bob</bdi></section>"));
    assert!(before.contains("champion.hidden = seconds > 0"));
    assert!(!page(&tournament(&[])).contains("<section class=\"champion\""));
}

#[test]
fn at_the_end_the_champions_are_shown() {
    let mut tournament = tournament(&["Ann", "Bob"]);
    rules::apply_deadline(&mut tournament, time("11:00"));
    let page = page(&tournament);
    assert!(page.contains("<section class=\"champion\">Champions: <bdi>Ann</bdi>, <bdi>Bob</bdi>"));
    assert!(page.contains("time is up") && !page.contains("<time"));
}
