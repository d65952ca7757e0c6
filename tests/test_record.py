"""Records are written whole and read strictly: one sentence says what is wrong and where."""

import json
import os

import pytest

import hastilude
from hastilude import Record, RecordError
from hastilude.core.chance import SeededChance
from hastilude.core.record import load_all, save_all


@pytest.fixture(scope="module")
def finished():
    match = hastilude.load("tornei", players=3).new(seed=3)
    while not match.over:
        match.play(match.turn, match.legal(match.turn)[0])
    return match


@pytest.fixture
def content(finished):
    return json.loads(finished.record().to_json())


def replayed(content):
    return hastilude.replay(Record.from_json(json.dumps(content)))


def test_a_record_is_as_the_format_says(finished, content):
    assert content["hastilude"] == 1
    assert content["game"] == "tornei"
    assert content["rules"] == 1
    assert content["options"] == {"players": 3, "first_dealer": 0}
    kind, values = content["events"][0]
    assert kind == "deal"
    assert [len(hand) for hand in values["hands"]] == [14, 14, 14]
    assert len(values["dummy"]) == len(values["pile"]) == 7
    assert content["events"][1][:2] == ["play", 1]
    assert content["scores"] == list(finished.scores)
    assert content["winners"] == list(finished.winners)
    assert "names" not in content


def test_a_variant_is_recorded_only_where_it_is_played(content):
    game = hastilude.load("tornei", players=3, place_points=[1, 2, 3, 4], no_trick_points=3)
    match = game.new(seed=3)
    match.play(match.turn, match.legal(match.turn)[0])
    record = Record.from_json(match.record().to_json())
    assert record.options == {"players": 3, "first_dealer": 0, "place_points": [1, 2, 3, 4]}
    assert hastilude.replay(record).game == game
    content["options"]["no_trick_points"] = 3  # the same, but somebody wrote it down
    assert replayed(content).game == hastilude.load("tornei", players=3)


def test_an_unfinished_record_has_no_result():
    match = hastilude.load("tornei").new(seed=3)
    content = json.loads(match.record().to_json())
    assert "scores" not in content
    assert "winners" not in content


@pytest.mark.parametrize(
    "end", ["\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"], ids=ascii
)
def test_a_name_with_an_end_of_line_is_saved_and_loaded(finished, tmp_path, end):
    path = tmp_path / "games.jsonl"
    record = finished.record(names=[f"An{end}na", "Ben", end])
    save_all([record, record], path)
    assert list(load_all(path)) == [record, record]


def test_saved_and_loaded(finished, tmp_path):
    path = tmp_path / "game.json"
    finished.record(names=["Anna", "Ben", "ちさ"]).save(path)
    record = Record.load(path)
    assert record.names == ["Anna", "Ben", "ちさ"]
    assert hastilude.replay(path).state == finished.state
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def test_a_failed_write_leaves_the_old_file_alone(finished, tmp_path):
    path = tmp_path / "games.jsonl"
    finished.record().save(path)
    before = path.read_bytes()

    def records():
        yield finished.record()
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        save_all(records(), path)
    assert path.read_bytes() == before
    assert len(os.listdir(tmp_path)) == 1


def test_many_records_in_one_file(finished, tmp_path):
    path = tmp_path / "games.jsonl"
    assert save_all([finished.record()] * 3, path) == 3
    assert len(list(load_all(path))) == 3
    with pytest.raises(RecordError, match="contains 3 records, but one was expected"):
        Record.load(path)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda c: c.update(hastilude=2), "format version 1"),
        (lambda c: c.pop("hastilude"), "format version 1"),
        (lambda c: c.pop("events"), "has no field events"),
        (lambda c: c.update(extra=1), "Unknown field in the record: extra"),
        (lambda c: c.update(game=5), "field game of the record is malformed"),
        (lambda c: c.update(rules="1"), "field rules"),
        (lambda c: c.update(rules=True), "field rules"),
        (lambda c: c.update(options=[]), "field options"),
        (lambda c: c.update(scores=[1.5, 2, 3]), "field scores"),
        (lambda c: c.pop("winners"), "both scores and winners, or neither"),
        (lambda c: c["events"].insert(4, ["play", "1", "W1"]), "Event 4 is neither"),
        (lambda c: c["events"].insert(4, ["play", True, "W1"]), "Event 4 is neither"),
        (lambda c: c["events"].insert(4, "W1"), "Event 4 is neither"),
        (lambda c: c["events"].insert(4, []), "Event 4 is neither"),
    ],
)
def test_a_record_of_another_form_is_refused(content, change, sentence):
    change(content)
    with pytest.raises(RecordError, match=sentence):
        Record.from_json(json.dumps(content))


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "NaN", '"x"', "[" * 100_000])
def test_what_is_not_a_record_is_refused(text):
    with pytest.raises(RecordError, match="Not a record"):
        Record.from_json(text)


def swap_first_plays(content):
    events = content["events"]
    events[1], events[5] = events[5], events[1]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda c: c.update(game="chess"), "options are invalid. There is no game named chess"),
        (lambda c: c["options"].update(players=9), "options are invalid. Invalid players"),
        (
            lambda c: c["options"].update(place_points=[2, 3, 3, 7]),
            "options are invalid. Invalid place_points: .* 4 whole numbers from 0 to 6",
        ),
        (lambda c: c["options"].update(name="x"), "options are invalid. tornei has no option name"),
        (lambda c: c["options"].pop("first_dealer"), "all its options: players, first_dealer"),
        (lambda c: c.update(rules=99), "version 99 of the rules of tornei"),
        (lambda c: c["events"].pop(0), "Event 0 does not follow the rules. .* is needed"),
        (
            lambda c: c["events"].insert(1, c["events"][0]),
            "Event 1 is a deal, but a play was expected",
        ),
        (swap_first_plays, "Event 1 does not follow the rules. T6: It is not your turn"),
        (lambda c: c["events"][1].__setitem__(2, "W99"), "Event 1 .*There is no action W99"),
        (lambda c: c["events"][1].__setitem__(1, 7), "Event 1 .*There is no seat 7"),
        (lambda c: c["events"].append(["play", 0, "W1"]), "does not follow .* match is over"),
        (lambda c: c.__setitem__("events", c["events"][:60]), "stop at event 60, before the end"),
        (lambda c: c["scores"].__setitem__(0, 99), "result does not match its .* events"),
        (lambda c: (c.pop("scores"), c.pop("winners")), "result does not match its"),
        (
            lambda c: c["events"][0][1]["hands"][0].__setitem__(0, c["events"][0][1]["pile"][0]),
            "Event 0 does not follow the rules. .*exactly once",
        ),
    ],
)
def test_a_record_that_breaks_the_rules_is_refused_with_the_event(content, change, sentence):
    change(content)
    with pytest.raises(RecordError, match=sentence):
        replayed(content)


def test_every_truncation_of_a_file_is_refused_in_one_sentence(finished, tmp_path):
    text = finished.record().to_json()
    path = tmp_path / "cut.json"
    for length in range(0, len(text) - 1, 97):
        path.write_text(text[:length], encoding="utf-8")
        with pytest.raises(RecordError) as error:
            Record.load(path)
        assert "\n" not in str(error.value)


def test_every_exchange_of_two_cards_in_the_deal_is_noticed(content):
    """Tampering with cards that were played later makes the replay fail or end otherwise."""
    hands = content["events"][0][1]["hands"]
    for place in range(14):
        hands[0][place], hands[1][place] = hands[1][place], hands[0][place]
        with pytest.raises(RecordError, match=r"Event|result"):
            replayed(content)
        hands[0][place], hands[1][place] = hands[1][place], hands[0][place]


def test_unreadable_files(tmp_path):
    with pytest.raises(RecordError, match=r"Cannot read .*: No such file"):
        Record.load(tmp_path / "missing.json")
    with pytest.raises(RecordError, match=r"Cannot read .*: Is a directory"):
        Record.load(tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match="is not a text file"):
        Record.load(tmp_path / "binary")
    (tmp_path / "lines").write_text('{"hastilude": 3}\n', encoding="utf-8")
    with pytest.raises(RecordError, match="lines, line 1: Not a record"):
        Record.load(tmp_path / "lines")


def test_a_part_of_a_record_can_be_replayed_and_played_on(finished):
    record = finished.record()
    half = hastilude.replay(record, upto=50, then=SeededChance(1))
    assert len(half.steps) == 50
    while not half.over:
        half.play(half.turn, half.legal(half.turn)[0])
    assert half.over
