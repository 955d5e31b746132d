"""Actions, masks and observations."""

import ludex
import numpy as np
import pytest
from conftest import CLASSICS
from ludex.vector import VectorEnv

#: Learners have an output for each action.
MOST_ACTIONS = 5000
ALL = ludex.games(library=CLASSICS)


def loaded(name):
    return ludex.load(name, library=None if name in ludex.games() else CLASSICS)


def test_no_game_has_too_many_actions_in_any_of_its_modes(capsys):
    rows = []
    for name in ALL:
        for mode in [None, *loaded(name).modes]:
            game = ludex.load(name, library=CLASSICS, mode=mode)
            encoding = ludex.encoding(game)
            rows.append((name, mode or "", encoding.actions, encoding.width))
    with capsys.disabled():
        print("\n" + "\n".join(f"{name:20} {mode:16} {actions:6} actions {width:7} numbers" for name, mode, actions, width in rows))
    assert len(ALL) > 12 and max(actions for _, _, actions, _ in rows) < MOST_ACTIONS


@pytest.mark.parametrize("name", ALL)
def test_games_are_played_by_legal_actions(name):
    env = VectorEnv(loaded(name), 8, seed=4, features=True)
    assert env.encoding.actions < MOST_ACTIONS
    random = np.random.default_rng(1)
    for _ in range(300):
        assert env.masks.any(axis=1).all()
        assert np.isfinite(env.observations).all()
        legal = np.minimum(env.masks.sum(axis=1), env.encoding.most_legal)
        assert (env.counts == legal).all()
        first = np.argmax(env.masks, axis=1)
        assert (env.features[:, 0, 0] == first).all()
        env.step(env.random_actions(random))
    assert env.faults() == []


def test_the_encoding_is_the_same_each_time():
    tables = {ludex.encoding(loaded("dice-challenge")).table() for _ in range(2)}
    assert len(tables) == 1


def test_the_table_tells_actions_and_numbers(liars):
    table = ludex.encoding(liars).table()
    assert "bid(1, 1), bid(1, 2), … bid(10, 6)" in table
    assert "the table: quantity" in table


def test_a_whole_move_is_one_action(liars):
    session = liars.play(seed=1)
    names = [session.encoding.action_name(action) for action in session.legal()]
    assert len(names) == 60 and names[0] == "bid(1, 1)"
    session.play(session.legal()[7])
    assert session.seat == 1
    assert session.view(1)["table"]["counters"] == {"quantity": 2, "face": 2}


def test_the_mask_allows_what_may_be_chosen(pig):
    session = pig.play(seed=2)
    assert [session.encoding.action_name(action) for action in np.flatnonzero(session.mask())] == ["again", "hold"]
    assert session.mask(1 - session.seat).sum() == 0
    with pytest.raises(ludex.Error) as error:
        session.play(0)
    assert error.value.code == "LX0901"


def test_an_illegal_action_changes_no_game(pig):
    env = VectorEnv(pig, 3)
    before = env.observations.copy()
    actions = np.argmax(env.masks, axis=1)
    actions[1] = 0
    with pytest.raises(ludex.Error, match="game 1"):
        env.step(actions)
    assert (env.observations == before).all()


def test_arrays_of_another_shape_are_refused(pig):
    env, other = VectorEnv(pig, 3), VectorEnv(pig, 3)
    actions, right = np.argmax(env.masks, axis=1), env.observations
    env.observations = np.zeros((3, 2), np.float32)
    with pytest.raises(ValueError, match="observations"):
        env.step(actions)
    # And no game has gone on.
    env.observations = right
    env.step(actions)
    other.step(actions)
    assert (env.observations == other.observations).all()


def test_rewards_come_with_the_end(pig):
    env = VectorEnv(pig, 16, seed=3)
    random = np.random.default_rng(1)
    ended = 0
    for _ in range(400):
        env.step(env.random_actions(random))
        over = env.done == 1
        ended += over.sum()
        assert (env.rewards[over].sum(axis=1) == 0).all() and (np.abs(env.rewards[over]) == 1).all()
        assert (env.rewards[~over] == 0).all()
    assert ended == env.finished > 0


def test_seeds_decide_games(pig):
    one, other = VectorEnv(pig, 4, seed=5), VectorEnv(pig, 4, seed=5)
    for _ in range(50):
        actions = one.random_actions(np.random.default_rng(7))
        one.step(actions)
        other.step(actions)
        assert (one.observations == other.observations).all()
    assert (VectorEnv(pig, 4, seed=6).observations != VectorEnv(pig, 4, seed=5).observations).any()


@pytest.mark.parametrize("name", ["liars-dice", "kuhn-poker", "love-letter", "hearts", "sailor-moon-ccg"])
def test_what_a_seat_cannot_see_is_in_none_of_its_numbers(name):
    """Worlds that agree with what a seat has seen look the same to it, and differ for others."""
    game = loaded(name)
    random = np.random.default_rng(2)
    differed = False
    for seed in range(3):
        session = game.play(seed=seed)
        for _ in range(40):
            if session.is_over:
                break
            seat = session.seat
            for world in [] if not session.is_fresh else [session.imagine(seat, 1), session.imagine(seat, 2)]:
                assert (world.observe(seat) == session.observe(seat)).all()
                assert (world.mask(seat) == session.mask(seat)).all()
                other = (seat + 1) % session.seats
                differed |= bool((world.observe(other) != session.observe(other)).any())
            session.play(int(random.choice(session.legal())))
    assert differed
