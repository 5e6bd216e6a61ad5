"""Anthropic's memory tool, with files that are stored in the service (extra `anthropic`)."""

from __future__ import annotations

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from .client import AsyncMemoryClient, MemoryClient
from .memory_files import FileError, MemoryFiles
from .procedure import Procedure, run, run_async


class MemoryTool(BetaAbstractMemoryTool):
    """A tool for `client.beta.messages.tool_runner`: the files below /memories are memories of a user."""

    def __init__(self, client: MemoryClient, user_id: str) -> None:
        super().__init__()
        self._transport = client._transport
        self._files = MemoryFiles(user_id)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return self._run(self._files.view(command.path, command.view_range))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return self._run(self._files.create(command.path, command.file_text))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return self._run(self._files.str_replace(command.path, command.old_str, command.new_str))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return self._run(self._files.insert(command.path, command.insert_line, command.insert_text))

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return self._run(self._files.delete(command.path))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return self._run(self._files.rename(command.old_path, command.new_path))

    def clear_all_memory(self) -> str:
        """Deletes all files."""
        return self._run(self._files.clear())

    def _run(self, command: Procedure[str]) -> str:
        try:
            return run(self._transport, command)
        except FileError as error:
            raise ToolError(str(error)) from error


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`."""

    def __init__(self, client: AsyncMemoryClient, user_id: str) -> None:
        super().__init__()
        self._transport = client._transport
        self._files = MemoryFiles(user_id)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await self._run(self._files.view(command.path, command.view_range))

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await self._run(self._files.create(command.path, command.file_text))

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await self._run(self._files.str_replace(command.path, command.old_str, command.new_str))

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await self._run(self._files.insert(command.path, command.insert_line, command.insert_text))

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await self._run(self._files.delete(command.path))

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await self._run(self._files.rename(command.old_path, command.new_path))

    async def clear_all_memory(self) -> str:
        """Deletes all files."""
        return await self._run(self._files.clear())

    async def _run(self, command: Procedure[str]) -> str:
        try:
            return await run_async(self._transport, command)
        except FileError as error:
            raise ToolError(str(error)) from error
