"""Rendering for prompts, by the cases that the service and the TypeScript client are tested with."""

# ruff: noqa: RUF001
from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from memory_service import prompt

CASES = json.loads((Path(__file__).parents[3] / "test/fixtures/prompt-texts.json").read_text())
PARTS = [*"<＜﹤/!>＞&\\ \t\n\r\v\x00\x1b\u200b\u202e\u2028ab3=-`～", "&lt;", "&#60;", "\\u003c", "memories", "[2] "]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_renders_as_the_service_does(case: dict[str, Any]) -> None:
    assert prompt.neutralized(case["text"]) == case["neutral"]
    assert prompt.as_line(case["text"]) == case["line"]


def test_no_text_ends_its_block_or_fakes_an_item() -> None:
    source = random.Random(1)
    for _ in range(5_000):
        text = "".join(source.choices(PARTS, k=source.randrange(20)))
        rendered = prompt.neutralized(text)
        assert prompt.neutralized(rendered) == rendered
        assert prompt.as_data_block(text).count("</") == 1
        assert len(prompt.as_line(text).splitlines()) <= 1
        assert all(line.startswith("    ") for line in prompt.as_item(text).split("\n")[1:])
