import { timestamp } from "../../kernel/clock.ts";
import { ServiceError } from "../../kernel/errors.ts";
import { inParallel } from "../../kernel/parallel.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import { fromItem, toItem } from "../../ports/item.ts";
import { deleteAll, queryPages } from "../../ports/pages.ts";
import type { RecordQuery, Write } from "../../ports/record-store.ts";
import type { MemoryScope, Runtime } from "../../runtime/context.ts";
import { changeApiKey, listKeysOfAgent } from "../identity/records.ts";
import { entitiesOf } from "../memory/entity-records.ts";
import { peopleOfAgent } from "../memory/people.ts";
import { memoriesSharedWith, toVisibleRef } from "../memory/viewers.ts";
import { groups, leaveGroup, listMemberships } from "./group-records.ts";
import { agents } from "./records.ts";
import { unshareMemory } from "./shares.ts";
import { listHolders, type SkillHolder } from "./skill-links.ts";

/** A deleted resource that others may still reference. */
export interface DeletedResource {
  org: string;
  id: string;
  kind: "agent" | "group" | "skill";
}

type DeletionNote = Omit<DeletedResource, "kind"> & { departed: DeletedResource["kind"] };

const NOTE_KIND = "departure";
const NOTE_SORT_KEY = "departure";
const NOTES = "departures";
/** Longer than indexes and the feed lag: links created during the deletion are visible by then. */
const SETTLED_MS = 5 * 60_000;
const MAX_RESUMED = 100;
/** Records per page, which one write deletes together. */
const PAGE = 100;
const CONCURRENCY = 8;

/** Deletes all references to a deleted resource; idempotent. A note makes the sweep repeat this later. */
export async function unlink(runtime: Runtime, deleted: DeletedResource): Promise<void> {
  await runtime.ports.records.write(noteDeletion(deleted, runtime.clock()));
  await removeReferences(runtime, deleted);
}

function noteDeletion({ org, id, kind }: DeletedResource, now: number): Write {
  const at = timestamp(now);
  const key = { pk: `${org}#${id}`, sk: NOTE_SORT_KEY };
  const indexKeys = { gsi1pk: NOTES, gsi1sk: `${at}#${id}` };
  return { put: toItem(key, NOTE_KIND, { org, id, departed: kind, at }, indexKeys) };
}

/**
 * Removes references to resources that were deleted some minutes ago once more, and deletes their notes; returns their
 * number.
 */
export async function sweepDanglingReferences(runtime: Runtime): Promise<number> {
  const atMost = timestamp(runtime.clock() - SETTLED_MS);
  const query: RecordQuery = { index: "gsi1", pk: NOTES, sk: { atMost }, limit: MAX_RESUMED };
  const { items } = await runtime.ports.records.query(query);
  for (const item of items) {
    const { org, id, departed: kind } = fromItem<DeletionNote>(item);
    await removeReferences(runtime, { org, id, kind });
    await runtime.ports.records.write({ delete: { pk: item.pk, sk: item.sk } });
  }
  return items.length;
}

async function removeReferences(runtime: Runtime, { org, id, kind }: DeletedResource): Promise<void> {
  const scope: MemoryScope = { ...runtime, org, viewer: undefined };
  if (kind === "skill") return unassignSkill(scope, id);
  const query = { pk: `${org}#${id}`, limit: PAGE };
  await deleteAll(scope.ports.records, query, (record) => record.kind !== NOTE_KIND);
  if (kind === "agent") await removeAgent(scope, id);
}

async function unassignSkill(runtime: MemoryScope, skill: string): Promise<void> {
  for await (const holders of listHolders(runtime.ports.records, runtime.org, skill)) {
    await inParallel(holders, CONCURRENCY, (holder) => dropSkill(runtime, holder, skill));
  }
}

async function dropSkill(runtime: MemoryScope, { id, kind }: SkillHolder, skill: string): Promise<void> {
  const without = ({ skills }: { skills: string[] }) =>
    skills.includes(skill) ? { skills: skills.filter((assigned) => assigned !== skill) } : undefined;
  await ignoreMissing((kind === "agent" ? agents : groups).revise(runtime, id, undefined, without));
}

async function removeAgent(runtime: MemoryScope, agent: string): Promise<void> {
  const { ports, org } = runtime;
  await revokeKeys(runtime, agent);
  for await (const memberships of listMemberships(ports.records, org, agent)) {
    await inParallel(memberships, CONCURRENCY, (member) =>
      tryWrite(runtime, ...leaveGroup(org, member, runtime.clock())),
    );
  }
  const shares: RecordQuery = { index: "gsi3", pk: memoriesSharedWith(org, agent), limit: PAGE };
  for await (const records of queryPages(ports.records, shares)) {
    await inParallel(records, CONCURRENCY, (record) =>
      ignoreMissing(unshareMemory(runtime, agent, toVisibleRef(record).id)),
    );
  }
  await deleteAll(ports.records, { pk: peopleOfAgent(org, agent), limit: PAGE });
  await deleteAll(ports.records, { index: "gsi1", pk: entitiesOf(org, agent), limit: PAGE });
}

async function revokeKeys(runtime: MemoryScope, agent: string): Promise<void> {
  const keys = await listKeysOfAgent(runtime.ports.records, runtime.org, agent);
  await inParallel(keys, CONCURRENCY, async (key) => {
    const change = {
      status: "revoked" as const,
      revoked_at: timestamp(runtime.clock()),
      revoked_reason: "agent deleted",
    };
    await tryWrite(runtime, ...changeApiKey(key, change));
    runtime.authenticator.forget(key.id);
  });
}

/** Ignores that a referencing record was deleted meanwhile. */
async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ServiceError && error.code.endsWith("_NOT_FOUND"))) throw error;
  }
}
