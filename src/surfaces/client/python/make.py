"""Makes the Python package as it is published: models, operations and the blocking client are generated.

    python3 src/surfaces/client/python/make.py OPENAPI VERSION FOLDER

OPENAPI is the document of the service as a JSON file. `python -m build FOLDER` makes the wheel and the sdist.
"""

from __future__ import annotations

import json
import keyword
import re
import shutil
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NAME = "workflow_automation_client"
# Operations with a method written by hand, and doors that have clients of their own.
HAND_WRITTEN = {"startRun", "startRunBatch", "listenToRun", "resumeRun", "cancelRun", "uploadDocument", "getRunByRunId"}
OTHER_CLIENTS = {"openai", "mcp"}
SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

Schema = dict[str, Any]


def to_snake(name: str) -> str:
    """`getRunByRunId` and `Idempotency-Key` become `get_run_by_run_id` and `idempotency_key`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.replace("-", "_")).lower()
    return f"{words}_" if keyword.iskeyword(words) else words


def to_class(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", name))


def write_docstring(text: str, indent: str) -> str:
    words = " ".join(text.split()).replace("\\", "\\\\").replace('"""', "'''").removesuffix('"')
    return f'{indent}"""{words}"""\n' if words else ""


class Models:
    """Writes the schemas of the document as typed dictionaries."""

    def __init__(self, schemas: dict[str, Schema]) -> None:
        self._schemas = schemas
        self._classes: list[str] = []
        self._aliases: list[str] = []

    def write(self) -> str:
        for name, schema in self._schemas.items():
            if self._is_record(schema):
                self._write_class(name, schema)
            else:
                kind = self.to_type(schema, f"{name}Value")
                self._aliases.append(f'{name}: TypeAlias = "{kind}"\n')
        head = (
            '"""The schemas of the OpenAPI document as typed dictionaries. Generated; do not edit."""\n\n'
            "from __future__ import annotations\n\n"
            "from typing import Any, Dict, List, Literal, Union\n\n"
            "from typing_extensions import NotRequired, TypeAlias, TypedDict\n\n"
        )
        return head + "\n".join(self._classes) + "\n" + "".join(self._aliases)

    def to_type(self, schema: Any, name: str) -> str:
        """Returns the type of a schema. @name is that of a class for an object without a name of its own."""
        if not isinstance(schema, dict):
            return "Any"
        if "$ref" in schema:
            return str(schema["$ref"]).rsplit("/", 1)[-1]
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "enum" in schema:
            return f"Literal[{', '.join(repr(value) for value in schema['enum'])}]"
        # Alternatives that only say which fields go together are told by the service.
        members = [each for each in schema.get("oneOf", schema.get("anyOf", [])) if {"type", "$ref", "const"} & each.keys()]
        if members:
            return self._to_union([self.to_type(each, f"{name}{at or ''}") for at, each in enumerate(members)])
        types = schema.get("type", [])
        if isinstance(types, list):
            return self._to_union([self.to_type({**schema, "type": each}, name) for each in types]) if types else "Any"
        if types == "array":
            return f"List[{self.to_type(schema.get('items'), f'{name}Item')}]"
        if types == "object":
            if not self._is_record(schema):
                return f"Dict[str, {self.to_type(schema.get('additionalProperties'), f'{name}Value')}]"
            self._write_class(name, schema)
            return name
        return SIMPLE[types]

    def _is_record(self, schema: Schema) -> bool:
        return schema.get("type") == "object" and bool(schema.get("properties"))

    def _to_union(self, types: list[str]) -> str:
        unique = list(dict.fromkeys(types))
        return unique[0] if len(unique) == 1 else f"Union[{', '.join(unique)}]"

    def _write_class(self, name: str, schema: Schema) -> None:
        required = set(schema.get("required", []))
        fields: list[tuple[str, str, str]] = []
        for field, inner in schema["properties"].items():
            kind = self.to_type(inner, f"{name}{to_class(field)}")
            fields.append((field, kind if field in required else f"NotRequired[{kind}]", inner.get("description", "")))
        if all(field.isidentifier() and not keyword.iskeyword(field) for field, _, _ in fields):
            lines = "".join(f"    {field}: {kind}\n{write_docstring(words, '    ')}" for field, kind, words in fields)
            self._classes.append(f"\nclass {name}(TypedDict):\n{write_docstring(schema.get('description', ''), '    ')}{lines}")
            return
        pairs = "".join(f'    {field!r}: "{kind}",\n' for field, kind, _ in fields)
        self._classes.append(f'\n{name} = TypedDict("{name}", {{\n{pairs}}})\n')


class Operations:
    """Writes one method for each operation of the document."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self._schemas: dict[str, Schema] = document["components"]["schemas"]
        self._models = Models(self._schemas)

    def write(self) -> str:
        methods = [
            self._write_method(method.upper(), path, operation)
            for path, item in self._document["paths"].items()
            for method, operation in item.items()
            if operation["operationId"] not in HAND_WRITTEN and not OTHER_CLIENTS & set(operation["tags"])
        ]
        return (
            '"""A method for each operation of the OpenAPI document. Generated; do not edit."""\n\n'
            "from __future__ import annotations\n\n"
            "from typing import Any, Dict, List, Literal, Optional, Union\n\n"
            "from typing_extensions import Unpack\n\n"
            "from .. import models\n"
            "from .pages import AsyncPages\n"
            "from .transport import AsyncTransport, CallOptions\n\n\n"
            "class AsyncOperations:\n"
            "    def __init__(self, transport: AsyncTransport) -> None:\n"
            "        self._transport = transport\n" + "".join(methods)
        )

    def _to_type(self, schema: Any) -> str:
        return re.sub(r"\b(?!(?:List|Dict|Union|Literal|Any|None|str|int|float|bool)\b)([A-Z]\w+)\b(?!['\"])", r"models.\1", self._models.to_type(schema, ""))

    def _write_method(self, method: str, path: str, operation: dict[str, Any]) -> str:
        name = to_snake(operation["operationId"])
        given = {"path": [], "query": [], "header": []}  # type: dict[str, list[dict[str, Any]]]
        for each in operation.get("parameters", []):
            if each["name"] != "X-Organization-ID":
                given[each["in"]].append(each)
        body = operation.get("requestBody", {}).get("content", {}).get("application/json")
        required = [f"{to_snake(each['name'])}: str" for each in given["path"]]
        if body is not None:
            kind = self._to_type(body["schema"])
            is_needed = bool(self._schemas.get(kind.removeprefix("models."), {}).get("required")) or "Any" in kind
            required.append(f"body: {kind}" if is_needed else f"body: Optional[{kind}] = None")
        named = [
            f"{to_snake(each['name'])}: Optional[{self._to_type({**each['schema'], 'default': None})}] = None"
            for each in [*given["query"], *given["header"]]
        ]
        signature = ", ".join(["self", *required, *(["*", *named] if named else []), "**options: Unpack[CallOptions]"])
        sent = [f'"{path}"']
        if given["path"]:
            sent.append(f"values={self._write_values(given['path'])}")
        if given["query"]:
            sent.append(f"query={self._write_values(given['query'])}")
        if given["header"]:
            sent.append(f"headers={self._write_values(given['header'])}")
        if body is not None:
            sent.append("body=body" if is_needed else "body={} if body is None else body")
        words = write_docstring(operation.get("summary", ""), "        ")
        reply, item, items = self._read_reply(operation)
        call = ", ".join([*sent, "**options"])
        if items is not None:
            lines = f"        return AsyncPages(self._transport, {items!r}, {call})\n"
            return f"\n    def {name}({signature}) -> AsyncPages[{reply}, {item}]:\n{words}{lines}"
        lines = f"        reply: {reply} = await self._transport.call({method!r}, {call})\n        return reply\n"
        return f"\n    async def {name}({signature}) -> {reply}:\n{words}{lines}"

    def _write_values(self, parameters: list[dict[str, Any]]) -> str:
        return "{" + ", ".join(f"{each['name']!r}: {to_snake(each['name'])}" for each in parameters) + "}"

    def _read_reply(self, operation: dict[str, Any]) -> tuple[str, str, str | None]:
        """Returns the type of the answer and, for a list, that of its items and the field that has them."""
        answers = [each.get("content", {}) for status, each in operation["responses"].items() if status.startswith("2")]
        schemas = [content["application/json"]["schema"] for content in answers if "application/json" in content]
        if not schemas:
            return ("str" if any("text/plain" in content for content in answers) else "None"), "", None
        reply = self._models._to_union([self._to_type(each) for each in schemas])
        schema = self._schemas.get(reply.removeprefix("models."), schemas[0])
        if re.match("list[A-Z]", operation["operationId"]) is None:
            return reply, "", None
        if schema.get("type") == "array":
            return reply, self._to_type(schema["items"]), ""
        lists = [(field, inner) for field, inner in schema["properties"].items() if inner.get("type") == "array"]
        if len(lists) != 1:
            return reply, "", None
        [(field, inner)] = lists
        return reply, self._to_type(inner["items"]), field


# In this order; each name of the asyncio client has one of the blocking client.
BLOCKING = [
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"Awaitable\[(\w+)\]", r"\1"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\bAsync(\w+)", r"\1"),
    (r"__a(enter|exit|iter|next)__", r"__\1__"),
    (r"\ba(read|close|iter_bytes)\b", r"\1"),
]


def to_blocking(text: str) -> str:
    for pattern, replacement in BLOCKING:
        text = re.sub(pattern, replacement, text)
    return text


def write_repeatable(document: dict[str, Any]) -> str:
    paths = sorted(path for path, item in document["paths"].items() if item.get("post", {}).get("x-repeatable") is True)
    lines = "".join(f'    "{path}",\n' for path in paths)
    return f'"""Paths whose POST does nothing more when it is sent again. Generated; do not edit."""\n\nREPEATABLE_POSTS = {{\n{lines}}}\n'


def make(document: dict[str, Any], version: str, folder: Path) -> None:
    """Writes the package into a folder, which is emptied before."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / NAME, folder / NAME, ignore=shutil.ignore_patterns("__pycache__"))
    package = folder / NAME
    (package / "repeatable.py").write_text(write_repeatable(document))
    (package / "models.py").write_text(Models(document["components"]["schemas"]).write())
    (package / "_async" / "operations.py").write_text(Operations(document).write())
    for file in sorted((package / "_async").glob("*.py")):
        target = package / "_sync" / file.name
        # What waits is written by hand for both.
        if not target.exists():
            target.write_text(to_blocking(file.read_text()))
    project = (HERE / "pyproject.toml").read_text().replace('version = "0"', f'version = "{version}"')
    (folder / "pyproject.toml").write_text(project)
    shutil.copy(HERE / "README.md", folder)
    shutil.copy(HERE.parents[3] / "LICENSE", folder)


if __name__ == "__main__":
    make(json.loads(Path(sys.argv[1]).read_text()), sys.argv[2], Path(sys.argv[3]))
