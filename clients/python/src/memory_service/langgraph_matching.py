"""Value filters and namespace conditions, as LangGraph defines them."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.store.base import MatchCondition

from .langgraph_items import Namespace

_COMPARISONS = {"$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le}


def matches_filter(value: Mapping[str, Any], conditions: Mapping[str, Any] | None) -> bool:
    """Whether a value matches a filter with LangGraph's operators. Raises ValueError for an unknown operator."""
    return all(_matches_value(value.get(name), condition) for name, condition in (conditions or {}).items())


def _matches_value(value: object, condition: object) -> bool:
    if not isinstance(condition, Mapping):
        return value == condition
    if any(str(name).startswith("$") for name in condition):
        return all(_holds(value, str(name), operand) for name, operand in condition.items())
    return isinstance(value, Mapping) and matches_filter(value, condition)


def _holds(value: object, name: str, operand: object) -> bool:
    if name == "$eq":
        return value == operand
    if name == "$ne":
        return value != operand
    if name not in _COMPARISONS:
        raise ValueError(f"Filters have no operator {name}. Use $eq, $ne, $gt, $gte, $lt or $lte.")
    left, right = _number(value), _number(operand)
    return left is not None and right is not None and bool(_COMPARISONS[name](left, right))


def _number(value: object) -> float | None:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def matches_condition(namespace: Namespace, condition: MatchCondition) -> bool:
    """
    Whether a namespace starts or ends with the condition's path; `*` matches any label. Raises ValueError for another
    match type.
    """
    path = condition.path
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"Namespaces match by prefix or suffix, not by {condition.match_type}.")
    if len(namespace) < len(path):
        return False
    labels = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, labels, strict=True))


def fixed_prefix(conditions: Sequence[MatchCondition]) -> Namespace:
    """Returns the labels with which every namespace that meets the conditions starts."""
    prefixes = [condition.path for condition in conditions if condition.match_type == "prefix"]
    return max((_until_wildcard(path) for path in prefixes), key=len, default=())


def _until_wildcard(path: Sequence[str]) -> Namespace:
    return tuple(path[: path.index("*")]) if "*" in path else tuple(path)
