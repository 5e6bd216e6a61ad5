"""The client matches openapi.json and the TypeScript client."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_service import AsyncMemoryClient, MemoryClient, api, errors
from memory_service.client import AsyncFacts, AsyncSessions, AsyncSources, Facts, Sessions, Sources
from memory_service.methods import AsyncMethod, AsyncPages, SyncMethod, SyncPages
from memory_service.operation import Operation

ROOT = Path(__file__).parents[3]
DOCUMENT = json.loads((ROOT / "openapi.json").read_text())
TYPESCRIPT = ROOT / "clients/typescript/src"

OPERATIONS = {name: value for name, value in vars(api).items() if isinstance(value, Operation)}
CLASSES = [(MemoryClient, AsyncMemoryClient), (Facts, AsyncFacts), (Sessions, AsyncSessions), (Sources, AsyncSources)]

#: Names that Python has for something else.
RENAMED = {
    "MemoryError": "MemoryServiceError",
    "PermissionError": "PermissionDeniedError",
    "ConnectionError": "ServiceConnectionError",
}


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])[A-Z]", lambda match: f"_{match.group()}", name).lower()


def resolved(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Resolves references, and removes the null of absent fields."""
    if "$ref" in schema:
        target: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return resolved(target, document)
    members = [each for each in schema.get("anyOf", []) if each.get("type") != "null"]
    return resolved(members[0], document) if len(members) == 1 else schema


def differences(model: dict[str, Any], schema: dict[str, Any], own: dict[str, Any], where: str) -> Iterator[str]:
    """Returns where a model (a JSON Schema with the definitions of `own`) differs from the document's schema."""
    model, schema = resolved(model, own), resolved(schema, DOCUMENT)
    needed, documented_needed = set(model.get("required", [])), set(schema.get("required", []))
    if "items" in model or "items" in schema:
        yield from differences(model.get("items", {}), schema.get("items", {}), own, f"{where}[]")
    fields, documented = model.get("properties", {}), schema.get("properties", {})
    yield from (f"{where}.{name} is not in the document" for name in fields.keys() - documented.keys())
    yield from (f"{where}.{name} is missing" for name in documented_needed - fields.keys())
    yield from (f"{where}.{name} may be absent" for name in needed - documented_needed)
    for name in fields.keys() & documented.keys():
        yield from differences(fields[name], documented[name], own, f"{where}.{name}")


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS.keys())
def test_every_operation_and_model_is_in_the_document(operation: Operation[Any]) -> None:
    documented = DOCUMENT["paths"][operation.path][operation.method.lower()]
    success = next(answer for status, answer in documented["responses"].items() if status.startswith("2"))
    schema = success["content"]["application/json"]["schema"]
    schema = resolved(schema, DOCUMENT)
    answer = schema.get("properties", {}).get("data", schema)
    model = operation.answer.model_json_schema()
    assert list(differences(model, answer, model, operation.answer.__name__)) == []


def test_the_comparison_notices_differences() -> None:
    own: dict[str, Any] = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]}
    theirs = {"type": "object", "properties": {"b": {}, "c": {}}, "required": ["c"]}
    assert sorted(differences(own, theirs, own, "M")) == [
        "M.a is not in the document",
        "M.b may be absent",
        "M.c is missing",
    ]


def test_calls_the_operations_of_the_typescript_client() -> None:
    text = (TYPESCRIPT / "operations.ts").read_text()
    found = re.findall(r'(\w+): \{ method: "(\w+)", path: "([^"]+)" \}', text)
    theirs = {snake(name).upper(): (method, path) for name, method, path in found}
    assert len(theirs) > 10
    assert {name: (OPERATIONS[name].method, OPERATIONS[name].path) for name in theirs} == theirs


def test_has_the_verbs_of_the_typescript_client() -> None:
    text = (TYPESCRIPT / "client.ts").read_text()
    bodies = dict(re.findall(r"^(?:export )?class (\w+) \{(.*?)^\}", text, re.M | re.S))
    theirs = {
        name: {snake(verb) for verb in re.findall(r"^  (?:async )?\*?(?!constructor)(\w+)\(", body, re.M)}
        for name, body in bodies.items()
    }
    ours = {
        synchronous.__name__: {name for name, value in vars(synchronous).items() if hasattr(value, "verb")}
        for synchronous, _ in CLASSES
    }
    assert ours == theirs


def test_both_clients_have_the_same_verbs() -> None:
    for synchronous, asynchronous in CLASSES:
        verbs = [
            {name: value.verb for name, value in vars(kind).items() if hasattr(value, "verb")}
            for kind in (synchronous, asynchronous)
        ]
        assert verbs[0] == verbs[1]
        assert all(verb.__doc__ for verb in verbs[0].values())
        kinds = {type(value) for value in vars(synchronous).values() if hasattr(value, "verb")}
        assert kinds <= {SyncMethod, SyncPages}
        kinds = {type(value) for value in vars(asynchronous).values() if hasattr(value, "verb")}
        assert kinds <= {AsyncMethod, AsyncPages}


def test_has_the_errors_of_the_typescript_client() -> None:
    text = (TYPESCRIPT / "errors.ts").read_text()
    theirs = {RENAMED.get(name, name) for name in re.findall(r"^export class (\w+)", text, re.M)}
    ours = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.MemoryServiceError)
    }
    assert ours == theirs
