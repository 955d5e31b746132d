"""Many games at once, for learners: all are stepped in Rust, without Python's lock, and write into NumPy arrays."""

from __future__ import annotations

from typing import List, Optional, Sequence

import numpy as np

from ludex._engine import Encoding, Game
from ludex.errors import Problem

__all__ = ["VectorEnv"]


class VectorEnv:
    """`count` games of one program. Each begins again by itself when it is over.

    The arrays are always the same, and each step overwrites them:

    - `observations` (count, encoding.width): what the seat that is to choose sees
    - `masks` (count, encoding.actions): 1 for each action that it may choose
    - `seats` (count): which seat that is
    - `rewards` (count, encoding.seats): what the end of a game is worth to each seat, in the step that ends it
    - `done` (count): 1 if a game has ended in this step, 2 if something went wrong in its rules
    - with `features=True`, `features` (count, encoding.most_legal, encoding.feature_width): a row of numbers for each legal
      action, and `counts` (count): how many of the rows count
    """

    def __init__(
        self,
        game: Game,
        count: int,
        *,
        sides: Optional[Sequence[Sequence[str]]] = None,
        seed: int = 1,
        features: bool = False,
    ) -> None:
        self._games = game.vector(count, sides=sides and [list(side) for side in sides], seed=seed)
        self.encoding: Encoding = self._games.encoding
        width, actions, seats = self.encoding.width, self.encoding.actions, self.encoding.seats
        self.count = count
        self.observations = np.zeros((count, width), np.float32)
        self.masks = np.zeros((count, actions), np.uint8)
        self.seats = np.zeros(count, np.int32)
        self.rewards = np.zeros((count, seats), np.float32)
        self.done = np.zeros(count, np.uint8)
        self.features: Optional[np.ndarray] = None
        self.counts: Optional[np.ndarray] = None
        if features:
            shape = (count, self.encoding.most_legal, self.encoding.feature_width)
            self.features = np.zeros(shape, np.float32)
            self.counts = np.zeros(count, np.int32)
        self._look()

    def reset(self, seed: int = 1) -> None:
        """Begins all games again."""
        self._games.restart(seed)
        self.rewards.fill(0)
        self.done.fill(0)
        self._look()

    def step(self, actions: np.ndarray) -> None:
        """Chooses an action in each game; the arrays tell what came of it. An illegal action changes nothing in any game, nor does
        an array of the wrong shape."""
        actions = np.ascontiguousarray(actions, np.int64)
        self._games.step(
            actions, self.observations, self.masks, self.seats, self.rewards, self.done, self.features, self.counts
        )

    def random_actions(self, random: np.random.Generator) -> np.ndarray:
        """A legal action for each game, each as likely as the others."""
        return np.argmax(random.random(self.masks.shape, np.float32) * self.masks, axis=1)

    @property
    def finished(self) -> int:
        """How many games have come to their end."""
        return self._games.finished

    def faults(self) -> List[Problem]:
        """What went wrong in rules since the last call."""
        return [Problem.of(problem) for problem in self._games.faults()]

    def _look(self) -> None:
        self._games.look(self.observations, self.masks, self.seats, self.features, self.counts)
