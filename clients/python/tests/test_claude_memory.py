"""
Anthropic's memory tool on the service, compared with the tool of its SDK on the file system:
anthropics/anthropic-sdk-python, src/anthropic/lib/tools/_beta_builtin_memory_tool.py at
009b035305e0724ce108ebd796935f91711fc6e1.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from anthropic.lib.tools import ToolError
from anthropic.tools import BetaLocalFilesystemMemoryTool

from memory_service import AsyncMemoryClient, MemoryClient
from memory_service.claude_memory import AsyncMemoryTool, MemoryTool

#: Commands whose answers are those of the file system.
SAME: list[dict[str, Any]] = [
    {"command": "create", "path": "/memories/tea.md", "file_text": "# Tea\nAda drinks Assam.\n"},
    {"command": "create", "path": "/memories/tea.md", "file_text": "again"},
    {"command": "create", "path": "/memories/notes/empty.txt", "file_text": ""},
    {"command": "view", "path": "/memories/tea.md"},
    {"command": "view", "path": "/memories/tea.md", "view_range": [2, 2]},
    {"command": "view", "path": "/memories/none"},
    {"command": "str_replace", "path": "/memories/tea.md", "old_str": "Assam", "new_str": "Darjeeling"},
    {"command": "str_replace", "path": "/memories/tea.md", "old_str": "Assam", "new_str": "Darjeeling"},
    {"command": "str_replace", "path": "/memories/tea.md", "old_str": "a", "new_str": "b"},
    {"command": "insert", "path": "/memories/tea.md", "insert_line": 1, "insert_text": "Two cups.\n"},
    {"command": "insert", "path": "/memories/tea.md", "insert_line": 9, "insert_text": "Two cups.\n"},
    {"command": "insert", "path": "/memories/notes/empty.txt", "insert_line": 0, "insert_text": "Not empty."},
    {"command": "view", "path": "/memories/notes/empty.txt"},
    {"command": "rename", "old_path": "/memories/notes", "new_path": "/memories/old"},
    {"command": "view", "path": "/memories/old/empty.txt"},
    {"command": "rename", "old_path": "/memories/old", "new_path": "/memories/tea.md"},
    {"command": "delete", "path": "/memories/old"},
    {"command": "delete", "path": "/memories/old"},
    {"command": "delete", "path": "/memories"},
]


def answer_of(tool: Any, command: dict[str, Any]) -> Any:
    try:
        return tool.call(command)
    except ToolError as error:
        return f"Error: {error}"


def test_answers_as_the_tool_of_the_sdk(client: MemoryClient, user: str, tmp_path: Path) -> None:
    ours, theirs = MemoryTool(client, user), BetaLocalFilesystemMemoryTool(str(tmp_path))
    for command in SAME:
        assert answer_of(ours, command) == answer_of(theirs, command), command
    assert ours.to_dict() == theirs.to_dict()


def test_shows_folders_with_sizes(client: MemoryClient, user: str) -> None:
    tool = MemoryTool(client, user)
    for path in ("a/b/c/deep.txt", "a/top.txt", ".hidden"):
        tool.call({"command": "create", "path": f"/memories/{path}", "file_text": "x" * 100})
    shown = str(tool.call({"command": "view", "path": "/memories"})).split("\n")
    assert shown[1:] == ["300B\t/memories", "200B\t/memories/a/", "100B\t/memories/a/b/", "100B\t/memories/a/top.txt"]
    assert tool.clear_all_memory() == "All memory cleared"
    assert str(tool.call({"command": "view", "path": "/memories"})).endswith("0B\t/memories")


@pytest.mark.parametrize("path", ["/etc/passwd", "/memories/../x", "/memoriesx", "memories/a", "/memories/%2e%2e/x"])
def test_stays_below_the_folder(client: MemoryClient, user: str, path: str) -> None:
    with pytest.raises(ToolError, match="below /memories"):
        MemoryTool(client, user).call({"command": "view", "path": path})


def test_is_asynchronous_too(base_url: str, api_key: str, client: MemoryClient, user: str) -> None:
    async def main() -> None:
        async with AsyncMemoryClient(base_url, api_key=api_key) as asynchronous:
            tool = AsyncMemoryTool(asynchronous, user)
            await tool.call({"command": "create", "path": "/memories/tea.md", "file_text": "I like Assam."})
            assert "I like Assam." in str(await tool.call({"command": "view", "path": "/memories/tea.md"}))

    asyncio.run(main())
    assert client.search("Assam", filters={"user_id": user}).results
    assert "Assam" not in client.profile(user).text
