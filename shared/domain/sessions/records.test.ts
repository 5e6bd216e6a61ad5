import { expect, it } from "vitest";
import { openRecordStore } from "../../../test/support/record-store.ts";
import { newMessage } from "../../../test/support/session-messages.ts";
import type { StoredRecord } from "../../ports/record-store.ts";
import { appendMessage, MESSAGE_KIND, putMessage } from "./message-records.ts";
import { changeSession, putSession, SESSION_KIND } from "./records.ts";
import { NO_MESSAGES, type Session } from "./session.ts";

const AT = "2026-01-01T00:00:00.000Z";
const SESSION: Session = {
  id: "sess_1",
  org: "org_1",
  agent_id: "guide",
  user_id: "ada",
  title: "Tea",
  config: { context_window: 100, compression_enabled: true },
  metadata: { shop: 7 },
  status: "active",
  ...NO_MESSAGES,
  created_at: AT,
  updated_at: AT,
  created_by: "key_1",
  version: 1,
};
const CONTEXT = { session_id: "sess_1", initial_context: {}, current: {}, revision: 1, updated_at: AT };
const MESSAGE = newMessage(1);

/** Returns the kind of a changed record with its status before and after. */
function describeChange({ before, after }: { before?: StoredRecord; after?: StoredRecord }) {
  return [after?.kind ?? before?.kind, before?.status, after?.status];
}

it("derives what happened to a session from its changes", async () => {
  const streams = [{ name: "events", kinds: [SESSION_KIND, MESSAGE_KIND] }];
  const records = openRecordStore(() => Date.parse(AT), streams);
  const closing = { status: "closed", closed_at: AT, reason: "done", summary: "Greeted.", updated_at: AT } as const;
  const closed: Session = { ...SESSION, ...closing, message_count: 1, version: 2 };

  await records.write(...putSession(SESSION, CONTEXT));
  await records.write(...appendMessage(SESSION, MESSAGE, { content: "Hello" }));
  await records.write(...changeSession({ ...SESSION, message_count: 1 }, closing));
  await records.write(...changeSession(closed, { status: "archived", archived_at: AT, updated_at: AT }));
  await records.write(putMessage({ ...MESSAGE, position: 2, copy_of: "msg_1" }, { content: "Hello" }));

  const changes = records.changesFor("events").read(10);
  expect(changes.map(describeChange)).toEqual([
    ["session", undefined, "active"],
    ["session", "active", "active"],
    ["message", undefined, undefined],
    ["session", "active", "closed"],
    ["session", "closed", "archived"],
    ["message", undefined, undefined],
  ]);
  expect(changes[0]?.after).toMatchObject({ ...SESSION, org: "org_1" });
  expect(changes[2]?.after).toMatchObject({ ...MESSAGE });
  expect(changes[3]?.after).toMatchObject({ reason: "done", summary: "Greeted.", closed_at: AT, message_count: 1 });
  expect([changes[2], changes[5]].map((change) => change?.after?.copy_of)).toEqual([undefined, "msg_1"]);
});
