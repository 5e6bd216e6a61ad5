import { inParallel } from "../../../kernel/parallel.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import type { StoredRecord } from "../../../ports/ports.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { entityId } from "../../memory/entity-identity.ts";
import { ENTITY_KIND, isMentioned } from "../../memory/entity-records.ts";
import { PERSON_KIND } from "../../memory/people.ts";
import type { CleanupPass } from "./pass.ts";

const PAGE = 250;
const CONCURRENCY = 8;

/** One page of entities and people: deletes those that no memory mentions any more. */
export const cleanMentions: CleanupPass = async (runtime, { options }, tally, after) => {
  const kinds = [ENTITY_KIND, PERSON_KIND];
  const { items, cursor } = await runtime.ports.inventory.list({ kinds, limit: PAGE, after });
  // Days and moments compare as text: a mention on the day of the bound counts as later.
  const old = items.filter(
    ({ mentioned_on = "~", is_kept }) => !is_kept && String(mentioned_on) < options.before.slice(0, 10),
  );
  await inParallel(old, CONCURRENCY, async (record) => {
    if (await isKnown(runtime, record)) return;
    if (!options.dry_run && !(await removeUnlessMentioned(runtime, record))) return;
    tally.add("orphaned_memories", "items");
    tally.add("orphaned_memories", "bytes", Buffer.byteLength(JSON.stringify(record)));
  });
  return cursor;
};

/**
 * Whether a memory mentions the entity or person. A person needs a memory of the same user and, if it belongs to an
 * agent, of the same agent.
 */
function isKnown({ ports }: Runtime, { kind, id, org, name, user_id, agent_id }: StoredRecord): Promise<boolean> {
  if (kind === ENTITY_KIND) return isMentioned(ports.records, String(org), String(id));
  const person = entityId(String(org), "person", String(name));
  return isMentioned(ports.records, String(org), person, (memory) => {
    return memory.user_id === user_id && (agent_id === undefined || memory.agent_id === agent_id);
  });
}

/**
 * Deletes the record unless it changed: each mention first stores its day in the record, and an explicit creation marks
 * the record as kept.
 */
function removeUnlessMentioned(runtime: Runtime, { pk, sk, mentioned_on }: StoredRecord): Promise<boolean> {
  const condition = { mentioned_on: String(mentioned_on), is_kept: { absent: true } };
  return tryWrite(runtime, { delete: { pk, sk }, condition });
}
