"""The examples of the README, with the output that it shows."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import re
import time
from pathlib import Path
from typing import Any

import agents
import pytest

from memory_service import MemoryClient

from .test_openai_agents import EchoModel
from .test_webhooks import BODY, delivery

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
DAY = re.compile(r"^\d+ \w{3} \d{4}$", re.M)
LOCAL = "http://127.0.0.1:3000"


def examples() -> list[tuple[str, str | None]]:
    """Returns each example with its output: the next block if that has no language."""
    blocks = BLOCK.findall(README.read_text())
    shown = [*blocks[1:], ("end", "")]
    return [
        (text, output if other == "" else None)
        for (language, text), (other, output) in zip(blocks, shown, strict=True)
        if language == "python"
    ]


def test_examples_print_what_the_readme_shows(
    base_url: str, api_key: str, client: MemoryClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for memory in list(client.list(user_id="ada")):
        client.forget(memory.id)
    monkeypatch.setenv("API_KEY", api_key)
    monkeypatch.setattr(agents, "Agent", functools.partial(agents.Agent, model=EchoModel()))
    names: dict[str, Any] = {}
    for text, output in examples():
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(text.replace(LOCAL, base_url), names)
        if output is not None:
            assert DAY.sub("DAY", printed.getvalue()) == DAY.sub("DAY", output)
    monkeypatch.setenv("WEBHOOK_SECRET", "a secret of a webhook")
    headers = delivery(b"a secret of a webhook")
    monkeypatch.setattr(time, "time", lambda: float(headers["Webhook-Timestamp"]))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        names["receive"](headers, BODY)
    assert printed.getvalue().strip() == json.loads(BODY)["type"]
