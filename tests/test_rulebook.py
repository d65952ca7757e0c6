"""The form of the rulebooks, and the words in which they are written."""

import re

import pytest

from hastilude.games.registry import GAMES, load
from hastilude.games.rulebook import chapters, clauses, rulebook
from hastilude.messages import LANGUAGES

EVERY = [
    pytest.param(game, language, id=f"{game}-{language}")
    for game in (*GAMES, "_template")
    for language in LANGUAGES
]


@pytest.mark.parametrize("game", [*GAMES, "_template"])
def test_both_languages_have_the_same_chapters_and_clauses(game):
    english, japanese = (
        [[item.clause for item in chapter.items] for chapter in chapters(game, language)]
        for language in LANGUAGES
    )
    assert english == japanese


@pytest.mark.parametrize(("game", "language"), EVERY)
def test_the_summary_is_first_and_says_the_aim_a_turn_and_how_to_score(game, language):
    summary, *others = chapters(game, language)
    heads = [item.text.split("**")[1] for item in summary.items]
    assert len(heads) >= 3
    assert heads[0] == {"en": "Aim.", "ja": "目的。"}[language]
    assert heads[-1] in {"en": ("Scoring.",), "ja": ("得点。", "点数。")}[language]
    assert not any(item.clause for item in summary.items)
    assert sum(len(item.text) for item in summary.items) < 1500
    assert clauses(game, language).keys() == {
        item.clause for chapter in others for item in chapter.items if item.clause
    }


@pytest.mark.parametrize(("game", "language"), EVERY)
def test_everything_belongs_to_an_item_of_a_chapter(game, language):
    """So that the page, which shows chapters and items, leaves nothing out."""
    read = {""}
    for chapter in chapters(game, language):
        read |= {f"## {chapter.title}"}
        read |= {line for item in chapter.items for line in item.text.splitlines()}
    _, *lines = rulebook(game, language).splitlines()
    assert [line for line in lines if re.sub(r"^(- |\d+\. | +)", "", line) not in read] == []


@pytest.mark.parametrize(("game", "language"), EVERY)
def test_a_paragraph_of_japanese_is_one_line(game, language):
    """Joined lines would have a space between them."""
    for chapter in chapters(game, language):
        for item in chapter.items:
            paragraphs = item.text.split("\n\n")
            assert language == "en" or not any("\n" in text for text in paragraphs), item.text


@pytest.mark.parametrize(("game", "language"), EVERY)
def test_the_rules_are_written_for_a_table_and_not_for_the_program(game, language):
    text = rulebook(game, language)
    assert not re.findall(r"`[a-z][a-z_:]+`|\w_\w|\w:\w", text)
    assert not re.findall(r"[Oo]ption|オプション|[Ss]eats? \d|席\d", text)
    if game in GAMES:
        played = load(game)
        words = [
            word
            for option in played.known_options
            for word in option.allowed(played.options)
            if isinstance(word, str)
        ]
        assert not [word for word in words if word in text]
