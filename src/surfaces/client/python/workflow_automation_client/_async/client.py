"""The client of the API."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, Union

import httpx
from typing_extensions import Unpack

from .. import models
from ..retry import Retry
from .operations import AsyncOperations
from .runs import AsyncRuns
from .transport import AsyncTokenSource, AsyncTransport, CallOptions


class AsyncWorkflowClient(AsyncOperations):
    """Every operation of the OpenAPI document is a method; `runs` starts and follows runs.

    @base_url: such as https://workflows.example.com
    @token: an API key, or a function that returns a token: called at the first request, and once per expired token
    @timeout: seconds without a byte after which one attempt fails
    @retries: of a repeatable call; starts are retried for a time instead
    @on_retry: called before each wait for a retry
    @http: a client of httpx of your own, for proxies and certificates; you close it
    """

    def __init__(
        self,
        base_url: str,
        token: AsyncTokenSource,
        *,
        organization_id: str | None = None,
        timeout: float = 30.0,
        retries: int = 3,
        on_retry: Callable[[Retry], None] | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        transport = AsyncTransport(
            base_url, token, organization_id, timeout=timeout, retries=retries, on_retry=on_retry, http=http
        )
        super().__init__(transport)
        self.runs = AsyncRuns(transport)

    async def __aenter__(self) -> AsyncWorkflowClient:
        return self

    async def __aexit__(self, *reason: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def request(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
        body: Any = None,
        **options: Unpack[CallOptions],
    ) -> Any:
        """Calls any path: `request("GET", "/workflows/{workflow_id}", values={"workflow_id": id})`."""
        return await self._transport.call(
            method, path, values=values, query=query, headers=headers, body=body, **options
        )

    async def upload_document(
        self,
        knowledge_id: str,
        file: Union[str, os.PathLike[str], bytes, IO[bytes]],
        *,
        file_name: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        chunking: Mapping[str, Any] | None = None,
        **options: Unpack[CallOptions],
    ) -> models.KnowledgeDocument:
        """Uploads a document. Extraction and embedding follow; `get_document` returns their status.

        @file: a path, bytes or an open file; bytes need `file_name`
        @metadata: searches filter by it; @chunking overrides that of the knowledge base
        """
        if isinstance(file, (str, os.PathLike)):
            content, name = Path(file).read_bytes(), Path(file).name
        elif isinstance(file, bytes):
            content, name = file, ""
        else:
            # Read at once, because a retry sends it again.
            content, name = file.read(), os.path.basename(str(getattr(file, "name", "")))
        if not (file_name or name):
            raise ValueError("upload_document needs file_name")
        form: dict[str, Any] = {}
        # The service reads the file as a stream, so the fields come first.
        if metadata is not None:
            form["doc_metadata"] = (None, json.dumps(metadata))
        if chunking is not None:
            form["chunking_config"] = (None, json.dumps(chunking))
        form["file"] = (file_name or name, content)
        path = "/knowledge-bases/{knowledge_id}/documents"
        document: models.KnowledgeDocument = await self._transport.call(
            "POST", path, values={"knowledge_id": knowledge_id}, form=form, **options
        )
        return document
