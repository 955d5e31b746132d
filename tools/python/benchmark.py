"""How many steps a second the vector environment makes on one core, observations and masks included.

    python tools/python/benchmark.py
"""

import os
import time
from pathlib import Path

# NumPy's own threads wait on the same core otherwise, and are counted.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import ludex
import numpy as np
from ludex.vector import VectorEnv

CLASSICS = Path(__file__).resolve().parents[2] / "examples" / "classics"
GAMES = [("pig", CLASSICS), ("liars-dice", CLASSICS), ("kuhn-poker", CLASSICS), ("dice-challenge", None)]
COUNT, STEPS = 128, 3000


def measure(name, library, features):
    env = VectorEnv(ludex.load(name, library=library), COUNT, features=features)
    random = np.random.default_rng(1)
    spent = 0.0
    for _ in range(STEPS):
        actions = env.random_actions(random)
        start = time.process_time()
        env.step(actions)
        spent += time.process_time() - start
    with_features = ", features" if features else ""
    shape = f"{env.encoding.width} numbers, {env.encoding.actions} actions{with_features}"
    print(f"{name:16} {COUNT * STEPS / spent:12,.0f} steps a second  ({shape})")


if __name__ == "__main__":
    for game, folder in GAMES:
        measure(game, folder, False)
        measure(game, folder, True)
