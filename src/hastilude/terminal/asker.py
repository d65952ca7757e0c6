"""Sentences out, typed lines in: what the plain dialogue and its start menu are made of."""

from __future__ import annotations

import asyncio
import sys
import unicodedata
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from hastilude.messages import Message
from hastilude.terminal.keyboard import INTERRUPT, Keyboard
from hastilude.terminal.voice import Voice

Result = TypeVar("Result")
YES, NO = ("yes", "y", "はい"), ("no", "n", "いいえ")


class Left(Exception):  # no error: somebody goes away
    """The person has left, or the input has ended."""


class Asker:
    """Prints, asks, and hears an interrupt out: leave or stay?"""

    def __init__(self, keyboard: Keyboard, voice: Voice) -> None:
        self.keyboard = keyboard
        self.voice = voice
        self.leaving = False  # whether the question is open

    def tell(self, *lines: str) -> None:
        for line in lines:
            print(line, flush=True)

    def prompt(self) -> None:
        if sys.stdin.isatty():
            print("> ", end="", flush=True)

    async def line(self) -> str:
        """What was typed at the prompt; Left if that is wanted or the input has ended."""
        while True:
            self.prompt()
            heard = await self.hear()
            if heard is not None:
                return heard

    async def hear(self, listen: bool = True) -> str | None:
        """What was typed; None after an interrupt that was not meant."""
        line = await self.keyboard.line(listen)
        if line == INTERRUPT:
            self.leaving = True
            self.tell("", self.voice("terminal_leave"))
            if await self._leaves():
                raise Left
            self.leaving = False
            return None
        if line is None:
            self.tell("")
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
            self.tell(self.voice("terminal_yes_or_no"))

    async def agrees(self, question: str) -> bool:
        self.tell(question)
        while True:
            answer = (await self.line()).lower()
            if answer in YES + NO:
                return answer in YES
            self.tell(self.voice("terminal_yes_or_no"))

    async def name(self, problem: Message | None) -> str:
        """What somebody wants to be called at a table."""
        self.tell(self.voice.say(problem or Message("join_name")))
        return await self.line()

    async def unless_left(self, wait: Coroutine[Any, Any, Result]) -> Result:
        """What is waited for; Left if somebody interrupts that and means it."""
        waiting = asyncio.create_task(wait)
        try:
            while True:
                hearing = asyncio.create_task(self.hear(listen=False))
                await asyncio.wait({waiting, hearing}, return_when=asyncio.FIRST_COMPLETED)
                if self.leaving:
                    await asyncio.wait({hearing})
                if not hearing.done():
                    hearing.cancel()
                    return await waiting
                hearing.result()
        finally:
            waiting.cancel()

    async def choose(self, question: str, known: Sequence[str], default: str = "") -> str:
        """One of the known words; Enter alone takes the default, if there is one."""
        self.tell(question)
        while True:
            answer = (await self.line()).lower() or default
            if answer in known:
                return answer
            self.tell(self.voice("terminal_one_of", known=known))
