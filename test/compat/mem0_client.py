"""Checks of mem0's client for Python against the service at MEM0_BASE_URL; prints a line for each."""

import os
import time

from mem0 import MemoryClient

ANN = {"user_id": "ann"}
client = MemoryClient(api_key=os.environ["MEM0_API_KEY"], host=os.environ["MEM0_BASE_URL"])


def soon(ask, is_right):
    """Repeats a request for at most five seconds: what is stored comes into view a moment later."""
    until = time.monotonic() + 5
    while True:
        answer = ask()
        if is_right(answer) or time.monotonic() > until:
            return answer
        time.sleep(0.1)


def listed():
    answer = client.get_all(filters=ANN)
    return answer["results"] if isinstance(answer, dict) else answer


def found(query):
    answer = client.search(query, filters=ANN)
    return answer["results"] if isinstance(answer, dict) else answer


def add_infers():
    client.add([{"role": "user", "content": "I am allergic to peanuts."}], user_id="ann")
    assert "peanut" in soon(listed, len)[0]["memory"]


def add_as_it_is():
    client.add([{"role": "user", "content": "Ann plays the cello."}], user_id="ann", infer=False)
    assert len(soon(listed, lambda all: len(all) == 2)) == 2


def search_finds():
    assert found("cello")[0]["memory"] == "Ann plays the cello."


def one_memory():
    id = found("cello")[0]["id"]
    client.update(id, text="Ann plays the viola.")
    assert client.get(id)["memory"] == "Ann plays the viola."
    assert [entry["event"] for entry in client.history(id)] == ["ADD", "UPDATE"]
    client.delete(id)


def unknown_ids():
    try:
        client.get("00000000-0000-0000-0000-000000000000")
    except Exception as error:
        assert error.error_code == "HTTP_404", error
    else:
        raise AssertionError("an unknown id was found")


def users():
    assert "ann" in [user["name"] for user in client.users()["results"]]


def project_settings():
    client.project.update(custom_instructions="Only store food.")
    assert client.project.get(fields=["custom_instructions"])["custom_instructions"] == "Only store food."
    client.project.update(custom_instructions="")
    assert client.project.get(fields=["custom_categories"])["custom_categories"] is None


def what_is_not_offered():
    for ask in [
        lambda: client.get_summary(),
        lambda: client.project.get_members(),
        lambda: client.project.create(name="another"),
    ]:
        try:
            ask()
        except Exception as error:
            assert error.details["error"]["code"] == "NOT_OFFERED", error
        else:
            raise AssertionError("something was answered")


def delete_all():
    client.delete_all(user_id="*", agent_id="*", app_id="*", run_id="*")
    assert soon(listed, lambda all: len(all) == 0) == []


for check in [
    add_infers,
    add_as_it_is,
    search_finds,
    one_memory,
    unknown_ids,
    users,
    project_settings,
    what_is_not_offered,
    delete_all,
]:
    try:
        check()
        print("passed", check.__name__)
    except Exception as error:
        print("failed", check.__name__, repr(error).replace("\n", " ")[:300])
