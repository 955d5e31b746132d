import os
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, TypedDict, Union

import numpy as np
import numpy.typing as npt

__version__: str

Answer = Union[int, str, Sequence[int]]
Path = Union[str, "os.PathLike[str]"]

class Option(TypedDict, total=False):
    """One option of a decision."""

    id: int
    key: str
    action: str
    args: Dict[str, Any]
    text: str
    ability: str

class _Decision(TypedDict):
    id: int
    seat: int
    prompt: str
    form: Literal["one", "some", "number", "order", "split"]
    count: int
    may_pass: bool
    options: List[Option]

class Decision(_Decision, total=False):
    """A question to a seat."""

    min: int
    max: int
    total: int
    step: int
    group: int

class Draw(TypedDict):
    piece: Optional[int]
    size: int
    faces: Optional[List[int]]

class RandomRequest(TypedDict):
    """Results of chance that are wanted."""

    id: int
    kind: Literal["roll", "shuffle", "pick"]
    draws: List[Draw]
    reason: str

class _Outcome(TypedDict):
    result: Literal["win", "tie", "abandoned", "capped"]
    winners: List[int]
    scores: Dict[str, Any]

class Outcome(_Outcome, total=False):
    """How a game ended. `text`, what the rules say about it, is there if the session is watched."""

    payoffs: List[float]
    text: str

class Odds(TypedDict):
    """How likely each value of an expression is; shares are fractions, such as `5/12`.

    `work` is there if the odds are exact, `samples` if they were rolled. What was left out of exact odds is less likely
    than `cut`, such as `1e-78`. If the search was stopped, each value has bounds, `low` and `high`, and there is no mean.
    """

    exact: bool
    work: Optional[int]
    cut: Optional[str]
    samples: Optional[int]
    stopped: Optional[Literal["time", "memory", "interrupted"]]
    values: List[Dict[str, Any]]
    mean: Optional[str]
    variance: Optional[str]
    deviation: Optional[float]

class Simulation(TypedDict):
    """What came of many games."""

    games: int
    wins: List[int]
    ties: int
    nobody: int
    answers: float
    payoffs: List[float]
    faults: List[Dict[str, Any]]

class Game:
    """A game, compiled in one mode and with one value for each option."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def mode(self) -> str: ...
    @property
    def modes(self) -> List[str]: ...
    @property
    def options(self) -> Dict[str, Union[int, str]]: ...
    @property
    def hash(self) -> str: ...
    @property
    def sides(self) -> Tuple[int, int]: ...
    @property
    def entrants(self) -> List[str]: ...
    @property
    def policies(self) -> List[str]: ...
    @property
    def warnings(self) -> List[Dict[str, Any]]: ...
    def start(
        self,
        *,
        sides: Optional[List[List[str]]] = None,
        seed: int = 1,
        dice: Literal["seeded", "external"] = "seeded",
        watched: bool = True,
    ) -> Session: ...
    def sim(
        self,
        games: int = 1000,
        *,
        seed: int = 1,
        sides: Optional[List[List[str]]] = None,
        players: Sequence[str] = (),
    ) -> Simulation: ...
    def odds(
        self,
        expression: str,
        *,
        sides: Sequence[Sequence[str]] = (),
        limit: int = 20_000_000,
        samples: int = 100_000,
        seed: int = 1,
        time: Optional[float] = None,
        memory: Optional[int] = None,
    ) -> Odds: ...
    def encoding(self, *, sides: Optional[List[List[str]]] = None) -> Encoding: ...
    def play(
        self,
        *,
        sides: Optional[List[List[str]]] = None,
        seed: int = 1,
        dice: Literal["seeded", "external"] = "seeded",
        remembers: bool = False,
    ) -> EncodedSession: ...
    def vector(self, count: int, *, sides: Optional[List[List[str]]] = None, seed: int = 1) -> Vector: ...

class Session:
    """A game in progress, as whoever runs the table has it."""

    @property
    def seats(self) -> int: ...
    def pending(self) -> List[Decision]: ...
    def random(self) -> Optional[RandomRequest]: ...
    def outcome(self) -> Optional[Outcome]: ...
    def choose(self, answer: Answer, decision: Optional[int] = None) -> None: ...
    def supply(self, results: Sequence[int]) -> None: ...
    def view(self, seat: Optional[int] = None) -> Dict[str, Any]: ...
    def events(self, seat: Optional[int] = None, since: int = 0) -> List[Dict[str, Any]]: ...
    def imagine(self, seat: int, seed: int = 0) -> Session: ...
    def clone(self) -> Session: ...
    def undo(self, count: int = 1) -> None: ...
    def resign(self, seat: int) -> None: ...
    def standings(self) -> Optional[List[Optional[int]]]: ...
    def key(self, answer: Answer, decision: Optional[int] = None) -> Optional[str]: ...
    def seat(self, seat: int) -> Seat: ...

class Seat:
    """A session as one seat may see it, to hand to a bot."""

    @property
    def number(self) -> int: ...
    def pending(self) -> List[Decision]: ...
    def view(self) -> Dict[str, Any]: ...
    def events(self, since: int = 0) -> List[Dict[str, Any]]: ...
    def outcome(self) -> Optional[Outcome]: ...
    def choose(self, answer: Answer, decision: Optional[int] = None) -> None: ...
    def imagine(self, seed: int = 0) -> Session: ...

class Encoding:
    """How games between some sides are told in numbers."""

    @property
    def actions(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def feature_width(self) -> int: ...
    @property
    def most_legal(self) -> int: ...
    @property
    def seats(self) -> int: ...
    def action_name(self, action: int) -> Optional[str]: ...
    def table(self) -> str: ...

class EncodedSession:
    """A game that is played by numbered actions."""

    @property
    def seat(self) -> Optional[int]: ...
    @property
    def seats(self) -> int: ...
    @property
    def encoding(self) -> Encoding: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def is_fresh(self) -> bool: ...
    def legal(self) -> List[int]: ...
    def play(self, action: int) -> None: ...
    def play_bot(self, bot: str, seed: int) -> None: ...
    def chance(self) -> List[int]: ...
    def chance_left(self) -> int: ...
    def draw(self, result: int) -> None: ...
    def request_told(self) -> Optional[RandomRequest]: ...
    def recall(self, seat: int) -> str: ...
    def observe(self, seat: int) -> npt.NDArray[np.float32]: ...
    def mask(self, seat: Optional[int] = None) -> npt.NDArray[np.int8]: ...
    def features(self) -> npt.NDArray[np.float32]: ...
    def returns(self) -> List[float]: ...
    def outcome(self) -> Optional[Outcome]: ...
    def view(self, seat: int) -> Dict[str, Any]: ...
    def restart(self, seed: int) -> None: ...
    def imagine(self, seat: int, seed: int = 0) -> EncodedSession: ...
    def clone(self) -> EncodedSession: ...

class Vector:
    """Many games at once; `ludex.vector.VectorEnv` has the arrays for it."""

    @property
    def encoding(self) -> Encoding: ...
    @property
    def count(self) -> int: ...
    @property
    def finished(self) -> int: ...
    def faults(self) -> List[Dict[str, Any]]: ...
    def restart(self, seed: int) -> None: ...
    def step(
        self,
        actions: npt.NDArray[np.int64],
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.uint8],
        seats: npt.NDArray[np.int32],
        rewards: npt.NDArray[np.float32],
        done: npt.NDArray[np.uint8],
        features: Optional[npt.NDArray[np.float32]] = None,
        counts: Optional[npt.NDArray[np.int32]] = None,
    ) -> None: ...
    def look(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.uint8],
        seats: npt.NDArray[np.int32],
        features: Optional[npt.NDArray[np.float32]] = None,
        counts: Optional[npt.NDArray[np.int32]] = None,
    ) -> None: ...

def load(
    game: str,
    *,
    library: Sequence[Path] = (),
    mode: Optional[str] = None,
    options: Mapping[str, Union[int, str]] = ...,
) -> Game: ...
def games(*, library: Sequence[Path] = ()) -> List[str]: ...
def check(game: Optional[str] = None, *, library: Sequence[Path] = ()) -> List[Dict[str, Any]]: ...
