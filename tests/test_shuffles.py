"""Shuffles that anyone can check: checked here from docs/shuffles.md alone, without the module."""

import json
import re
import shutil
import subprocess
from collections import Counter
from hashlib import sha256
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hastilude
from hastilude.core.errors import OptionError, ProofError
from hastilude.core.shuffles import Stream, VerifiableChance, commitment, proof, verify_shuffles
from hastilude.messages import LANGUAGES, render
from tests.playing import finish
from tests.variants import every_variant

DOCS = Path(__file__).parents[1] / "docs"
VECTORS = json.loads((DOCS / "shuffles.json").read_text("utf-8"))
MASTER = bytes(range(32))
TABLE = "k7Qm2x"

# --- the scheme again, as the page tells it -----------------------------------------------------


def hmac_sha256(key, message):
    inner, outer = (bytes(byte ^ pad for byte in key.ljust(64, b"\0")) for pad in (0x36, 0x5C))
    return sha256(outer + sha256(inner + message).digest()).digest()


def n32(number):
    return number.to_bytes(4, "big")


def sized(content):
    return n32(len(content)) + content


def message_of(table, seeds, k):
    return sized(table.encode()) + n32(k) + n32(len(seeds)) + b"".join(sized(s) for s in seeds)


def words_of(master, table, seeds, k):
    for c in count():
        block = hmac_sha256(master, message_of(table, seeds, k) + n32(c))
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))


def draw(words, n):
    while (word := next(words)) >= 2**32 - 2**32 % n:
        pass
    return word % n


def shuffled(cards, words):
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        j = draw(words, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def told(values):
    """The cards that a chance event of a record tells, its parts in the order of the page."""
    hands = [card for hand in values.get("hands", ()) for card in hand]
    return hands + [card for p in ("dummy", "pile", "deck", "aside") for card in values.get(p, ())]


def check_without_rules(record):
    """What the page asks of a verifier that does not know the rules."""
    told_proof = record["proof"]
    master = bytes.fromhex(told_proof["master"])
    seeds = [bytes.fromhex(seed) for seed in told_proof["seeds"]]
    assert sha256(master).hexdigest() == told_proof["commitment"]
    happened = [event for event in record["events"] if event[0] != "play"]
    assert len(happened) == len(told_proof["events"])
    for k, ((kind, values), event) in enumerate(zip(happened, told_proof["events"], strict=True)):
        rank = int if kind == "start" else VECTORS["cards"][record["game"]].index
        assert event["kind"] == kind
        assert event["from"] == sorted(event["from"], key=rank)
        assert event["to"] == shuffled(
            event["from"], words_of(master, told_proof["table"], seeds, k)
        )
        if kind == "start":
            assert event["to"][0] == str(values["seat"])
        else:
            assert event["to"] == told(values)


# --- vectors ------------------------------------------------------------------------------------


def vector_words(vector):
    seeds = [bytes.fromhex(seed) for seed in vector["seeds"]]
    return words_of(bytes.fromhex(vector["master"]), vector["table"], seeds, vector["event"])


@pytest.mark.parametrize("vector", VECTORS["streams"], ids=lambda vector: vector["blocks"][0][:8])
def test_vectors_of_streams(vector):
    seeds = [bytes.fromhex(seed) for seed in vector["seeds"]]
    message = message_of(vector["table"], seeds, vector["event"])
    assert vector["message"] == (message + n32(0)).hex()
    for c, block in enumerate(vector["blocks"]):
        assert hmac_sha256(bytes.fromhex(vector["master"]), message + n32(c)).hex() == block
    words = vector_words(vector)
    assert [next(words) for _ in vector["words"]] == vector["words"]


@pytest.mark.parametrize("vector", VECTORS["draws"], ids=lambda vector: str(vector["limit"]))
def test_vectors_of_draws(vector):
    words = vector_words(VECTORS["streams"][vector["stream"]])
    assert [draw(words, vector["limit"]) for _ in vector["draws"]] == vector["draws"]


def test_a_vector_of_draws_passes_words_over():
    stream = VECTORS["streams"][1]["words"]
    (draws,) = [v["draws"] for v in VECTORS["draws"] if v["limit"] == 3 * 2**30]
    assert draws == [word for word in stream if word < 3 * 2**30][:5] != stream[:5]


@pytest.mark.parametrize("vector", VECTORS["shuffles"], ids=lambda vector: "".join(vector["from"]))
def test_vectors_of_shuffles(vector):
    words = vector_words(VECTORS["streams"][vector["stream"]])
    assert shuffled(vector["from"], words) == vector["to"]


@pytest.mark.parametrize("vector", VECTORS["proofs"], ids=lambda vector: vector["game"])
def test_vectors_of_proofs(vector):
    vector = dict(vector)
    name = vector.pop("game")
    seeds = [bytes.fromhex(seed) for seed in vector["seeds"]]
    chance = VerifiableChance(bytes.fromhex(vector["master"]), vector["table"], seeds)
    record = hastilude.load(name).new(chance=chance).record()
    record.proof = vector
    check_without_rules(json.loads(record.to_json()))


# --- the stream ---------------------------------------------------------------------------------

MASTERS = st.binary(min_size=32, max_size=32)
PARTS = st.tuples(
    st.text(max_size=5), st.lists(st.binary(max_size=5), max_size=4), st.integers(0, 300)
)


@given(MASTERS, PARTS, st.integers(0, 80))
def test_shuffles_are_those_of_the_page(master, parts, size):
    order = list(range(size))
    Stream(master, *parts).shuffle(order)
    assert order == shuffled(range(size), words_of(master, *parts))


@given(PARTS, PARTS)
def test_different_tables_seeds_and_events_have_different_messages(one, other):
    same = Stream(MASTER, *one).message == Stream(MASTER, *other).message
    assert same == (one == other)


def chi_square(counts, kinds):
    expected = sum(counts.values()) / kinds
    missing = (kinds - len(counts)) * expected
    return missing + sum((seen - expected) ** 2 / expected for seen in counts.values())


def test_every_order_is_equally_likely():
    seen = Counter()
    for event in range(12_000):
        order = list("abcde")
        Stream(MASTER, TABLE, [], event).shuffle(order)
        seen["".join(order)] += 1
    assert 77 < chi_square(seen, 120) < 172  # 119 degrees of freedom: all but 0.1 % on either side


def test_every_card_is_equally_likely_in_every_place():
    seen = Counter()
    for event in range(2_000):
        order = list(range(20))
        Stream(MASTER, TABLE, [b"seed"], event).shuffle(order)
        seen.update(enumerate(order))
    # 19 x 19 degrees of freedom: the places of a card and the cards of a place are all taken once.
    assert 284 < chi_square(seen, 400) * 19 / 20 < 449


def test_numbers_below_a_limit_that_does_not_divide_the_words_are_equally_likely():
    """Without passing words over, half of these would be in the first third."""
    stream = Stream(MASTER, TABLE, [], 0)
    thirds = Counter(stream.below(3 * 2**30) >> 30 for _ in range(9_000))
    assert chi_square(thirds, 3) < 13.8  # 2 degrees of freedom: all but 0.1 %


# --- the driver ---------------------------------------------------------------------------------


def new_match(name, options, master=MASTER):
    game = hastilude.load(name, **options)
    seeds = [bytes([seat]) * 16 for seat in range(game.seats)]
    return game.new(chance=VerifiableChance(master, TABLE, seeds)), seeds


def proven(name, **options):
    """A finished match's record, with its proof."""
    match, seeds = new_match(name, options)
    record = finish(match).record()
    record.proof = proof(match, MASTER, TABLE, seeds)
    return hastilude.Record.from_json(record.to_json())


def test_a_shuffle_does_not_depend_on_how_the_cards_lay():
    orders = []
    for cards in ([3, 1, 2, 2, 0], [0, 2, 1, 2, 3]):
        lying = np.array(cards, dtype=np.int8)
        VerifiableChance(MASTER, TABLE, []).order(1, lying)
        orders.append(lying.tolist())
    assert orders[0] == orders[1]
    assert sorted(orders[0]) == [0, 1, 2, 2, 3]


@pytest.mark.parametrize("name", hastilude.games())
def test_a_match_goes_on_from_its_record_with_the_same_cards(name):
    whole, seeds = new_match(name, {})
    record = finish(whole).record()
    upto = len(record.events) // 2
    dealt = sum(event[0] != "play" for event in record.events[:upto])
    then = VerifiableChance(MASTER, TABLE, seeds, event=dealt)
    again = hastilude.replay(record, upto, then)
    assert finish(again).record().events == record.events


@pytest.mark.parametrize("size", [0, 16, 31, 33])
def test_a_master_has_32_bytes(size):
    for make in (commitment, lambda master: VerifiableChance(master, TABLE, [])):
        with pytest.raises(OptionError, match=f"32 bytes, not {size}"):
            make(bytes(size))


def test_a_driver_does_not_show_its_master():
    chance = VerifiableChance(MASTER, TABLE, [b"seed"])
    for text in (repr(chance), str(chance), f"{hastilude.load('tornei').new(chance=chance)}"):
        assert not re.search(r"00010203|\\x01\\x02|seed", text)


# --- records and tampering ----------------------------------------------------------------------


@every_variant
def test_every_record_can_be_checked_with_and_without_the_rules(name, options):
    record = proven(name, **options)
    verify_shuffles(hastilude.replay(record), record.proof)
    check_without_rules(json.loads(record.to_json()))


def insist(master):
    """Two players of TriATri who bid their exchange cards; if both have one, nothing is settled
    and the start is drawn by lot (A5)."""
    match, seeds = new_match("triatri", {"players": 2}, master)
    exchange = match.game.parse("X")
    while not match.over:
        legal = match.legal(match.turn)
        match.play(match.turn, exchange if exchange in legal else legal[0])
    record = match.record()
    record.proof = proof(match, master, TABLE, seeds)
    return record


def test_a_drawn_start_is_checked():
    records = (insist(bytes([first]) * 32) for first in range(100))
    record = next(record for record in records if "start" in last_of_kind(record))
    verify_shuffles(hastilude.replay(record), record.proof)
    check_without_rules(json.loads(record.to_json()))
    swapped(record.proof["events"][last_of_kind(record)["start"]]["to"])
    with pytest.raises(ProofError, match=r"\(start\): the result in the proof"):
        verify_shuffles(hastilude.replay(record), record.proof)


def last_of_kind(record):
    """The number of the last chance event of each kind."""
    return {event["kind"]: k for k, event in enumerate(record.proof["events"])}


def flip(text):
    return ("1" if text[0] == "0" else "0") + text[1:]


def change(field, how):
    def tamper(given):
        given[field] = how(given[field])

    return tamper


def in_event(part, how):
    def tamper(given):
        event = given["events"][-1]
        event[part] = how(event[part])

    return tamper


def swapped(cards):
    """In place: the first card and the next that differs."""
    other = next(at for at, card in enumerate(cards) if card != cards[0])
    cards[0], cards[other] = cards[other], cards[0]
    return cards


TAMPERINGS = {
    "scheme": (change("scheme", lambda text: text + "0"), "proof_scheme"),
    "no scheme": (lambda given: given.pop("scheme"), "proof_scheme"),
    "table": (change("table", lambda text: text + " "), "proof_to"),
    "table, half a character": (change("table", lambda text: "\ud800"), "proof_form"),
    "commitment": (change("commitment", flip), "proof_commitment"),
    "commitment, no hash": (change("commitment", lambda text: text[:-2]), "proof_form"),
    "master": (change("master", flip), "proof_commitment"),
    "master, upper case": (change("master", str.upper), "proof_form"),
    "master, with spaces": (change("master", lambda text: text[:-2] + "  "), "proof_form"),
    "master, too long": (change("master", lambda text: text + "00"), "proof_form"),
    "a seed": (change("seeds", lambda seeds: [flip(seeds[0]), *seeds[1:]]), "proof_to"),
    "seeds exchanged": (change("seeds", lambda seeds: seeds[::-1]), "proof_to"),
    "a seed fewer": (change("seeds", lambda seeds: seeds[:-1]), "proof_seeds"),
    "a seed more": (change("seeds", lambda seeds: [*seeds, ""]), "proof_seeds"),
    "a seed moved on": (
        change("seeds", lambda seeds: [seeds[0] + seeds[1], "", *seeds[2:]]),
        "proof_to",
    ),
    "half a byte": (change("seeds", lambda seeds: [seeds[0][1:], *seeds[1:]]), "proof_form"),
    "a seed that is a number": (change("seeds", lambda seeds: [7, *seeds[1:]]), "proof_form"),
    "seeds that are a text": (change("seeds", "".join), "proof_form"),
    "an event fewer": (change("events", lambda events: events[:-1]), "proof_count"),
    "an event more": (change("events", lambda events: [*events, events[0]]), "proof_count"),
    "events that are none": (change("events", lambda events: [None] * len(events)), "proof_form"),
    "an event without its end": (lambda given: given["events"][0].pop("to"), "proof_form"),
    "kind": (in_event("kind", lambda kind: kind + "s"), "proof_kind"),
    "canonical order": (in_event("from", swapped), "proof_from"),
    "canonical order of nothing": (in_event("from", lambda cards: None), "proof_from"),
    "a card fewer": (in_event("from", lambda cards: cards[1:]), "proof_from"),
    "result": (in_event("to", swapped), "proof_to"),
    "a field more": (lambda given: given.update(note=""), "proof_fields"),
    "a field fewer": (lambda given: given.pop("table"), "proof_fields"),
}


@pytest.mark.parametrize("name", hastilude.games())
@pytest.mark.parametrize("what", TAMPERINGS)
def test_tampering_with_a_proof_is_found(name, what):
    tamper, finding = TAMPERINGS[what]
    record = proven(name)
    tamper(record.proof)
    with pytest.raises(ProofError) as found:
        verify_shuffles(hastilude.replay(record), record.proof)
    assert found.value.message.key == finding
    for language in LANGUAGES:
        assert "{" not in render(found.value.message, language)


@pytest.mark.parametrize("given", [None, 3, [], "proof", {}])
def test_what_is_no_proof_is_refused(given):
    match, _ = new_match("tornei", {})
    with pytest.raises(ProofError, match="scheme"):
        verify_shuffles(match, given)


@pytest.mark.parametrize("name", hastilude.games())
def test_a_host_who_dealt_other_cards_is_found(name):
    game = hastilude.load(name)
    match = finish(game.new(seed=7))
    told_proof = proof(match, MASTER, TABLE, [b""] * game.seats)
    with pytest.raises(ProofError) as found:
        verify_shuffles(match, told_proof)
    assert found.value.message.key == "proof_result"
    assert found.value.message.values["index"] == 0


def test_a_host_who_began_from_another_order_is_found():
    """Whatever was dealt, some order of the cards leads there."""
    game = hastilude.load("tornei")
    seeds = [b""] * game.seats
    match = game.new(seed=7)
    told_proof = proof(match, MASTER, TABLE, seeds)
    wanted = [game.text(card) for card in match.steps[0].order]
    places = shuffled(range(len(wanted)), words_of(MASTER, TABLE, seeds, 0))
    start = [card for _, card in sorted(zip(places, wanted, strict=True))]
    assert shuffled(start, words_of(MASTER, TABLE, seeds, 0)) == wanted
    told_proof["events"][0].update({"from": start, "to": wanted})
    with pytest.raises(ProofError, match="canonical order"):
        verify_shuffles(match, told_proof)


# --- the verifier of the page -------------------------------------------------------------------


@pytest.fixture
def other_verifier(tmp_path):
    """Runs the verifier in docs/shuffles.md; returns its error, None if the shuffles are right."""
    if shutil.which("node") is None:
        pytest.skip("Node.js is not installed")
    page = (DOCS / "shuffles.md").read_text("utf-8")
    (code,) = re.findall(r"^```js\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    script = tmp_path / "verify.mjs"
    script.write_text(code, "utf-8")

    def run(record):
        path = tmp_path / "record.json"
        record.save(path)
        command = ["node", script, path, DOCS / "shuffles.json"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        return None if ran.returncode == 0 else re.search("Error: (.*)", ran.stderr)[1]

    return run


@pytest.mark.parametrize("name", hastilude.games())
def test_the_verifier_of_the_page(other_verifier, name):
    record = proven(name)
    assert other_verifier(record) is None
    swapped(record.proof["events"][1]["to"])
    assert other_verifier(record) == "wrong shuffle 1"
