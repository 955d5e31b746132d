"""What the tests play."""

from pathlib import Path

import ludex
import pytest

ROOT = Path(__file__).resolve().parents[3]
CLASSICS = ROOT / "examples" / "classics"
PACKAGES = Path(__file__).resolve().parent / "packages"


@pytest.fixture
def pig() -> ludex.Game:
    return ludex.load("pig", library=CLASSICS)


@pytest.fixture
def kuhn() -> ludex.Game:
    return ludex.load("kuhn-poker", library=CLASSICS)


@pytest.fixture
def liars() -> ludex.Game:
    return ludex.load("liars-dice", library=CLASSICS)
