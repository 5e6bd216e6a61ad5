import type { EntityReference } from "./memory.ts";

/** Maximum entities of a memory: one transaction writes the edges that a change deletes and creates. */
export const MAX_ENTITIES = 90;

/** Whether the entity was linked explicitly and not only mentioned. */
export function isLinked({ relationship_type }: EntityReference): boolean {
  return relationship_type !== undefined;
}

/**
 * Returns explicit links and mentions of the text; a link takes precedence. If there are too many, the least mentioned
 * ones are dropped, for the memory or for a change that deletes many former mentions.
 */
export function keepLinked(before: EntityReference[], found: EntityReference[]): EntityReference[] {
  const linked = before.filter(isLinked);
  const ids = new Set(linked.map(({ id }) => id));
  const remaining = MAX_ENTITIES - Math.max(linked.length, before.length - linked.length);
  return [...linked, ...found.filter(({ id }) => !ids.has(id)).slice(0, Math.max(remaining, 0))];
}

/** Returns the entities with `link` added or updated; if there are too many, the last mentioned entity is dropped. */
export function withLink(entities: EntityReference[], link: EntityReference): EntityReference[] {
  const others = entities.filter(({ id }) => id !== link.id);
  const surplus = others.length < MAX_ENTITIES ? undefined : others.findLast((entity) => !isLinked(entity));
  return [...others.filter((entity) => entity !== surplus), link];
}
