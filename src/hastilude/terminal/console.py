"""Prints sentences and reads typed lines, for the plain dialogue and its start menu."""

from __future__ import annotations

import asyncio
import shutil
import sys
import unicodedata
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from hastilude.messages import Message
from hastilude.terminal.keyboard import INTERRUPT, Keyboard
from hastilude.terminal.markdown import plain
from hastilude.terminal.voice import Voice

Result = TypeVar("Result")
YES, NO = ("yes", "y", "はい"), ("no", "n", "いいえ")


class Left(Exception):  # not an error
    """The person has left, or the input has ended."""


class Console:
    """Prints and asks. After an interrupt it asks whether to leave, in the sentence `leave`."""

    def __init__(self, keyboard: Keyboard, voice: Voice) -> None:
        self.keyboard = keyboard
        self.voice = voice
        self.leave = "terminal_leave"
        self.leaving = False  # whether that question is open

    def print(self, *lines: str) -> None:
        for line in lines:
            print(line, flush=True)

    def print_markdown(self, text: str) -> None:
        self.print(plain(text, shutil.get_terminal_size().columns))

    def prompt(self) -> None:
        if sys.stdin.isatty():
            print("> ", end="", flush=True)

    async def line(self) -> str:
        """Prompt, and return what was typed; raises Left."""
        while True:
            self.prompt()
            typed = await self.read()
            if typed is not None:
                return typed

    async def read(self, listen: bool = True) -> str | None:
        """What was typed; None after an interrupt if the person stays. Raises Left otherwise."""
        line = await self.keyboard.line(listen)
        if line == INTERRUPT:
            self.leaving = True
            self.print("", self.voice(self.leave))
            if await self._leaves():
                raise Left
            self.leaving = False
            return None
        if line is None:
            self.print("")
            raise Left
        return unicodedata.normalize("NFKC", line).strip()

    async def _leaves(self) -> bool:
        while True:
            self.prompt()
            line = await self.keyboard.line()
            if line in (INTERRUPT, None) or line.strip().lower() in YES:
                return True
            if line.strip().lower() in NO:
                return False
            self.print(self.voice("terminal_yes_or_no"))

    async def agrees(self, question: str) -> bool:
        self.print(question)
        while True:
            answer = (await self.line()).lower()
            if answer in YES + NO:
                return answer in YES
            self.print(self.voice("terminal_yes_or_no"))

    async def name(self, problem: Message | None) -> str:
        """Ask for a name to use at a table."""
        self.print(self.voice.say(problem or Message("join_name")))
        return await self.line()

    async def unless_left(self, wait: Coroutine[Any, Any, Result]) -> Result:
        """Wait for the result; raises Left if the person interrupts and wants to leave."""
        waiting = asyncio.create_task(wait)
        try:
            while True:
                reading = asyncio.create_task(self.read(listen=False))
                await asyncio.wait({waiting, reading}, return_when=asyncio.FIRST_COMPLETED)
                if self.leaving:
                    await asyncio.wait({reading})
                if not reading.done():
                    reading.cancel()
                    return await waiting
                reading.result()
        finally:
            waiting.cancel()

    async def choose(self, question: str, known: Sequence[str], default: str = "") -> str:
        """Ask for one of the known words; Enter alone takes the default, if there is one."""
        self.print(question)
        while True:
            answer = (await self.line()).lower() or default
            if answer in known:
                return answer
            self.print(self.voice("terminal_one_of", known=known))
