"""The client's only error class: error responses in their four shapes, and calls without a response."""

from __future__ import annotations

import errno
import json
import time
from email.utils import parsedate_to_datetime
from typing import Any

import httpx


class WorkflowApiError(Exception):
    """An error response, or a call without a response (`status` 0, `code` `network` or `timeout`)."""

    def __init__(
        self,
        status: int,
        code: str | None,
        detail: str,
        *,
        problems: list[dict[str, Any]] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        body: Any = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        """HTTP status; 0 when there was no response."""
        self.code = code
        """Stable code of the error; None when a proxy responded."""
        self.detail = detail
        self.problems = problems or []
        """Problems of a 422, each with `loc`, `msg` and `type`; empty otherwise."""
        self.request_id = request_id
        """Also in the service's log."""
        self.retry_after = retry_after
        """Seconds, from `Retry-After`; None without it."""
        self.body = body
        """The unchanged body."""


def _parse_body(body: Any, otherwise: str) -> tuple[str | None, str, list[dict[str, Any]]]:
    """Parses a body by its shape. @otherwise is the detail when the body is a proxy's page."""
    if not isinstance(body, dict):
        return None, otherwise, []
    detail = body.get("detail")
    if isinstance(detail, str):
        return body.get("code"), detail, []
    if isinstance(detail, list):
        lines = [f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}" for each in detail]
        return None, "; ".join(lines), detail
    fields = detail if isinstance(detail, dict) else body
    reason = fields.get("reason")
    code = fields.get("code") or reason
    named = body.get("error")
    return code, fields.get("message") or reason or code or (named if isinstance(named, str) else otherwise), []


def _parse_retry_after(value: str | None) -> float | None:
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def read_error(response: httpx.Response) -> WorkflowApiError:
    """Makes the error of a response that has been read."""
    try:
        body: Any = json.loads(response.content)
    except ValueError:
        body = response.text
    otherwise = f"{response.status_code} {response.reason_phrase}".strip()
    code, detail, problems = _parse_body(body, otherwise)
    return WorkflowApiError(
        response.status_code,
        response.headers.get("x-error-code", code),
        detail,
        problems=problems,
        request_id=response.headers.get("x-request-id"),
        retry_after=_parse_retry_after(response.headers.get("retry-after")),
        body=body,
    )


def read_redirect(response: httpx.Response, name: str, base_url: str) -> WorkflowApiError:
    """Makes the error of a redirect, which is not followed: another host must not get the token."""
    host = response.request.url.netloc.decode()
    target = response.headers.get("location", "another address")
    detail = f"{name}: {host} redirects to {target}. Is {base_url} the URL of the service?"
    return WorkflowApiError(response.status_code, "redirect", detail)


def read_cause(error: BaseException) -> str:
    """Returns the code of the operating system for a connection that failed, such as ECONNREFUSED, or its words."""
    words = str(error)
    at: BaseException | None = error
    while at is not None:
        if isinstance(at, OSError) and at.errno is not None:
            return errno.errorcode.get(at.errno, at.strerror or words)
        group = getattr(at, "exceptions", None)
        at = group[0] if group else at.__cause__ or at.__context__
    return words
