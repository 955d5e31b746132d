"""OpenSpiel: what its own games are worth, ours are worth, too."""

import ludex
import pyspiel
import pytest
from conftest import CLASSICS, PACKAGES
from ludex.openspiel import make, register
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import cfr, exploitability


def after_chance(state):
    """All states in which a player is first asked, with how likely each is."""
    if state.is_chance_node():
        for action, share in state.chance_outcomes():
            for found, others in after_chance(state.child(action)):
                yield found, share * others
    else:
        yield state, 1.0


def same_policy(ours, theirs, their_policy, secret, their_secret, translated, drawn=None):
    """Their policy for our game: both trees are walked side by side. `drawn` is their outcome of our last draw."""
    tabular = policies.TabularPolicy(ours)
    met = {}
    starts = {their_secret(state): state for state, _ in after_chance(theirs.new_initial_state())}

    def walk(our_state, their_state):
        if our_state.is_terminal():
            # A last answer that is forced is not asked for here.
            while not their_state.is_terminal():
                assert len(their_state.legal_actions()) == 1
                their_state = their_state.child(their_state.legal_actions()[0])
            assert our_state.returns() == their_state.returns()
            return
        if our_state.is_chance_node():
            shares = dict(their_state.chance_outcomes())
            for action, share in our_state.chance_outcomes():
                child = our_state.child(action)
                assert shares.pop(drawn(child)) == pytest.approx(share)
                walk(child, their_state.child(drawn(child)))
            assert not shares
            return
        assert our_state.current_player() == their_state.current_player()
        shares = their_policy.action_probabilities(their_state)
        key = our_state.information_state_string()
        row = tabular.policy_for_key(key)
        assert met.setdefault(key, their_state.information_state_string()) == their_state.information_state_string()
        row[:] = 0
        for action in our_state.legal_actions():
            their_action = translated(our_state.action_to_string(action))
            row[action] = shares[their_action]
            walk(our_state.child(action), their_state.child(their_action))

    for state, _ in after_chance(ours.new_initial_state()):
        walk(state, starts[secret(state)])
    # As many information states as theirs, and no two of theirs are one of ours.
    assert len(set(met.values())) == len(met)
    return tabular


def random_policy(game, seed):
    import numpy as np

    tabular = policies.TabularPolicy(game)
    random = np.random.default_rng(seed)
    tabular.action_probability_array[:] = random.random(tabular.action_probability_array.shape) * tabular.legal_actions_mask
    tabular.action_probability_array[:] /= tabular.action_probability_array.sum(axis=1, keepdims=True)
    return tabular


def solved(game, iterations):
    solver = cfr.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver.average_policy()


def hands(state):
    """Each seat's card of Kuhn poker."""
    views = [state.session.view(seat)["sides"][seat]["zones"]["hand"][0] for seat in (0, 1)]
    return tuple(["jack", "queen", "king"].index(card["title"]) for card in views)


def dice(state):
    """What each seat's die shows."""
    return tuple(state.session.view(seat)["sides"][seat]["zones"]["cup"][0]["value"] for seat in (0, 1))


@pytest.fixture
def poker(kuhn):
    return make(kuhn, payoffs=(-2.0, 2.0))


def test_kuhn_has_the_exploitability_of_their_own(poker):
    theirs = pyspiel.load_game("kuhn_poker")
    translated = {"check": 0, "fold": 0, "bet": 1, "call": 1}.__getitem__
    for policy in [policies.UniformRandomPolicy(theirs), random_policy(theirs, 1), random_policy(theirs, 2), solved(theirs, 50)]:
        ours = same_policy(poker, theirs, policy, hands, lambda state: tuple(state.history()), translated)
        expected = exploitability.nash_conv(theirs, policy)
        assert exploitability.nash_conv(poker, ours) == pytest.approx(expected, abs=1e-9)


def test_kuhn_is_solved(poker):
    assert exploitability.exploitability(poker, solved(poker, 400)) < 0.01


def test_liars_dice_has_the_exploitability_of_their_own():
    game = ludex.load("one-die-each", library=PACKAGES, options={"faces": 3})
    ours = make(game)
    theirs = pyspiel.load_game("liars_dice", {"players": 2, "numdice": 1, "dice_sides": 3})

    def translated(name):
        if name == "challenge":
            return 6
        quantity, face = name[len("bid(") : -1].split(", ")
        return (int(quantity) - 1) * 3 + int(face) - 1

    def rolled(state):
        return tuple(face + 1 for face in state.history())

    for policy in [policies.UniformRandomPolicy(theirs), random_policy(theirs, 1), solved(theirs, 20)]:
        same = same_policy(ours, theirs, policy, dice, rolled, translated)
        expected = exploitability.nash_conv(theirs, policy)
        assert exploitability.nash_conv(ours, same) == pytest.approx(expected, abs=1e-9)


CARDS = [f"{rank} of {suit}" for rank in ("jack", "queen", "king") for suit in ("spades", "hearts")]


def test_leduc_poker_has_the_exploitability_of_their_own():
    """The card that all see is drawn between the rounds, when it is turned up: as theirs is."""
    ours = make(ludex.load("leduc", library=PACKAGES), payoffs=(-13.0, 13.0))
    theirs = pyspiel.load_game("leduc_poker")

    def held(state):
        views = [state.session.view(seat)["sides"][seat]["zones"]["hand"][0] for seat in (0, 1)]
        return tuple(CARDS.index(card["title"]) for card in views)

    def turned_up(state):
        return CARDS.index(state.session.view(0)["table"]["zones"]["board"][0]["title"])

    translated = {"fold": 0, "call": 1, "raise": 2}.__getitem__
    for policy in [policies.UniformRandomPolicy(theirs), random_policy(theirs, 1)]:
        same = same_policy(ours, theirs, policy, held, lambda state: tuple(state.history()), translated, turned_up)
        expected = exploitability.nash_conv(theirs, policy)
        assert exploitability.nash_conv(ours, same) == pytest.approx(expected, abs=1e-9)


def test_a_registered_game_is_found(kuhn):
    name = register(kuhn, payoffs=(-2.0, 2.0), name="ludex_kuhn_found")
    state = pyspiel.load_game(name).new_initial_state()
    assert state.is_chance_node() and [share for _, share in state.chance_outcomes()] == pytest.approx([1 / 3] * 3)


def test_a_seat_remembers_all_it_has_seen_and_nothing_else(poker):
    known = {}
    for state, _ in after_chance(poker.new_initial_state()):
        known.setdefault(state.information_state_string(0), set()).add(hands(state))
    assert sorted(len(worlds) for worlds in known.values()) == [2, 2, 2]
    assert all(len({mine for mine, _ in worlds}) == 1 for worlds in known.values())


def dealt(game):
    """The state in which a player is first asked, and how many outcomes each chance node before it has."""
    state, sizes = game.new_initial_state(), []
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(share for _, share in outcomes) == pytest.approx(1.0)
        sizes.append(len(outcomes))
        state.apply_action(outcomes[0][0])
    return state, sizes


def classic(name, **options):
    return make(ludex.load(name, library=CLASSICS, options=options), payoffs=(-100.0, 100.0))


# Of love letter one card is put aside, three lie open, and each hand and the first draw are one more; of hearts all are dealt.
@pytest.mark.parametrize("name, cards, seen", [("love-letter", 16, 7), ("hearts", 52, 51)])
def test_cards_are_drawn_one_by_one_as_they_are_looked_at(name, cards, seen):
    _, sizes = dealt(classic(name))
    assert sizes == list(range(cards, cards - seen, -1))


def test_what_lies_face_down_is_in_no_information_state():
    """Love letter puts the first card aside, and nobody sees it. Whichever it is, those who see the same cards cannot tell."""
    game = classic("love-letter")

    def drawn(cards):
        state, order = game.new_initial_state(), list(range(16))
        for left, card in zip(range(16, 0, -1), cards):
            place = order.index(card)
            state.apply_action(place + 1)
            order[place], order[left - 1] = order[left - 1], order[place]
        assert not state.is_chance_node()
        return state

    shown = [3, 5, 7, 9, 11, 13]
    one, other = drawn([0, *shown]), drawn([15, *shown])
    for player in range(game.num_players()):
        assert one.information_state_string(player) == other.information_state_string(player)
        assert one.observation_string(player) == other.observation_string(player)
    assert drawn([0, 4, *shown[1:]]).information_state_string(0) != one.information_state_string(0)


# Hearts until somebody has a point: one deal.
@pytest.mark.parametrize("name, options", [("love-letter", {}), ("hearts", {"goal": 1}), ("kuhn-poker", {})])
def test_openspiel_finds_nothing_wrong(name, options):
    pyspiel.random_sim_test(classic(name, **options), num_sims=1, serialize=False, verbose=False)


def test_what_cannot_be_listed_is_refused_with_the_reason(tmp_path):
    rules = tmp_path / "rules" / "wheel"
    rules.mkdir(parents=True)
    (rules / "wheel.ludex").write_text(
        'ludex 1\ngame wheel "Wheel"\nsides 2\nto play {\n'
        "  let one = first of sides\n  roll 1 d1200 as shown\n"
        "  if sum of shown > 7 { finish with one }\n  finish with nobody\n}\n"
    )
    with pytest.raises(ludex.Error, match="one of 1,200 results") as error:
        make(ludex.load("wheel", library=tmp_path))
    assert "at most 1,000" in error.value.help
