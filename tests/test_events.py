"""Events: what they tell is all there is to know, and they can be explained."""

from importlib import import_module

import pytest

import hastilude
from hastilude.testing import Subject, played, viewers

GAMES = [
    pytest.param(name, options, id=f"{name} {options}")
    for name in hastilude.games()
    for options in import_module(f"tests.{name}.subject").VARIANTS
]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_view_is_what_the_events_up_to_it_tell(name, options):
    about = import_module(f"tests.{name}.subject")
    retell = import_module(f"tests.{name}.retell")
    game = hastilude.load(name, **options)
    listeners, heard, current = {}, {}, None
    for match, _ in played(Subject(game, about.census, about.secrets, matches=2)):
        if match is not current:
            current = match
            listeners = {viewer: retell.listener(game, viewer) for viewer in viewers(game)}
            heard = dict.fromkeys(listeners, 0)
        for viewer, listener in listeners.items():
            for event in match.events(viewer, since=heard[viewer]):
                listener.hear(event)
                heard[viewer] += 1
            assert listener.view() == match.view(viewer)
