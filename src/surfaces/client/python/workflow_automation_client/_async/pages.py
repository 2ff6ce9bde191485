"""Reads the lists of the API item by item, whichever of its three styles of pagination a list has."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Generic, TypeVar

from .transport import AsyncTransport

Page = TypeVar("Page")
Item = TypeVar("Item")


def _to_next_page(answer: Any, count: int) -> dict[str, Any] | None:
    """Returns the query of the next page; None after the last."""
    if not isinstance(answer, dict):
        return None
    if isinstance(answer.get("next_cursor"), str):
        return {"cursor": answer["next_cursor"]}
    if answer.get("has_more") is True and count > 0:
        return {"offset": answer.get("offset", 0) + count}
    page, pages = answer.get("page"), answer.get("total_pages")
    return {"page": page + 1} if page is not None and pages is not None and page < pages else None


class AsyncPages(Generic[Page, Item]):
    """A list: a loop over it yields every item and fetches pages as needed; `page()` returns the one that the query selects."""

    def __init__(
        self,
        transport: AsyncTransport,
        field: str,
        path: str,
        *,
        values: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self._transport = transport
        self._field = field
        self._path = path
        self._values = values
        self._query = dict(query or {})
        self._options = options

    async def page(self) -> Page:
        """Returns the API's answer, unchanged."""
        answer: Page = await self._read({})
        return answer

    async def __aiter__(self) -> AsyncIterator[Item]:
        following: dict[str, Any] | None = {}
        while following is not None:
            answer = await self._read(following)
            items = answer[self._field] if self._field else answer
            for item in items:
                yield item
            following = _to_next_page(answer, len(items))

    async def _read(self, following: Mapping[str, Any]) -> Any:
        query = {**self._query, **following}
        return await self._transport.call("GET", self._path, values=self._values, query=query, **self._options)
