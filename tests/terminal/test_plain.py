"""The table in plain sentences, in a pseudo-terminal and in pipes."""

import os
import re
import signal
import subprocess
import sys

import pexpect
import pytest

from hastilude.cli import BAD_INPUT, main
from hastilude.core.record import Record, load_all
from hastilude.messages import catalogue
from hastilude.terminal.saved import SavedMatches
from tests.terminal.test_lesson import answers as learner_types

PATIENCE = 120  # seconds; the compiler may have to run first
PROMPT = "\r\n> "
HAND = {"en": r"Your hand: (.*?)\.\r", "ja": r"手札：(.*?)。\r"}
LEGAL = {"en": r"You can play: (.*?)\.\r", "ja": r"出せるもの：(.*?)。\r"}


@pytest.fixture
def environment(tmp_path):
    """A home of its own, and no language but the one asked for."""
    return os.environ | {"XDG_DATA_HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "TERM": "dumb"}


@pytest.fixture
def saved_matches(tmp_path):
    return SavedMatches(tmp_path / "hastilude" / "unfinished")


@pytest.fixture
def sit(environment):
    """Sits down at a plain table in a pseudo-terminal."""
    begun = []

    def heed_hangups():
        """Also where the tests themselves run with `nohup`."""
        signal.signal(signal.SIGHUP, signal.SIG_DFL)

    def spawn(*arguments):
        command = ["-m", "hastilude", "play", *arguments]
        child = pexpect.spawn(
            sys.executable,
            command,
            env=environment,
            encoding="utf-8",
            timeout=PATIENCE,
            echo=False,
            preexec_fn=heed_hangups,
        )
        begun.append(child)
        return child

    yield spawn
    for child in begun:
        child.close(force=True)


def plain(name, *more):
    return [name, "--plain", "--level", "random", "--seed", "7", *more]


def choice(said, language="en"):
    """What may be played, of what was said before the prompt."""
    found = re.findall(LEGAL[language], said) or re.findall(HAND[language], said)
    return re.split(", |、", found[-1])[0]


def play_out(child, language="en"):
    """The first legal move again and again; returns all that was said."""
    said = ""
    while True:
        child.expect_exact(PROMPT)
        told, said = child.before, said + child.before
        if "yes or no" in told or "yes / no" in told:
            return said
        child.sendline(choice(told + "\r", language))


@pytest.mark.parametrize(
    ("name", "option", "clause", "language"),
    [
        ("tornei", "players=3", "T13", "en"),
        ("kings_tournament", "best_of=1", "K14", "en"),
        ("triatri", "players=2", "A15", "ja"),
    ],
)
def test_a_whole_match(sit, saved_matches, tmp_path, name, option, clause, language):
    record = tmp_path / "matches.jsonl"
    settings = ["--option", option, "--language", language, "--record", str(record)]
    child = sit(*plain(name, *settings))
    said = play_out(child, language)
    ended = f"{name}_ended" if name != "triatri" else f"{name}_ended_by_points"
    endings = catalogue(language)[ended][0]["match"].values()
    assert any(re.search(re.sub(r"\\{\w+\\}", ".*", re.escape(one)), said) for one in endings)
    assert re.search(rf"^{clause}[:：]", said, re.MULTILINE)
    child.sendline("no")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert saved_matches.unfinished() == []
    (saved,) = load_all(record)
    assert saved.scores is not None


def test_another_match_with_the_same_people(sit):
    child = sit(*plain("triatri", "--option", "players=2", "--names", "Ada"))
    play_out(child)
    child.sendline("perhaps")
    child.expect_exact("Please type yes or no.")
    child.sendline("yes")
    child.expect_exact("Round 1 begins")
    child.expect_exact("Bid a card to go first.")


def test_a_killed_match_goes_on_where_it_was(sit, saved_matches):
    child = sit(*plain("tornei"))
    for _ in range(5):
        child.expect_exact(PROMPT)
        child.sendline(choice(child.before + "\r"))
    child.expect_exact(PROMPT)
    hand = re.findall(HAND["en"], child.before + "\r")[-1]
    child.kill(signal.SIGKILL)
    child.wait()
    (saved,) = saved_matches.unfinished()
    moves = Record.load(saved.record_path).events
    assert sum(event[:2] == ["play", 0] for event in moves) == 5

    again = sit("tornei", "--plain")
    again.expect_exact("There is an unfinished match of Tornei")
    again.sendline("resume")
    again.expect_exact(f"Your hand: {hand}.")
    again.expect_exact(PROMPT)
    again.sendline("history")
    again.expect_exact("Round 1 begins")
    again.sendline("quit")
    again.expect_exact("Game saved.")
    again.expect(pexpect.EOF)
    (saved,) = saved_matches.unfinished()
    assert Record.load(saved.record_path).events[: len(moves)] == moves


def test_a_closed_terminal_loses_nothing(sit, saved_matches):
    child = sit(*plain("triatri"))
    child.expect_exact(PROMPT)
    child.sendline(choice(child.before + "\r"))
    child.expect_exact(PROMPT)
    child.kill(signal.SIGHUP)
    child.wait()
    (saved,) = saved_matches.unfinished()
    assert any(event[:2] == ["play", 0] for event in Record.load(saved.record_path).events)


def test_ctrl_c_asks_once_and_keeps_the_match(sit, saved_matches):
    child = sit(*plain("triatri"))
    child.expect_exact(PROMPT)
    child.sendintr()
    child.expect_exact("Leave? The match is saved")
    child.sendline("maybe")
    child.expect_exact("Please type yes or no.")
    child.sendline("no")
    child.expect_exact(PROMPT)
    child.sendline("hand")  # it goes on
    child.expect_exact("Your hand:")
    child.sendintr()
    child.expect_exact("Leave?")
    child.sendintr()
    child.expect_exact("Game saved. Run `hastilude play` to resume.")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert len(saved_matches.unfinished()) == 1


def test_people_at_one_keyboard_do_not_see_each_others_hands(sit):
    child = sit(
        *plain("triatri", "--option", "players=2", "--seats", "person,person"),
        *("--names", "Ada,Ben"),
    )
    child.expect_exact("Ada is next. Hand over the keyboard; Ada, press Enter.")
    assert "dealt" not in child.before
    child.sendline("")
    child.expect_exact("Ada is dealt")
    child.expect_exact(PROMPT)
    assert "Ben is dealt" not in child.before
    child.sendline(choice(child.before + "\r"))
    child.expect_exact("\x1b[2J\x1b[3J\x1b[H")  # Ada's hand is wiped away
    child.expect_exact("Ben is next.")
    child.sendline("")
    child.expect_exact("Ben is dealt")
    child.expect_exact(PROMPT)
    assert "Ada is dealt" not in child.before


# --- pipes --------------------------------------------------------------------------------------


@pytest.fixture
def told(environment):
    """What is said to lines from a pipe: (exit code, lines)."""

    def pipe(typed, *arguments):
        command = [sys.executable, "-m", "hastilude", "play", *arguments]
        done = subprocess.run(
            command, input=typed, capture_output=True, text=True, env=environment, check=False
        )
        return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()

    return pipe


def test_a_pipe_gets_sentences_without_asking_for_them(told, saved_matches):
    code, said, _ = told("", "tornei", "--level", "random", "--seed", "7")
    assert code == 0
    assert said[0].startswith("Welcome to Tornei.")
    assert said[-1] == "Game saved. Run `hastilude play` to resume."
    assert "\x1b" not in "".join(said)
    assert len(saved_matches.unfinished()) == 1


def test_the_rules_begin_with_the_variants_of_the_table(told):
    _, said, _ = told("rules\n", *plain("kings_tournament", "--option", "melee_margin=5"))
    rules = "\n".join(said).split("Variants at this table")[1]
    assert "Margin of a hit: 5" in rules
    assert "joust: 3" not in rules
    _, said, _ = told("rules\n", *plain("kings_tournament"))
    assert "Variants" not in "\n".join(said)


def test_what_can_be_typed(told):
    typed = (
        "?\nHAND\nfoo\nw99\n\nwhy S3\nWHY c1\nwhy\nhint\nrules\nrules T9\nrules T99\ntable\ntrick\n"
    )
    _, said, _ = told(typed, *plain("tornei"))
    answers = "\n".join(said)
    for wanted in (
        "quit: leave; the match is saved",
        "There is no action foo.",
        "There is no action w99.",
        "Type an action, or ? for help.",
        "You can play S3.",
        "You do not hold C1.",
        "Nothing has been decided yet.",
        "Thinking…",
        "% to win: ",
        "of the possible deals",
        "Aim. Score the most points.",
        "The clauses are: T1, T2,",
        "T9 Follow. If you hold",
        "tornei has no clause T99.",
        "Player 2 has 0 points from earlier rounds",
        "leads",
    ):
        assert wanted in answers, wanted
    refused = said.index("There is no action foo.")
    assert said[refused + 1].startswith("Predict where")  # and it is asked again
    assert said[refused + 2].startswith("Your hand: ")


def test_the_only_person_at_the_keyboard_is_addressed_as_you(told):
    _, said, _ = told("R3\nhistory\n", *plain("triatri", "--names", "Ada"))
    assert any(line.startswith("A3: You are dealt ") for line in said)
    assert said[1] == "You are Ada."
    assert not any("Ada" in line for line in said[2:])


def test_letters_may_be_small_or_full_width(told):
    _, said, _ = told("ｓ３\n", *plain("tornei"))
    assert any(re.match(r"T\d+: You .* S3\.", line) for line in said)


def test_game_options_and_players_are_asked_for(told):
    typed = "chess\ntriatri\n5\n2\nnobody\nperson,page\n"
    _, said, _ = told(typed, "--new")
    spoken = "\n".join(said)
    for wanted in (
        "Which game? triatri, kings_tournament, tornei",
        "Please type one of: triatri, kings_tournament, tornei, learn.",
        "players: 2, 3, 4 (press Enter for 3)",
        "Please type one of: 2, 3, 4.",
        "There is no bot named nobody.",
        "Page 2 bids a card face down.",
    ):
        assert wanted in spoken, wanted


def test_a_newcomer_learns_a_game_and_then_plays_it(told, saved_matches):
    typed = ["learn", "", *learner_types("triatri"), "yes", "quit"]
    _, said, _ = told("\n".join(typed) + "\n", "--new")
    spoken = "\n".join(said)
    places = [
        spoken.index(wanted)
        for wanted in (
            "New here? Type learn for a lesson of about 3 minutes.",
            "Which game do you want to learn? triatri, kings_tournament, tornei",
            "Learn TriATri",
            "Step 14 of 14",
            "Play against easy bots now? yes or no",
            "Welcome to TriATri.",
            "Game saved.",
        )
    ]
    assert places == sorted(places)
    (saved,) = saved_matches.unfinished()
    assert saved.read()[1].players == ("person", "page", "page")


def test_a_lesson_from_the_menu_is_not_saved(told, saved_matches):
    _, said, _ = told("learn\ntornei\nquit\n", "--new")
    assert "Learn Tornei" in said
    assert "Game saved." not in "\n".join(said)
    assert saved_matches.unfinished() == []


def test_new_and_resume_ask_nothing(told):
    told("", *plain("triatri"))
    code, said, _ = told("", "--resume", "--plain")
    assert code == 0
    assert said[0].startswith("Welcome to TriATri.")
    _, said, _ = told("", *plain("triatri", "--new"))
    assert said[0].startswith("Welcome to TriATri.")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "There is no game named chess."),
        (["tornei", "--level", "duke"], "There is no bot named duke."),
        (["tornei", "--seats", "knight"], "There is no seat for a person."),
        (["kings_tournament", "--seats", "a,b,c"], "King's Tournament for 2 players has no room"),
        (["tornei", "--names", "Ada,Ben"], "Too many names: 2 for 1 at the keyboard."),
        (["tornei", "--option", "players=7"], "Invalid players: 7."),
        (["--option", "players=3"], "Options belong to a game"),
        (["--new", "--resume"], "Use either --new or --resume, not both."),
        (["--resume"], "No saved games."),
    ],
)
def test_bad_input_is_one_sentence(tmp_path, monkeypatch, capsys, arguments, said):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert main(["play", "--plain", *arguments]) == BAD_INPUT
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.splitlines()[-1].startswith(said)
