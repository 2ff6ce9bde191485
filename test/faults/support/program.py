"""A program over the Python client against the real service: prints how each part ended as one JSON value."""

import asyncio
import json
import os
import time
import uuid

from workflow_automation_client import AsyncWorkflowClient, WorkflowApiError, WorkflowClient

ACCESS = (os.environ["API"], os.environ["KEY"])
ORG = os.environ["ORG"]
HELLO = {"id": "hello", "type": "transformer", "config": {"mode": "template", "template": "Hello {{input.name}}"}}
ASK = {"id": "ask", "type": "interrupt", "config": {"kind": "approval", "actions": [{"id": "yes", "label": "Yes"}]}}


def chain(node):
    return {"nodes": [node], "edges": [{"source": "__start__", "target": node["id"]}, {"source": node["id"], "target": "__end__"}]}


def run_blocking():
    told = {}
    with WorkflowClient(*ACCESS, organization_id=ORG) as client:
        workflow = client.create_workflow({"name": "Python", "workflow_schema": chain(HELLO)})
        client.deploy_workflow(workflow["id"])
        body = {"workflow_id": workflow["id"], "input": {"name": "Ada"}}
        key = str(uuid.uuid4())
        run = client.runs.start(body, idempotency_key=key)
        told["same"] = client.runs.start(body, idempotency_key=key).run_id == run.run_id
        told["events"] = [event["type"] for event in run.events()]
        told["end"] = run.result()["status"]
        told["listed"] = [each["status"] for each in client.list_runs(workflow_id=workflow["id"], limit=1)]
        told["found"] = client.runs.handle(run.run_id).run_pk == run.record()["id"]

        asked = client.runs.start({"workflow": chain(ASK)})
        waiting = asked.result()
        [question] = waiting["interrupts"]
        asked.answer(question["interrupt_id"], {"action": "yes"})
        told["asked"] = [waiting["type"], asked.own_end()["type"], asked.result()["type"]]
        try:
            asked.answer(question["interrupt_id"], {"action": "yes"})
        except WorkflowApiError as error:
            told["twice"] = error.status

        left = client.runs.start({"workflow": chain(ASK)})
        left.result()
        left.cancel(reason="Started by mistake")
        told["cancelled"] = left.result()["type"]

        base = client.create_knowledge_base({"name": "Python"})
        document = client.upload_document(base["id"], b"Refunds take five days.", file_name="refunds.txt")
        while document["status"] not in ("completed", "failed"):
            time.sleep(0.1)
            document = client.get_document(base["id"], document["id"])
        told["document"] = document["status"]
        told["documents"] = [each["name"] for each in client.list_documents(base["id"])]
    return told


async def run_asyncio():
    async with AsyncWorkflowClient(*ACCESS, organization_id=ORG) as client:
        starts = [client.runs.start({"workflow": chain(HELLO), "input": {"name": "Ada"}}) for _ in range(30)]
        runs = await asyncio.gather(*starts)
        ends = [event["type"] async for _, event in client.runs.follow(runs) if event["type"] == "run_completed"]
        asked = await client.runs.start({"workflow": chain(ASK)})
        waiting = await asked.result()
        await asked.answer(waiting["interrupts"][0]["interrupt_id"], {"action": "yes"})
        return {"completed": len(ends), "answered": (await asked.result())["type"]}


print(json.dumps({"blocking": run_blocking(), "asyncio": asyncio.run(run_asyncio())}))
