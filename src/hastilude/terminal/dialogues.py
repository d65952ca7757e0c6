"""Match after match in plain sentences, on this machine or on a server."""

from __future__ import annotations

from hastilude.terminal.connection import Connection
from hastilude.terminal.console import Console, Left
from hastilude.terminal.joining import Joining
from hastilude.terminal.keyboard import Keyboard
from hastilude.terminal.lesson import LessonTable, easy_table
from hastilude.terminal.local import LocalTable
from hastilude.terminal.menu import first_table
from hastilude.terminal.plain import Dialogue, JoinedDialogue
from hastilude.terminal.plain_lesson import LessonDialogue
from hastilude.terminal.remote import RemoteTable
from hastilude.terminal.startup import Startup
from hastilude.terminal.voice import Voice


async def dialogues(startup: Startup) -> None:
    """Play match after match, until nobody wants another."""
    voice = Voice(startup.settings.language)
    console = Console(Keyboard(), voice)
    table: LocalTable | None = None
    try:
        table = await first_table(startup, console)
        while table:
            if isinstance(table, LessonTable):
                await LessonDialogue(table, console, voice.language).run()
                plays = await console.agrees(voice("terminal_learn_play_now"))
                table = await easy_table(table.game.name, startup.settings) if plays else None
            else:
                await Dialogue(table, console, voice.language).run()
                again = await console.agrees(voice("terminal_again"))
                table = await table.rematch() if again else None
    except Left:
        if table and table.resumable:
            console.print(voice("terminal_kept"))
    finally:
        if table:
            await table.leave()
        console.keyboard.close()


async def joined_dialogues(joining: Joining) -> None:
    """The same at a table on a server."""
    voice = Voice(joining.language)
    console = Console(Keyboard(), voice)
    connection: Connection | None = None
    try:
        connection = await joining.arrive(console.name)
        await console.unless_left(others_sit_down(connection, console))
        table = RemoteTable(connection)
        while True:
            await JoinedDialogue(table, console, voice.language).run()
            if table.own and not await console.agrees(voice("terminal_again")):
                return
            console.print(voice("join_others_again"))
            table = await console.unless_left(table.rematch())
    except Left:
        if connection and connection.seat is not None:
            console.print(voice("join_seat_kept"))
    finally:
        if connection:
            await connection.close()
        console.keyboard.close()


async def others_sit_down(connection: Connection, console: Console) -> None:
    """Print who is there, until the match begins."""
    while not connection.playable:
        console.print(console.voice.say(connection.trouble or connection.gathered))
        await connection.changed(connection.version)
