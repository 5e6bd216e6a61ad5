import { factKey, putFact, toStoredFact } from "../facts/records.ts";
import type { Belongings, Succession } from "../identity/belongings.ts";
import type { OrgHome } from "../platform/context.ts";
import { fromItem } from "../platform/item.ts";
import type { StoredRecord, Write } from "../platform/ports.ts";
import type { StoredContent } from "./content.ts";
import type { Memory } from "./memory.ts";
import { memoriesOf, memoriesOfUser, replaceMemory, toMemory } from "./records.ts";

/** The content stays where it is. */
function storedContentOf(record: StoredRecord): StoredContent {
  const stored = fromItem<{ content?: string; content_blob?: string }>(record);
  return stored.content_blob === undefined ? { content: stored.content ?? "" } : { content_blob: stored.content_blob };
}

/** A next revision of the memory, and no version: what it says stays the same. */
async function handOn(home: OrgHome, record: StoredRecord, { from, to }: Succession): Promise<Write[] | undefined> {
  if (to === undefined || (record.user_id !== from && record.created_by !== from)) return undefined;
  const before = await toMemory(home, record);
  if (!before) return undefined;
  const isTheirs = before.user_id === from;
  const after = {
    ...before,
    user_id: isTheirs ? to : before.user_id,
    created_by: before.created_by === from ? to : before.created_by,
    // The heir may have a memory of the same content already.
    is_claimant: isTheirs ? undefined : before.is_claimant,
    revision: before.revision + 1,
  };
  return [
    ...replaceMemory(before, after, storedContentOf(record)),
    ...(isTheirs ? await moveFacts(home, before, to) : []),
  ];
}

/** Facts are listed by the user of their memory. */
async function moveFacts(home: OrgHome, { id, observations = [] }: Memory, user_id: string): Promise<Write[]> {
  const facts = await home.ports.records.getMany(observations.map((fact) => factKey(home.org, id, fact.id)));
  return facts.map(toStoredFact).map((fact) => ({
    ...putFact({ ...fact, user_id }),
    condition: { version: fact.version },
  }));
}

/** Memories about a user. */
export const memoriesOwned: Belongings = {
  name: "memories",
  listing: (org, from) => ({ index: "gsi2", pk: memoriesOfUser(org, from) }),
  handOn,
};

/** Memories that a user made about whomever; the search for them goes through all of the organization's. */
export const memoriesMade: Belongings = {
  name: "memories_made",
  listing: (org) => ({ index: "gsi1", pk: memoriesOf(org) }),
  handOn,
};
