"""A table, as those who sit at it see it."""

import pytest

from hastilude.core.record import Record
from hastilude.core.shuffles import verify_shuffles
from hastilude.games.registry import GAMES, load, replay
from tests.server.running import Address, play_out


@pytest.mark.parametrize("game", GAMES)
def test_people_play_a_match_to_its_end_and_can_check_it(server: Address, game: str) -> None:
    table = server.open_table(game)
    names = [f"Player {number}" for number in range(load(game).seats)]
    sittings = [server.sit(table["code"], name) for name in names]
    clients = [server.client(table["code"], sitting["token"]) for sitting in sittings]
    ended = play_out(clients)
    assert ended["phase"] == "over"
    record = server.request("GET", f"/api/tables/{table['code']}/matches/1/record").text
    match = replay(Record.from_json(record))
    assert list(match.winners) == ended["winners"]
    assert Record.from_json(record).proof["commitment"] == table["commitment"]
    verify_shuffles(match, Record.from_json(record).proof)
