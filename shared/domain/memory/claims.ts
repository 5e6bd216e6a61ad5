import { timestamp } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/digest.ts";
import { toItem } from "../../ports/item.ts";
import type { AttributeTests, RecordKey, RecordStore, StoredRecord, Write } from "../../ports/record-store.ts";
import type { Memory } from "./memory.ts";

/** Sorts after every instant: a claim without expiry. */
const NEVER = "9999";

type Claimed = Pick<
  Memory,
  "org" | "user_id" | "agent_id" | "content" | "said_of" | "speaker" | "in_reply_to" | "sent"
>;
type Claimant = Claimed & Pick<Memory, "id" | "expire_at">;

/**
 * One key per content and user (or no user), and per agent, because agents must not learn about others. The same words
 * of another speaker, or in reply to another question, are another statement.
 */
function claimKey({ org, user_id, agent_id, content, said_of, speaker, in_reply_to, sent }: Claimed): RecordKey {
  const own = [
    ...(agent_id === undefined ? [] : [agent_id]),
    ...(said_of === undefined ? [] : [{ said_of }]),
    ...(speaker === undefined ? [] : [{ speaker }]),
    ...(in_reply_to === undefined ? [] : [{ in_reply_to }]),
    ...(sent === undefined ? [] : [{ secrets: sent.secrets.map(({ value }) => value) }]),
  ];
  const digest = sha256(JSON.stringify([user_id ?? null, content, ...own]));
  return { pk: `${org}#content#${digest}`, sk: "claim" };
}

function claimItem(memory: Claimant): StoredRecord {
  const { id, expire_at } = memory;
  const ttl = expire_at === undefined ? undefined : Math.ceil(Date.parse(expire_at) / 1000);
  return toItem(claimKey(memory), "claim", { memory_id: id, expire_at: expire_at ?? NEVER }, { ttl });
}

/** Makes a memory the owner of its content; fails while another owner exists, except the `former` one. */
export function claimContent(memory: Claimant, now: number, former?: string): Write {
  const isFree = { expire_at: { atMost: timestamp(now), orAbsent: true as const } };
  return { put: claimItem(memory), condition: former === undefined ? isFree : heldBy(former) };
}

/** Accepts this owner or a missing claim; a range, because a plain equality test cannot allow a missing item. */
const heldBy = (id: string): AttributeTests => ({ memory_id: { atLeast: id, atMost: id, orAbsent: true } });

export function renewClaim(memory: Claimant): Write {
  return { put: claimItem(memory), condition: heldBy(memory.id) };
}

export function releaseClaim(memory: Claimant): Write {
  return { delete: claimKey(memory), condition: heldBy(memory.id) };
}

/** Returns the id of the memory that owns a content. */
export async function findClaimant(records: RecordStore, content: Claimed): Promise<string | undefined> {
  return claimantIn(await records.get(claimKey(content)));
}

export function claimantIn(claim: StoredRecord | undefined): string | undefined {
  return typeof claim?.memory_id === "string" ? claim.memory_id : undefined;
}
