"""PettingZoo and Gymnasium."""

import ludex
import numpy as np
import pytest
from conftest import CLASSICS
from gymnasium.utils.env_checker import check_env
from ludex.gymnasium import LudexEnv
from ludex.pettingzoo import env
from pettingzoo.test import api_test, seed_test

GAMES = [*ludex.games(), "pig", "liars-dice", "kuhn-poker"]


def loaded(name):
    return ludex.load(name, library=None if name in ludex.games() else CLASSICS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_accepts_the_environment(name):
    game = loaded(name)
    api_test(env(game), num_cycles=200)
    seed_test(lambda: env(game), num_cycles=50)


def test_gymnasium_accepts_the_environment(pig):
    class Masked(LudexEnv):
        """The checker knows no masks, and chooses anything."""

        def step(self, action):
            legal = np.flatnonzero(self.action_masks())
            return super().step(legal[action % len(legal)])

    check_env(Masked(pig), skip_render_check=True)


@pytest.mark.parametrize("bot", ["random", "policy=careful"])
def test_a_seat_plays_against_a_bot(pig, bot):
    game = LudexEnv(pig, seat=1, bot=bot)
    _, info = game.reset(seed=1)
    over, reward = False, 0.0
    while not over:
        _, reward, over, _, info = game.step(np.flatnonzero(info["action_mask"])[-1])
    assert reward in (-1.0, 1.0)
