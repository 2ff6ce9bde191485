"""Starts, follows, answers and cancels runs."""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, NamedTuple, Optional, Union, cast

from typing_extensions import TypedDict, Unpack

from .. import models
from ..errors import WorkflowApiError
from ..sse import RunEnd, read_end, read_seq
from .follow import AsyncFollower
from .transport import MAX_STREAMS, AsyncTransport, CallOptions
from .waiting import Readers

# A start outlasts a restart of the service.
_START_PATIENCE = 60.0

OnReconnect = Optional[Callable[[WorkflowApiError], None]]


class Answer(TypedDict, total=False):
    """The answer to one question."""

    action: Optional[str]
    data: models.Json
    stream: bool


class AsyncRun:
    """Handle of one run."""

    def __init__(
        self,
        transport: AsyncTransport,
        run_id: str,
        *,
        thread_id: str | None = None,
        run_pk: str | None = None,
        started: models.RunStartedOrEnded | models.RunStarted | None = None,
    ) -> None:
        self.run_id = run_id
        self.thread_id = thread_id
        self.run_pk = run_pk
        """The key in the history; None until `record()` has looked it up."""
        self.started = started
        """The response to the start; None for a run that was found in another way."""
        self._transport = transport
        self._end: RunEnd | None = None
        # `result()` reads on from here.
        self._seen = 0

    async def events(self, *, after_seq: int = 0, on_reconnect: OnReconnect = None) -> AsyncIterator[models.RunEvent]:
        """Yields every event in order until the run ends, and reconnects when a connection breaks.

        @after_seq skips events up to this `seq`; @on_reconnect is called when a connection fails.
        """
        follower = AsyncFollower(self._transport, self.run_id, after_seq, on_reconnect)
        while not follower.is_over:
            async for event in follower.read(lambda: False):
                self.note(event)
                yield event

    async def tokens(self) -> AsyncIterator[str]:
        """Yields the text of models as it is generated. A retry of a node begins its text anew; see `token_reset` of `events()`."""
        async for event in self.events():
            if event["type"] == "token":
                yield event["delta"]

    async def result(self) -> RunEnd:
        """Waits until the run ends or waits for an answer, over all runs that continue it after an answer."""
        end = await self.own_end()
        following = self._follow(end)
        while following is not None:
            end = await following.own_end()
            following = following._follow(end)
        return end

    async def own_end(self) -> RunEnd:
        """Waits for the end of this run alone: an answered one ends as `run_interrupted`. A large output is fetched."""
        end = self._end
        # A waiting run is read again, because it may have been answered or cancelled since.
        if end is None or end["type"] == "run_interrupted":
            after_seq = self._seen if end is None else end["seq"] - 1
            async for event in self.events(after_seq=after_seq):
                end = read_end(event) or end
        if end is None:
            raise AssertionError("a stream ends with the end of its run")
        if end["type"] == "run_completed" and end.get("output_truncated"):
            whole = end.copy()
            whole["output"] = (await self.record())["output"]
            whole["output_truncated"] = False
            end = self._end = whole
        return end

    async def continuation(self) -> AsyncRun | None:
        """Returns the run that continues this one after its questions were answered or expired; None while it waits."""
        return self._follow(await self.own_end())

    async def record(self, **options: Unpack[CallOptions]) -> models.Run:
        """Returns the run's record in the history, with its steps and questions."""
        values = {"run_id": self.run_id}
        record: models.Run = await self._transport.call("GET", "/workflows/runs/{run_id}", values=values, **options)
        self.run_pk = record["id"]
        return record

    async def answer(
        self, interrupt_id: str, answer: Answer | None = None, **options: Unpack[CallOptions]
    ) -> AsyncRun:
        """Answers one question. Returns the run that continues this one, under a new `run_id`."""
        body = cast(models.RunAnswer, {**(answer or {}), "interrupt_id": interrupt_id})
        return await self.resume(body, **options)

    async def resume(self, body: models.RunAnswer, **options: Unpack[CallOptions]) -> AsyncRun:
        """Answers with the API's body, which takes several answers in `responses`."""
        values = {"run_id": self.run_id}
        reply = await self._transport.call("POST", "/workflows/resume/{run_id}", values=values, body=body, **options)
        return AsyncRun(self._transport, reply["run_id"], thread_id=reply.get("thread_id"))

    async def cancel(self, *, reason: str | None = None, **options: Unpack[CallOptions]) -> models.RunCancelled:
        """Cancels the run; a run that has ended does not change."""
        body = {} if reason is None else {"reason": reason}
        values = {"run_id": self.run_id}
        reply: models.RunCancelled = await self._transport.call(
            "POST", "/workflows/cancel/{run_id}", values=values, body=body, **options
        )
        return reply

    def note(self, event: models.RunEvent) -> None:
        """Notes how far the run was read: `result()` goes on from there."""
        self._seen = max(self._seen, read_seq(event) or 0)
        self._end = read_end(event) or self._end

    def _follow(self, end: RunEnd) -> AsyncRun | None:
        run_id = end.get("resumed_by_run_id") if end["type"] == "run_interrupted" else None
        return None if run_id is None else AsyncRun(self._transport, run_id, thread_id=self.thread_id)


class AsyncFollowedEvent(NamedTuple):
    """An event of one of several runs."""

    run: AsyncRun
    event: models.RunEvent


class AsyncRuns:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def start(
        self,
        body: models.CreateRun,
        *,
        idempotency_key: str | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncRun:
        """Starts a run.

        It is sent again with the same key while the service is away for up to 60 s, and for as long as a rate limit refuses it,
        so a lost answer starts no second run. `retry_for` is a deadline of your own.
        @idempotency_key: one run per key within 24 hours; by default a new one for each call
        """
        started: Any = await self._send("/workflows/run", body, idempotency_key, options)
        return AsyncRun(self._transport, started["run_id"], thread_id=started.get("thread_id"), started=started)

    async def start_batch(
        self, body: models.CreateRunBatch, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]
    ) -> models.RunBatchStarted:
        """Starts a run of a workflow for each of up to 1,000 inputs, with one key for all, as `start`.

        Returns a receipt for each input, in their order: its run, or why the plan refused it.
        """
        started: models.RunBatchStarted = await self._send("/workflows/run/batch", body, idempotency_key, options)
        return started

    async def _send(self, path: str, body: Any, idempotency_key: str | None, options: CallOptions) -> Any:
        headers = {"Idempotency-Key": str(uuid.uuid4()) if idempotency_key is None else idempotency_key}
        return await self._transport.call(
            "POST", path, headers=headers, body=body, patience=_START_PATIENCE, **options
        )

    def by_run_id(self, run_id: str) -> AsyncRun:
        """Makes a handle from a `run_id`, without a request."""
        return AsyncRun(self._transport, run_id)

    async def handle(self, id: str, **options: Unpack[CallOptions]) -> AsyncRun:
        """Makes a handle from a `run_pk` of the history or a `run_id`."""
        try:
            values = {"run_pk": id}
            record: models.Run = await self._transport.call("GET", "/workflow-runs/{run_pk}", values=values, **options)
        except WorkflowApiError as error:
            if error.status != 404:
                raise
            run = self.by_run_id(id)
            await run.record(**options)
            return run
        return AsyncRun(self._transport, record["run_id"], thread_id=record.get("thread_id"), run_pk=record["id"])

    async def follow(
        self, runs: Iterable[Union[AsyncRun, str]], *, on_reconnect: OnReconnect = None
    ) -> AsyncIterator[AsyncFollowedEvent]:
        """Follows many runs at once: yields their events as they come, until all have ended.

        Any number of runs may be given: it keeps within the streams that the service lets a user have.
        @runs: handles or `run_id`s
        """
        handles = [self.by_run_id(run) if isinstance(run, str) else run for run in runs]
        pending = deque(
            (run, AsyncFollower(self._transport, run.run_id, 0, on_reconnect)) for run in handles
        )
        readers: Readers[AsyncFollowedEvent] = Readers()

        async def read() -> None:
            while pending:
                try:
                    run, follower = pending.popleft()
                except IndexError:
                    # Another thread was faster.
                    return
                async for event in follower.read(lambda: bool(pending), readers.watch):
                    run.note(event)
                    await readers.put(AsyncFollowedEvent(run, event))
                if not follower.is_over:
                    pending.append((run, follower))

        async for item in readers.take(min(len(handles), MAX_STREAMS), read):
            yield item
