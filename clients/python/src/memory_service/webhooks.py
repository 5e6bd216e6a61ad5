"""Verification of webhook deliveries (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import math
import time
from collections.abc import Mapping
from typing import Any

TOLERANCE = 5 * 60


class WebhookVerificationError(ValueError):
    """The delivery is not signed with the webhook's secret, or its timestamp is too old or too new."""


def verify(*, secret: str, headers: Mapping[str, str], body: str | bytes, now: float | None = None) -> Any:
    """
    Returns the event of a delivery. Raises WebhookVerificationError if it is not signed with the webhook's secret, or
    if its timestamp is more than five minutes from now. `body` is the raw body, before it is parsed; `now` is for
    tests.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError:
        raise WebhookVerificationError(
            "The delivery lacks webhook-id, webhook-timestamp or webhook-signature."
        ) from None
    if not abs((time.time() if now is None else now) - _number(timestamp)) <= TOLERANCE:
        raise WebhookVerificationError("The delivery is too old or too new.")
    text = body.encode() if isinstance(body, str) else body
    digest = hmac.digest(_key_of(secret), f"{message_id}.{timestamp}.".encode() + text, "sha256")
    for signature in signatures.split(" "):
        version, _, value = signature.partition(",")
        if version == "v1" and hmac.compare_digest(_from_base64(value), digest):
            return json.loads(text)
    raise WebhookVerificationError("No signature of the delivery is by this secret.")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _key_of(secret: str) -> bytes:
    key = _from_base64(secret.removeprefix("whsec_")) if secret.startswith("whsec_") else secret.encode()
    if key == b"":
        raise ValueError("The secret is empty, or not base64 behind its whsec_.")
    return key


def _from_base64(text: str) -> bytes:
    """Decodes base64. Returns empty bytes if the text is not base64, so that verification fails."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
