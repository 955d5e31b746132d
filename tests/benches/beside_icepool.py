"""How fast icepool finds the odds of the expressions of tests/benches/odds/expressions, beside Ludex.

    pip install icepool
    python3 tests/benches/beside_icepool.py
    python3 tests/benches/beside_icepool.py --rounds 15 --ludex 'target/release/deps/odds-0123456789abcdef'

Prints a Markdown table. Each expression is written for icepool as its documentation advises. If the two programs differ in any
value or any share, or if Ludex has no exact share, the script says so and fails.
"""

import argparse
import gc
import json
import shlex
import statistics
import subprocess
import sys
import time
from fractions import Fraction

import icepool
from icepool import Again, Pool, d
from icepool.evaluator.multiset_evaluator_base import MultisetEvaluatorBase

ROUNDS = 7
# Shorter work is repeated until it takes this many nanoseconds, as in odds.rs.
LEAST_NANOSECONDS = 3_000_000


def successes(face):
    return (face >= 7) + (face == 10)


def rule_of_six():
    return d(6).map({1: 0, 2: 0, 3: 0, 4: 0, 5: 1, 6: 1 + Again}, again_depth=3)


def craps():
    roll = 2 @ d(6)

    def come_out(point):
        if point in (7, 11):
            return True
        if point in (2, 3, 12):
            return False
        return roll.reroll(lambda sum: sum not in (7, point), depth=49) == point

    return roll.map(come_out)


def alike_after(rolls):
    """Which face is kept makes no difference to how many are alike."""

    def again(kept):
        return (d(6).pool(5 - kept) + [6] * kept).largest_count()

    return icepool.map(again, d(6).pool(5).largest_count(), repeat=rolls - 1)


def loses(attack, defence):
    # icepool 2.1.3 gives wrong shares where the pool on the left is the smaller one, so both are cut to the same size.
    compared = min(attack, defence)
    return d(6).pool(attack).highest(compared).sort_pair(">", d(6).pool(defence).highest(compared)).size()


def wins(attackers, defenders):
    """From one state to the next until one side is gone. Each kind of round is worked out once."""
    rounds = {}
    known = {}

    def chance(attack, defence):
        if attack == 0 or defence == 0:
            return icepool.Die([defence == 0])
        if (attack, defence) not in known:
            kind = min(attack, 3), min(defence, 2)
            if kind not in rounds:
                rounds[kind] = loses(*kind)
            fought = min(attack, defence, 2)
            known[attack, defence] = rounds[kind].map(lambda lost: chance(attack - fought + lost, defence - lost))
        return known[attack, defence]

    return chance(attackers, defenders)


EXPRESSIONS = {
    "2d6": lambda: 2 @ d(6),
    "10d6": lambda: 10 @ d(6),
    "100d6": lambda: 100 @ d(6),
    "1d4 + 1d6 + 1d8 + 1d10": lambda: d(4) + d(6) + d(8) + d(10),
    "(2d6) d4": lambda: (2 @ d(6)) @ d(4),
    "highest 3 of 4d6": lambda: d(6).highest(4, 3),
    "highest 5 of 10d10": lambda: d(10).highest(10, 5),
    "lowest 2 of 6d20": lambda: d(20).lowest(6, 2),
    "highest 2 of 20d10": lambda: d(10).highest(20, 2),
    "sum of member 3 of sorted 5d8": lambda: d(8).middle(5),
    "count of (10d10 where it >= 7)": lambda: 10 @ (d(10) >= 7),
    "successes(10d10)": lambda: 10 @ d(10).map(successes),
    "pushed(8)": lambda: 8 @ (d(6).reroll({2, 3, 4, 5}, depth=1) == 6),
    "rule_of_six(6)": lambda: 6 @ rule_of_six(),
    "3d6 > 2d8": lambda: 3 @ d(6) > 2 @ d(8),
    "10d6 > 8d8": lambda: 10 @ d(6) > 8 @ d(8),
    "highest of 3d20 > highest of 2d20": lambda: d(20).highest(3) > d(20).highest(2),
    "highest 1 of 2d20 > lowest 1 of 2d20": lambda: d(20).highest(2) > d(20).lowest(2),
    "count of (8d6 where it >= 5) > count of (6d6 where it >= 5)": lambda: 8 @ (d(6) >= 5) > 6 @ (d(6) >= 5),
    "all_exploding(3, 6, 3)": lambda: 3 @ d(6).explode(depth=3),
    "rolls_until_six": lambda: (d(6) == 6).map({True: 1, False: 1 + Again}, again_depth=19),
    "ones_again(4)": lambda: 4 @ d(6).reroll({1}, depth=1),
    "craps": craps,
    "most_alike(5d6)": lambda: d(6).pool(5).largest_count(),
    "different(6d6)": lambda: d(6).pool(6).unique().size(),
    "pairs(7d6)": lambda: d(6).pool(7).keep_counts(">=", 2).unique().size(),
    "in_a_row(5d6, 4)": lambda: d(6).pool(5).largest_straight() >= 4,
    "alike_after(3)": lambda: alike_after(3),
    "loses(3, 2)": lambda: loses(3, 2),
    "wins(10, 10)": lambda: wins(10, 10),
}

# The evaluators that icepool makes once: they keep what they have found.
EVALUATORS = [one for one in vars(icepool.evaluator).values() if isinstance(one, MultisetEvaluatorBase)]


def forget():
    """Clears what icepool has kept of earlier answers: dice, pools, and what its evaluators found."""
    icepool.function.d.cache_clear()
    icepool.function.z.cache_clear()
    Pool.clear_cache()
    for evaluator in EVALUATORS:
        vars(evaluator).pop("_cache", None)


def nanoseconds(work):
    """The processor time of a call that remembers nothing of earlier ones."""
    total = times = 0
    while total < LEAST_NANOSECONDS:
        forget()
        start = time.process_time_ns()
        work()
        total += time.process_time_ns() - start
        times += 1
    return total / times


def shown(outcome):
    """An outcome as Ludex writes it."""
    return {True: "yes", False: "no"}[outcome] if isinstance(outcome, bool) else str(outcome)


def shares(die):
    return {shown(outcome): Fraction(quantity, die.denominator()) for outcome, quantity in die.items() if quantity}


def ludex(command):
    """One round of Ludex: a report for each expression."""
    lines = subprocess.run([*command, "1"], check=True, capture_output=True, text=True).stdout.splitlines()
    reports = [json.loads(line) for line in lines if line.startswith("{")]
    return {report["expression"]: report for report in reports}


def check(reports):
    """What differs."""
    if reports.keys() != EXPRESSIONS.keys():
        yield f"only one of the two has {sorted(reports.keys() ^ EXPRESSIONS.keys())}"
    for expression, report in reports.items():
        found = {value: Fraction(share) for value, share in report["values"]}
        if not report["exact"]:
            yield f"{expression}: not exact"
        elif found != shares(EXPRESSIONS[expression]()):
            yield f"{expression}: {found} instead of {shares(EXPRESSIONS[expression]())}"


def row(expression, whole, answer, other):
    times = [f"{time / 1e3:,.0f}" for time in (whole, answer, other)]
    return f"| `{expression}` | {' | '.join(times)} | {whole / other:.2f} | {answer / other:.2f} |"


def summary(name, ratios):
    worst = max(ratios, key=ratios.get)
    return f"{name}: geometric mean {statistics.geometric_mean(ratios.values()):.2f}, worst {ratios[worst]:.2f} (`{worst}`)"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--ludex", default="cargo bench --quiet --bench odds --", help="the command of the benchmark of Ludex")
    arguments = parser.parse_args()
    command = shlex.split(arguments.ludex)
    differences = list(check(ludex(command)))
    if differences:
        sys.exit("\n".join(differences))
    whole, answer, other = ({expression: [] for expression in EXPRESSIONS} for _ in range(3))
    gc.disable()
    for _ in range(arguments.rounds):
        for expression, report in ludex(command).items():
            whole[expression].append(report["whole_ns"])
            answer[expression].append(report["answer_ns"])
        for expression, work in EXPRESSIONS.items():
            other[expression].append(nanoseconds(work))
        gc.collect()
    print("| expression | Ludex, µs | without compiling | icepool, µs | ratio | without compiling |")
    print("|---|---|---|---|---|---|")
    whole_ratios, answer_ratios = {}, {}
    for expression in EXPRESSIONS:
        times = [statistics.median(all_times[expression]) for all_times in (whole, answer, other)]
        whole_ratios[expression], answer_ratios[expression] = times[0] / times[2], times[1] / times[2]
        print(row(expression, *times))
    print()
    print(summary("Ludex divided by icepool", whole_ratios))
    print(summary("Without compiling", answer_ratios))


if __name__ == "__main__":
    main()
