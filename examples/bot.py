"""A bot that joins a table on a running server, as a person would.

    python examples/bot.py http://127.0.0.1:8000/t/CODE --name Lancelot

It plays random legal actions; replace `choose` with your own ideas.
"""

import argparse
import asyncio
import json
import random
import secrets
import urllib.request
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from hastilude.protocol import Ask, Hello, Play, Update, server_frames

REFUSED = 4000  # close codes from here on are refusals: do not connect again


def choose(update: Update, legal: list[str]) -> str:
    """Choose an action. `update.view` has everything this seat may know; see docs/server.md."""
    return random.choice(legal)


def sit_down(server: str, code: str, name: str) -> str:
    """Take a seat; returns its token."""
    request = urllib.request.Request(
        f"{server}/api/tables/{code}/seats",
        json.dumps({"name": name, "seed": secrets.token_hex(16)}).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return str(json.load(answer)["token"])


async def play(server: str, code: str, token: str) -> Update:
    """Play until the match is over; returns the last update. Reconnects if necessary."""
    address = f"{server.replace('http', 'ws', 1)}/api/tables/{code}/socket"
    async for socket in connect(address, compression=None):
        try:
            return await Seat(socket).play(token)
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code >= REFUSED:
                raise
    raise ConnectionError("the server is not there")


class Seat:
    """A connection to a table, and the last update received."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.update: Update | None = None

    async def play(self, token: str) -> Update:
        await self.send(Hello(type="hello", token=token))
        update = await self.reach(0)
        while update.phase != "over":
            known = await self.decide(update) if update.legal else update.version + 1
            update = await self.reach(known)
        return update

    async def reach(self, version: int) -> Update:
        """Wait for an update with at least that version."""
        while self.update is None or self.update.version < version:
            await self.receive()
        return self.update

    async def decide(self, update: Update) -> int:
        """Make a choice; returns the version of the table that includes it.

        A choice may take several actions: the table says what may follow and when it is complete.
        """
        actions: list[str] = []
        legal = update.legal
        while legal:
            actions.append(choose(update, legal))
            if actions[0] in update.complete:
                break
            answer = await self.ask(Ask(type="ask", id="next", actions=actions))
            legal = [] if answer.refused else answer.legal
        id = secrets.token_hex(8)  # a play sent twice with the same id is played once
        play = Play(type="play", id=id, version=update.version, actions=actions)
        return (await self.ask(play)).version  # done, or refused: look again

    async def ask(self, frame: Ask | Play) -> Any:
        await self.send(frame)
        while True:
            reply = await self.receive()
            if getattr(reply, "id", None) == frame.id:
                return reply

    async def send(self, frame: BaseModel) -> None:
        await self.socket.send(frame.model_dump_json())

    async def receive(self) -> Any:
        frame = server_frames.validate_json(await self.socket.recv())
        if isinstance(frame, Update):
            self.update = frame
        return frame


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A bot that plays at random.")
    parser.add_argument("link", help="the table's link")
    parser.add_argument("--name", default="Lancelot")
    arguments = parser.parse_args()
    address = urlsplit(arguments.link)
    server, code = f"{address.scheme}://{address.netloc}", address.path.rsplit("/", 1)[-1]
    ended = asyncio.run(play(server, code, sit_down(server, code, arguments.name)))
    print("Scores:", ended.scores, "Winners:", ended.winners)
