"""PettingZoo: an environment in which agents act in turn (AEC), with `action_mask`."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from ludex._engine import Game

__all__ = ["LudexEnv", "env"]


def env(game: Game, **settings: Any) -> "LudexEnv":
    """An environment of a game; the settings are those of `LudexEnv`."""
    return LudexEnv(game, **settings)


class LudexEnv(AECEnv):
    """A game. `seat_0` and so on are its agents; the referee, if there is one, is the last of them.

    An observation is `{"observation": …, "action_mask": …}`. Rewards are what the end of the game is worth to each seat.
    """

    def __init__(
        self,
        game: Game,
        *,
        sides: Optional[Sequence[Sequence[str]]] = None,
        render_mode: Optional[str] = None,
        most_steps: int = 100_000,
    ) -> None:
        super().__init__()
        self.metadata = {"name": game.id.replace("-", "_"), "is_parallelizable": False, "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.game = game
        self._session = game.play(sides=sides and [list(side) for side in sides])
        self.encoding = self._session.encoding
        self._most_steps = most_steps
        self._seed = 1
        self.possible_agents = [f"seat_{seat}" for seat in range(self.encoding.seats)]
        self.agents: List[str] = []
        observation = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(-np.inf, np.inf, (self.encoding.width,), np.float32),
                "action_mask": gymnasium.spaces.Box(0, 1, (self.encoding.actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: observation for agent in self.possible_agents}
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(self.encoding.actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> gymnasium.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        # Without a seed the next game begins, as everywhere in PettingZoo.
        self._seed = self._seed + 1 if seed is None else seed
        self._session.restart(self._seed)
        self._steps = 0
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Dict[str, np.ndarray]:
        seat = self.possible_agents.index(agent)
        return {"observation": self._session.observe(seat), "action_mask": self._session.mask(seat)}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._session.play(int(action))
        self._steps += 1
        self._clear_rewards()
        if self._session.is_over:
            self.rewards = dict(zip(self.possible_agents, self._session.returns()))
            self.terminations = {agent: True for agent in self.agents}
        elif self._steps >= self._most_steps:
            self.truncations = {agent: True for agent in self.agents}
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        seat = self._session.seat
        # When play is over everybody is told in turn.
        self.agent_selection = self.possible_agents[0 if seat is None else seat]
        if self._session.is_over:
            self.terminations = {agent: True for agent in self.agents}

    def render(self) -> Optional[str]:
        if self.render_mode != "ansi":
            gymnasium.logger.warn("LudexEnv draws only with render_mode='ansi'.")
            return None
        return repr(self._session.view(self.possible_agents.index(self.agent_selection)))

    def close(self) -> None:
        pass
