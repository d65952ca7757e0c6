"""The drawings of the tables, in both languages."""

import unicodedata

import pytest
from rich.cells import cell_len
from rich.text import Text

import hastilude
from hastilude.messages import LANGUAGES
from hastilude.terminal.drawing import Drawing, drawing_of
from hastilude.terminal.voice import Voice
from tests.variants import every_variant

MOST_LINES = 13  # leaves room for what happened last on a terminal of 24 lines


@every_variant
def test_a_table_fits_and_has_no_sign_of_doubtful_width(name, options):
    game = hastilude.load(name, **options)
    match, drawing = game.new(seed=3), drawing_of(game)
    voices = [Voice(language, game.names(language)) for language in LANGUAGES]
    for move in range(150):
        viewer = (None, *range(game.seats))[move % (game.seats + 1)]
        for voice in voices:
            lines = drawing.lines(match.view(viewer), voice, 80)
            assert len(lines) <= MOST_LINES
            for line in lines:
                assert line.cell_len <= 80
                assert "A" not in map(unicodedata.east_asian_width, line.plain)  # ambiguous
        if match.over:
            break
        match.play(match.turn, match.legal(match.turn)[-1])


@pytest.mark.parametrize("name", hastilude.games())
def test_every_suit_has_a_colour_a_shape_and_a_letter(name):
    drawing = drawing_of(hastilude.load(name))
    assert type(drawing) is not Drawing
    faces = list(drawing.faces.values())
    assert len({face.shape for face in faces}) == len({face.paper for face in faces}) == len(faces)
    for letter, face in drawing.faces.items():
        card = drawing.card(letter, Voice())
        assert card.plain == f"{face.shape}{letter}"
        assert cell_len(face.shape) == 1


@pytest.mark.parametrize("name", hastilude.games())
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_without_a_drawing_of_its_own_is_drawn_all_the_same(name, language):
    game = hastilude.load(name)
    view, voice = game.new(seed=1).view(0), Voice(language, game.names(language))
    rows = Text("\n").join(Drawing().lines(view, voice, 80)).plain
    assert all(name in rows for name in game.names(language)[: game.seats])
    assert Drawing().choices(view, ()) == view.hand


@pytest.mark.parametrize("name", hastilude.games())
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_in_words_names_everybody(name, language):
    game = hastilude.load(name)
    match, voice = game.new(seed=5), Voice(language, game.names(language))
    while not match.over:
        told = [voice.say(message) for message in drawing_of(game).words(match.view(0))]
        for player in voice.names:
            assert any(player in sentence for sentence in told)
        match.play(match.turn, match.legal(match.turn)[0])
