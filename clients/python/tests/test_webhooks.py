from __future__ import annotations

import base64
import hashlib
import hmac
import json

import pytest

from memory_service import webhooks

NOW = 1_760_000_000
BODY = json.dumps({"type": "memory.created", "text": "Zürich"})


def delivery(key: bytes, body: str = BODY) -> dict[str, str]:
    signature = hmac.new(key, f"evt_1.{NOW}.{body}".encode(), hashlib.sha256).digest()
    return {
        "Webhook-Id": "evt_1",
        "Webhook-Timestamp": str(NOW),
        "Webhook-Signature": f"v1,AAAA v1a,no v1,{base64.b64encode(signature).decode()}",
    }


@pytest.mark.parametrize(
    ("secret", "key"),
    [
        ("whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw==", b"secret of a webhook"),
        ("a secret of 16 or more", b"a secret of 16 or more"),
    ],
)
def test_verifies_deliveries(secret: str, key: bytes) -> None:
    headers = delivery(key)
    for body in (BODY, BODY.encode()):
        assert webhooks.verify(secret=secret, headers=headers, body=body, now=NOW) == json.loads(BODY)
    for problem, headers_given, body, now in [
        ("No signature", headers, BODY + " ", NOW),
        ("No signature", delivery(b"another secret"), BODY, NOW),
        ("No signature", {**headers, "Webhook-Signature": "v1,é v1"}, BODY, NOW),
        ("too old", headers, BODY, NOW + 301),
        ("too old", headers, BODY, NOW - 301),
        ("too old", {**headers, "Webhook-Timestamp": "nan"}, BODY, NOW),
        ("too old", headers, BODY, None),
        ("lacks", {}, BODY, NOW),
    ]:
        with pytest.raises(webhooks.WebhookVerificationError, match=problem):
            webhooks.verify(secret=secret, headers=headers_given, body=body, now=now)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_!"])
def test_refuses_a_secret_that_anybody_has(secret: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        webhooks.verify(secret=secret, headers=delivery(b""), body=BODY, now=NOW)
