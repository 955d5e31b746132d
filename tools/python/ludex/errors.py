"""What goes wrong: each problem with its code, its place and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence


@dataclass(frozen=True)
class Place:
    """Where something stands: lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Problem:
    """One thing wrong. `ludex explain CODE` tells more of a code."""

    code: str
    severity: str
    message: str
    place: Optional[Place] = None
    help: Optional[str] = None
    labels: Sequence[tuple[Optional[Place], str]] = field(default=())

    @staticmethod
    def of(told: Mapping[str, Any]) -> "Problem":
        """A problem as the engine tells it."""
        labels = tuple((_place(label["place"]), label["remark"]) for label in told["labels"])
        return Problem(told["code"], told["severity"], told["message"], _place(told["place"]), told["help"], labels)

    def __str__(self) -> str:
        lines = [f"{self.code}: {self.message}" if self.code else self.message]
        if self.place:
            lines.append(f"  at {self.place}")
        if self.help:
            lines.append(f"  help: {self.help}")
        return "\n".join(lines)


def _place(told: Optional[Mapping[str, Any]]) -> Optional[Place]:
    return Place(told["file"], told["line"], told["column"]) if told else None


class Error(Exception):
    """Why something cannot be done. `problems` has all that is wrong; the attributes are those of the first."""

    def __init__(self, problems: Sequence[Problem]):
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = list(problems)

    @staticmethod
    def _of(told: Sequence[Mapping[str, Any]]) -> "Error":
        return Error([Problem.of(problem) for problem in told])

    @property
    def code(self) -> str:
        return self.problems[0].code if self.problems else ""

    @property
    def message(self) -> str:
        return self.problems[0].message if self.problems else ""

    @property
    def place(self) -> Optional[Place]:
        return self.problems[0].place if self.problems else None

    @property
    def help(self) -> Optional[str]:
        return self.problems[0].help if self.problems else None
