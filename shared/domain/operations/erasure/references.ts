import { IDS_IN_TEXT, looksLike } from "../../../kernel/ids.ts";
import type { RecordStore, StoredRecord } from "../../../ports/record-store.ts";
import { readPayload } from "../../integration/webhooks/payloads.ts";
import { memoryKey } from "../../memory/memory-keys.ts";
import { sessionKey } from "../../sessions/records.ts";

/** The actor of a change is not its subject: what a user did to other users' data is kept. */
const ACTOR_KEYS = ["created_by", "submitted_by", "id", "owner"];
const PAYLOAD_KINDS = new Set(["delivery", "delivery_log", "dead_letter"]);

/** Returns the records that name a user in JSON, or that contain the id of the user's existing memories or sessions. */
export async function recordsAbout(
  records: RecordStore,
  org: string,
  user_id: string,
  candidates: StoredRecord[],
): Promise<StoredRecord[]> {
  const name = `"${withoutEscapes(JSON.stringify(user_id).slice(1, -1))}"`;
  const texts = await Promise.all(candidates.map((record) => textOf(records, org, record)));
  const owned = await findOwned(records, org, user_id, new Set(texts.flatMap((text) => text.match(IDS_IN_TEXT) ?? [])));
  return candidates.filter((_, index) => {
    const text = texts[index] ?? "";
    const withoutActors = ACTOR_KEYS.reduce((rest, key) => rest.replaceAll(`"${key}":${name}`, ""), text);
    return withoutActors.includes(name) || (text.match(IDS_IN_TEXT) ?? []).some((id) => owned.has(id));
  });
}

/** Returns the text of a record and of its payload, without the escapes of nested JSON. */
async function textOf(records: RecordStore, org: string, record: StoredRecord): Promise<string> {
  const { id, delivery_id = id, payload_parts = 0 } = record;
  const isPayload = PAYLOAD_KINDS.has(record.kind) && Number(payload_parts) > 0;
  const payloadRef = { org, delivery_id: String(delivery_id), payload_parts: Number(payload_parts) };
  const payload = isPayload ? ((await readPayload(records, payloadRef)) ?? "") : "";
  return withoutEscapes(`${JSON.stringify(record)}\n${payload}`);
}

function withoutEscapes(text: string): string {
  return text.replaceAll("\\", "");
}

async function findOwned(records: RecordStore, org: string, user_id: string, ids: Set<string>): Promise<Set<string>> {
  const keys = [...ids].flatMap((id) => {
    if (looksLike("memory", id)) return [memoryKey(org, id)];
    return looksLike("session", id) ? [sessionKey(org, id)] : [];
  });
  const found = keys.length > 0 ? await records.getMany(keys) : [];
  return new Set(found.filter((record) => record.user_id === user_id).map(({ id }) => String(id)));
}
