"""`hastilude train` as a user meets it, with courses that take no time, and once with real ones."""

import errno
import fcntl
import json
import os
import re
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

import hastilude
from hastilude.bots import training
from hastilude.cli import INTERRUPTED
from hastilude.cli import train as command
from hastilude.core import files
from hastilude.core.random import draw, generator
from hastilude.games import registry
from hastilude.games.tornei import instinct, practice
from hastilude.messages import LANGUAGES, catalogue

GAME = "tornei"
DRAW, PRACTICE_OF = command.draw, training.practice_of


class Walk:
    """Learns a number by random steps that become smaller; may begin where another has ended."""

    measure = "steps"

    def __init__(self, name, rounds, seed, before=None):
        self.name, self.rounds, self.share = name, rounds, float(rounds)
        self._rng, self._before = generator(seed), before
        self._place = None
        self.practised = 0

    @property
    def place(self):
        if self._place is None:
            self._place = self._before.place if self._before else 0.0
        return self._place

    def practise(self, done):
        self._place = self.place + (1.0 - done) * int(draw(self._rng)) / 2**64
        self.practised += 1

    def strength(self):
        return self.place, 0.25

    def memory(self):
        return {"place": np.array(self.place), "rng": self._rng}

    def resume(self, memory):
        self._place = float(memory["place"])
        self._rng[:] = memory["rng"]


def courses(seed):
    long = Walk("long way", 6, seed)
    return long, Walk("short way", 3, seed, before=long)


def store(walks, folder):
    with files.replacing(folder / "walks.txt") as draft:
        draft.write_text(" ".join(str(walk.place) for walk in walks))


@pytest.fixture(autouse=True)
def walks(monkeypatch):
    """What there is to train in every game of these tests, in no time, and without a plot, which
    takes longer."""
    part = SimpleNamespace(courses=courses, store=store)
    monkeypatch.setattr(training, "practice_of", lambda game: part)
    monkeypatch.setattr(training, "monotonic", lambda: 0.0)
    monkeypatch.setattr(command, "draw", lambda training: None)


@pytest.fixture
def plotted(monkeypatch):
    monkeypatch.setattr(command, "draw", DRAW)


@pytest.fixture
def interrupted(monkeypatch):
    """Interrupts the practice in the middle of a round, counted from 0."""
    whole = Walk.practise

    def at(number):
        rounds = count()

        def practise(walk, done):
            whole(walk, done)
            if next(rounds) == number:
                raise KeyboardInterrupt

        monkeypatch.setattr(Walk, "practise", practise)

    yield at
    monkeypatch.setattr(Walk, "practise", whole)


def content(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- training -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("plotted")
def test_it_says_how_strong_each_course_is_and_where_the_weights_are(run, tmp_path):
    code, out, err = run("train", GAME, "--folder", tmp_path)
    assert (code, err) == (0, [])
    long, short = (float(word) for word in (tmp_path / "walks.txt").read_text().split())
    assert out == [
        f"long way: {long:.3g} ± 0.25 (steps) after 6 rounds of practice in 0.0 minutes.",
        f"short way: {short:.3g} ± 0.25 (steps) after 3 rounds of practice in 0.0 minutes.",
        f"The weights are in {tmp_path / 'walks.txt'}.",
        f"Strength over time: {tmp_path / 'progress.jsonl'}, {tmp_path / 'strength.svg'}.",
    ]


def test_it_says_so_in_japanese(run, tmp_path):
    _, out, _ = run("train", GAME, "--folder", tmp_path, "--language", "ja")
    assert re.search(r"± 0\.25（練習6ラウンド、0\.0分）", out[0])
    assert out[2] == f"重みの保存先：{tmp_path / 'walks.txt'}"


def test_json(run, tmp_path):
    _, (line,), _ = run("train", GAME, "--folder", tmp_path, "--json")
    told = json.loads(line)
    assert (told["game"], told["weights"]) == (GAME, [str(tmp_path / "walks.txt")])
    assert [course["rounds"] for course in told["courses"]] == [6, 3]
    assert told["courses"][0]["measure"] == Walk.measure


@pytest.mark.usefixtures("plotted")
def test_strength_over_time_is_written_and_drawn(run, tmp_path):
    run("train", GAME, "--folder", tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "progress.jsonl").read_text().splitlines()]
    way = [(line["course"], line["rounds"]) for line in lines]
    assert way == [*(("long way", n) for n in range(7)), *(("short way", n) for n in range(4))]
    assert set(lines[0]) == {"course", "rounds", "minutes", "strength", "margin"}
    assert lines[7]["strength"] == lines[6]["strength"]  # it begins where the other has ended
    assert b"<svg" in (tmp_path / "strength.svg").read_bytes()


@pytest.mark.usefixtures("plotted")
def test_without_matplotlib_it_says_so_and_trains(run, tmp_path, monkeypatch):
    monkeypatch.setattr("hastilude.arena.plot.find_spec", lambda name: None)
    code, out, err = run("train", GAME, "--folder", tmp_path)
    assert code == 0
    assert err == ["There will be no plot. A plot needs matplotlib: pip install 'hastilude[lab]'."]
    assert out[-1] == f"Strength over time: {tmp_path / 'progress.jsonl'}."
    assert (tmp_path / "walks.txt").exists()


def test_the_folder_is_named_after_the_game(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("train", GAME)
    assert (tmp_path / "training" / GAME / "walks.txt").exists()


def test_the_same_seed_gives_the_same_weights(run, tmp_path):
    for folder, seed in (("one", 5), ("same", 5), ("other", 6)):
        run("train", GAME, "--folder", tmp_path / folder, "--seed", seed)
    one, same, other = (
        (tmp_path / folder / "walks.txt").read_text() for folder in ("one", "same", "other")
    )
    assert one == same != other


def test_hours_are_divided_by_the_shares(tmp_path, monkeypatch):
    clock = count(step=60)  # every look at it takes a minute
    monkeypatch.setattr(training, "monotonic", lambda: next(clock))
    with training.Training(GAME, tmp_path, 0, hours=3.0).opened() as trained:
        parts = list(trained.run())
    assert parts == sorted(parts)
    long, short = trained.logs
    assert (round(long.seconds / 3600), round(short.seconds / 3600)) == (2, 1)
    assert long.rounds > trained.courses[0].rounds  # more time, more rounds


# --- continuing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("measurements", [1, 20])  # saved after each course, or after each round
@pytest.mark.parametrize("number", range(9))
def test_an_interrupted_training_continues_as_if_nothing_had_happened(
    run, tmp_path, monkeypatch, interrupted, number, measurements
):
    monkeypatch.setattr(training, "MEASUREMENTS", measurements)
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    run("train", GAME, "--folder", whole)
    interrupted(number)
    code, out, err = run("train", GAME, "--folder", cut)
    assert (code, out) == (INTERRUPTED, [])
    assert err == [f"Interrupted. The same command continues the training in {cut}."]
    assert not (cut / "walks.txt").exists()
    assert run("train", GAME, "--folder", cut)[0] == 0
    assert (cut / "walks.txt").read_bytes() == (whole / "walks.txt").read_bytes()
    assert strengths(cut) == strengths(whole)


def strengths(folder):
    lines = map(json.loads, (folder / "progress.jsonl").read_text().splitlines())
    return [(line["course"], line["rounds"], line["strength"]) for line in lines]


def test_a_finished_training_is_not_done_again(run, tmp_path, interrupted):
    _, once, _ = run("train", GAME, "--folder", tmp_path)
    interrupted(0)
    assert run("train", GAME, "--folder", tmp_path) == (0, once, [])


def test_rounds_that_were_saved_are_not_practised_again(tmp_path, interrupted):
    interrupted(4)
    with pytest.raises(KeyboardInterrupt), training.Training(GAME, tmp_path, 0).opened() as begun:
        list(begun.run())
    with training.Training(GAME, tmp_path, 0).opened() as continued:
        assert continued.done == pytest.approx(4 / 9)
        list(continued.run())
    assert [walk.practised for walk in continued.courses] == [2, 3]


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--hours", 2], "its hours is none, not 2.0. Choose another folder."),
        (["--seed", 7], "its seed is 0, not 7. Choose another folder."),
    ],
)
def test_a_folder_with_other_settings_is_not_changed(run, refused, tmp_path, arguments, said):
    run("train", GAME, "--folder", tmp_path)
    before = content(tmp_path)
    assert said in refused("train", GAME, "--folder", tmp_path, *arguments)
    assert content(tmp_path) == before


def test_a_folder_of_another_game_is_not_changed(run, refused, tmp_path):
    run("train", GAME, "--folder", tmp_path)
    assert "its game is tornei, not triatri." in refused("train", "triatri", "--folder", tmp_path)


def test_a_folder_of_other_code_is_not_changed(run, refused, tmp_path, monkeypatch):
    run("train", GAME, "--folder", tmp_path)
    monkeypatch.setattr(training, "source_digest", lambda: "other")
    assert "by another version of the games or bots" in refused("train", GAME, "--folder", tmp_path)


@pytest.mark.parametrize("file", ["notes.txt", "training.json"])
def test_a_folder_with_something_else_is_not_changed(refused, tmp_path, file):
    (tmp_path / file).write_text("mine")
    before = content(tmp_path)
    assert "is not empty and has no training" in refused("train", GAME, "--folder", tmp_path)
    assert content(tmp_path) == before


def test_two_trainings_do_not_share_a_folder(run, refused, tmp_path):
    run("train", GAME, "--folder", tmp_path)
    with (tmp_path / "training.json").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        said = refused("train", GAME, "--folder", tmp_path)
    assert said == f"Another training is running in {tmp_path}."


def test_a_folder_that_cannot_be_written(refused, tmp_path):
    (tmp_path / "file").touch()
    said = refused("train", GAME, "--folder", tmp_path / "file" / "folder")
    assert said == f"Cannot write {tmp_path / 'file' / 'folder'}: Not a directory."


@pytest.mark.parametrize("writes", [0, 1, 2, 7, 12, 18, 19, 20])
def test_a_full_disk_loses_nothing(run, tmp_path, monkeypatch, writes):
    whole, folder = tmp_path / "whole", tmp_path / "folder"
    run("train", GAME, "--folder", whole)
    left, sync = count(writes, -1), os.fsync

    def full(handle):
        if next(left) == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(handle)

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        code, out, (said,) = run("train", GAME, "--folder", folder)
    assert (code, out) == (2, [])
    assert re.fullmatch(rf"Cannot write {folder}\S*: No space left on device\.", said)
    assert run("train", GAME, "--folder", folder)[0] == 0
    assert {path.name for path in folder.iterdir()} == {path.name for path in whole.iterdir()}
    assert (folder / "walks.txt").read_bytes() == (whole / "walks.txt").read_bytes()
    assert strengths(folder) == strengths(whole)


def test_nothing_is_left_of_a_training_that_was_killed_while_it_wrote(run, tmp_path):
    run("train", GAME, "--folder", tmp_path)
    before = content(tmp_path).keys()
    for draft in (".progress.jsonlx1.part", "memory/.long_way.npzx2.part"):
        (tmp_path / draft).write_bytes(b"half")
    run("train", GAME, "--folder", tmp_path)
    assert content(tmp_path).keys() == before


def test_a_damaged_memory_is_named(run, refused, tmp_path):
    run("train", GAME, "--folder", tmp_path)
    path = tmp_path / "memory" / "long_way.npz"
    path.write_bytes(path.read_bytes()[:100])
    said = refused("train", GAME, "--folder", tmp_path)
    assert said.startswith(f"{path} is damaged, so the training cannot continue.")


@pytest.mark.parametrize("hours", ["0", "-1", "nan", "inf"])
def test_hours_that_are_not_valid(refused, tmp_path, hours):
    said = refused("train", GAME, "--hours", hours, "--folder", tmp_path)
    assert said == f"Invalid --hours: {hours}. Choose more than 0."
    assert not any(tmp_path.iterdir())


@pytest.fixture
def real(monkeypatch):
    """The games' own practice, in small portions."""
    monkeypatch.setattr(training, "practice_of", PRACTICE_OF)
    monkeypatch.setattr(practice, "BATCHES", practice.PACE)
    monkeypatch.setattr(practice, "ROUNDS", {4: 2, 3: 2})
    monkeypatch.setattr(practice, "MEASURED", 200)


@pytest.mark.usefixtures("real")
def test_a_game_that_does_not_exist(refused, tmp_path):
    assert "There is no game named chess." in refused("train", "chess", "--folder", tmp_path)


@pytest.mark.usefixtures("real")
def test_a_game_without_practice(refused, tmp_path, monkeypatch):
    part_of = registry.part_of
    only = lambda game, name: part_of(game, name) if game == GAME else None  # noqa: E731
    monkeypatch.setattr(registry, "part_of", only)
    said = refused("train", "triatri", "--folder", tmp_path)
    assert said == "There is nothing to train for triatri. Games with training: tornei."


# --- the games ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("real")
def test_weights_of_a_game_are_of_the_same_form_as_the_shipped_ones(run, tmp_path, monkeypatch):
    practise, rounds = practice.Practice.practise, count()

    def interrupted(course, done):
        practise(course, done)
        if next(rounds) in (1, 4):
            raise KeyboardInterrupt

    run("train", GAME, "--folder", tmp_path / "whole")
    with monkeypatch.context() as patch:
        patch.setattr(practice.Practice, "practise", interrupted)
        for _ in range(2):
            assert run("train", GAME, "--folder", tmp_path / "cut")[0] == INTERRUPTED
    run("train", GAME, "--folder", tmp_path / "cut")
    whole, cut = (tmp_path / folder / instinct.STORE.name for folder in ("whole", "cut"))
    assert whole.read_bytes() == cut.read_bytes()
    with np.load(whole) as trained, np.load(instinct.STORE) as shipped:
        assert trained.files == shipped.files
        for name in shipped.files:
            assert (trained[name].shape, trained[name].dtype) == (
                shipped[name].shape,
                shipped[name].dtype,
            )


@pytest.mark.usefixtures("real")
@pytest.mark.parametrize("game", hastilude.games())
def test_courses_and_measures_are_told_in_every_language(game):
    for course in training.practice_of(game).courses(0):
        for text in (course.name, course.measure):
            key = f"{game}_train_{re.sub(r'[^a-z0-9]+', '_', text.lower())}"
            assert all(catalogue(language).get(key) for language in LANGUAGES), key
