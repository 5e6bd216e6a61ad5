import fc from "fast-check";

/** One message of the change feed about one document, as an index receives it. */
export interface Delivery {
  verb: "upsert" | "remove";
  id: string;
  version: number;
}

const delivery = fc.record({
  verb: fc.constantFrom<Delivery["verb"]>("upsert", "remove"),
  id: fc.constantFrom("mem_1", "mem_2", "mem_3"),
  version: fc.integer({ min: 1, max: 6 }),
});

/** Deliveries of a few documents in any order, some of them twice. */
export const deliveries = fc
  .array(delivery, { minLength: 1, maxLength: 12 })
  .chain((once) => fc.shuffledSubarray([...once, ...once], { minLength: once.length }));

/**
 * Returns the remaining documents with their versions. The highest version wins, and a removal wins over an upsert of
 * the same version.
 */
export function outcome(delivered: Delivery[]): Map<string, number> {
  const winners = new Map<string, Delivery>();
  for (const candidate of delivered) {
    const winner = winners.get(candidate.id);
    if (winner === undefined || rank(candidate) > rank(winner)) winners.set(candidate.id, candidate);
  }
  const alive = [...winners.values()].filter(({ verb }) => verb === "upsert");
  return new Map(alive.map(({ id, version }) => [id, version]));
}

function rank({ verb, version }: Delivery): number {
  return 2 * version + (verb === "remove" ? 1 : 0);
}
