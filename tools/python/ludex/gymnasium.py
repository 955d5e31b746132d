"""Gymnasium: one seat learns, and bots of the engine answer for the others."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Tuple

import gymnasium
import numpy as np

from ludex._engine import Game

__all__ = ["LudexEnv"]


class LudexEnv(gymnasium.Env):
    """A game as one seat plays it against `bot`: `random`, `greedy`, `auto`, or `policy=NAME` of the rules.

    `info["action_mask"]` has 1 for each legal action. An illegal action raises `ludex.Error`.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: Game,
        *,
        seat: int = 0,
        bot: str = "random",
        sides: Optional[Sequence[Sequence[str]]] = None,
        render_mode: Optional[str] = None,
        most_steps: int = 100_000,
    ) -> None:
        self.game = game
        self.seat = seat
        self.bot = bot
        self.render_mode = render_mode
        self._most_steps = most_steps
        self._session = game.play(sides=sides and [list(side) for side in sides])
        self.encoding = self._session.encoding
        if not 0 <= seat < self.encoding.seats:
            raise ValueError(f"there is no seat {seat}: the seats are 0 to {self.encoding.seats - 1}")
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (self.encoding.width,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(self.encoding.actions)

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[np.ndarray, Dict[str, Any]]:
        super().reset(seed=seed)
        self._steps = 0
        # A game in which the seat is never asked teaches nothing: the next one is played.
        for _ in range(1000):
            self._session.restart(int(self.np_random.integers(1 << 62)))
            self._let_others_answer()
            if not self._session.is_over:
                break
        return self._observation(), self._info()

    def step(self, action: int) -> Tuple[np.ndarray, float, bool, bool, Dict[str, Any]]:
        self._session.play(int(action))
        self._steps += 1
        self._let_others_answer()
        over = self._session.is_over
        reward = float(self._session.returns()[self.seat])
        truncated = not over and self._steps >= self._most_steps
        return self._observation(), reward, over, truncated, self._info()

    def action_masks(self) -> np.ndarray:
        """1 for each legal action, as MaskablePPO of sb3-contrib asks for it."""
        return self._session.mask(self.seat).astype(bool)

    def render(self) -> Optional[str]:
        return repr(self._session.view(self.seat)) if self.render_mode == "ansi" else None

    def _let_others_answer(self) -> None:
        while not self._session.is_over and self._session.seat != self.seat:
            self._session.play_bot(self.bot, int(self.np_random.integers(1 << 62)))

    def _observation(self) -> np.ndarray:
        return self._session.observe(self.seat)

    def _info(self) -> Dict[str, Any]:
        return {"action_mask": self._session.mask(self.seat)}
