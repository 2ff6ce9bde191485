"""Follows the events of a run as one sequence over as many connections as needed."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable

import httpx

from .. import models
from ..errors import WorkflowApiError
from ..retry import choose_backoff
from ..sse import SseParser, read_end, read_seq
from .transport import AsyncTransport
from .waiting import sleep

# Until then an idle stream keeps its connection while others queue.
_HELD = 5.0
# Longer than a restart of the service or of its proxy.
_GIVE_UP = 300.0


class AsyncFollower:
    """A place in the events of one run. It goes on after the last `seq`, so no event is lost or repeated."""

    def __init__(
        self,
        transport: AsyncTransport,
        run_id: str,
        after_seq: int,
        on_reconnect: Callable[[WorkflowApiError], None] | None,
    ) -> None:
        self.is_over = False
        self._transport = transport
        self._run_id = run_id
        self._seen = after_seq
        self._on_reconnect = on_reconnect
        self._failures = 0
        self._heard = time.monotonic()

    async def read(
        self, is_wanted: Callable[[], bool], watch: Callable[[httpx.Response], None] = lambda response: None
    ) -> AsyncIterator[models.RunEvent]:
        """Yields the events of one connection. @is_wanted tells whether another stream waits for its place."""
        queued = time.monotonic()
        async with self._transport.streams.hold():
            # Queueing behind other streams is no silence of the service.
            self._heard += time.monotonic() - queued
            failure: WorkflowApiError | None = None
            try:
                async for event in self._connect(is_wanted, watch):
                    yield event
            except WorkflowApiError as error:
                if error.status not in (0, 429) and error.status < 500:
                    raise
                failure = error
        if self.is_over:
            return
        if failure is not None:
            # A refusal is an answer: the service is there, and has the run.
            if failure.status == 429:
                self._heard = time.monotonic()
            if time.monotonic() - self._heard > _GIVE_UP:
                raise failure
            if self._on_reconnect is not None:
                self._on_reconnect(failure)
        # A closed stream is reopened soon, with back-off so that this is not a busy loop.
        await sleep(choose_backoff(self._failures, None if failure is None else failure.retry_after))
        self._failures += 1

    async def _connect(
        self, is_wanted: Callable[[], bool], watch: Callable[[httpx.Response], None]
    ) -> AsyncIterator[models.RunEvent]:
        opened = time.monotonic()
        async with self._transport.open(self._run_id, self._seen) as response:
            watch(response)
            parser = SseParser()
            async for chunk in response.aiter_bytes():
                for event in parser.feed(chunk):
                    self._failures = 0
                    if self._note(event):
                        yield event
                # Measured after the caller took the events: a slow caller is not a silent service.
                self._heard = time.monotonic()
                is_waited_for = is_wanted() or self._transport.streams.waiting > 0
                if self._heard - opened >= _HELD and is_waited_for and not self.is_over:
                    return

    def _note(self, event: models.RunEvent) -> bool:
        """Notes an event. Returns whether it is new; raises for the end of a stream whose run is gone."""
        if event["type"] == "stream_error":
            raise WorkflowApiError(410, event["code"], event["message"], body=event)
        self.is_over = self.is_over or read_end(event) is not None
        seq = read_seq(event)
        if seq is None:
            return True
        is_new = seq > self._seen
        self._seen = max(seq, self._seen)
        return is_new
