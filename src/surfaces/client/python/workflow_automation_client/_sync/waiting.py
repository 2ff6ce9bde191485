"""Waiting and many readers for threads; `_async/waiting.py` has the same names for asyncio."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

import httpx

T = TypeVar("T")

sleep = time.sleep
Lock = threading.Lock


class Semaphore:
    """Limits what is open at once."""

    def __init__(self, size: int) -> None:
        self._semaphore = threading.Semaphore(size)
        self._lock = threading.Lock()
        self.waiting = 0

    @contextmanager
    def hold(self) -> Iterator[None]:
        self._count(1)
        try:
            self._semaphore.acquire()
        finally:
            self._count(-1)
        try:
            yield
        finally:
            self._semaphore.release()

    def _count(self, change: int) -> None:
        with self._lock:
            self.waiting += change


class _Stopped(Exception):
    """Ends a reader whose caller has left."""


class Readers(Generic[T]):
    """Hands items of several readers to one; a reader goes on when its item was taken, so a slow caller collects nothing."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._items: list[T] = []
        self._error: BaseException | None = None
        self._sockets: dict[int, socket.socket] = {}
        self._running = 0
        self._is_stopped = False

    def put(self, item: T) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._is_stopped or not self._items)
            if self._is_stopped:
                raise _Stopped
            self._items.append(item)
            self._changed.notify_all()

    def watch(self, response: httpx.Response) -> None:
        """Remembers the connection of this thread, which waits for bytes and hears of nothing else."""
        stream = response.extensions.get("network_stream")
        with self._changed:
            if self._is_stopped:
                raise _Stopped
            if stream is not None:
                self._sockets[threading.get_ident()] = stream.get_extra_info("socket")

    def take(self, count: int, read: Callable[[], None]) -> Iterator[T]:
        """Runs `read` so many times at once and yields what they put, until all have ended or one has failed."""
        self._running = count
        for _ in range(count):
            threading.Thread(target=self._run, args=[read], daemon=True).start()
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: bool(self._items or self._error) or self._running == 0)
                    if self._error is not None:
                        raise self._error
                    if not self._items:
                        return
                    item = self._items.pop()
                    self._changed.notify_all()
                yield item
        finally:
            self._stop()

    def _stop(self) -> None:
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()
        for connection in self._sockets.values():
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _run(self, read: Callable[[], None]) -> None:
        error: BaseException | None = None
        try:
            read()
        except Exception as caught:
            error = caught
        with self._changed:
            self._error = self._error or error
            self._running -= 1
            self._sockets.pop(threading.get_ident(), None)
            self._changed.notify_all()
