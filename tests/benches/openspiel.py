"""How fast OpenSpiel plays at random, in the words of tests/benches/README.md.

    pip install open_spiel
    python3 tests/benches/openspiel.py pig 'liars_dice(numdice=5)'

OpenSpiel plays in C++: it is asked to judge one position by many random games from there, and only that is timed. Where a game
begins with chance, the position is the first after it.
"""

import random
import statistics
import sys
import time

import pyspiel

GAMES = ["pig", "tic_tac_toe", "connect_four", "liars_dice(numdice=5)", "kuhn_poker", "hearts"]
ROUNDS = 9
# Less is over too soon to be timed.
LEAST_SECONDS = 0.5
# Games of which the decisions are counted.
COUNTED = 300


def draw(state, rng):
    """Lets chance, or whoever is to move, do anything that may be done."""
    if state.is_chance_node():
        actions, odds = zip(*state.chance_outcomes())
        state.apply_action(rng.choices(actions, odds)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def first_decision(game, rng):
    state = game.new_initial_state()
    while state.is_chance_node():
        draw(state, rng)
    return state


def playouts_a_second(game, state, seed):
    playouts = 1000
    while True:
        evaluator = pyspiel.RandomRolloutEvaluator(playouts, seed)
        # One simulation: the position itself is judged, and nothing is searched.
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, seed, False)
        begun = time.process_time()
        bot.mcts_search(state)
        seconds = time.process_time() - begun
        if seconds >= LEAST_SECONDS:
            return playouts / seconds
        playouts *= 2


def decisions_a_playout(game, rng):
    counts = []
    for _ in range(COUNTED):
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            draw(state, rng)
        counts.append(decisions)
    return statistics.mean(counts)


def main():
    rng = random.Random(1)
    print(f"{'':24} {'playouts/s':>12} {'decisions':>10} {'ns a decision':>14}")
    for name in sys.argv[1:] or GAMES:
        game = pyspiel.load_game(name)
        rate = statistics.median(playouts_a_second(game, first_decision(game, rng), seed + 1) for seed in range(ROUNDS))
        decisions = decisions_a_playout(game, rng)
        print(f"{name:24} {rate:12.0f} {decisions:10.1f} {1e9 / rate / decisions:14.1f}", flush=True)


if __name__ == "__main__":
    main()
