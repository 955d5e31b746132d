"""Ludex from Python: games that are data, sessions of them, and environments for those who learn to play."""

from __future__ import annotations

import os
from typing import Any, List, Mapping, Optional, Sequence, Union

from ludex import _engine
from ludex._engine import EncodedSession, Encoding, Game, Seat, Session, __version__
from ludex.errors import Error, Place, Problem

__all__ = [
    "EncodedSession",
    "Encoding",
    "Error",
    "Game",
    "Place",
    "Problem",
    "Seat",
    "Session",
    "check",
    "encoding",
    "games",
    "load",
    "__version__",
]

Path = Union[str, "os.PathLike[str]"]


def _folders(library: Union[None, Path, Sequence[Path]]) -> List[Path]:
    if library is None:
        return []
    if isinstance(library, (str, os.PathLike)):
        return [library]
    return list(library)


def load(
    game: str,
    library: Union[None, Path, Sequence[Path]] = None,
    mode: Optional[str] = None,
    options: Optional[Mapping[str, Union[int, str]]] = None,
) -> Game:
    """Loads and compiles a game: a bundled one, one of `LUDEX_LIBRARY`, or one of `library`: folders
    and packed libraries, which are read in memory."""
    return _engine.load(game, library=_folders(library), mode=mode, options=dict(options or {}))


def games(library: Union[None, Path, Sequence[Path]] = None) -> List[str]:
    """The ids of all games."""
    return _engine.games(library=_folders(library))


def check(game: Optional[str] = None, library: Union[None, Path, Sequence[Path]] = None) -> List[Problem]:
    """What is wrong with a game in each of its modes, or with all games: errors and warnings."""
    told: List[Any] = _engine.check(game, library=_folders(library))
    return [Problem.of(problem) for problem in told]


def encoding(game: Game, sides: Optional[Sequence[Sequence[str]]] = None) -> Encoding:
    """How games between some sides are told in numbers. Printed, it is a table of all actions and all numbers."""
    return game.encoding(sides=None if sides is None else [list(side) for side in sides])
