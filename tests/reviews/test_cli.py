"""Reviews on the command line and in replays."""

from dataclasses import replace

import hastilude
from hastilude.core.record import save_all
from hastilude.reviews.judging import MARKED
from hastilude.terminal.app import ReplayApp
from tests.reviews.matches import NAMES
from tests.terminal.playing import run as run_app
from tests.terminal.playing import text
from tests.test_cli import refused, run  # noqa: F401  # fixtures


def test_every_seat_is_reviewed_in_sentences(run, file, record):  # noqa: F811
    code, out, err = run("review", file)
    assert (code, err) == (0, [])
    headings = [number for number, line in enumerate(out) if line.startswith("Review for ")]
    assert [out[number] for number in headings] == [f"Review for {name}" for name in NAMES]
    for seat, start in enumerate(headings):
        review = hastilude.review(record, seat=seat)
        told = "\n".join(out[start:]).partition("\n\n")[0]
        assert f"{len(review.decisions)} decisions. Best: " in told
        for decision in review.decisions:
            move = sum(event[0] == "play" for event in record.events[: decision.step]) + 1
            assert (f"Move {move} of 51. Round " in told) == (decision.label in MARKED)
        for decision in review.decisions:
            if decision.label in MARKED:
                loss = f"{100 * decision.choice.loss.value:.1f}"
                label = decision.label.capitalize()
                assert f"  {label}: −{loss} points (±" in told
                assert f"  You played {decision.choice.texts[0]}: about " in told
                assert f"  Better: {decision.alternatives[0].texts[0]}, about " in told
                assert all(f"  {reason}" in told for reason in decision.reasons)


def test_a_review_as_json(run, file, record):  # noqa: F811
    _, out, _ = run("review", file, "--seat", 1, "--seed", 5, "--json")
    assert out == [hastilude.review(record, seat=1, seed=5).to_json()]


def test_several_matches_are_reviewed_one_after_another(run, two_matches):  # noqa: F811
    _, out, _ = run("review", two_matches, "--seat", 0, "--language", "ja")
    assert [line for line in out if line.startswith("対戦")] == ["対戦 1／2", "対戦 2／2"]
    _, second, _ = run("review", two_matches, "--match", 2, "--seat", 0, "--language", "ja")
    assert out[-len(second) :] == second


def test_a_page_is_saved_completely_or_not_at_all(run, refused, file, two_matches, tmp_path):  # noqa: F811
    page = tmp_path / "review.html"
    code, out, _ = run("review", file, "--seat", 0, "--html", page)
    assert (code, out) == (0, [f"The review was saved to {page}."])
    assert page.read_text("utf-8").endswith("</html>\n")
    for path, said in (
        (tmp_path / "nowhere" / "review.html", "No such file or directory."),
        (tmp_path, "Is a directory."),
    ):
        assert refused("review", file, "--html", path) == f"Cannot write {path}: {said}"
    assert "Choose one with --match." in refused("review", two_matches, "--html", page)


def unfinished(record):
    return replace(record, events=record.events[:20], scores=None, winners=None)


def test_what_cannot_be_reviewed_is_refused(refused, file, record, tmp_path):  # noqa: F811
    early, two = tmp_path / "early.json", tmp_path / "two.jsonl"
    unfinished(record).save(early)
    said = "Only a finished match can be reviewed, and this one is not finished."
    assert refused("review", early) == said
    assert refused("replay", early, "--seat", 0, "--review") == said
    save_all([record, unfinished(record)], two)
    assert refused("review", two) == f"Match 2 of 2: {said}"
    assert refused("review", file, "--seat", 2).startswith("There is no seat 2.")
    record.events[3] = record.events[1]
    record.save(early)
    assert refused("review", early).startswith("Event 3 does not follow the rules.")


# --- replays --------------------------------------------------------------------------------------


def marked(review):
    return [decision for decision in review.decisions if decision.label in MARKED]


def test_a_replay_with_marks(run, file, record):  # noqa: F811
    _, out, _ = run("replay", file, "--seat", 0, "--review")
    _, bare, _ = run("replay", file, "--seat", 0)
    review = hastilude.review(record, seat=0)
    events, comments = [], {}
    for line in out:
        if line.startswith("  "):
            comments.setdefault(len(events), []).append(line.strip())
        else:
            events.append(line)
    assert len(events) == len(bare)
    assert len(comments) == len(marked(review)) > 0
    for decision in marked(review):
        number = len(hastilude.replay(record, upto=decision.step).events(0))
        assert events[number].startswith(("A5: You", "A6: You", "A7: You"))
        verdict, *reasons = comments[number + 1]
        assert verdict.startswith(f"{decision.label.capitalize()}: −")
        assert reasons == list(map(str, decision.reasons))


def test_a_replay_has_the_marks_of_one_seat_in_sentences(refused, file):  # noqa: F811
    assert "Choose it with --seat." in refused("replay", file, "--review")
    said = refused("replay", file, "--seat", 0, "--review", "--json")
    assert "hastilude review --json" in said


def test_the_drawn_replay_shows_marks_and_leads_to_the_next(record):
    review = hastilude.review(record, seat=0)
    moves = []

    async def scenario(app, pilot):
        assert "Better: " not in text(app)
        for decision in marked(review):
            await pilot.press("m")
            assert f"{decision.label.capitalize()}: −" in text(app)
            assert "Better: " in text(app)
            moves.append(app.screen.scene.move)
        await pilot.press("m")
        assert app.screen.scene.move == moves[0]  # from the last to the first
        await pilot.press("left")
        assert "Better: " not in text(app)
        await pilot.press("n")
        await pilot.pause()
        await pilot.press("m")
        assert app.screen.scene.move == moves[0]

    run_app(scenario, ReplayApp([record, record], 0, "en", reviews=[review, review]))
    plays = [number for number, event in enumerate(record.events) if event[0] == "play"]
    assert [plays[move - 1] for move in moves] == [decision.step for decision in marked(review)]
