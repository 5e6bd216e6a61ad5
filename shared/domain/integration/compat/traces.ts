import { timestamp } from "../../../kernel/clock.ts";
import { DAY_SECONDS } from "../../../kernel/durations.ts";
import { occurredMs } from "../../../kernel/event-time.ts";
import { fromItem, toItem } from "../../../ports/item.ts";
import type { RecordKey, Write } from "../../../ports/ports.ts";
import type { MemoryScope } from "../../../runtime/context.ts";
import type { Memory } from "../../memory/memory.ts";

/** Records that a memory existed and when it was deleted, without its content. Kept for 30 days. */
export interface Trace {
  memory_id: string;
  org: string;
  user_id?: string;
  /** The memory's agent. */
  agent_id?: string;
  /** ISO */
  created_at: string;
  deleted_at: string;
}

const KEPT_SECONDS = 30 * DAY_SECONDS;

/** Separate from the memory's own records, which are all deleted with it. */
const traceKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}#trace`, sk: "trace" });

/** Belongs in the transaction that deletes the memory. */
export function leaveTrace(memory: Memory, deleted_at: string): Write[] {
  const { org, id, user_id, agent_id } = memory;
  const created_at = timestamp(occurredMs(memory));
  const trace: Trace = { memory_id: id, org, user_id, agent_id, created_at, deleted_at };
  const ttl = Math.ceil(Date.parse(deleted_at) / 1000) + KEPT_SECONDS;
  return [{ put: toItem(traceKey(org, id), "trace", trace, { ttl }) }];
}

/** Returns undefined if the memory was never deleted, or if the viewer could not have deleted it. */
export async function findTrace({ ports, org, viewer }: MemoryScope, id: string): Promise<Trace | undefined> {
  const record = await ports.records.get(traceKey(org, id));
  const trace = record && fromItem<Trace>(record);
  return trace && (viewer === undefined || trace.agent_id === viewer) ? trace : undefined;
}
