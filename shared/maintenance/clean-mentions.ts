import { inParallel } from "../kernel/parallel.ts";
import { entityId } from "../memory/entity-identity.ts";
import { PERSON_KIND } from "../memory/people.ts";
import { ENTITY_KIND, isMentioned } from "../memory/records.ts";
import type { Home } from "../platform/context.ts";
import type { StoredRecord } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { type CleanupPass, Tally } from "./pass.ts";

const PAGE = 250;
const WIDTH = 8;

/** One page of the entities and people that memories made known: removes those that none mentions any more. */
export const cleanMentions: CleanupPass = async (home, { options }, after) => {
  const request = { kinds: [ENTITY_KIND, PERSON_KIND], limit: PAGE, ...(after !== undefined && { after }) };
  const { items, cursor } = await home.ports.inventory.list(request);
  // Days and moments compare as texts: what was mentioned on the day of the bound counts as later.
  const old = items.filter(
    ({ mentioned_on = "~", is_kept }) => !is_kept && String(mentioned_on) < options.before.slice(0, 10),
  );
  const tally = new Tally();
  await inParallel(old, WIDTH, async (record) => {
    if (await isKnown(home, record)) return;
    if (!options.dry_run && !(await removeUnlessMentioned(home, record))) return;
    tally.add("orphaned_memories", "items");
    tally.add("orphaned_memories", "bytes", Buffer.byteLength(JSON.stringify(record)));
  });
  return { tallies: tally.tallies, ...(cursor !== undefined && { cursor }) };
};

/** Whether a memory mentions it; of a person, one of the user's and, where it is an agent's circle, the agent's. */
function isKnown({ ports }: Home, { kind, id, org, name, user_id, agent_id }: StoredRecord): Promise<boolean> {
  if (kind === ENTITY_KIND) return isMentioned(ports.records, String(org), String(id));
  const person = entityId(String(org), "person", String(name));
  return isMentioned(ports.records, String(org), person, (memory) => {
    return memory.user_id === user_id && (agent_id === undefined || memory.agent_id === agent_id);
  });
}

/** A mention notes its day before anybody relies on the record being there, and whoever makes it for itself that it stays. */
function removeUnlessMentioned(home: Home, { pk, sk, mentioned_on }: StoredRecord): Promise<boolean> {
  const condition = { mentioned_on: String(mentioned_on), is_kept: { absent: true } };
  return writeUnlessChanged(home, { delete: { pk, sk }, condition });
}
