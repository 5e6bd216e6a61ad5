import { fromItem } from "../../ports/item.ts";
import type { StoredRecord, Write } from "../../ports/record-store.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import type { OwnedResource, OwnershipChange } from "../identity/owned-resources.ts";
import type { StoredContent } from "./content.ts";
import { factKey, replaceFact, toStoredFact } from "./facts/records.ts";
import type { Memory } from "./memory.ts";
import { memoriesOf, memoriesOfUser } from "./memory-keys.ts";
import { replaceMemory, toMemory } from "./records.ts";

/** Returns the content as it is stored, inline or as a blob: a transfer does not move it. */
function storedContentOf(record: StoredRecord): StoredContent {
  const stored = fromItem<{ content?: string; content_blob?: string }>(record);
  return stored.content_blob === undefined ? { content: stored.content ?? "" } : { content_blob: stored.content_blob };
}

/** Returns the writes for a new revision, but no new version, because the content does not change. */
async function reassign(
  runtime: OrgRuntime,
  record: StoredRecord,
  { from, to }: OwnershipChange,
): Promise<Write[] | undefined> {
  if (to === undefined || (record.user_id !== from && record.created_by !== from)) return undefined;
  const before = await toMemory(runtime, record);
  if (!before) return undefined;
  const isAboutUser = before.user_id === from;
  const after = {
    ...before,
    user_id: isAboutUser ? to : before.user_id,
    created_by: before.created_by === from ? to : before.created_by,
    // The successor may already have a memory with the same content.
    is_claimant: isAboutUser ? undefined : before.is_claimant,
    revision: before.revision + 1,
  };
  return [
    ...replaceMemory(before, after, storedContentOf(record)),
    ...(isAboutUser ? await moveFacts(runtime, before, to) : []),
  ];
}

/** Returns the writes that move a memory's facts, which are indexed by user. */
async function moveFacts(runtime: OrgRuntime, { id, observations = [] }: Memory, user_id: string): Promise<Write[]> {
  const facts = await runtime.ports.records.getMany(observations.map((fact) => factKey(runtime.org, id, fact.id)));
  return facts.map(toStoredFact).map((fact) => replaceFact(fact, { ...fact, user_id }));
}

/** Memories about a user. */
export const memoriesOwned: OwnedResource = {
  name: "memories",
  listing: (org, from) => ({ index: "gsi2", pk: memoriesOfUser(org, from) }),
  reassign,
};

/** Memories that a user created about anybody; finding them scans the organization's memories. */
export const createdMemories: OwnedResource = {
  name: "memories_made",
  listing: (org) => ({ index: "gsi1", pk: memoriesOf(org) }),
  reassign,
};
