"""HTTP of the client: token, bounded connections, time limits and retries."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Optional, Union
from urllib.parse import quote, urlsplit

import httpx
from typing_extensions import TypeAlias, TypedDict

from ..errors import WorkflowApiError, read_cause, read_error, read_redirect
from ..retry import RateGate, Retry, RetryBudget, choose_backoff, may_retry
from .waiting import Lock, Semaphore, sleep

AsyncTokenSource: TypeAlias = Union[str, Callable[[], Awaitable[str]]]

# Calls and streams are limited apart, so that calls never wait for a run to end.
_MAX_CALLS = 14
# The service lets a user have 20, over all processes and pages; another one is refused for ten seconds.
MAX_STREAMS = 18


class CallOptions(TypedDict, total=False):
    """Options of every call."""

    timeout: float
    """Seconds without a byte after which one attempt fails; default: the client's own."""
    retry_for: float | None
    """A deadline in seconds for the retries of a repeatable call, whatever `retries` says; every wait counts."""


class AsyncToken:
    """A fixed text, or a function that is called at the first request and once per expired token."""

    def __init__(self, source: AsyncTokenSource) -> None:
        if not source or not (isinstance(source, str) or callable(source)):
            raise ValueError("token is missing: pass an API key, or a function that returns a token")
        self._source = source
        self._current: str | None = None
        self._lock = Lock()

    async def get(self, rejected: str | None = None) -> str:
        """Returns the token to send. @rejected is one that the service did not take: the first report renews it."""
        if isinstance(self._source, str):
            return self._source
        async with self._lock:
            if self._current is None or self._current == rejected:
                self._current = await self._source()
            return self._current


class AsyncTransport:
    def __init__(
        self,
        base_url: str,
        token: AsyncTokenSource,
        organization_id: str | None,
        *,
        timeout: float,
        retries: int,
        on_retry: Callable[[Retry], None] | None,
        http: httpx.AsyncClient | None,
    ) -> None:
        if not isinstance(base_url, str) or urlsplit(base_url).scheme not in ("http", "https"):
            example = "pass the URL of the service, such as https://workflows.example.com"
            raise ValueError(f"base_url {base_url!r} is not an http URL: {example}")
        self._base_url = base_url.rstrip("/")
        self._host = urlsplit(base_url).netloc
        self._token = AsyncToken(token)
        self._headers = {} if organization_id is None else {"X-Organization-ID": organization_id}
        self._timeout = timeout
        self._retries = retries
        self._on_retry = on_retry
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=_MAX_CALLS + MAX_STREAMS)
        self.http = http or httpx.AsyncClient(limits=limits)
        self._owns_http = http is None
        self._gate = RateGate()
        self._calls = Semaphore(_MAX_CALLS)
        self.streams = Semaphore(MAX_STREAMS)

    async def close(self) -> None:
        if self._owns_http:
            await self.http.aclose()

    async def call(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, Optional[str]] | None = None,
        body: Any = None,
        form: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        retry_for: float | None = None,
        patience: float = 0.0,
    ) -> Any:
        """Sends a call with retries and reads the response.

        @form has the fields and files of a multipart body.
        @patience: how long it is sent again to a service that is away, without a `retry_for` of the caller.
        Returns its JSON; its text when it is not JSON; None when it is empty.
        """
        url = self._to_url(path, values)
        budget = RetryBudget(self._retries, retry_for=retry_for, patience=patience)
        attempt = 0
        while True:
            try:
                request = self._build(method, url, query, headers, body, form, timeout)
                return await self._attempt(request, f"{method} {path}", budget)
            except WorkflowApiError as error:
                wait = choose_backoff(attempt, error.retry_after)
                if not may_retry(method, path, headers, error) or not budget.allows(attempt, error, wait):
                    raise
                attempt += 1
                if self._on_retry is not None:
                    self._on_retry(Retry(method, path, attempt, error, wait))
            await sleep(wait)

    @asynccontextmanager
    async def open(self, run_id: str, after_seq: int) -> AsyncIterator[httpx.Response]:
        """Opens the event stream of a run. A read fails after three pings of the service (every 15 s) that did not come."""
        await self._wait_for_rate()
        path = "/workflows/listen/{run_id}"
        request = self._build("GET", self._to_url(path, {"run_id": run_id}), {"after_seq": after_seq}, None, None, None, None)
        request.headers["Accept"] = "text/event-stream"
        request.extensions = {"timeout": httpx.Timeout(self._timeout, read=45.0).as_dict()}
        response = await self._send(request, f"GET {path}", stream=True)
        try:
            if not response.is_success:
                await response.aread()
                error = self._read_failure(response, f"GET {path}")
                self._gate.note(error)
                raise error
            if response.status_code != 204 and "event-stream" not in response.headers.get("content-type", ""):
                # A page reads like a stream that has ended: it would be opened again without end.
                raise self._to_not_json(response, f"GET {path}", "events")
            yield response
        except httpx.TransportError as broken:
            raise self._to_error(broken, f"GET {path}") from broken
        finally:
            await response.aclose()

    async def _wait_for_rate(self) -> None:
        wait = self._gate.choose_wait()
        while wait > 0:
            await sleep(wait)
            wait = self._gate.choose_wait()

    async def _attempt(self, request: httpx.Request, name: str, budget: RetryBudget) -> Any:
        async with self._calls.hold():
            await self._wait_for_rate()
            budget.begin()
            response = await self._send(request, name)
            if not response.is_success:
                failure = self._read_failure(response, name)
                # Before another call may take its place.
                self._gate.note(failure)
                raise failure
        if response.content == b"":
            return None
        kind = response.headers.get("content-type", "")
        if "json" not in kind and "html" not in kind:
            return response.text
        try:
            if "json" in kind:
                return json.loads(response.content)
        except ValueError:
            pass
        raise self._to_not_json(response, name, "JSON", body=response.text)

    def _read_failure(self, response: httpx.Response, name: str) -> WorkflowApiError:
        return read_redirect(response, name, self._base_url) if 300 <= response.status_code < 400 else read_error(response)

    async def _send(self, request: httpx.Request, name: str, *, stream: bool = False) -> httpx.Response:
        """Sends again with a new token after a 401: the service checks the token before it does anything."""
        token = await self._token.get()
        response = await self._send_with(request, token, name, stream)
        if response.status_code != 401:
            return response
        renewed = await self._token.get(rejected=token)
        if renewed == token:
            return response
        await response.aclose()
        return await self._send_with(request, renewed, name, stream)

    async def _send_with(self, request: httpx.Request, token: str, name: str, stream: bool) -> httpx.Response:
        request.headers["Authorization"] = f"Bearer {token}"
        try:
            # An error of the function for the token is its own, also when it cannot reach its provider.
            return await self.http.send(request, stream=stream, follow_redirects=False)
        except httpx.TransportError as error:
            raise self._to_error(error, name) from error

    def _build(
        self,
        method: str,
        url: str,
        query: Mapping[str, Any] | None,
        headers: Mapping[str, Optional[str]] | None,
        body: Any,
        form: Mapping[str, Any] | None,
        timeout: float | None,
    ) -> httpx.Request:
        given = {name: value for name, value in (headers or {}).items() if value is not None}
        return self.http.build_request(
            method,
            url,
            params={name: value for name, value in (query or {}).items() if value is not None} or None,
            headers={**self._headers, **given},
            json=body,
            files=form,
            # Connections are limited by the semaphores.
            timeout=httpx.Timeout(self._timeout if timeout is None else timeout, pool=None),
        )

    def _to_url(self, path: str, values: Mapping[str, str] | None) -> str:
        """Fills the parameters of a path. A missing one raises: the request would reach another resource."""

        def fill(match: re.Match[str]) -> str:
            value = (values or {}).get(match[1])
            if not isinstance(value, str) or value == "":
                raise ValueError(f"{path} needs {match[1]}")
            return quote(value, safe="")

        return self._base_url + re.sub(r"\{(\w+)\}", fill, path)

    def _to_not_json(
        self, response: httpx.Response, name: str, expected: str, *, body: str | None = None
    ) -> WorkflowApiError:
        """Makes the error for a page or a broken body: another server, or a proxy, has answered."""
        detail = f"{name}: {self._host} did not answer with {expected}. Is {self._base_url} the URL of the service?"
        return WorkflowApiError(response.status_code, "not_json", detail, body=body)

    def _to_error(self, error: httpx.TransportError, name: str) -> WorkflowApiError:
        if isinstance(error, httpx.TimeoutException):
            return WorkflowApiError(0, "timeout", f"{name}: {self._host} did not answer in time")
        return WorkflowApiError(0, "network", f"{name}: {self._host} cannot be reached ({read_cause(error)})")
