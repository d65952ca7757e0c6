"""Helpers for tests that join a table on a server."""

import asyncio

from hastilude.terminal.joining import Joining, read_link
from tests.server.running import PATIENCE

PAGES = {"tornei": [None, "page", "page"], "kings_tournament": [None, "page"],
         "triatri": [None, "page"]}  # fmt: skip


async def reach(table, condition):
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await table.changed(table.version)


async def own_turn(table):
    await reach(table, lambda: table.over or (bool(table.own) and table.legal(table.own[0])))


async def play_on(table, moves=10**6):
    """Keep playing the first legal action."""
    (seat,) = table.own
    await own_turn(table)
    while not table.over and moves:
        moves -= 1
        await table.play(seat, table.legal(seat)[0])
        await own_turn(table)


async def no_name(problem):
    raise AssertionError("nobody should be asked for a name")


def joining(address, code, seats, name="Ada", token=None, **more):
    link = f"{address.url}/t/{code}" + (f"#{token}" if token else "")
    return Joining(read_link(link), name, seats=seats, **more)


async def sit(address, code, seats, name="Ada", **more):
    """An open connection to a table whose match begins at once."""
    connection = await joining(address, code, seats, name, **more).arrive(no_name)
    while not connection.playable:
        await connection.changed(connection.version)
    return connection


def open_with_pages(address, name, options=None, **more):
    return address.open_table(name, options=options or {}, seats=PAGES[name], **more)["code"]
