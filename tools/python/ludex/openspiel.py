"""OpenSpiel: games with explicit chance, for its solvers and its exploitability.

`register(game)` makes a game of OpenSpiel out of a package. Chance is asked draw by draw. A shuffled card is drawn when it is looked at: the
one on top of n cards is a chance node with n outcomes, and cards that nobody comes to see are none. The information state of a seat is all
that it has seen and done, in order.
Picks that are made at once are asked in turn, and none is seen until all are made. What walks the whole tree wants a small package;
what samples plays any.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

import pyspiel

from ludex._engine import EncodedSession, Game
from ludex.errors import Error, Problem

__all__ = ["LudexGame", "LudexState", "make", "register"]

#: No chance node lists more outcomes.
MOST_RESULTS = 1000


def refuse(message: str, help: str) -> Error:
    return Error([Problem("", "error", message, None, help)])


def make(
    game: Game,
    *,
    sides: Optional[Sequence[Sequence[str]]] = None,
    most_length: int = 1000,
    payoffs: Tuple[float, float] = (-1.0, 1.0),
    name: Optional[str] = None,
) -> "LudexGame":
    """A game of OpenSpiel. `payoffs` are the least and the most that an end is worth to anybody."""
    start = game.play(sides=sides and [list(side) for side in sides], dice="external", remembers=True)
    if start.seats > game.sides[1]:
        raise refuse(f"`{game.id}` has a referee, who wins and loses nothing", "choose a game without a referee")
    _check_request(game.id, start)
    return LudexGame(game, start, most_length, payoffs, name or f"ludex_{game.id.replace('-', '_')}")


def register(game: Game, **settings: Any) -> str:
    """Registers a game, so that `pyspiel.load_game(name)` finds it; gives the name. The settings are those of `make`."""
    made = make(game, **settings)

    def found(params: Any) -> LudexGame:
        return made

    # OpenSpiel lets go of it when Python is gone already, and must not be the last to do so.
    found.itself = found  # type: ignore[attr-defined]
    pyspiel.register_game(made.get_type(), found)
    return made.get_type().short_name


def _check_request(game: str, session: EncodedSession) -> None:
    results = len(session.chance())
    if results > MOST_RESULTS:
        raise refuse(
            f"`{game}` asks chance for one of {results:,} results, which are too many to list",
            f"at most {MOST_RESULTS:,} results may come of one draw",
        )


class LudexGame(pyspiel.Game):
    """A package as a game of OpenSpiel."""

    def __init__(
        self, game: Game, start: EncodedSession, most_length: int, payoffs: Tuple[float, float], name: str
    ) -> None:
        self.package = game
        self.start = start
        kind = pyspiel.GameType(
            short_name=name,
            long_name=game.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM if start.seats == 2 else pyspiel.GameType.Utility.GENERAL_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=start.seats,
            min_num_players=start.seats,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={},
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=start.encoding.actions,
            max_chance_outcomes=MOST_RESULTS,
            num_players=start.seats,
            min_utility=payoffs[0],
            max_utility=payoffs[1],
            utility_sum=0.0 if start.seats == 2 else None,
            max_game_length=most_length,
        )
        super().__init__(kind, info, {})

    def new_initial_state(self) -> "LudexState":
        return LudexState(self, self.start.clone())

    def make_py_observer(self, iig_obs_type: Any = None, params: Optional[Dict[str, Any]] = None) -> "Observer":
        return Observer(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), self)


class LudexState(pyspiel.State):
    """A history of a game."""

    def __init__(self, game: LudexGame, session: EncodedSession) -> None:
        super().__init__(game)
        # OpenSpiel copies what is kept here with each state.
        self._package = game.package.id
        self.session = session
        self._building: List[int] = []

    def current_player(self) -> int:
        if self.session.is_over:
            return pyspiel.PlayerId.TERMINAL
        seat = self.session.seat
        return pyspiel.PlayerId.CHANCE if seat is None else seat

    def _legal_actions(self, player: int) -> List[int]:
        return self.session.legal() if player == self.session.seat else []

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        results = self.session.chance()
        found: Dict[int, int] = {}
        for result in results:
            found[result] = found.get(result, 0) + 1
        return [(result, times / len(results)) for result, times in sorted(found.items())]

    def _apply_action(self, action: int) -> None:
        if self.session.seat is None:
            self.session.draw(action)
        else:
            self.session.play(action)
            self._building = [] if self.session.is_fresh else [*self._building, action]
        _check_request(self._package, self.session)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        return self.session.encoding.action_name(action) or str(action)

    def is_terminal(self) -> bool:
        return self.session.is_over

    def returns(self) -> List[float]:
        return self.session.returns()

    def information_state_string(self, player: Optional[int] = None) -> str:
        """All that a seat has seen and done, in order; and what it has chosen of the answer that it is about to give."""
        player = self.current_player() if player is None else player
        text = f"seat {player}\n{self.session.recall(player)}"
        if player == self.session.seat:
            names = ", ".join(self._action_to_string(player, action) for action in self._building)
            text += f"asked: {names}"
        return text

    def observation_string(self, player: Optional[int] = None) -> str:
        player = self.current_player() if player is None else player
        return repr(self.session.view(player))

    def observation_tensor(self, player: Optional[int] = None) -> List[float]:
        player = self.current_player() if player is None else player
        return self.session.observe(player).tolist()

    def __str__(self) -> str:
        return " ".join(str(action) for action in self.history())


class Observer:
    """What OpenSpiel asks for where it wants tensors."""

    def __init__(self, iig_obs_type: Any, game: LudexGame) -> None:
        import numpy as np

        self._recalls = iig_obs_type.perfect_recall
        self.tensor = np.zeros(0 if self._recalls else game.start.encoding.width, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: LudexState, player: int) -> None:
        if not self._recalls:
            self.tensor[:] = state.session.observe(player)

    def string_from(self, state: LudexState, player: int) -> str:
        return state.information_state_string(player) if self._recalls else state.observation_string(player)
