"""A table of a server, drawn and in sentences."""

import asyncio
import json
import os
import sys

import pexpect
import pytest
from websockets.asyncio.server import serve

import hastilude
from hastilude.terminal.app import JoinedApp
from hastilude.terminal.connection import Connection
from hastilude.terminal.screens.pages import Question
from tests.terminal.joined import joining, no_name, open_with_pages, sit
from tests.terminal.playing import asked, on_screen, press_and_wait, text, until
from tests.terminal.test_plain import PATIENCE, PROMPT, choice


def test_the_drawn_table_of_a_server(hall, seats):
    code = hall.open_table("kings_tournament", options={"best_of": 1})["code"]

    async def main():
        connection = await joining(hall, code, seats).arrive(no_name)
        app = JoinedApp(connection, "en")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "At the table: Ada. Open seats: 1." in text(app))
            ben = hall.client(code, hall.sit(code, "Ben")["token"])
            await asked(app, pilot)
            assert "Ben" in text(app)
            for _ in range(3):  # the line of a joust, card by card
                await press_and_wait_for_server(app, pilot)
            assert "Waiting for Ben" in text(app)
            ben.wait_for(lambda update: update["legal"])
            ben.play(*ben.first_choice())
            await until(pilot, lambda: app.table.view(0).last_joust is not None)
            ben.close()
            await pilot.press("q")
            await on_screen(app, pilot, Question)
        await connection.close()

    asyncio.run(main())


def test_a_spectator_at_the_drawn_table(hall, seats):
    code = open_with_pages(hall, "triatri", {"players": 2})

    async def main():
        connection = await sit(hall, code, seats, name=None, watch=True)
        app = JoinedApp(connection, "en")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "Waiting for Ben" in text(app))
            ben.wait_for(lambda update: update["legal"])
            ben.send("say", phrase="hello")
            await until(pilot, lambda: "Ben: Hi, have" in text(app))
        await connection.close()

    ben = hall.client(code, hall.sit(code, "Ben")["token"])
    asyncio.run(main())
    ben.close()


def test_the_drawn_table_says_that_deals_were_written_in_advance(hall, seats):
    deal = hastilude.load("triatri", players=2).new(seed=1).record().events
    code = open_with_pages(hall, "triatri", {"players": 2}, script={"chance": deal})

    async def main():
        connection = await sit(hall, code, seats)
        app = JoinedApp(connection, "en")
        async with app.run_test(size=(80, 24)) as pilot:
            await asked(app, pilot)
            assert "The deals at this table were written in advance" in text(app)
        await connection.close()

    asyncio.run(main())


async def press_and_wait_for_server(app, pilot):
    version = app.table.version
    await pilot.press("enter")
    await until(pilot, lambda: app.table.version > version)


def test_nothing_that_a_server_sends_disturbs_the_terminal(hall, seats):
    """It may be any server: its names and even its cards are only shown."""
    code = open_with_pages(hall, "triatri", {"players": 2})
    ada = hall.client(code, hall.sit(code, "Ada")["token"], since=0)
    ada.wait_for(lambda update: update["legal"])
    welcome, update = ada.frames[0], ada.update
    update["seats"][1]["name"] = "[b]\x1b"
    update["view"]["hand"][0] = "\u202e"

    async def answer(socket):
        await socket.recv()
        await socket.send(json.dumps(welcome))
        await socket.send(json.dumps(update))
        await socket.wait_closed()

    async def main():
        async with serve(answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            connection = Connection(f"ws://127.0.0.1:{port}", "t" * 32)
            await connection.open()
            app = JoinedApp(connection, "en")
            async with app.run_test(size=(80, 24)) as pilot:
                await until(pilot, lambda: "[b]\\u001b" in text(app))
                await until(pilot, lambda: "\\u202e" in text(app))
                assert not {"\x1b", "\u202e"} & set(text(app))
            await connection.close()

    asyncio.run(main())
    ada.close()


def test_a_drawn_match_with_a_bot_and_another(hall, seats):
    code = open_with_pages(hall, "triatri", {"players": 2})

    async def main():
        connection = await joining(hall, code, seats).arrive(no_name)
        app = JoinedApp(connection, "en")
        async with app.run_test(size=(80, 24)) as pilot:
            await asked(app, pilot)
            first = app.table
            while not isinstance(app.screen, Question):
                await press_and_wait(app, pilot, "enter")
            await pilot.press("enter")  # play again
            await until(pilot, lambda: app.table is not first)
            await asked(app, pilot)
            assert not app.table.over
        await connection.close()

    asyncio.run(main())


@pytest.fixture
def terminal(tmp_path):
    """A plain terminal with a home of its own."""
    begun = []

    def spawn(*arguments):
        home = {"XDG_CONFIG_HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "TERM": "dumb"}
        child = pexpect.spawn(
            sys.executable, ["-m", "hastilude", "join", "--plain", *arguments],
            env=os.environ | home, encoding="utf-8", timeout=PATIENCE, echo=False,
        )  # fmt: skip
        begun.append(child)
        return child

    yield spawn
    for child in begun:
        child.close(force=True)


def test_the_host_decides_in_sentences(hall, terminal):
    """Ben comes back and reads what a bot played for him; then the host ends the match."""
    opened = hall.open_table("triatri", options={"players": 2})
    code = opened["code"]
    sitting = hall.sit(code, "Ada", host=opened["host"])
    bens = hall.sit(code, "Ben")
    ada = terminal(sitting["link"])
    ada.expect_exact("Welcome to TriATri.")
    ada.expect_exact(PROMPT)
    ada.sendline("players")
    ada.expect_exact("Ben is offline.")
    ada.expect_exact("A bot takes over in")
    ada.expect_exact("1: Wait longer: Ben")
    ada.expect_exact("2: Let a bot play: Ben")
    ada.expect_exact("3: End the match")
    ada.sendline("2")
    ada.expect_exact("A bot is playing for Ben.")
    ada.expect_exact("Ben bids a card face down.")
    ben = terminal(bens["link"])
    ben.expect_exact("A bot made 1 move for you.")
    ben.expect(r"1\. \S+\r")
    ben.expect_exact("Welcome to TriATri.")
    ada.expect_exact("Ben is back.")
    ben.close(force=True)
    hall.client(code, sitting["token"]).wait_for(lambda update: not update["seats"][1]["here"])
    ada.sendline("players")
    ada.expect_exact("2: End the match")  # Ben is not to act, so no time runs
    ada.sendline("2")
    ada.expect_exact("Nobody wins it.")
    ada.sendline("yes")
    ada.expect_exact("You ended the match.")


def test_the_host_decides_at_the_drawn_table(hall, seats):
    opened = hall.open_table("triatri", options={"players": 2})
    code = opened["code"]
    token = hall.sit(code, "Ada", host=opened["host"])["token"]
    hall.sit(code, "Ben")

    async def main():
        connection = await sit(hall, code, seats, token=token)
        app = JoinedApp(connection, "en")
        async with app.run_test(size=(80, 24)) as pilot:
            await asked(app, pilot)
            assert "Ben (offline)" in text(app)
            await pilot.press("o")
            await on_screen(app, pilot, Question)
            assert "Ben is offline." in text(app)
            await pilot.press("down", "enter")  # let a bot play
            await until(pilot, lambda: "Ben (bot)" in text(app))
            await pilot.press("o")
            await on_screen(app, pilot, Question)
            await pilot.press("enter", "enter")  # end the match, really
            await until(pilot, lambda: "The match was abandoned." in text(app))
        await connection.close()

    asyncio.run(main())


def test_two_terminals_and_a_browser_at_one_table(hall, terminal):
    code = hall.open_table("tornei", options={"players": 3})["code"]
    link = f"{hall.url}/t/{code}"
    ada = terminal(link)
    ada.expect_exact("What is your name?")
    ada.sendline("Ada")
    ada.expect_exact("At the table: Ada. Open seats: 2.")
    ben = terminal(link, "--name", "Ben")
    ben.expect_exact("Open seats: 1.")
    browser = hall.client(code, hall.sit(code, "Chika")["token"], since=0)
    people = {0: ada, 1: ben}
    called = {0: ("thanks", "Chika: Thank you!"), 1: ("sorry", "Chika: Sorry!")}
    for child in people.values():
        child.expect_exact("Welcome to Tornei.")
    browser.wait_for(lambda update: update["match"])
    moves = 0
    while browser.update["view"]["trick"] < 3:
        pending, version = browser.update["view"]["pending"], browser.update["version"]
        if 2 in pending:
            browser.play(*browser.first_choice())
        else:
            child = people[pending[0]]
            phrase, sentence = called[pending[0]]
            browser.send("say", phrase=phrase)
            child.expect_exact(sentence)
            child.expect_exact(PROMPT)  # asked after all that happened before
            child.sendline(choice(f"{child.before}\r"))
            version += 1
        browser.reach(version + 1)
        moves += 1
    assert moves > 10
    talk(ada, ben, browser)
    for child in people.values():
        child.sendintr()
        child.expect_exact("Leave? The match is saved")
        child.sendline("yes")
        child.expect_exact("Your seat is saved. Run the same command to return to it.")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
    again = terminal(link, "--name", "Ada")
    again.expect_exact("You are Ada.")
    browser.close()


def test_the_command_draws_and_keeps_the_seat(hall, tmp_path):
    code = open_with_pages(hall, "triatri", {"players": 2})
    home = {"XDG_CONFIG_HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
    for question in (True, False):  # the second time it comes back
        child = pexpect.spawn(
            sys.executable, ["-m", "hastilude", "join", f"{hall.url}/t/{code}"],
            env=os.environ | home, encoding="utf-8", timeout=PATIENCE, dimensions=(24, 80),
        )  # fmt: skip
        if question:
            child.expect_exact("What is your name?")
            child.sendline("Ada")
        child.expect_exact("Ada")
        child.expect_exact("last result")  # the line of keys
        child.send("\x03")
        child.expect_exact("Stay")
        child.send("\x03")
        child.expect_exact("Your seat is saved")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0


def talk(ada, ben, browser):
    """Phrases and a pause, between two terminals and a browser."""
    ada.sendline("say nonsense")
    ada.expect_exact("Type say and one of: hello, good_luck,")
    ada.sendline("say good_game")
    ben.expect_exact("Ada: Good game, thank you!")
    browser.wait_for(lambda update: "good_game" in [said["phrase"] for said in update["said"]])
    ben.sendline("pause")
    browser.wait_for(lambda update: update["pausing"] == [1])
    ada.expect_exact("Ben would like a pause.")
    ada.sendline("pause")
    browser.send("pause", on=True)
    ada.expect_exact("The table is paused.")
    ada.sendline("resume")
    browser.wait_for(lambda update: not update["paused"] and not update["pausing"])
    ben.expect_exact("The table continues.")
