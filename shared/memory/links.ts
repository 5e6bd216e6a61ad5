import type { EntityReference } from "./memory.ts";

/** Most entities of a memory, found and linked: the edges that a change takes away and makes are written at once with it. */
export const MAX_ENTITIES = 90;

/** By hand, and not merely mentioned by the text. */
export function isLinked({ relationship_type }: EntityReference): boolean {
  return relationship_type !== undefined;
}

/**
 * What was linked by hand, and what the text mentions; a link by hand says more, so it wins. Where that is too much,
 * what is mentioned least, so last, gives way: for the memory, or for a change that takes many former mentions away.
 */
export function keepLinked(before: EntityReference[], found: EntityReference[]): EntityReference[] {
  const linked = before.filter(isLinked);
  const ids = new Set(linked.map(({ id }) => id));
  const room = MAX_ENTITIES - Math.max(linked.length, before.length - linked.length);
  return [...linked, ...found.filter(({ id }) => !ids.has(id)).slice(0, Math.max(room, 0))];
}

/** The entities with one linked, anew or as it relates now; where they are too many, the last of those found gives way. */
export function withLink(entities: EntityReference[], link: EntityReference): EntityReference[] {
  const others = entities.filter(({ id }) => id !== link.id);
  const surplus = others.length < MAX_ENTITIES ? undefined : others.findLast((entity) => !isLinked(entity));
  return [...others.filter((entity) => entity !== surplus), link];
}
