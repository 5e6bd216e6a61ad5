import { timestamp } from "../kernel/clock.ts";
import { occurredMs } from "../kernel/event-time.ts";
import type { Memory } from "../memory/memory.ts";
import type { ViewerHome } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import type { RecordKey, Write } from "../platform/ports.ts";

/** That there was a memory and when it was deleted; nothing of what it said. Kept for 30 days. */
export interface Trace {
  memory_id: string;
  org: string;
  user_id?: string;
  /** Agent whose it was. */
  agent_id?: string;
  /** ISO */
  created_at: string;
  deleted_at: string;
}

const KEPT_SECONDS = 30 * 86_400;

/** Apart from the memory's own records, which all go with it. */
const traceKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}#trace`, sk: "trace" });

/** Belongs into the transaction that deletes the memory. */
export function leaveTrace(memory: Memory, deleted_at: string): Write[] {
  const { org, id, user_id, agent_id } = memory;
  const created_at = timestamp(occurredMs(memory));
  const trace: Trace = { memory_id: id, org, user_id, agent_id, created_at, deleted_at };
  const ttl = Math.ceil(Date.parse(deleted_at) / 1000) + KEPT_SECONDS;
  return [{ put: toItem(traceKey(org, id), "trace", trace, { ttl }) }];
}

/** Undefined for what was never deleted, and for what the viewer could not have deleted. */
export async function findTrace({ ports, org, viewer }: ViewerHome, id: string): Promise<Trace | undefined> {
  const record = await ports.records.get(traceKey(org, id));
  const trace = record && fromItem<Trace>(record);
  return trace && (viewer === undefined || trace.agent_id === viewer) ? trace : undefined;
}
