"""Files below /memories, stored as memories of a user: the commands of Anthropic's tool `memory_20250818`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import verbs
from .errors import ConflictError
from .procedure import Procedure, ask, collect

ROOT = "/memories"
#: A file is a memory of this type, whose category is the path.
TYPE = "memory_file"
MAX_PATH_LENGTH = 256
#: Levels below a folder that `view` shows.
MAX_DEPTH = 2
LINE_NUMBER_WIDTH = 6
#: Lines around a change that `str_replace` shows.
SNIPPET_LINES = 2
#: The content of a file without words, because a memory has some.
BLANK = "(blank file)"
_UNSAFE = re.compile(r"[\\\0]|%2e|%2f", re.IGNORECASE)


class FileError(Exception):
    """What the model should know of a failure."""


@dataclass(frozen=True)
class File:
    """A file with its memory's id and version."""

    id: str
    path: str
    text: str
    version: int


@dataclass(frozen=True)
class MemoryFiles:
    """The files of a user. Each method is a command, and returns what the model reads of it."""

    user_id: str

    def view(self, path: str, view_range: Sequence[int] | None = None) -> Procedure[str]:
        """Returns a file with line numbers, or what is in a folder."""
        name = checked(path)
        file = None if name == ROOT else (yield from self._find(name))
        if file is not None:
            return f"Here's the content of {path} with line numbers:\n{numbered(file.text, view_range or (1, -1))}"
        files = [each for each in (yield from self._files()) if _is_at(each, name)]
        if not files and name != ROOT:
            raise FileError(f"The path {path} does not exist. Please provide a valid path.")
        heading = f"Here're the files and directories up to {MAX_DEPTH} levels deep in {path}, excluding hidden items:"
        return "\n".join([heading, *tree(name, files)])

    def create(self, path: str, file_text: str) -> Procedure[str]:
        """Creates a file."""
        name = checked(path)
        if name == ROOT or (yield from self._find(name)) is not None:
            raise FileError(f"File {path} already exists")
        yield from self._store(name, file_text)
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old_str: str, new_str: str = "") -> Procedure[str]:
        """Replaces the only occurrence of a text."""
        file = yield from self._read(path)
        pieces = file.text.split(old_str) if old_str else [file.text]
        if len(pieces) == 1:
            raise FileError(f"No replacement was performed, old_str `{old_str}` did not appear verbatim in {path}.")
        lines = [old_str.join(pieces[:end]).count("\n") + 1 for end in range(1, len(pieces))]
        if len(lines) > 1:
            where = f"Multiple occurrences of old_str `{old_str}` in lines: {', '.join(map(str, lines))}"
            raise FileError(f"No replacement was performed. {where}. Please ensure it is unique")
        changed = new_str.join(pieces)
        yield from self._write(file, changed)
        snippet = numbered(changed, (max(1, lines[0] - SNIPPET_LINES), lines[0] + SNIPPET_LINES))
        return (
            f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"
        )

    def insert(self, path: str, insert_line: int, insert_text: str) -> Procedure[str]:
        """Inserts a text after a line."""
        file = yield from self._read(path)
        lines = file.text.removesuffix("\n").split("\n") if file.text else []
        if not 0 <= insert_line <= len(lines):
            allowed = f"It should be within the range [0, {len(lines)}]."
            raise FileError(f"Invalid `insert_line` parameter: {insert_line}. {allowed}")
        lines.insert(insert_line, insert_text.rstrip("\n"))
        yield from self._write(file, "\n".join(lines) + "\n")
        return f"The file {path} has been edited."

    def delete(self, path: str) -> Procedure[str]:
        """Deletes a file or a folder."""
        if checked(path) == ROOT:
            raise FileError(f"Cannot delete the {ROOT} directory itself")
        for file in (yield from self._files_at(path)):
            yield from ask(verbs.forget(file.id))
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> Procedure[str]:
        """Stores each file at its new path before the old one is deleted, so that an interruption loses nothing."""
        old, new = checked(old_path), checked(new_path)
        if old == ROOT or f"{new}/".startswith(f"{old}/"):
            raise FileError(f"Cannot rename {old_path} to {new_path}")
        files = yield from self._files_at(old_path)
        if new == ROOT or any(_is_at(file, new) for file in (yield from self._files())):
            raise FileError(f"The destination {new_path} already exists")
        for file in files:
            yield from self._store(checked(new + file.path[len(old) :]), file.text)
        for file in files:
            yield from ask(verbs.forget(file.id))
        return f"Successfully renamed {old_path} to {new_path}"

    def clear(self) -> Procedure[str]:
        """Deletes all files."""
        for file in (yield from self._files()):
            yield from ask(verbs.forget(file.id))
        return "All memory cleared"

    def _files(self, **query: str) -> Procedure[list[File]]:
        filters: dict[str, Any] = {"user_id": self.user_id, "type": TYPE, "limit": 100, **query}
        return [
            File(memory.id, memory.category or "", _text_of(memory.content, memory.metadata), memory.version)
            for memory in (yield from collect(verbs.list(**filters)))
        ]

    def _find(self, name: str) -> Procedure[File | None]:
        files = yield from self._files(category=name)
        return files[0] if files else None

    def _read(self, path: str) -> Procedure[File]:
        file = yield from self._find(checked(path))
        if file is None:
            raise FileError(f"The path {path} does not exist. Please provide a valid path.")
        return file

    def _files_at(self, path: str) -> Procedure[list[File]]:
        """Returns the file at a path, or the files in the folder."""
        files = [file for file in (yield from self._files()) if _is_at(file, checked(path))]
        if not files:
            raise FileError(f"The path {path} does not exist")
        return files

    def _store(self, name: str, text: str) -> Procedure[None]:
        yield from ask(
            verbs.remember(
                _content_of(text),
                user_id=self.user_id,
                type=TYPE,
                category=name,
                metadata=_metadata_of(text),
                # Notes of a model are not what the user said.
                options={"extract_facts": False},
            )
        )

    def _write(self, file: File, text: str) -> Procedure[None]:
        try:
            yield from ask(
                verbs.update(file.id, if_version=file.version, content=_content_of(text), metadata=_metadata_of(text))
            )
        except ConflictError as error:
            raise FileError(f"The file {file.path} was changed at the same time. View it again.") from error


def checked(path: str) -> str:
    """Returns the path without a slash at its end. Raises FileError for a path outside of the folder."""
    name = path.removesuffix("/")
    parts = name.split("/")
    is_outside = any(each in ("", ".", "..") or _UNSAFE.search(each) for each in parts[2:])
    if parts[:2] != ROOT.split("/") or is_outside:
        raise FileError(f"Path must be below {ROOT}, got: {path}")
    if len(name) > MAX_PATH_LENGTH:
        raise FileError(f"Path has more than {MAX_PATH_LENGTH} characters: {path}")
    return name


def numbered(text: str, lines: Sequence[int]) -> str:
    """Returns the lines from the first to the last, with their numbers; -1 is the end."""
    start, end = max(1, lines[0]) - 1, lines[1]
    shown = text.split("\n")[start : None if end == -1 else end]
    return "\n".join(f"{number:>{LINE_NUMBER_WIDTH}}\t{line}" for number, line in enumerate(shown, start + 1))


def tree(folder: str, files: Iterable[File]) -> list[str]:
    """Returns the lines of a folder and of what is in it, with sizes; a folder's is that of its files."""
    sizes = {folder: 0}
    folders = set()
    for file in files:
        names = file.path[len(folder) + 1 :].split("/")
        size = len(file.text.encode())
        sizes[folder] += size
        if any(name.startswith(".") for name in names):
            continue
        for depth in range(1, min(len(names), MAX_DEPTH) + 1):
            shown = "/".join([folder, *names[:depth]])
            sizes[shown] = sizes.get(shown, 0) + size
            if depth < len(names):
                folders.add(shown)
    return [f"{_size(size)}\t{path}{'/' if path in folders else ''}" for path, size in sorted(sizes.items())]


def _size(count: int) -> str:
    return f"{count}B" if count < 1024 else f"{count / 1024:.1f}K"


def _is_at(file: File, name: str) -> bool:
    return file.path == name or file.path.startswith(f"{name}/")


def _content_of(text: str) -> str:
    return text if text.strip() else BLANK


def _metadata_of(text: str) -> dict[str, Any]:
    return {TYPE: {} if text.strip() else {"text": text}}


def _text_of(content: str, metadata: Mapping[str, Any] | None) -> str:
    text = ((metadata or {}).get(TYPE) or {}).get("text", content)
    return str(text)
