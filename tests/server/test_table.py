"""A table, as those who sit at it see it."""

from typing import Any

import pytest

from hastilude.core.record import Record
from hastilude.core.shuffles import verify_shuffles
from hastilude.games.registry import GAMES, load, replay
from hastilude.messages import Message, catalogue, render
from hastilude.protocol import Phrase
from hastilude.server import log
from hastilude.server.errors import AlreadyPlayed, Refusal
from tests.server.folding import Folded
from tests.server.running import Address, Client, play_out

SHORT = {"options": {"best_of": 1}}


def seated(hall: Address, *names: str, game: str = "kings_tournament", **wanted: Any):
    """A table, the tokens of those who sit at it, and a connection for each."""
    table = hall.open_table(game, **wanted)
    hosted = {"host": table["host"]}
    tokens = [
        hall.sit(table["code"], name, **(hosted if not number else {}))["token"]
        for number, name in enumerate(names)
    ]
    return table["code"], tokens, [hall.client(table["code"], token) for token in tokens]


@pytest.mark.parametrize("game", GAMES)
def test_people_play_a_match_to_its_end_and_can_check_it(hall: Address, game: str) -> None:
    table = hall.open_table(game)
    names = [f"Player {number}" for number in range(load(game).seats)]
    sittings = [hall.sit(table["code"], name) for name in names]
    clients = [hall.client(table["code"], sitting["token"]) for sitting in sittings]
    ended = play_out(clients)
    assert ended["phase"] == "over"
    record = hall.request("GET", f"/api/tables/{table['code']}/matches/1/record").text
    match = replay(Record.from_json(record))
    assert list(match.winners) == ended["winners"]
    assert list(match.scores) == ended["scores"]
    assert Record.from_json(record).names == names
    assert Record.from_json(record).proof["commitment"] == table["commitment"]
    verify_shuffles(match, Record.from_json(record).proof)


@pytest.mark.parametrize("game", GAMES)
def test_the_log_says_which_play_ended_the_match(game: str) -> None:
    table = Folded(game, seats=[None] * load(game).seats)
    table.plays_out()
    ends = [entry.ends for entry, _ in table.log if isinstance(entry, log.Played)]
    assert ends == [False] * (len(ends) - 1) + [True]


def test_a_log_read_again_gives_the_same_table() -> None:
    played = Folded(**SHORT)
    played.does("say", 0, "hello")
    played.plays_out()
    again = type(played.table)("abcd", played.table.master)
    for entry, at in played.log:
        again.apply(entry, at)
    assert again.match is not None
    assert played.table.match is not None
    assert again.match.state == played.table.match.state
    assert again.record().to_json() == played.table.record().to_json()


# --- playing ------------------------------------------------------------------------------------


def test_a_refused_play_says_why_with_the_clause_and_changes_nothing(hall: Address) -> None:
    _, _, (anna, ben) = seated(hall, "Anna", "Ben")
    update = anna.wait_for(lambda u: u["legal"])
    absent = next(card for card in load("kings_tournament").texts if card not in update["legal"])
    refused = anna.play(absent, absent, absent)
    assert refused["reason"]["key"] == "kings_tournament_not_in_hand"
    assert refused["reason"]["clause"].startswith("K")
    assert refused["reason"]["values"]["card"] == absent
    assert refused["version"] == update["version"]
    card = update["legal"][0]
    assert anna.play(card)["reason"]["key"] == "choice_not_whole"
    assert anna.play(*anna.first_choice())["type"] == "done"
    assert ben.reach(update["version"] + 1)["view"]["chosen"] == [True, False]


def test_a_play_out_of_turn_is_told_whose_turn_it_is(hall: Address) -> None:
    _, _, clients = seated(hall, "Anna", "Ben", "Chika", "Dai", game="tornei")
    for client in clients:
        client.wait_for(lambda u: u["match"] > 0)
    turn = clients[0].update["view"]["pending"][0]
    other = clients[(turn + 1) % 4]
    refused = other.play(other.update["view"]["hand"][0])
    assert refused["reason"]["key"] == "tornei_not_your_turn"
    assert refused["reason"]["values"]["seats"] == [turn]


def test_a_play_sent_again_is_not_played_twice() -> None:
    table = Folded()
    version, choice = table.table.version, table.choice(0)
    table.does("play", 0, version, choice, "mine")
    with pytest.raises(AlreadyPlayed) as again:
        table.table.play(0, version, choice, "mine")
    assert again.value.version == table.table.version
    with pytest.raises(Refusal, match="The table changed before"):
        table.table.play(0, version, choice, "another")
    with pytest.raises(Refusal, match="The table changed before"):
        table.table.play(1, table.table.version + 1, choice, "from the future")


def test_a_phrase_makes_no_play_stale() -> None:
    table = Folded()
    version, choice = table.table.version, table.choice(0)
    table.does("say", 1, "hello")
    table.does("play", 0, version, choice, "mine")


def test_what_may_follow_can_be_asked_without_playing(hall: Address) -> None:
    _, _, (anna, ben) = seated(hall, "Anna", "Ben")
    update = anna.wait_for(lambda u: u["legal"])
    hand = update["view"]["hand"]
    for count in range(5):
        anna.send("ask", id=f"q{count}", actions=hand[:count])
        answer = anna.expect("answer", id=f"q{count}")
        assert answer["refused"] is None
        assert answer["whole"] == (not answer["legal"])
        if answer["whole"]:
            break
    else:
        pytest.fail("five cards are more than a choice")
    absent = next(card for card in load("kings_tournament").texts if card not in hand)
    anna.send("ask", id="why", actions=[absent])
    answer = anna.expect("answer", id="why")
    assert answer["refused"]["key"] == "kings_tournament_not_in_hand"
    assert set(answer["legal"]) == set(update["legal"])
    anna.send("ask", id="more", actions=[*hand[:count], hand[0]])
    assert anna.expect("answer", id="more")["refused"]["key"] == "choice_is_whole"
    ben.reach(update["version"])
    assert ben.update["view"]["chosen"] == [False, False]


@pytest.mark.parametrize("game", ["tornei", "triatri"])
def test_an_update_says_what_is_a_whole_choice_so_that_nobody_has_to_ask(
    hall: Address, game: str
) -> None:
    seats = [None] + ["page"] * (load(game).seats - 1)
    _, _, (anna,) = seated(hall, "Anna", game=game, seats=seats)
    for _ in range(12):
        update = anna.wait_for(lambda u: u["legal"])
        assert update["complete"] == update["legal"]
        done = anna.play(update["complete"][-1])
        assert done["type"] == "done"
        anna.reach(done["version"])


def test_no_card_of_a_joust_line_is_a_whole_choice_but_one_of_the_melee_is(hall: Address) -> None:
    _, _, (anna,) = seated(hall, "Anna", seats=[None, "page"], **SHORT)
    phases = set()
    while True:
        update = anna.wait_for(lambda u: u["legal"] or u["phase"] == "over")
        if update["phase"] == "over":
            break
        phase = update["view"]["phase"]
        phases.add(phase)
        assert update["complete"] == ([] if phase == "joust" else update["legal"])
        done = anna.play(*anna.first_choice())
        assert done["type"] == "done"
        anna.reach(done["version"])
    assert update["complete"] == []
    assert {"joust", "lead", "answer"} & phases > {"joust"}


def test_only_the_seat_that_is_to_choose_gets_choices(hall: Address) -> None:
    code, _, clients = seated(hall, "Anna", "Ben", "Cleo", "Dan", game="tornei")
    clients.append(hall.client(code))
    version = clients[0].wait_for(lambda u: u["match"])["version"]
    for seat, client in enumerate(clients):
        update = client.reach(version)
        assert bool(update["complete"]) == (update["view"]["pending"] == [seat])


def test_why_can_be_asked_when_all_is_over(hall: Address) -> None:
    _, _, (anna,) = seated(hall, "Anna", seats=[None, "page"], **SHORT)
    play_out([anna])
    anna.send("ask", id="why", actions=["7"])
    assert anna.expect("answer", id="why")["refused"]["key"] == "match_over"
    anna.send("play", id="late", version=anna.update["version"], actions=["7"])
    assert anna.expect("refused")["reason"]["key"] == "not_playing"


@pytest.mark.parametrize("game", GAMES)
def test_events_tell_the_story_of_what_they_end(hall: Address, game: str) -> None:
    seats = [None, *["page"] * (load(game).seats - 1)]
    code, (token,), (anna,) = seated(hall, "Anna", game=game, seats=seats)
    play_out([anna])
    events = hall.client(code, token, since=0).reach(anna.update["version"])["events"]
    assert [event["index"] for event in events] == list(range(len(events)))
    assert events[-1]["ends"] == "match"
    for event in events:
        assert 0 <= event["story"] <= event["index"]
        assert (event["story"] == event["index"]) or event["ends"]
        for language in ("en", "ja"):
            assert render(Message(event["event"], event["values"], event["clause"]), language)
    ended = next(event for event in events if event["ends"] in ("trick", "joust", "turn"))
    assert len(events[ended["story"] : ended["index"]]) >= 2


# --- watching -----------------------------------------------------------------------------------


def test_spectators_see_what_is_public_and_only_watch(hall: Address) -> None:
    code, _, (anna, _) = seated(hall, "Anna", "Ben")
    watcher = hall.client(code, since=0)
    assert watcher.expect("welcome")["seat"] is None
    update = watcher.reach(4)
    assert update["view"]["hand"] == []
    assert update["legal"] == []
    assert anna.reach(4)["view"]["hand"]
    for frame in ("say", "leave"):
        watcher.send(frame, **({"phrase": "hello"} if frame == "say" else {}))
        assert watcher.expect("refused")["reason"]["key"] == "spectator"
    anna.play(*anna.first_choice())
    update = watcher.reach(5)
    assert update["view"]["chosen"] == [True, False]
    assert update["view"]["line"] == [[], []]


def test_a_table_that_nobody_may_watch_lets_only_its_players_see(hall: Address) -> None:
    code, tokens, clients = seated(hall, "Anna", "Ben", watch="nobody", **SHORT)
    watcher = hall.client(code)
    assert watcher.receive()["reason"]["key"] == "watch_refused"
    assert watcher.closed() == 4403
    play_out(clients)
    for kind in ("record", "replay"):
        path = f"/api/tables/{code}/matches/1/{kind}"
        assert hall.request("GET", path).status_code == 403
        assert hall.get(path, headers={"authorization": f"Bearer {tokens[1]}"})


def test_the_list_has_open_tables_that_anyone_may_find(server: Address) -> None:
    def listed() -> Any:
        return [(one["code"], one["phase"], one["people"], one["free"]) for one in tables()]

    def tables() -> Any:
        return server.get("/api/tables")

    server.sit(server.open_table(watch="link")["code"], "Anna")
    server.open_table(watch="anyone")  # at which nobody sits
    table = server.open_table(watch="anyone", **SHORT)
    code = table["code"]
    token = server.sit(code, "Anna", host=table["host"])["token"]
    assert listed() == [(code, "gathering", 1, 1)]
    assert tables()[0]["game"] == "kings_tournament"
    ben = server.client(code, server.sit(code, "Ben")["token"])
    ben.wait_for(lambda u: u["match"] == 1)
    assert listed() == [(code, "playing", 2, 0)]
    anna = server.client(code, token)
    play_out([anna, ben])
    assert listed() == []  # nothing to watch, no seat to take
    ben.send("leave")
    ben.closed()
    assert listed() == [(code, "over", 1, 1)]


# --- talking ------------------------------------------------------------------------------------


def test_phrases_are_said_to_everybody_and_have_a_sentence_in_every_language(
    hall: Address,
) -> None:
    code, _, (anna, ben) = seated(hall, "Anna", "Ben")
    anna.reach(4)
    ben.send("say", phrase="good_luck")
    said = anna.wait_for(lambda u: u["said"])["said"]
    assert said == [{"seat": 1, "phrase": "good_luck", "version": 5}]
    late = hall.client(code, since=0).reach(5)
    assert late["said"] == said  # who comes later still sees it
    for language in ("en", "ja"):
        for phrase in Phrase.__args__:  # type: ignore[attr-defined]
            assert f"phrase_{phrase}" in catalogue(language)
    anna.send("say", phrase="anything I like")
    assert anna.expect("refused")["reason"]["key"] == "bad_frame"


# --- another match ------------------------------------------------------------------------------


def agree(client: Client, seed: str = "cd" * 16) -> None:
    client.send("rematch", seed=seed)


def test_a_rematch_begins_when_all_agree_with_new_cards_and_the_same_bots(hall: Address) -> None:
    code, _, clients = seated(
        hall, "Anna", "Ben", game="triatri", options={"players": 3}, seats=[None, "page", None]
    )
    anna, ben = clients
    ended = play_out(clients)
    promised = ended["commitment"]
    agree(anna)
    assert ben.wait_for(lambda u: u["rematch"])["rematch"] == [0]
    assert ben.update["phase"] == "over"
    agree(ben, "ef" * 16)
    for client in clients:
        update = client.wait_for(lambda u: u["match"] == 2)
    assert update["commitment"] == promised
    assert update["seeds"] == ["cd" * 16, "", "ef" * 16]
    assert [seat["level"] for seat in update["seats"]] == [None, "page", None]
    assert play_out(clients)["match"] == 2
    proofs = [hall.get(f"/api/tables/{code}/matches/{k}/record")["proof"] for k in (1, 2)]
    assert proofs[0]["master"] != proofs[1]["master"]
    assert proofs[1]["commitment"] == promised
    for number in (1, 2):  # each of them can still be read and checked
        text = hall.request("GET", f"/api/tables/{code}/matches/{number}/record").text
        verify_shuffles(replay(Record.from_json(text)), Record.from_json(text).proof)


def test_who_left_is_replaced_and_the_record_keeps_the_names_of_those_who_played(
    hall: Address,
) -> None:
    code, _, (anna, ben) = seated(hall, "Anna", "Ben", **SHORT)
    play_out([anna, ben])
    ben.send("leave")
    ben.closed()
    update = anna.wait_for(lambda u: u["seats"][1]["kind"] == "empty")
    assert update["seats"][1]["name"] == "Ben"  # the result is still his
    chika = hall.client(code, hall.sit(code, "Chika")["token"])
    agree(anna)
    agree(chika)
    for client in (anna, chika):
        client.wait_for(lambda u: u["match"] == 2)
    play_out([anna, chika])
    names = [hall.get(f"/api/tables/{code}/matches/{k}/record")["names"] for k in (1, 2)]
    assert names == [["Anna", "Ben"], ["Anna", "Chika"]]


def test_a_bot_takes_the_empty_seat_of_a_rematch() -> None:
    table = Folded(**SHORT)
    table.plays_out()
    table.does("leave", 1)
    assert not table.table.ready
    table.does("want_rematch", 0, "cd" * 16)
    table.begins()
    assert [(seat.kind, seat.name) for seat in table.table.seats][1] == ("bot", "")


def test_a_bot_that_played_on_for_somebody_does_not_keep_the_name() -> None:
    table = Folded(**SHORT)
    table.does("leave", 1)
    while table.table.phase == "playing":
        table.bot_plays(table.table.pending()[0])
    assert table.table.seats[1].name == "Player 1"
    table.does("want_rematch", 0, "cd" * 16)
    table.begins()
    assert table.table.seats[1].name == ""


def test_who_agrees_to_a_rematch_plays_it() -> None:
    table = Folded(**SHORT)
    table.does("stand_in", 1)
    while table.table.phase == "playing":
        table.bot_plays(table.table.pending()[0])
    table.does("want_rematch", 1, "cd" * 16)
    assert not table.table.ready  # the other has not agreed
    table.does("want_rematch", 0, "cd" * 16)
    table.begins()
    assert not table.table.seats[1].stand_in


def test_there_is_no_rematch_before_the_end() -> None:
    with pytest.raises(Refusal, match="not over yet"):
        Folded().table.want_rematch(0, "cd" * 16)


# --- finished matches ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_match_can_be_seen_from_every_seat(hall: Address, game: str) -> None:
    seats = [None, *["page"] * (load(game).seats - 1)]
    code, (token,), (anna,) = seated(hall, "Anna", game=game, seats=seats)
    path = f"/api/tables/{code}/matches/1/replay"
    anna.reach(3)
    early = hall.request("GET", path)
    assert early.status_code == 409
    assert early.json()["reason"]["key"] == "match_not_over"
    ended = play_out([anna])
    for seat in range(len(seats)):
        steps = hall.get(path, params={"seat": seat})
        assert steps[0]["view"]["viewer"] == seat
        assert steps[0]["view"]["hand"]
    own = hall.get(path, params={"seat": 0})
    told = [event for step in own for event in step["events"]]
    assert told == hall.client(code, token, since=0).reach(ended["version"])["events"]
    assert own[-1]["view"] == ended["view"]
    assert hall.get(path)[0]["view"]["hand"] == []  # a spectator's
    assert hall.request("GET", path, params={"seat": len(seats)}).status_code == 400
    assert hall.request("GET", f"/api/tables/{code}/matches/2/record").status_code == 404
