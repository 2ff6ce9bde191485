"""Drives the Python client for the scripted scenarios: reads a command per line and prints its outcome.

    python driver.py blocking|asyncio
"""

import asyncio
import inspect
import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import httpx
import workflow_automation_client as package
from workflow_automation_client import retry

IS_BLOCKING = sys.argv[1] == "blocking"
transport = import_module(f"workflow_automation_client.{'_sync' if IS_BLOCKING else '_async'}.transport")
DEFINITION = {"nodes": [], "edges": []}


async def settle(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def gather(count: int, call: Any) -> list[Any]:
    if not IS_BLOCKING:
        return await asyncio.gather(*[call() for _ in range(count)])
    with ThreadPoolExecutor(32) as pool:
        return [each.result() for each in [pool.submit(call) for _ in range(count)]]


async def each(items: Any) -> Any:
    if IS_BLOCKING:
        for item in items:
            yield item
    else:
        async for item in items:
            yield item


async def follow(client: Any, note: Any, after_seq: int = 0) -> Any:
    run = client.runs.by_run_id("r")
    events = [event async for event in each(run.events(after_seq=after_seq, on_reconnect=note))]
    return {"events": events, "end": await settle(run.result())}


async def leave(client: Any) -> None:
    events = client.runs.by_run_id("r").events()
    async for event in each(events):
        if event["type"] == "progress":
            break
    await settle(events.close() if IS_BLOCKING else events.aclose())


async def crowd(client: Any, count: int) -> Any:
    runs = await gather(count, lambda: client.runs.start({"workflow_id": "w"}))
    seqs: dict[str, list[int]] = {run.run_id: [] for run in runs}
    async for run, event in each(client.runs.follow(runs)):
        if "seq" in event:
            seqs[run.run_id].append(event["seq"])
    return seqs


async def start_many(client: Any, note: Any, count: int) -> int:
    return len(await gather(count, lambda: client.runs.start({"workflow_id": "w"})))


async def follow_some(client: Any, runs: list[str], enough: int) -> int:
    followed = client.runs.follow(runs)
    count = 0
    async for _ in each(followed):
        count += 1
        if count == enough:
            break
    await settle(followed.close() if IS_BLOCKING else followed.aclose())
    return count


async def lists(client: Any) -> Any:
    bases = client.list_knowledge_bases()
    runs = client.list_runs(limit=2)
    workflows = client.list_workflows(page_size=2)
    read = [[item async for item in each(pages)] for pages in (bases, runs, workflows)]
    return {"items": read, "has_more": (await settle(runs.page()))["has_more"]}


async def upload(client: Any) -> Any:
    content = b"x" * 200_000
    return await settle(client.upload_document("k", content, file_name="notes.txt", metadata={"lang": "en"}))


OPERATIONS = {
    "get": lambda client, note, id="w": client.get_workflow(id),
    "start": lambda client, note, **options: client.runs.start({"workflow_id": "w"}, **options),
    "startBatch": lambda client, note, **options: client.runs.start_batch({"workflow_id": "w", "inputs": [{}, {}]}, **options),
    "startUnkeyed": lambda client, note: client.request("POST", "/workflows/run", body={"workflow_id": "w"}),
    "startMany": start_many,
    "create": lambda client, note: client.create_workflow({"name": "w", "workflow_schema": DEFINITION}),
    "cancel": lambda client, note: client.runs.by_run_id("r").cancel(),
    "answer": lambda client, note: client.runs.by_run_id("r").answer("q", {"action": "approve"}),
    "result": lambda client, note: client.runs.by_run_id("r").result(),
    "handle": lambda client, note, id: client.runs.handle(id),
    "follow": follow,
    "leave": lambda client, note: leave(client),
    "crowd": lambda client, note, count: crowd(client, count),
    "followSome": lambda client, note, runs, enough: follow_some(client, runs, enough),
    "lists": lambda client, note: lists(client),
    "upload": lambda client, note: upload(client),
    "getMany": lambda client, note, count: gather(count, lambda: client.get_workflow("w")),
}
NAMES = {"retryForMs": "retry_for", "idempotencyKey": "idempotency_key", "timeoutMs": "timeout", "afterSeq": "after_seq"}


def to_options(given: dict[str, Any]) -> dict[str, Any]:
    return {NAMES.get(name, name): value / 1000 if name.endswith("Ms") else value for name, value in given.items()}


def describe(error: package.WorkflowApiError) -> dict[str, Any]:
    wait = error.retry_after
    names = ("status", "code", "detail", "problems", "body")
    told = {name: getattr(error, name) for name in names}
    return {**told, "requestId": error.request_id, "retryAfterMs": None if wait is None else wait * 1000}


def to_value(value: Any) -> Any:
    is_handle = isinstance(value, (package.Run, package.AsyncRun))
    return {"runId": value.run_id, "runPk": value.run_pk} if is_handle else value


class FastTime:
    """Stands for the module `time` while the client's seconds are shorter than real ones."""

    def __init__(self, speed: float) -> None:
        self._speed = speed

    def monotonic(self) -> float:
        return time.monotonic() * self._speed


@contextmanager
def with_speed(speed: float) -> Iterator[None]:
    real = [retry.time, transport.sleep]
    retry.time = FastTime(speed)
    transport.sleep = lambda seconds: real[1](seconds / speed)
    try:
        yield
    finally:
        retry.time, transport.sleep = real


async def run_command(command: dict[str, Any]) -> dict[str, Any]:
    retries: list[Any] = []
    reconnects: list[int] = []
    renewed: list[str] = []

    def renew() -> Any:
        renewed.append(f"token-{len(renewed) + 1}")
        token = renewed[-1]
        if IS_BLOCKING:
            return token

        async def answer() -> str:
            return token

        return answer()

    def lose() -> Any:
        raise httpx.ConnectError("the provider is away")

    token = lose if command["losesToken"] else renew if command["renews"] else "svc_live_test"
    kind = package.WorkflowClient if IS_BLOCKING else package.AsyncWorkflowClient
    # Without certificates, whose loading takes longer than a scenario.
    http = httpx.Client(verify=False) if IS_BLOCKING else httpx.AsyncClient(verify=False)
    outcome: dict[str, Any] = {"retries": retries, "reconnects": reconnects, "renewed": renewed}
    try:
        client: Any = kind(
            command["baseUrl"],
            token,
            organization_id="org",
            http=http,
            on_retry=lambda retry: retries.append([retry.path, retry.attempt]),
            **to_options(command["client"]),
        )
        operation = OPERATIONS[command["operation"]]
        note = lambda error: reconnects.append(error.status)  # noqa: E731
        with with_speed(command["speed"]):
            outcome["value"] = to_value(await settle(operation(client, note, **to_options(command["options"]))))
    except package.WorkflowApiError as error:
        outcome["error"] = describe(error)
    except (ValueError, httpx.ConnectError) as error:
        outcome["failure"] = str(error)
    await settle(http.close() if IS_BLOCKING else http.aclose())
    return outcome


async def main() -> None:
    for line in sys.stdin:
        print(json.dumps(await run_command(json.loads(line)), default=str), flush=True)


asyncio.run(main())
