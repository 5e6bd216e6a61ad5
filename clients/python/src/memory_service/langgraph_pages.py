"""Reads the items under a namespace prefix page by page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from langgraph.store.base import SearchItem

from . import api, verbs
from .langgraph_items import OBJECT, TYPE, Namespace, item_of, positions
from .operation import Call
from .procedure import Procedure, ask

FOUND_PAGE = 50
LISTED_PAGE = 200
#: Maximum number of items that the service lists.
LISTED_ITEMS = 10_000
#: The service rejects longer queries. The end of a text is kept because it usually contains the question.
MAX_QUERY = 1_000


class FoundPages:
    """Pages of the items that match a query, best first."""

    def __init__(self, query: str, prefix: Namespace) -> None:
        self.is_at_end = False
        self._query = query[-MAX_QUERY:]
        self._prefix = prefix
        wanted = {"namespace": positions(prefix), "indexed": True}
        self._filters: api.SearchFilters = {"type": TYPE, "metadata": {OBJECT: wanted}}
        self._offset = 0

    def read(self) -> Procedure[list[SearchItem]]:
        """Reads the next page."""
        # Without a threshold, because a store returns the best matches however weak they are.
        options: api.SearchOptions = {"limit": FOUND_PAGE, "offset": self._offset, "threshold": 0}
        page = yield from ask(verbs.search(self._query, filters=self._filters, options=options))
        self._offset += FOUND_PAGE
        self.is_at_end = not page.pagination.has_next
        return _below(
            self._prefix,
            (
                item_of(
                    found.content,
                    found.metadata,
                    created_at=found.created_at,
                    updated_at=found.updated_at,
                    score=found.score,
                )
                for found in page.results
            ),
        )


class ListedPages:
    """Pages of all items, newest first."""

    def __init__(self, prefix: Namespace) -> None:
        self.is_at_end = False
        self._prefix = prefix
        self._filters: dict[str, Any] = {"user_id": "*", "type": TYPE}
        if prefix:
            named = {f"{OBJECT}.namespace.{place}": label for place, label in positions(prefix).items()}
            self._filters["metadata"] = named
        self._page = 1

    def read(self) -> Procedure[list[SearchItem]]:
        """Reads the next page."""
        body = {"filters": self._filters, "page": self._page, "page_size": LISTED_PAGE}
        page = yield from ask(Call(api.LIST_WHERE, body=body))
        self._go_on(page)
        return _below(
            self._prefix,
            (
                item_of(
                    listed.memory,
                    listed.metadata,
                    created_at=str(listed.created_at),
                    updated_at=str(listed.updated_at),
                )
                for listed in page.results
            ),
        )

    def _go_on(self, page: api.CompatListed) -> None:
        """
        Continues by page number, and after the last page that the service lists, by time. Items with exactly that time
        are read twice.
        """
        self.is_at_end = self._page * LISTED_PAGE >= page.count
        self._page += 1
        if self._page * LISTED_PAGE > LISTED_ITEMS and not self.is_at_end:
            self._filters["created_at"] = {"lte": page.results[-1].created_at}
            self._page = 1


def _below(prefix: Namespace, items: Iterable[SearchItem | None]) -> list[SearchItem]:
    """
    Returns the items whose namespace starts with the prefix. The service alone is not enough because it treats `*` as
    any label.
    """
    return [item for item in items if item is not None and item.namespace[: len(prefix)] == prefix]
