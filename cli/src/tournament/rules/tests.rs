//! The rules of tournaments, without a file and without a clock.

use super::*;
use crate::tournament::duel::{Entrant, LineUp};
use crate::tournament::standings;
use crate::tournament::state::{Game, Settings, Stage, Team};
use std::collections::BTreeMap;

/// Half past ten; the tournament goes on from ten to eleven.
fn now() -> Timestamp {
    time("10:30")
}

fn time(clock: &str) -> Timestamp {
    format!("2030-05-01T{clock}:00Z").parse().unwrap()
}

/// A tournament in progress, talked to by names.
struct Hall(Tournament);

fn hall(tokens: i64, names: &[&str]) -> Hall {
    let game = Game {
        id: "pond".to_string(),
        title: "Pond".to_string(),
        mode: "standard".to_string(),
        options: BTreeMap::new(),
        package_hash: "0".to_string(),
        team: Some(Team { size: 1, entrants: "animal".to_string() }),
    };
    let mut hall = Hall(Tournament::new(Settings {
        game,
        tokens,
        organiser: "Olga".to_string(),
        created: time("10:00"),
        deadline: time("11:00"),
        time_up: false,
        closed: None,
        page: None,
    }));
    names.iter().for_each(|name| hall.join(name).unwrap());
    hall
}

fn animal(id: &str) -> LineUp {
    vec![Entrant { id: id.to_string(), name: id.to_string() }]
}

type Done = Result<(), String>;

impl Hall {
    fn actor(&self, name: &str) -> Actor {
        Actor::find_by_name(&self.0, Some(name)).unwrap()
    }

    fn done<T>(result: Result<T, Problem>) -> Done {
        result.map(|_| ()).map_err(|problem| problem.message.to_string())
    }

    fn join(&mut self, name: &str) -> Done {
        Hall::done(join_tournament(&mut self.0, name, now()))
    }

    fn leave(&mut self, name: &str) -> Done {
        let actor = self.actor(name);
        Hall::done(leave_tournament(&mut self.0, &actor, now()))
    }

    fn challenge(&mut self, name: &str, opponent: &str) -> Done {
        let actor = self.actor(name);
        Hall::done(challenge_player(&mut self.0, &actor, opponent, now()))
    }

    fn accept(&mut self, name: &str) -> Done {
        let actor = self.actor(name);
        Hall::done(accept_challenge(&mut self.0, &actor, None, now()))
    }

    fn refuse(&mut self, name: &str) -> Done {
        let actor = self.actor(name);
        Hall::done(refuse_challenge(&mut self.0, &actor, None, now()))
    }

    fn withdraw(&mut self, name: &str) -> Done {
        let actor = self.actor(name);
        Hall::done(withdraw_challenge(&mut self.0, &actor, None, now()))
    }

    fn choose(&mut self, name: &str, id: &str) -> Done {
        self.choose_team(name, &[id])
    }

    fn choose_team(&mut self, name: &str, ids: &[&str]) -> Done {
        let actor = self.actor(name);
        let line_up = ids.iter().flat_map(|id| animal(id)).collect();
        Hall::done(choose_line_up(&mut self.0, &actor, line_up, now()))
    }

    fn agree(&mut self, name: &str) -> Done {
        let actor = self.actor(name);
        Hall::done(agree_to_same(&mut self.0, &actor, now()))
    }

    fn report_as(&mut self, name: &str, duel: i64, reported: ReportedResult) -> Done {
        let actor = self.actor(name);
        Hall::done(report_result(&mut self.0, &actor, Some(DuelId(duel)), &reported, now()))
    }

    /// The organiser reports that somebody has won the duel they are in.
    fn wins(&mut self, name: &str) -> Done {
        let actor = self.actor("Olga");
        Hall::done(report_result(&mut self.0, &actor, None, &ReportedResult::Winner(name.to_string()), now()))
    }

    fn void(&mut self, name: &str, duel: i64) -> Done {
        let actor = self.actor(name);
        Hall::done(void_duel(&mut self.0, &actor, DuelId(duel), now()))
    }

    /// Ann and Bob choose, and not the same.
    fn choose_for_both(&mut self) {
        self.choose("Ann", "otter").unwrap();
        self.choose("Bob", "newt").unwrap();
    }

    /// A whole duel.
    fn beats(&mut self, winner: &str, loser: &str) {
        self.challenge(winner, loser).unwrap();
        self.accept(loser).unwrap();
        self.choose(winner, "otter").unwrap();
        self.choose(loser, "heron").unwrap();
        self.wins(winner).unwrap();
    }

    fn duel(&self, number: i64) -> &Duel {
        &self.0.duels[&DuelId(number)]
    }

    fn state(&self, number: i64) -> DuelState {
        self.duel(number).state
    }

    fn stage(&self, number: i64) -> Option<Stage> {
        self.0.stage_of(self.duel(number))
    }

    /// How many tokens each has, in the order in which they joined.
    fn tokens(&self) -> Vec<i64> {
        self.0.tokens_by_player().into_values().collect()
    }

    fn champions(&self) -> Vec<String> {
        standings::find_champions(&self.0).into_iter().map(|id| self.0.player_name(id)).collect()
    }

    /// What was written into the journal last.
    fn last_deed(&self) -> &Event {
        &self.0.entries.last().unwrap().event
    }
}

fn refused_with<T>(words: &str) -> Result<T, String> {
    Err(words.to_string())
}

// --- players ---------------------------------------------------------------------

#[test]
fn names_that_look_alike_are_refused() {
    let mut hall = hall(5, &["Ann"]);
    for alike in ["Ann", "ann", " ANN ", "A\u{200b}nn"] {
        assert_eq!(hall.join(alike), refused_with("there is a player Ann already"), "{alike:?}");
    }
    assert_eq!(hall.join("Anna"), Ok(()));
}

#[test]
fn names_are_found_in_any_capitals_and_near_ones_are_suggested() {
    let hall = hall(5, &["Ann Lee"]);
    assert_eq!(player_named(&hall.0, " ann  LEE").unwrap().name, "Ann Lee");
    let problem = player_named(&hall.0, "An Lee").unwrap_err();
    assert_eq!(problem.help.as_deref(), Some("did you mean `Ann Lee`?"));
}

#[test]
fn who_joins_late_adds_tokens() {
    let mut hall = hall(5, &["Ann", "Bob"]);
    hall.beats("Ann", "Bob");
    hall.join("Cleo").unwrap();
    assert_eq!(hall.tokens(), [6, 4, 5]);
}

#[test]
fn who_leaves_keeps_the_tokens_and_is_in_no_duel_any_more() {
    let mut hall = hall(5, &["Ann", "Bob", "Cleo"]);
    hall.beats("Ann", "Bob");
    hall.challenge("Ann", "Bob").unwrap();
    hall.accept("Bob").unwrap();
    hall.challenge("Cleo", "Ann").unwrap();
    hall.leave("Ann").unwrap();
    assert_eq!(hall.tokens(), [6, 4, 5]);
    assert_eq!([hall.state(2), hall.state(3)], [DuelState::Void(VoidReason::Left); 2]);
    assert_eq!(hall.challenge("Bob", "Ann"), refused_with("Ann has left"));
    assert_eq!(hall.leave("Ann"), refused_with("Ann has left already"));
    assert_eq!(hall.champions(), ["Ann"]);
}

#[test]
fn who_comes_back_has_the_tokens_of_before() {
    let mut hall = hall(5, &["Ann", "Bob"]);
    hall.beats("Ann", "Bob");
    hall.leave("Bob").unwrap();
    hall.join("bob").unwrap();
    assert_eq!(hall.tokens(), [6, 4]);
    assert_eq!(hall.challenge("Ann", "Bob"), Ok(()));
}

// --- challenges --------------------------------------------------------------------

#[test]
fn nobody_plays_against_themselves_or_against_nobody() {
    let mut hall = hall(5, &["Ann", "Bob"]);
    assert_eq!(hall.challenge("Ann", "ann"), refused_with("players cannot challenge themselves"));
    assert_eq!(hall.challenge("Ann", "Dora"), refused_with("there is no player `Dora`"));
    assert!(hall.0.duels.is_empty());
}

#[test]
fn a_challenge_waits_once_between_two_players() {
    let mut hall = hall(5, &["Ann", "Bob"]);
    hall.challenge("Ann", "Bob").unwrap();
    let refusal = refused_with("Ann has challenged Bob already: duel 1");
    assert_eq!([hall.challenge("Ann", "Bob"), hall.challenge("Bob", "Ann")], [refusal.clone(), refusal]);
    hall.refuse("Bob").unwrap();
    assert_eq!(hall.challenge("Ann", "Bob"), Ok(()));
}

#[test]
fn only_the_challenged_answers_and_only_the_challenger_withdraws() {
    let mut hall = hall(5, &["Ann", "Bob", "Cleo"]);
    hall.challenge("Ann", "Bob").unwrap();
    let before = hall.0.clone();
    for stranger in ["Ann", "Cleo"] {
        let actor = hall.actor(stranger);
        let words = format!("only Bob can answer duel 1, not {stranger}");
        assert_eq!(Hall::done(accept_challenge(&mut hall.0, &actor, Some(DuelId(1)), now())), Err(words.clone()));
        assert_eq!(Hall::done(refuse_challenge(&mut hall.0, &actor, Some(DuelId(1)), now())), Err(words));
    }
    let bob = hall.actor("Bob");
    let withdrawn = withdraw_challenge(&mut hall.0, &bob, Some(DuelId(1)), now());
    assert_eq!(Hall::done(withdrawn), refused_with("only Ann can withdraw duel 1, not Bob"));
    assert_eq!(hall.0, before, "what is refused changes nothing");
    assert_eq!(hall.withdraw("Ann"), Ok(()));
    assert_eq!(hall.accept("Bob"), refused_with("no challenge is waiting for Bob to answer"));
}

#[test]
fn several_challenges_are_told_apart_by_their_numbers() {
    let mut hall = hall(5, &["Ann", "Bob", "Cleo"]);
    hall.challenge("Ann", "Cleo").unwrap();
    hall.challenge("Bob", "Cleo").unwrap();
    assert_eq!(hall.accept("Cleo"), refused_with("several challenges are waiting: duels 1 (Ann) and 2 (Bob)"));
}

#[test]
fn a_player_is_in_one_accepted_duel_at_most() {
    let mut hall = hall(5, &["Ann", "Bob", "Cleo"]);
    hall.challenge("Ann", "Bob").unwrap();
    hall.challenge("Ann", "Cleo").unwrap();
    hall.accept("Bob").unwrap();
    assert_eq!(hall.accept("Cleo"), refused_with("Ann is in duel 1 already"));
    hall.choose_for_both();
    hall.wins("Ann").unwrap();
    assert_eq!(hall.accept("Cleo"), Ok(()));
}

// --- choosing ----------------------------------------------------------------------

fn accepted() -> Hall {
    let mut hall = hall(5, &["Ann", "Bob"]);
    hall.challenge("Ann", "Bob").unwrap();
    hall.accept("Bob").unwrap();
    hall
}

/// An accepted duel to which everybody brings so many.
fn with_teams(size: usize) -> Hall {
    let mut hall = accepted();
    hall.0.settings.game.team = Some(Team { size, entrants: "animals".to_string() });
    hall
}

#[test]
fn a_choice_is_told_when_both_are_in() {
    let mut hall = accepted();
    hall.choose("Ann", "otter").unwrap();
    assert_eq!((hall.stage(1), hall.duel(1).both_line_ups()), (Some(Stage::Choosing), None));
    let told = format!("{:?} {}", hall.0.entries, hall.0.summary_line(hall.duel(1)));
    assert!(!told.contains("otter"), "{told}");
    hall.choose("Bob", "newt").unwrap();
    assert_eq!(hall.stage(1), Some(Stage::Ready));
    assert_eq!(hall.last_deed(), &Event::Revealed { line_ups: [animal("otter"), animal("newt")] });
}

#[test]
fn a_choice_can_be_changed_until_the_other_is_in() {
    let mut hall = accepted();
    hall.choose("Ann", "otter").unwrap();
    hall.choose("Ann", "heron").unwrap();
    hall.choose("Bob", "newt").unwrap();
    assert_eq!(hall.duel(1).both_line_ups(), Some([&animal("heron"), &animal("newt")]));
    assert_eq!(hall.choose("Ann", "otter"), refused_with("both have chosen: Ann plays heron, Bob plays newt"));
}

#[test]
fn after_the_same_choice_both_choose_again() {
    let mut hall = accepted();
    hall.choose("Ann", "otter").unwrap();
    hall.choose("Bob", "otter").unwrap();
    assert_eq!(hall.stage(1), Some(Stage::Same));
    hall.choose("Bob", "newt").unwrap();
    assert_eq!((hall.stage(1), hall.duel(1).both_line_ups()), (Some(Stage::Choosing), None));
    hall.choose("Ann", "otter").unwrap();
    assert_eq!(hall.stage(1), Some(Stage::Ready));
}

#[test]
fn the_same_is_played_when_both_agree() {
    let mut hall = accepted();
    assert_eq!(hall.agree("Ann"), refused_with("there is nothing to agree to in duel 1: both have to choose"));
    hall.choose("Ann", "otter").unwrap();
    hall.choose("Bob", "otter").unwrap();
    hall.agree("Ann").unwrap();
    let before = hall.0.clone();
    hall.agree("Ann").unwrap();
    assert_eq!(hall.0, before, "who agrees twice agrees");
    assert_eq!(hall.stage(1), Some(Stage::Same), "one agrees, not both");
    hall.agree("Bob").unwrap();
    assert_eq!(hall.stage(1), Some(Stage::Ready));
}

#[test]
fn who_chooses_again_takes_an_agreement_back() {
    let mut hall = accepted();
    hall.choose("Ann", "otter").unwrap();
    hall.choose("Bob", "otter").unwrap();
    hall.agree("Ann").unwrap();
    hall.choose("Bob", "otter").unwrap();
    hall.choose("Ann", "otter").unwrap();
    hall.agree("Bob").unwrap();
    assert_eq!(hall.stage(1), Some(Stage::Same));
}

#[test]
fn teams_are_the_same_in_any_order() {
    let mut hall = with_teams(2);
    hall.choose_team("Ann", &["otter", "newt"]).unwrap();
    hall.choose_team("Bob", &["newt", "otter"]).unwrap();
    assert_eq!(hall.stage(1), Some(Stage::Same));
}

#[test]
fn teams_that_have_only_some_in_common_are_not_the_same() {
    for (one, other) in [(["otter", "newt"], ["newt", "heron"]), (["otter", "otter"], ["otter", "newt"])] {
        let mut hall = with_teams(2);
        hall.choose_team("Ann", &one).unwrap();
        hall.choose_team("Bob", &other).unwrap();
        assert_eq!(hall.stage(1), Some(Stage::Ready));
    }
}

#[test]
fn all_teams_are_of_one_size() {
    let mut hall = with_teams(3);
    for team in [&["otter", "newt"][..], &["otter", "newt", "heron", "toad"], &[]] {
        let words = format!("each player brings 3 animals to a duel of this tournament, not {}", team.len());
        assert_eq!(hall.choose_team("Ann", team), Err(words));
    }
    assert_eq!(hall.duel(1).line_ups, [None, None]);
    assert_eq!(hall.choose_team("Ann", &["otter", "newt", "heron"]), Ok(()));
}

#[test]
fn where_nobody_brings_anything_a_duel_is_ready_at_once() {
    let mut hall = hall(5, &["Ann", "Bob"]);
    hall.0.settings.game.team = None;
    hall.challenge("Ann", "Bob").unwrap();
    hall.accept("Bob").unwrap();
    assert_eq!(hall.stage(1), Some(Stage::Ready));
    assert_eq!(hall.choose("Ann", "otter"), refused_with("players bring nothing to a duel of Pond"));
}

// --- results -----------------------------------------------------------------------

#[test]
fn either_or_the_organiser_reports_and_nobody_else() {
    let winner = || ReportedResult::Winner("Ann".to_string());
    for reporter in ["Ann", "Bob", "Olga"] {
        let mut hall = ready();
        assert_eq!(hall.report_as(reporter, 1, winner()), Ok(()));
        assert_eq!(hall.tokens(), [6, 4]);
    }
    let mut hall = ready();
    hall.join("Cleo").unwrap();
    assert_eq!(hall.report_as("Cleo", 1, winner()), refused_with("Cleo is not in duel 1"));
    assert_eq!(hall.report_as("Ann", 1, ReportedResult::Winner("Cleo".to_string())), refused_with("Cleo is not in duel 1"));
    assert_eq!(hall.tokens(), [5, 5, 5]);
}

#[test]
fn a_finished_duel_is_not_reported_again() {
    let mut hall = ready();
    hall.wins("Ann").unwrap();
    let again = hall.report_as("Bob", 1, ReportedResult::Winner("Bob".to_string()));
    assert_eq!(again, refused_with("duel 1 cannot be reported: Ann has won"));
    assert_eq!(hall.tokens(), [6, 4]);
}

#[test]
fn a_duel_has_no_result_before_both_know_whom_they_play() {
    let results = || [ReportedResult::Winner("Ann".to_string()), ReportedResult::Tie];
    let mut hall = accepted();
    for reported in results() {
        assert_eq!(hall.report_as("Olga", 1, reported), refused_with("duel 1 cannot be reported: both have to choose"));
    }
    hall.choose("Ann", "otter").unwrap();
    for reported in results() {
        let refusal = refused_with("duel 1 cannot be reported: Ann has chosen, Bob has not yet");
        assert_eq!(hall.report_as("Bob", 1, reported), refusal);
    }
    hall.choose("Bob", "otter").unwrap();
    for reported in results() {
        let refusal = "duel 1 cannot be reported: both have chosen otter, and choose again unless both agree to it";
        assert_eq!(hall.report_as("Ann", 1, reported), refused_with(refusal));
    }
    hall.agree("Ann").unwrap();
    hall.agree("Bob").unwrap();
    assert_eq!(hall.wins("Ann"), Ok(()));
    assert_eq!(hall.tokens(), [6, 4]);
}

#[test]
fn a_duel_may_be_called_off_before_anybody_has_chosen() {
    let mut hall = accepted();
    assert_eq!(hall.report_as("Ann", 1, ReportedResult::CalledOff), Ok(()));
    assert_eq!(hall.state(1), DuelState::Void(VoidReason::CalledOff));
}

#[test]
fn a_challenge_that_nobody_has_accepted_is_not_reported() {
    let mut hall = hall(5, &["Ann", "Bob"]);
    hall.challenge("Ann", "Bob").unwrap();
    let reported = hall.report_as("Ann", 1, ReportedResult::Winner("Ann".to_string()));
    assert_eq!(reported, refused_with("duel 1 cannot be reported: Bob has not answered yet"));
}

#[test]
fn a_tie_and_a_duel_that_is_called_off_are_void() {
    for (reported, reason) in [(ReportedResult::Tie, VoidReason::Tie), (ReportedResult::CalledOff, VoidReason::CalledOff)] {
        let mut hall = ready();
        hall.report_as("Ann", 1, reported).unwrap();
        assert_eq!((hall.state(1), hall.tokens()), (DuelState::Void(reason), vec![5, 5]));
    }
}

#[test]
fn the_organiser_corrects_a_result() {
    let mut hall = ready();
    hall.wins("Ann").unwrap();
    assert_eq!(hall.void("Bob", 1), refused_with("only the organiser can do this, not Bob"));
    assert_eq!(hall.void("Olga", 1), Ok(()));
    assert_eq!((hall.state(1), hall.tokens()), (DuelState::Void(VoidReason::Organiser), vec![5, 5]));
    assert_eq!(hall.void("Olga", 1), refused_with("duel 1 has nothing to correct: void, corrected by the organiser"));
}

#[test]
fn a_correction_that_would_leave_less_than_no_tokens_is_refused() {
    let mut hall = hall(1, &["Ann", "Bob", "Cleo"]);
    hall.beats("Ann", "Bob");
    hall.beats("Cleo", "Ann");
    assert_eq!(hall.tokens(), [1, 0, 2]);
    hall.join("Dora").unwrap();
    hall.beats("Dora", "Ann");
    assert_eq!(hall.tokens(), [0, 0, 2, 2]);
    assert_eq!(hall.void("Olga", 1), refused_with("Ann has no token left to give back"));
    hall.void("Olga", 3).unwrap();
    assert_eq!(hall.void("Olga", 1), Ok(()));
    assert_eq!(hall.tokens(), [0, 1, 2, 1]);
}

#[test]
fn a_correction_brings_back_who_was_out() {
    let mut hall = hall(1, &["Ann", "Bob", "Cleo"]);
    hall.beats("Ann", "Bob");
    assert_eq!(hall.challenge("Bob", "Cleo"), refused_with("Bob has no tokens left, and is out"));
    hall.void("Olga", 1).unwrap();
    assert_eq!(hall.challenge("Bob", "Cleo"), Ok(()));
}

#[test]
fn who_is_out_is_in_no_duel_any_more() {
    let mut hall = hall(1, &["Ann", "Bob", "Cleo"]);
    hall.challenge("Bob", "Cleo").unwrap();
    hall.beats("Ann", "Bob");
    assert_eq!(hall.state(1), DuelState::Void(VoidReason::NoTokens));
    assert_eq!(hall.champions(), ["Ann"]);
}

#[test]
fn a_correction_can_put_out_who_is_in_a_duel() {
    let mut hall = hall(1, &["Ann", "Bob", "Cleo", "Dora"]);
    hall.beats("Ann", "Bob");
    hall.beats("Cleo", "Ann");
    hall.challenge("Ann", "Dora").unwrap();
    hall.accept("Dora").unwrap();
    hall.void("Olga", 1).unwrap();
    assert_eq!(hall.tokens(), [0, 1, 2, 1]);
    assert_eq!(hall.state(3), DuelState::Void(VoidReason::NoTokens));
}

// --- games that are played inside -----------------------------------------------------

fn ready() -> Hall {
    let mut hall = accepted();
    hall.choose_for_both();
    hall
}

impl Hall {
    fn begin(&mut self, commitment: &str) -> Done {
        let actor = self.actor("Ann");
        Hall::done(begin_game(&mut self.0, &actor, DuelId(1), commitment, now()))
    }

    fn finish(&mut self, commitment: &str, ending: GameEnding) -> CountStatus {
        finish_game(&mut self.0, DuelId(1), commitment, ending, format!("game {commitment}"), now()).unwrap()
    }
}

#[test]
fn a_game_begins_when_both_have_chosen_and_one_of_them_or_the_organiser_begins_it() {
    let mut hall = accepted();
    assert_eq!(hall.begin("a"), refused_with("duel 1 cannot be played: both have to choose"));
    let mut hall = ready();
    hall.join("Cleo").unwrap();
    let cleo = hall.actor("Cleo");
    let begun = begin_game(&mut hall.0, &cleo, DuelId(1), "a", now());
    assert_eq!(Hall::done(begun), refused_with("Cleo is not in duel 1"));
    assert_eq!(hall.begin("a"), Ok(()));
}

#[test]
fn a_result_and_its_recording_come_together() {
    let mut hall = ready();
    hall.begin("a").unwrap();
    assert_eq!(hall.finish("a", GameEnding::Won(1)), CountStatus::Yes);
    assert_eq!((hall.state(1), hall.tokens()), (DuelState::Finished { winner: 1 }, vec![4, 6]));
    assert_eq!(hall.0.recordings, [(DuelId(1), "game a".to_string())]);
}

#[test]
fn a_game_without_a_winner_makes_the_duel_void() {
    for reason in [VoidReason::Tie, VoidReason::CalledOff, VoidReason::Fault] {
        let mut hall = ready();
        hall.begin("a").unwrap();
        assert_eq!(hall.finish("a", GameEnding::Void(reason)), CountStatus::Yes);
        assert_eq!((hall.state(1), hall.tokens()), (DuelState::Void(reason), vec![5, 5]));
        assert_eq!(hall.0.recordings.len(), 1);
    }
}

#[test]
fn a_game_that_was_left_can_be_begun_anew_and_only_the_last_counts() {
    let mut hall = ready();
    hall.begin("a").unwrap();
    hall.begin("b").unwrap();
    assert_eq!(hall.finish("a", GameEnding::Won(0)), CountStatus::BegunAnew);
    assert_eq!((hall.tokens(), hall.0.recordings.len()), (vec![5, 5], 0));
    assert_eq!(hall.finish("b", GameEnding::Won(1)), CountStatus::Yes);
    assert_eq!(hall.tokens(), [4, 6]);
}

#[test]
fn a_game_that_ends_after_the_duel_does_not_count() {
    let mut hall = ready();
    hall.begin("a").unwrap();
    hall.wins("Ann").unwrap();
    assert_eq!(hall.finish("a", GameEnding::Won(1)), CountStatus::TooLate);
    assert_eq!(hall.tokens(), [6, 4]);
    assert_eq!(hall.last_deed(), &Event::NotCounted);
}

// --- the end -----------------------------------------------------------------------

#[test]
fn a_result_counts_until_the_deadline_and_not_at_it() {
    let mut hall = accepted();
    apply_deadline(&mut hall.0, "2030-05-01T10:59:59Z".parse().unwrap());
    assert_eq!(hall.0.over_reason(), None);
    apply_deadline(&mut hall.0, time("11:00"));
    assert_eq!(hall.0.over_reason(), Some(OverReason::TimeUp));
    assert_eq!(hall.state(1), DuelState::Void(VoidReason::TimeUp));
    assert_eq!(hall.wins("Ann"), refused_with("time is up"));
    let before = hall.0.clone();
    apply_deadline(&mut hall.0, time("12:00"));
    assert_eq!(hall.0, before, "it is applied once");
}

#[test]
fn once_time_is_up_a_clock_that_is_put_back_changes_nothing() {
    let mut hall = accepted();
    apply_deadline(&mut hall.0, time("11:00"));
    assert_eq!(hall.challenge("Ann", "Bob"), refused_with("time is up"));
}

#[test]
fn everything_stops_when_the_tournament_is_over() {
    let mut hall = ready();
    let olga = hall.actor("Olga");
    close_tournament(&mut hall.0, &olga, now()).unwrap();
    let closed = refused_with("the tournament is closed");
    let stopped = [
        hall.join("Cleo"),
        hall.leave("Ann"),
        hall.challenge("Ann", "Bob"),
        hall.accept("Bob"),
        hall.refuse("Bob"),
        hall.withdraw("Ann"),
        hall.choose("Ann", "otter"),
        hall.agree("Ann"),
        hall.begin("a"),
        hall.wins("Ann"),
        hall.void("Olga", 1),
        Hall::done(move_deadline(&mut hall.0, &olga, time("11:30"), now())),
    ];
    assert!(stopped.iter().all(|stopped| *stopped == closed), "{stopped:?}");
    assert_eq!(Hall::done(close_tournament(&mut hall.0, &olga, now())), refused_with("the tournament is closed already"));
}

#[test]
fn results_can_be_corrected_after_time_is_up_until_the_organiser_closes() {
    let mut hall = ready();
    hall.wins("Ann").unwrap();
    apply_deadline(&mut hall.0, time("11:00"));
    assert_eq!(hall.void("Olga", 1), Ok(()));
    assert_eq!(hall.champions(), ["Ann", "Bob"]);
}

#[test]
fn a_correction_of_the_last_result_lets_the_tournament_go_on() {
    let mut hall = hall(1, &["Ann", "Bob"]);
    hall.beats("Ann", "Bob");
    assert_eq!(hall.0.over_reason(), Some(OverReason::AllTokens));
    hall.void("Olga", 1).unwrap();
    assert_eq!(hall.0.over_reason(), None);
}

#[test]
fn the_deadline_moves_while_it_is_ahead() {
    let mut hall = accepted();
    let (ann, olga) = (hall.actor("Ann"), hall.actor("Olga"));
    assert!(move_deadline(&mut hall.0, &ann, time("12:00"), now()).is_err());
    assert!(move_deadline(&mut hall.0, &olga, time("10:30"), now()).is_err());
    move_deadline(&mut hall.0, &olga, time("12:00"), now()).unwrap();
    apply_deadline(&mut hall.0, time("11:30"));
    assert_eq!(hall.0.over_reason(), None);
    apply_deadline(&mut hall.0, time("12:00"));
    assert_eq!(hall.0.over_reason(), Some(OverReason::TimeUp));
    assert!(move_deadline(&mut hall.0, &olga, time("13:00"), time("12:00")).is_err());
}

#[test]
fn an_organiser_may_play_too() {
    let mut hall = hall(5, &["Olga", "Bob"]);
    hall.challenge("Olga", "Bob").unwrap();
    hall.accept("Bob").unwrap();
    hall.choose("Olga", "otter").unwrap();
    hall.choose("Bob", "newt").unwrap();
    hall.wins("Bob").unwrap();
    assert_eq!(hall.void("olga", 1), Ok(()));
}

// --- anything at all -------------------------------------------------------------------

mod anything {
    use super::*;
    use proptest::prelude::*;

    /// One operation of somebody, which the rules may refuse.
    fn attempt(hall: &mut Hall, (event, who, whom, number): (u8, usize, usize, i64)) {
        let names = ["Ann", "Bob", "Cleo", "Dora"];
        let (who, whom) = (names[who], names[whom]);
        let actor = hall.actor(who);
        let duel = Some(DuelId(number));
        let now = now();
        let _ = match event {
            0 => hall.leave(who),
            1 => hall.join(who),
            2 | 3 => hall.challenge(who, whom),
            4 | 5 => Hall::done(accept_challenge(&mut hall.0, &actor, duel, now)),
            6 => Hall::done(refuse_challenge(&mut hall.0, &actor, duel, now)),
            7 => Hall::done(withdraw_challenge(&mut hall.0, &actor, duel, now)),
            8 => hall.choose(who, if number % 2 == 0 { "otter" } else { "newt" }),
            9 => hall.agree(who),
            10 => hall.report_as(who, number, ReportedResult::Winner(whom.to_string())),
            11 => hall.report_as(who, number, ReportedResult::Tie),
            12 => hall.void("Olga", number),
            _ => hall.wins(whom),
        };
    }

    proptest! {
        #[test]
        fn tokens_are_conserved_and_duels_are_whole(
            deeds in prop::collection::vec((0u8..16, 0usize..4, 0usize..4, 1i64..12), 0..120),
        ) {
            let mut hall = hall(2, &["Ann", "Bob", "Cleo", "Dora"]);
            for event in deeds {
                attempt(&mut hall, event);
                let tokens = hall.tokens();
                prop_assert_eq!(tokens.iter().sum::<i64>(), 8);
                prop_assert!(tokens.iter().all(|&tokens| tokens >= 0));
                for (&id, player) in &hall.0.players {
                    let open: Vec<&Duel> = hall.0.duels.values().filter(|duel| duel.is_open() && duel.side_of(id).is_some()).collect();
                    prop_assert!(open.iter().filter(|duel| duel.state == DuelState::Accepted).count() <= 1);
                    prop_assert!(open.is_empty() || player.left.is_none() && hall.0.tokens_of(id) > 0);
                }
                prop_assert!(hall.0.duels.values().all(|duel| duel.is_open() == duel.ended.is_none()));
            }
        }
    }
}
