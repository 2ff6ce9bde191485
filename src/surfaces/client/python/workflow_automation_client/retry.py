"""Decides which calls may be retried after which failure, and how long to wait before."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass

from .errors import WorkflowApiError
from .repeatable import REPEATABLE_POSTS

# Limits of starts or streams alone; every other 429 holds for all requests, also one that a later service adds.
_OTHER_LIMITS = {"rate_limit_exceeded", "too_many_streams"}
# One minute is the service's default `Retry-After`; longer waits are left to the caller.
_MAX_WAIT = 60.0
_FIRST_BACKOFF = 0.25
_MAX_BACKOFF = 10.0


@dataclass(frozen=True)
class Retry:
    """A call that failed and is sent again."""

    method: str
    path: str
    """As in the document: `/workflows/{workflow_id}`."""
    attempt: int
    """1 for the first retry."""
    error: WorkflowApiError
    wait: float
    """In seconds."""


def _is_blocked(error: WorkflowApiError) -> bool:
    """Whether a refusal is for good: a plan or a key with a limit of 0 is blocked, and waiting does not help."""
    body = error.body if isinstance(error.body, dict) else {}
    detail = body.get("detail")
    return body.get("limit") == 0 or (isinstance(detail, dict) and detail.get("limit") == 0)


def may_retry(method: str, path: str, headers: Mapping[str, str | None] | None, error: WorkflowApiError) -> bool:
    """Whether a call may be retried after this failure."""
    # A rate limit rejects a call before any work is done.
    if error.status == 429:
        return not _is_blocked(error)
    has_key = any(name.lower() == "idempotency-key" and value for name, value in (headers or {}).items())
    # Any other POST without a key creates another object each time.
    if method == "POST" and path not in REPEATABLE_POSTS and not has_key:
        return error.status == 503 and error.retry_after is not None
    # The first request with this idempotency key is still running; its response may be fetched with the key.
    if error.status == 409:
        return error.code == "idempotency_key_in_use"
    # The service sets Retry-After on a 500 when the database is unavailable; without it the failure would repeat.
    if error.status == 500:
        return error.retry_after is not None
    return error.status in (0, 502, 503, 504)


def choose_backoff(attempt: int, retry_after: float | None) -> float:
    """Full jitter: uniform up to a bound that doubles, on top of Retry-After. @attempt is 0 for the first."""
    bound = min(_MAX_BACKOFF, _FIRST_BACKOFF * 2 ** min(attempt, 10))
    return (retry_after or 0.0) + random.uniform(0, bound)


class RetryBudget:
    """Limits the retries of one call: by its own time when it has one, by their number otherwise.

    @retry_for is the caller's deadline; every wait counts against it
    @patience: how long a call without a deadline outlasts a service that is away; 0 when `retries` limits it
    """

    def __init__(self, retries: int, *, retry_for: float | None, patience: float) -> None:
        self._for = patience if retry_for is None else retry_for
        self._is_deadline = retry_for is not None
        self._retries = retries
        self._sent: float | None = None

    def begin(self) -> None:
        """Begins the time at the first attempt: a call that queues behind others of its client has not been tried yet."""
        self._sent = time.monotonic() if self._sent is None else self._sent

    def allows(self, attempt: int, error: WorkflowApiError, wait: float) -> bool:
        """Whether another attempt is allowed after a wait. @attempt is 0 for the first one."""
        # A longer wait is left to the caller.
        if error.retry_after is not None and error.retry_after > max(self._for, _MAX_WAIT):
            return False
        if self._for <= 0:
            return attempt < self._retries
        # Too many streams are no rate: they may be the caller's own, who closes none while it waits.
        if error.status == 429 and error.code != "too_many_streams" and not self._is_deadline:
            # A refusal is an answer: the service is there, so the time begins anew with the next attempt.
            self._sent = None
            return True
        now = time.monotonic()
        return now + wait <= (now if self._sent is None else self._sent) + self._for


class RateGate:
    """Holds all requests of a client back after one was refused by the rate of its key, its user or its organization."""

    def __init__(self) -> None:
        self._until = 0.0

    def note(self, error: WorkflowApiError) -> None:
        """Closes the gate until the `Retry-After` of a refusal is over: whatever is sent before would be refused as well."""
        if error.status != 429 or error.code is None or error.code in _OTHER_LIMITS or error.retry_after is None:
            return
        if error.retry_after <= _MAX_WAIT:
            self._until = max(self._until, time.monotonic() + error.retry_after)

    def choose_wait(self) -> float:
        """Returns the seconds until the gate is open, 0 when it is."""
        left = self._until - time.monotonic()
        return choose_backoff(0, left) if left > 0 else 0.0
