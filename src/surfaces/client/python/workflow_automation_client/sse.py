"""Server-sent events: bytes become events of a run."""

from __future__ import annotations

import json
from typing import Any, Union, cast

from typing_extensions import TypeAlias

from . import models

RunEnd: TypeAlias = Union[
    models.RunCompletedFrame, models.RunFailedFrame, models.RunCancelledFrame, models.RunInterruptedFrame
]
"""How a run ended."""

_ENDS = {"run_completed", "run_failed", "run_cancelled", "run_interrupted"}


def read_end(event: models.RunEvent) -> RunEnd | None:
    """Returns an event that ends its run; None for another one."""
    return cast(RunEnd, event) if event["type"] in _ENDS else None


def read_seq(event: models.RunEvent) -> int | None:
    """Returns the sequence number of an event; heartbeats have none."""
    return cast("dict[str, Any]", event).get("seq")


class SseParser:
    """Collects the `data` of messages; the ids of this stream are in its events as well."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> list[models.RunEvent]:
        events: list[models.RunEvent] = []
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            line = line.rstrip(b"\r")
            if line.startswith(b"data:"):
                self._data.append(line[5:].removeprefix(b" "))
            elif line == b"" and self._data:
                events.append(json.loads(b"\n".join(self._data)))
                self._data = []
        return events
