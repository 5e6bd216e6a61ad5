import { fromItem } from "../../ports/item.ts";
import { ownedLimit } from "../../runtime/access/plans.ts";
import type { OrgRuntime, Runtime } from "../../runtime/context.ts";
import { countUnlimited, type OwnedKind } from "../identity/owned-counts.ts";
import { entitiesOf, entityKey } from "./entity-records.ts";
import type { Entity, Memory } from "./memory.ts";

export const ENTITIES: OwnedKind = { name: "entities", listing: (org) => ({ index: "gsi1", pk: entitiesOf(org) }) };

/**
 * Returns the entities that a memory may have: all while the organization has fewer than its plan allows, otherwise
 * those that it already has. The count is seconds old, so that a write costs no read below the limit.
 */
export async function withinEntityLimit<Named extends Entity>(
  { authenticator, ports, org }: OrgRuntime,
  entities: Named[],
): Promise<Pick<Memory, "entities_left_out"> & { entities: Named[] }> {
  const { plan, counted_entities = 0 } = (entities.length > 0 && (await authenticator.organization(org))) || {};
  if (plan === undefined || counted_entities < ownedLimit(plan, ENTITIES.name)) return { entities };
  const stored = await ports.records.getMany(entities.map(({ id }) => entityKey(org, id)));
  const known = new Set(stored.map((record) => fromItem<Entity>(record).id));
  const kept = entities.filter(({ id }) => known.has(id));
  const leftOut = entities.length - kept.length;
  return { entities: kept, ...(leftOut > 0 && { entities_left_out: leftOut }) };
}

/** Counts those of an organization's entities that are not stored yet, before they are. */
export async function countNewEntities(runtime: Pick<Runtime, "ports" | "clock">, org: string, ids: string[]) {
  const stored = await runtime.ports.records.getMany(ids.map((id) => entityKey(org, id)));
  const known = new Set(stored.map((record) => fromItem<Entity>(record).id));
  const added = ids.filter((id) => !known.has(id));
  if (added.length > 0) await countUnlimited(runtime, ENTITIES, org, added.length);
}
