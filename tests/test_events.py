"""Events: what they tell is all there is to know, and they explain what was finished."""

from importlib import import_module

from hastilude import explain
from hastilude.testing import played, viewers
from tests.variants import every_variant, subject


@every_variant
def test_a_view_is_what_the_events_up_to_it_tell(name, options):
    retell = import_module(f"tests.{name}.retell")
    tested = subject(name, options, matches=2)
    listeners, heard, current = {}, {}, None
    for match, _ in played(tested):
        if match is not current:
            current = match
            listeners = {
                viewer: retell.listener(match.game, viewer) for viewer in viewers(tested.game)
            }
            heard = dict.fromkeys(listeners, 0)
        for viewer, listener in listeners.items():
            for event in match.events(viewer, since=heard[viewer]):
                listener.hear(event)
                heard[viewer] += 1
            assert listener.view() == match.view(viewer)


@every_variant
def test_everything_finished_can_be_explained_step_by_step(name, options):
    *_, (match, _) = played(subject(name, options, matches=1), most=3000)
    events = match.events(0)
    for index, event in enumerate(events):
        if event.ends:
            story = explain(events, index)
            assert story[-1] is event
            before = story[: -1 - sum(type(step) is type(event) for step in story[:-1])]
            assert all(step.chapter < event.chapter for step in before)
    assert events[-1].ends == "match"
