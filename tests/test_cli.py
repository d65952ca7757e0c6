"""The command as a user meets it."""

import json
import os
import pty
import select
import subprocess
import sys

import pytest
from rich.cells import cell_len

import hastilude
from hastilude.cli import BAD_INPUT, language_of_environment, main
from hastilude.cli.base import app
from hastilude.core.record import load_all
from hastilude.core.shuffles import VerifiableChance, commitment, proof
from hastilude.games.registry import player_counts
from hastilude.games.rulebook import clauses
from hastilude.messages import LANGUAGES, catalogue
from tests.playing import finish

GAMES = hastilude.games()
COMMANDS = [command.name or command.callback.__name__ for command in app.registered_commands]
COMPILING = catalogue("en")["compiling"]  # said once, whatever the command
PYTHON = [sys.executable, "-m", "hastilude"]


@pytest.fixture
def run(capsys, monkeypatch):
    """Runs the command: (exit code, lines on stdout, lines on stderr)."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)

    def command(*arguments):
        code = main([str(argument) for argument in arguments])
        written = capsys.readouterr()
        said = [line for line in written.err.splitlines() if not line.startswith(COMPILING)]
        return code, written.out.splitlines(), said

    return command


@pytest.fixture
def refused(run):
    """Runs the command, which must refuse with one sentence: that sentence."""

    def command(*arguments):
        code, out, err = run(*arguments)
        assert (code, out, len(err)) == (BAD_INPUT, [], 1)
        return err[0]

    return command


@pytest.fixture
def records(run, tmp_path):
    path = tmp_path / "games.jsonl"
    run("simulate", "tornei", "--games", 2, "--seed", 3, "--record", path, "--json")
    return path


# --- help and version ---------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert any(line.strip().startswith(f"Example: hastilude {command}") for line in out)


def test_without_a_command_there_is_help(run):
    code, out, err = run()
    assert (code, err) == (0, [])
    assert all(any(name in line for line in out) for name in COMMANDS)


def test_help_shows_whole_summaries(run):
    _, out, _ = run("--help")
    text = " ".join(" ".join(out).split())
    for command in app.registered_commands:
        summary, _, _ = command.callback.__doc__.partition(". ")
        assert summary in text


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_values_and_not_types(run, command):
    _, out, _ = run(command, "--help")
    text = "\n".join(out)
    for leak in ("<", "[[", "{", "x>=", "<=x", "(127.0.0.1)"):
        assert leak not in text


def test_version(run):
    assert run("--version") == (0, [f"hastilude {hastilude.__version__}"], [])


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from hastilude.cli import main; main(['--help']); "
        "print(sorted({'numba', 'numpy', 'rich', 'textual'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[-1] == "[]"


# --- describe -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_describe_tells_what_a_game_is(run, name):
    game = hastilude.load(name)
    code, out, _ = run("describe", name, "--json")
    told = json.loads(out[0])
    assert code == 0
    assert told["title"] == game.title
    assert told["credits"] == game.credits
    assert tuple(told["players"]) == player_counts(name)
    assert {option["name"] for option in told["options"]} == set(game.options)
    assert told["num_actions"] == game.num_actions == len(told["actions"])
    assert told["encoding"]["size"] == sum(part["size"] for part in told["encoding"]["parts"])
    assert told["state_bytes"] <= 512


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_describe_in_words(run, name, language):
    code, out, _ = run("describe", name, "--language", language)
    assert code == 0
    assert any(hastilude.load(name).title in line for line in out)


def test_describe_without_a_game_lists_them(run):
    _, out, _ = run("describe", "--json")
    assert tuple(game["name"] for game in json.loads(out[0])) == GAMES
    _, out, _ = run("describe")
    assert all(any(name in line for line in out) for name in ("players", "Tornei"))


def test_describe_says_which_options_are_variants(run):
    _, out, _ = run("describe", "tornei", "--json", "--option", "no_trick_points=5")
    known = {option["name"]: option for option in json.loads(out[0])["options"]}
    assert [name for name in known if known[name]["variant"]] == ["place_points", "no_trick_points"]
    assert (known["place_points"]["length"], known["place_points"]["most"]) == (4, 6)
    assert (known["no_trick_points"]["default"], known["no_trick_points"]["value"]) == (3, 5)


def test_what_an_option_allows_follows_the_others(run):
    def dealers(*arguments):
        _, out, _ = run("describe", "tornei", "--json", *arguments)
        return json.loads(out[0])["options"][1]["allowed"]

    assert dealers() == [0, 1, 2, 3]
    assert dealers("--option", "players=3") == [0, 1, 2]


# --- rules --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_whole_and_by_clause(run, name, language):
    whole = "".join(run("rules", name, "--language", language)[1]).replace(" ", "")
    for clause, text in clauses(name, language).items():
        assert text.startswith(f"**{clause} ")
        _, out, _ = run("rules", name, clause.lower(), "--language", language)
        assert out[0].startswith(f"{clause} ")
        assert "".join(out).replace(" ", "") in whole


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_begin_with_a_summary_and_are_plain_text_of_the_width(
    run, monkeypatch, name, language
):
    for width in (30, 80):
        monkeypatch.setenv("COLUMNS", str(width))
        _, out, _ = run("rules", name, "--language", language)
        assert out[2] == {"en": "In short", "ja": "早わかり"}[language]
        assert max(map(cell_len, out)) <= width
        assert not set("*`|#") & set("".join(out))
        assert sum(cell_len(line) > width / 2 for line in out) > len(out) / 3  # well filled


def test_a_clause_ends_where_the_next_begins(run):
    _, out, _ = run("rules", "tornei", "T9")
    assert out[0].startswith("T9 Follow. ")
    assert "T10" not in "".join(out)


def test_an_unknown_clause_says_which_exist(refused):
    said = refused("rules", "tornei", "T99")
    assert said.startswith("tornei has no clause T99. Did you mean T9? Its clauses are: T1, T2,")


# --- simulate -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_simulate_sums_up(run, name):
    code, out, err = run("simulate", name, "--games", 3, "--seed", 5, "--json")
    told = json.loads(out[-1])
    assert (code, err) == (0, [])
    assert told["games"] == 3
    assert len(told["seats"]) == hastilude.load(name).seats
    assert sum(seat["win_share"] for seat in told["seats"]) == pytest.approx(1)
    assert {seat["bot"] for seat in told["seats"]} == {"random"}


def test_the_same_seed_gives_the_same_matches(run, tmp_path):
    for file in ("a", "b"):
        run("simulate", "tornei", "--games", 2, "--seed", 9, "--record", tmp_path / file)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_without_a_seed_the_summary_names_the_one_that_was_drawn(run):
    told = json.loads(run("simulate", "tornei", "--json")[1][-1])
    again = json.loads(run("simulate", "tornei", "--seed", told["seed"], "--json")[1][-1])
    assert told == again


def test_simulate_in_words(run, tmp_path):
    path = tmp_path / "game.jsonl"
    _, out, _ = run("simulate", "tornei", "--seed", 5, "--record", path)
    assert any("mean score" in line for line in out)
    assert out[-2] == "1 match of Tornei with seed 5; the same seed gives the same match."
    assert out[-1] == f"The record was saved to {path}."


def test_records_of_a_simulation_replay(records):
    matches = [hastilude.replay(record) for record in load_all(records)]
    assert [match.over for match in matches] == [True, True]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_watching_tells_every_event(run, tmp_path, name, language):
    path = tmp_path / "game.jsonl"
    spoken = ("--language", language)
    _, watched, _ = run("simulate", name, "--seed", 1, "--watch", "--record", path, *spoken)
    _, replayed, _ = run("replay", path, *spoken)
    assert len(replayed) == len(hastilude.replay(path).events())
    assert watched[: len(replayed)] == replayed


def test_options_are_read_from_text(run):
    _, out, _ = run("simulate", "tornei", "--option", "players=3", "--json")
    assert json.loads(out[-1])["options"] == {"players": 3, "first_dealer": 0}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["torne"], "There is no game named torne. Did you mean tornei?"),
        (["tornei", "--option", "playrs=3"], "tornei has no option playrs. Did you mean players?"),
        (["tornei", "--option", "players=5"], "Invalid players: 5. Allowed: 3, 4."),
        (["tornei", "--option", "players=²"], "Invalid players: ²."),
        (["tornei", "--option", "players"], "Write an option as name=value, not players."),
        (["tornei", "--bots", "randum"], "There is no bot named randum. Did you mean random?"),
        (["tornei", "--bots", ""], "There is no bot named ."),
        (["tornei", "--bots", ",".join(["random"] * 5)], "Tornei for 4 players has no room"),
        (["tornei", "--games", "0"], "Invalid value for '--games'"),
        (["tornei", "--games", "many"], "Invalid value for '--games'"),
        (["tornei", "--seed", "-1"], "Invalid value for '--seed'"),
        (["tornei", "--seed", str(2**64)], "Invalid value for '--seed'"),
        (["tornei", "--language", "de"], "Invalid value for '--language'"),
        (["tornei", "--gams", "3"], "No such option: --gams"),
        (["tornei", "--record", "/"], "Cannot write /: Is a directory."),
        (["tornei", "--record", "/nowhere/x"], "Cannot write /nowhere/x: No such file"),
        ([], "Missing argument 'GAME'."),
    ],
)
def test_simulate_refuses_before_anything_starts(refused, arguments, said):
    assert refused("simulate", *arguments).startswith(said)


def test_an_unknown_command_names_the_nearest(refused):
    assert refused("simulat") == "No such command 'simulat'. Did you mean 'simulate'?"


# --- replay -------------------------------------------------------------------------------------


def test_replay_tells_all_matches_or_one(run, records):
    _, both, _ = run("replay", records)
    _, second, _ = run("replay", records, "--match", 2)
    assert both[0] == "Match 1 of 2"
    assert both[-len(second) :] == second
    assert second[0] == "Match 2 of 2"


def test_replay_from_a_seat_shows_its_cards_only_there(run, records):
    _, spectator, _ = run("replay", records, "--match", 1)
    _, seat, _ = run("replay", records, "--match", 1, "--seat", 0)
    own_deals = [line for line in seat if line not in spectator and line.startswith("T4")]
    assert len(own_deals) == 4
    assert not [line for line in spectator if line.startswith("T4")]


def test_replay_as_json_lines(run, records):
    _, out, _ = run("replay", records, "--match", 1, "--json")
    match = hastilude.replay(next(load_all(records)))
    assert [json.loads(line)["event"] for line in out] == [event.key for event in match.events()]


def test_names_of_a_record_are_spoken(run, records, tmp_path):
    record = next(load_all(records))
    record.names = ["Ada", "Ben", "Chika", "Dai"]
    record.save(tmp_path / "named.json")
    _, out, _ = run("replay", tmp_path / "named.json")
    assert out[0] == "T3: Round 1 begins; Ada deals."


def test_an_unfinished_record_says_so(run, records, tmp_path):
    record = next(load_all(records))
    del record.events[5:]
    record.scores = record.winners = None
    record.save(tmp_path / "early.json")
    code, out, _ = run("replay", tmp_path / "early.json")
    assert (code, out[-1]) == (0, "The record ends here; the match is not over.")


def first(records):
    return json.loads(records.read_text().splitlines()[0])


def tampered(record):
    record["events"][3] = record["events"][1]


def cut_short(record):
    del record["events"][50:]


def wrong_result(record):
    record["scores"][0] += 1


def unreadable_event(record):
    record["events"][7] = ["play", 1]


def newer_format(record):
    record["hastilude"] = 2


def newer_rules(record):
    record["rules"] = 99


def other_game(record):
    record["game"] = "tarot"


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (tampered, "Event 3 does not follow the rules. T"),
        (cut_short, "at event 50"),
        (wrong_result, "The record's result does not match its 228 events"),
        (unreadable_event, "Event 7 is neither a play nor a chance event."),
        (newer_format, "Not a record of format version 1"),
        (newer_rules, "The record uses version 99 of the rules of tornei"),
        (other_game, "There is no game named tarot."),
    ],
)
def test_a_broken_record_is_one_sentence(refused, records, damage, said):
    record = first(records)
    damage(record)
    records.write_text(json.dumps(record))
    assert said in refused("replay", records)


def test_a_file_cut_off_is_one_sentence_with_its_line(refused, records):
    records.write_bytes(records.read_bytes()[:-100])
    assert "line 2: Not a record: invalid JSON" in refused("replay", records)


def test_a_broken_match_of_many_is_named(refused, records):
    good, record = first(records), first(records)
    tampered(record)
    records.write_text(f"{json.dumps(good)}\n{json.dumps(record)}\n")
    assert refused("replay", records, "--match", 2).startswith("Match 2 of 2: Event 3 does not")


def test_refusals_are_in_the_chosen_language_throughout(refused, records):
    record = first(records)
    tampered(record)
    records.write_text(json.dumps(record))
    said = refused("replay", records, "--language", "ja")
    assert "Event" not in said
    assert "not" not in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--match", "3"], "has no match 3. Its matches are numbered from 1 to 2."),
        (["--match", "0"], "Invalid value for '--match'"),
        (["--seat", "4"], "There is no seat 4. Seats are numbered from 0 to 3."),
    ],
)
def test_replay_refuses(refused, records, arguments, said):
    assert said in refused("replay", records, *arguments)


def test_replay_of_nothing(refused, tmp_path):
    (tmp_path / "empty").write_text("")
    (tmp_path / "picture").write_bytes(b"\x89PNG\xff")
    assert refused("replay", tmp_path / "empty").endswith("contains no match.")
    assert refused("replay", tmp_path / "picture").endswith("is not a text file.")
    assert refused("replay", tmp_path / "missing").endswith("No such file or directory.")
    assert "Cannot read" in refused("replay", tmp_path)


def test_stepping_waits_for_enter(records):
    terminal, inside = pty.openpty()
    command = [*PYTHON, "replay", str(records), "--match", "1", "--step", "--language", "en"]
    process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=subprocess.DEVNULL)
    os.close(inside)
    told = read_until(terminal, "deals. ")
    assert "leads" not in told
    os.write(terminal, b"\n")
    assert "leads" in read_until(terminal, "leads")
    os.write(terminal, b"\x04")  # the end of the input ends the stepping, quietly
    assert process.wait(timeout=60) == 0
    os.close(terminal)


def read_until(terminal, wanted):
    told = ""
    while wanted not in told:
        assert select.select([terminal], [], [], 120)[0], told
        told += os.read(terminal, 1000).decode()
    return told


def test_stepping_needs_a_terminal(refused, records, monkeypatch):
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    assert refused("replay", records, "--step") == "Stepping through a match requires a terminal."


# --- verify -------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path):
    """Writes the record of a finished table, its last seat a bot's, and gives its path."""

    def write(name="triatri", seeds=(b"one", b"two"), tamper=lambda record: None):
        game = hastilude.load(name)
        by_seat = [*seeds, *[b""] * game.seats][: game.seats]
        match = finish(game.new(chance=VerifiableChance(bytes(32), "k7Qm2x", by_seat)))
        record = match.record(names=["Ada"])
        record.proof = proof(match, bytes(32), "k7Qm2x", by_seat)
        tamper(record)
        record.save(tmp_path / "table.jsonl")
        return tmp_path / "table.jsonl"

    return write


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_verify_tells_what_holds_and_what_that_means(run, table, name, language):
    code, out, err = run("verify", table(name), "--language", language)
    shown, not_shown = (catalogue(language)[f"cli_verify_{key}"] for key in ("shown", "not_shown"))
    assert (code, err, out[-2:]) == (0, [], [shown, not_shown])
    assert hastilude.load(name).title in out[0]
    assert commitment(bytes(32)) in out[2]


def test_verify_lists_the_seeds_by_seat(run, table):
    _, out, _ = run("verify", table())
    assert out[3:6] == [f"  Ada: {b'one'.hex()}", f"  Player 2: {b'two'.hex()}", "  Player 3: none"]


def test_verify_says_that_without_seeds_the_host_was_free(run, table):
    code, out, _ = run("verify", table(seeds=()))
    assert code == 0
    assert out[-1] == catalogue("en")["cli_verify_host_alone"]


def exchange_cards(record):
    hand = record.events[0][1]["hands"][0]
    hand[0], hand[1] = hand[1], hand[0]


@pytest.mark.parametrize(
    ("tamper", "rules", "said"),
    [
        (exchange_cards, True, "Event 0 (deal): the cards of the match do not match the seeds"),
        (
            lambda record: setattr(record, "proof", None),
            True,
            "Cannot check the shuffles: the",
        ),
        (lambda record: record.proof.update(table="other"), True, "Event 0 (deal): the result in"),
        (lambda record: record.events.pop(), False, "The record has a result, but its events stop"),
    ],
)
def test_verify_names_what_does_not_hold(run, table, tamper, rules, said):
    path = table(tamper=tamper)
    code, out, err = run("verify", path)
    assert (code, err) == (1, [])
    assert out[-1].startswith(said)
    code, out, _ = run("verify", path, "--json")
    told = json.loads(out[0])
    assert code == 1
    assert (told["rules"], told["shuffles"], told["seeds"]) == (rules, False, None)
    assert told["problem"].startswith(said)


def test_verify_of_several_records_fails_if_one_does(run, table):
    path = table()
    good = path.read_text("utf-8")
    path.write_text(good + good.replace("k7Qm2x", "k7Qm2y"), "utf-8")
    code, out, _ = run("verify", path)
    assert code == 1
    assert [line for line in out if line.startswith("Match ")] == ["Match 1 of 2", "Match 2 of 2"]
    told = [json.loads(line) for line in run("verify", path, "--json")[1]]
    assert [(one["match"], one["shuffles"]) for one in told] == [(1, True), (2, False)]


def test_verify_needs_a_record(refused, tmp_path):
    path = tmp_path / "nothing.jsonl"
    assert refused("verify", path) == f"Cannot read {path}: No such file or directory."
    path.touch()
    assert refused("verify", path) == f"{path} contains no match."


# --- the shell around it ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja"}, "ja"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "", "LC_MESSAGES": "ja_JP.eucJP"}, "ja"),
        ({}, "en"),
    ],
)
def test_the_language_is_that_of_the_environment(monkeypatch, environment, language):
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    assert language_of_environment() == language


def test_a_reader_that_goes_away_is_no_error():
    command = [*PYTHON, "simulate", "tornei", "--games", "50", "--watch"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=60)
    assert "Error" not in said
    assert "Traceback" not in said


def test_an_interrupt_is_quiet(run, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("hastilude.simulation.play_matches", interrupted)
    assert run("simulate", "tornei") == (130, [], [])


def test_a_terminal_without_our_characters_gets_others():
    command = [*PYTHON, "describe", "tornei", "--language", "ja"]
    told = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert "Totsuca Chuo (????)" in told.stdout
