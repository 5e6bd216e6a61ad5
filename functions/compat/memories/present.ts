import { createHash } from "node:crypto";
import type { Labels, Memory } from "../../../shared/domain/memory/memory.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import { occurredMs } from "../../../shared/kernel/event-time.ts";
import type { JsonObject } from "../../../shared/ports/json.ts";

/** A memory for mem0 clients, from its record or from the search index. */
export type MemoryView = Pick<
  Memory,
  | "id"
  | "content"
  | "user_id"
  | "category"
  | "categories"
  | "metadata"
  | "occurred_at"
  | "created_at"
  | "updated_at"
  | "expire_at"
> & { labels?: Labels };

const LAST_OF_DAY = "T23:59:59.999Z";

/** A memory in mem0's form: its event time is called the creation time. */
export function toCompatMemory(memory: MemoryView) {
  const { id, content, user_id = null, category, metadata, labels = {}, updated_at, expire_at } = memory;
  return {
    id,
    memory: content,
    user_id,
    agent_id: labels.agent ?? null,
    app_id: labels.app ?? null,
    run_id: labels.run ?? null,
    session_id: labels.run ?? null,
    hash: createHash("md5").update(content).digest("hex"),
    metadata: metadata as JsonObject,
    categories: memory.categories ?? (category === undefined ? [] : [category]),
    occurred_at: memory.occurred_at ?? memory.created_at,
    created_at: timestamp(occurredMs(memory)),
    updated_at,
    expiration_date: expire_at === undefined ? null : toExpirationDate(expire_at),
  };
}

/** A day, if it expires at that day's last moment. */
function toExpirationDate(expire_at: string): string {
  return expire_at.endsWith(LAST_OF_DAY) ? expire_at.slice(0, -LAST_OF_DAY.length) : expire_at;
}
