"""A bot that sits at a table of a running server, like any person would.

    python examples/bot.py http://127.0.0.1:8000/t/CODE --name Lancelot

It plays a random legal action; put your own thoughts into `choose`.
"""

import argparse
import asyncio
import json
import random
import secrets
import urllib.request
from typing import TypeVar
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

from hastilude.protocol import Answer, Ask, Done, Hello, Play, Update, server_frames

Wanted = TypeVar("Wanted")


def choose(update: Update, legal: list[str]) -> str:
    """`update.view` has everything this seat may know; see docs/server.md."""
    return random.choice(legal)


def sit_down(server: str, code: str, name: str) -> str:
    """The token of a seat."""
    request = urllib.request.Request(
        f"{server}/api/tables/{code}/seats",
        json.dumps({"name": name, "seed": secrets.token_hex(16)}).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return str(json.load(answer)["token"])


async def play(server: str, code: str, token: str) -> Update:
    """Play until the match is over; returns how it ended."""
    address = f"{server.replace('http', 'ws', 1)}/api/tables/{code}/socket"
    async with connect(address, compression=None) as socket:
        await socket.send(Hello(type="hello", token=token).model_dump_json())
        async for text in socket:
            frame = server_frames.validate_json(text)
            if isinstance(frame, Update) and frame.phase == "over":
                return frame
            if isinstance(frame, Update) and frame.legal:
                await answer(socket, frame)
    raise ConnectionError("the server closed the connection")


async def answer(socket: ClientConnection, update: Update) -> None:
    """A choice may take several actions; the table says what may follow and when it is whole."""
    actions: list[str] = []
    legal = update.legal
    while legal:
        actions.append(choose(update, legal))
        await socket.send(Ask(type="ask", id="next", actions=actions).model_dump_json())
        reply = await expect(socket, Answer)
        legal = [] if reply.whole else reply.legal
    play = Play(type="play", id=secrets.token_hex(8), version=update.version, actions=actions)
    await socket.send(play.model_dump_json())
    await expect(socket, Done)


async def expect(socket: ClientConnection, kind: type[Wanted]) -> Wanted:
    while True:
        frame = server_frames.validate_json(await socket.recv())
        if isinstance(frame, kind):
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
