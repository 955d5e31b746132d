"""Games, sessions and what goes wrong."""

import ludex
import pytest
from conftest import CLASSICS


def test_a_game_is_played_to_its_end(pig):
    session = pig.start(seed=8)
    while session.outcome() is None:
        session.choose("hold")
    outcome = session.outcome()
    assert outcome["result"] == "win"
    assert outcome["scores"][str(outcome["winners"][0])]["points"] >= 100
    assert session.pending() == []


def test_taking_back_restores_decisions_and_events(pig):
    session = pig.start(seed=8)
    before, events = session.pending(), session.events()
    session.choose(0)
    session.choose("hold")
    assert session.pending() != before
    session.undo(2)
    assert (session.pending(), session.events()) == (before, events)
    with pytest.raises(ludex.Error) as error:
        session.undo()
    assert error.value.code == "LX0917"


def test_a_copy_goes_its_own_way(pig):
    session = pig.start(seed=8)
    copy = session.clone()
    copy.choose("hold")
    assert copy.view() != session.view()
    session.choose("hold")
    assert copy.view() == session.view()


def test_a_seat_sees_its_own_dice_only(liars):
    session = liars.start(seed=3)
    cups = [side["zones"]["cup"] for side in session.view(0)["sides"]]
    assert len(cups[0]) == 5 and cups[1] == {"count": 5}
    seat = session.seat(1)
    assert seat.view() == session.view(1) and seat.pending() == []
    with pytest.raises(ludex.Error):
        seat.choose(0)
    rolled = [event for event in session.events(1) if event["kind"] == "rolled"]
    assert {event["by"] for event in rolled} == {1}


def test_what_is_imagined_agrees_with_what_a_seat_has_seen(liars):
    session = liars.start(seed=3)
    worlds = [session.imagine(0, seed) for seed in range(8)]
    assert all(world.view(0) == session.view(0) for world in worlds)
    assert len({str(world.view(1)) for world in worlds}) > 1


def test_results_of_chance_come_from_outside(pig):
    session = pig.start(dice="external")
    request = session.random()
    assert (request["kind"], [draw["size"] for draw in request["draws"]]) == ("roll", [6])
    with pytest.raises(ludex.Error, match="from 1 to 6"):
        session.supply([7])
    session.supply([4])
    assert session.view()["table"]["counters"]["pot"] == 4


def test_a_mistake_has_code_place_and_help(tmp_path):
    (tmp_path / "night-owl.yaml").write_text(
        "game: dice-challenge\nname: Night Owl\nstarting: [6, 7, 8, 12]\nreserve: [4, 10, 10, 20]\nabilities: [planet-powr]\n"
    )
    with pytest.raises(ludex.Error) as error:
        ludex.load("dice-challenge", library=tmp_path)
    codes = {problem.code for problem in error.value.problems}
    assert "LX0601" in codes
    first = error.value.problems[0]
    assert first.place.line >= 3 and first.help
    assert {problem.code for problem in ludex.check("dice-challenge", library=tmp_path)} >= codes
    assert str(first.place) in str(error.value)


def test_an_unknown_game_or_answer_is_told(pig):
    with pytest.raises(ludex.Error, match="did you mean `pig`"):
        ludex.load("pgi", library=CLASSICS)
    session = pig.start()
    with pytest.raises(ludex.Error) as error:
        session.choose(9)
    assert error.value.code == "LX0901"
    with pytest.raises(ludex.Error, match="there is no seat 2"):
        session.view(2)
    with pytest.raises(ludex.Error, match="greedy"):
        pig.sim(1, players=["clever"])


def test_simulations_are_those_of_the_command(pig):
    """The README shows the same numbers for `ludex sim pig --games 1000`."""
    assert pig.sim(1000)["wins"] == [535, 465]
    assert pig.sim(20, players=["policy=careful", "random"], seed=2)["wins"][0] > 10


def test_odds_are_exact(pig):
    odds = pig.odds("2d6 >= 8")
    assert odds["exact"] and [value["share"] for value in odds["values"]] == ["7/12", "5/12"]
    assert pig.odds("3d6")["mean"] == "21/2"
    assert odds["work"] > 0 and odds["cut"] is None and odds["stopped"] is None


def test_odds_are_rolled_above_the_limit(pig):
    odds = pig.odds("2d6 >= 8", limit=1, samples=500)
    assert not odds["exact"] and odds["samples"] == 500 and sum(value["times"] for value in odds["values"]) == 500


def test_odds_that_are_stopped_have_bounds(pig):
    odds = pig.odds("20d6", time=0)
    assert not odds["exact"] and odds["stopped"] == "time" and odds["mean"] is None
    assert all(value["low"] <= value["high"] for value in odds["values"])
    assert pig.odds("20d6", memory=1)["stopped"] in ("memory", None)


@pytest.mark.parametrize("game", ludex.games())
def test_bundled_games_are_sound(game):
    assert [problem for problem in ludex.check(game) if problem.severity == "error"] == []
