"""Tasks that nobody waits for."""

import asyncio

import pytest

from hastilude.server.background import Background
from hastilude.server.errors import StoreFailed


async def fail(error: Exception) -> None:
    raise error


async def end(background: Background) -> None:
    while background:
        await asyncio.sleep(0)


def test_a_failure_is_logged_with_its_owner(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        background = Background("k7qm2xab")
        background.start(fail(ValueError("no idea")))
        await end(background)

    asyncio.run(run())
    assert "k7qm2xab" in caplog.text
    assert "no idea" in caplog.text


def test_what_the_store_has_logged_is_not_logged_twice(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        background = Background("house")
        background.start(fail(StoreFailed.of("store_away")))
        await end(background)

    asyncio.run(run())
    assert caplog.text == ""


def test_repeated_work_goes_on_after_a_failure() -> None:
    async def run() -> None:
        background, calls, enough = Background("house"), 0, asyncio.Event()

        async def work() -> None:
            nonlocal calls
            calls += 1
            if calls > 1:
                enough.set()
            raise ValueError("no idea")

        background.repeat(0.0, work)
        await enough.wait()
        await asyncio.gather(*background.cancel(), return_exceptions=True)
        await end(background)

    asyncio.run(run())


def test_nothing_is_started_after_it_was_closed() -> None:
    async def run() -> None:
        background = Background("house")
        background.close()
        assert background.start(asyncio.sleep(60)) is None
        assert not background

    asyncio.run(run())
