"""Nothing of a record, a name or an answer reaches the terminal that the terminal would obey."""

import json
import unicodedata

import pytest

import hastilude
from hastilude.cli import main
from hastilude.core.match import Match
from hastilude.core.shuffles import VerifiableChance, proof
from hastilude.messages import Message, render, visible
from tests.playing import finish

# A colour, a new line, a changed direction, other ends of lines, a one-byte CSI, half a character.
NASTY = "x\x1b[31m\r\n\u202e\u2066\u2028\u2029\u0085\x0b\x0c\x1c\x7f\x9b2J\ufeff\ud800"
OBEYED = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def disturbing(text):
    return {c for c in text if unicodedata.category(c) in OBEYED} - set("\n\u200c\u200d")


@pytest.fixture(scope="module")
def record():
    """A record with all of its fields, proof included."""
    game = hastilude.load("triatri", players=2)
    master, seeds = bytes(range(32)), [b"one", b"two"]
    match = Match(game, VerifiableChance(master, "k7qm2xab/1", seeds))
    finish(match)
    record = match.record(names=["Ada", "Ben"])
    record.proof = proof(match, master, "k7qm2xab/1", seeds)
    record.end = {"reason": "abandoned"}
    return json.loads(record.to_json())


@pytest.fixture
def run(capsys, tmp_path):
    """What a command prints about a record, on both streams; JSON must be JSON."""

    def command(content, *arguments):
        path = tmp_path / "record.json"
        path.write_text(json.dumps(content), "utf-8")  # ASCII: escapes of JSON
        main([arguments[0], str(path), *arguments[1:]])
        out, err = capsys.readouterr()
        if "--json" in arguments:
            for line in out.splitlines():
                json.loads(line)
        return out + err

    return command


def texts_of(content, path=()):
    """The place of every text in a JSON value, names of fields included."""
    if isinstance(content, str):
        yield path
    elif isinstance(content, list):
        for index, one in enumerate(content[:2]):  # there are many alike
            yield from texts_of(one, (*path, index))
    elif isinstance(content, dict):
        for name, one in content.items():
            yield (*path, "+")
            yield from texts_of(one, (*path, name))


def spoiled(content, place):
    """The same with something nasty in one place."""
    content = json.loads(json.dumps(content))
    *way, last = place
    where = content
    for step in way:
        where = where[step]
    if last == "+":
        where[NASTY] = NASTY
    else:
        where[last] = NASTY
    return content


def test_no_text_of_a_record_disturbs_the_terminal(run, record):
    places = {*texts_of(record)}
    assert {place[0] for place in places} >= {"game", "options", "events", "names", "proof", "end"}
    for place in places:
        content = spoiled(record, place)
        for command in (("replay",), ("replay", "--json"), ("verify", "--language", "ja")):
            assert not disturbing(run(content, *command)), (place, command)


def test_names_stay_readable(run, record):
    names = ["花子 \U0001f468\u200d\U0001f469\u200d\U0001f467", "[red]\x1bBen"]
    said = run({**record, "names": names}, "replay")
    assert names[0] in said
    assert "[red]\\u001bBen" in said
    assert names[0] in run({**record, "names": names}, "verify")


@pytest.mark.parametrize("field", ["\x1b[2J", "a\nb", "\u202e"])
def test_what_is_refused_is_quoted_safely(run, record, field):
    said = run({**record, field: 1}, "replay")
    assert "Unknown field in the record" in said
    assert said.count("\n") == 1
    assert not disturbing(said)


def test_a_path_is_quoted_safely(capsys):
    main(["replay", "no\x1b[2Jfile\n"])
    main(["replay", "file", "--no\x1b[2Joption"])
    assert not disturbing("".join(capsys.readouterr()))


def test_what_is_escaped_in_json_is_the_same_json():
    written = json.dumps({NASTY: [NASTY, "\U000e0067"]}, ensure_ascii=False)
    assert not disturbing(visible(written))
    assert json.loads(visible(written)) == json.loads(written)


def test_sentences_are_safe_whatever_they_are_about():
    inner = Message("record_unknown_field", {"field": NASTY})
    outer = Message("record_line", {"path": NASTY, "line": 1, "problem": inner}, clause=NASTY)
    assert not disturbing(render(outer))
    told = Message("terminal_curtain", {"seat": 0})
    assert not disturbing(render(told, "en", [NASTY]))
