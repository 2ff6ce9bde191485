"""Waiting and many readers for asyncio; `_sync/waiting.py` has the same names for threads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

import httpx

T = TypeVar("T")

sleep = asyncio.sleep
Lock = asyncio.Lock


class Semaphore:
    """Limits what is open at once; its waiters are served in order."""

    def __init__(self, size: int) -> None:
        self._semaphore = asyncio.Semaphore(size)
        self.waiting = 0

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        self.waiting += 1
        try:
            await self._semaphore.acquire()
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            self._semaphore.release()


class Readers(Generic[T]):
    """Hands items of several readers to one; a reader goes on when its item was taken, so a slow caller collects nothing."""

    def __init__(self) -> None:
        self._items: asyncio.Queue[tuple[T] | BaseException | None] = asyncio.Queue(1)
        self._tasks: list[asyncio.Task[None]] = []

    async def put(self, item: T) -> None:
        await self._items.put((item,))

    def watch(self, response: httpx.Response) -> None:
        """A task that is cancelled closes its response itself."""

    async def take(self, count: int, read: Callable[[], Awaitable[None]]) -> AsyncIterator[T]:
        """Runs `read` so many times at once and yields what they put, until all have ended or one has failed."""
        self._tasks = [asyncio.create_task(self._run(read)) for _ in range(count)]
        ended = 0
        try:
            while ended < count:
                item = await self._items.get()
                if isinstance(item, BaseException):
                    raise item
                if item is None:
                    ended += 1
                else:
                    yield item[0]
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, read: Callable[[], Awaitable[None]]) -> None:
        try:
            await read()
        except Exception as error:
            await self._items.put(error)
        else:
            await self._items.put(None)
