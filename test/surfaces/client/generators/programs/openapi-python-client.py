"""Reads each node within a definition, where it is one of several, and each frame by its own model."""

import json
import sys

import made.models as models
from made.models import WorkflowDefinition


def read(example):
    if example["union"] == "Node":
        return WorkflowDefinition.from_dict({"nodes": [example["value"]], "edges": []}).nodes[0]
    return getattr(models, example["name"]).from_dict(example["value"])


for index, example in enumerate(json.load(sys.stdin)):
    try:
        value = read(example)
        result = {"index": index, "read": type(value).__name__, "value": value.to_dict()}
    except Exception as error:
        result = {"index": index, "error": repr(error)}
    print(json.dumps(result))
