"""What the fuzzer must leave alone, so that it can go on: its own key, and the plan of its own organization."""

import hashlib
import json
import os

import schemathesis

KEPT_IDS = os.environ["FUZZ_KEPT_IDS"].split(",")
IDEMPOTENCY_KEY = "Idempotency-Key"


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.method != "GET":
        leave_alone(case)
    key = (case.headers or {}).get(IDEMPOTENCY_KEY)
    # The generator sends one key with ever other bodies, and would hear of nothing but that.
    if isinstance(key, str) and 0 < len(key) <= 64:
        sent = json.dumps([case.method, case.formatted_path, case.body], default=repr)
        case.headers[IDEMPOTENCY_KEY] = key + hashlib.sha256(sent.encode()).hexdigest()


def leave_alone(case):
    for name, value in (case.path_parameters or {}).items():
        if value in KEPT_IDS:
            case.path_parameters[name] = "kept"
    if any(kept in json.dumps(case.body, default=repr) for kept in KEPT_IDS):
        case.body = {}
