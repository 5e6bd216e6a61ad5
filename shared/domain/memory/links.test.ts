import { describe, expect, it } from "vitest";
import { keepLinked, MAX_ENTITIES, withLink } from "./links.ts";
import type { EntityReference } from "./memory.ts";

const found = (count: number, of = "found"): EntityReference[] =>
  Array.from({ length: count }, (_, index) => ({ id: `ent_${of}_${index}`, name: `${of} ${index}`, type: "other" }));
const linked = (count: number): EntityReference[] =>
  found(count, "linked").map((entity) => ({ ...entity, relationship_type: "related_to" }));
const idsOf = (entities: EntityReference[]) => entities.map(({ id }) => id);

describe("keepLinked", () => {
  it("keeps links with their relations, and replaces earlier mentions by new ones", () => {
    const links = linked(2);
    const now = [...found(1, "linked"), ...found(2, "new")];
    expect(keepLinked([...found(3), ...links], now)).toEqual([...links, ...found(2, "new")]);
  });

  it("keeps the maximum number of links and mentions together", () => {
    const links = linked(50);
    expect(keepLinked([...links, ...found(40)], found(40, "new"))).toEqual([...links, ...found(40, "new")]);
  });

  it.each([
    ["linked", linked(80), MAX_ENTITIES - 80],
    ["found before", found(85), MAX_ENTITIES - 85],
    ["linked beyond the maximum", linked(95), 0],
  ])("drops the least mentioned entities if many are %s", (_what, before, room) => {
    const kept = keepLinked(before, found(40, "new")).filter(({ id }) => id.startsWith("ent_new"));
    expect(kept).toEqual(found(room, "new"));
  });
});

describe("withLink", () => {
  const [link] = linked(1) as [EntityReference];

  it("replaces the mention or the earlier link by the link", () => {
    expect(withLink([...found(1, "linked"), ...found(2)], link)).toEqual([...found(2), link]);
    expect(withLink([{ ...link, relationship_type: "knows" }], link)).toEqual([link]);
  });

  it("drops the last mention if there are too many entities", () => {
    const others = linked(2).slice(1);
    const kept = withLink([...found(MAX_ENTITIES - 1), ...others], link);
    expect(idsOf(kept)).toEqual(idsOf([...found(MAX_ENTITIES - 2), ...others, link]));
  });
});
