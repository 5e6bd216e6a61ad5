import { describe, expect, it } from "vitest";
import { createIds } from "../../kernel/ids.ts";
import { chunkId, chunkLocationOf, isChunk } from "./chunk-ids.ts";
import { sourcesOf, visibleChunks } from "./chunk-visibility.ts";

const ids = createIds();

describe("chunk ids", () => {
  it("contain the place of a chunk, unlike the ids of other memories", () => {
    const location = { source_id: ids("source"), generation: 12, position: 345 };
    const id = chunkId(location);
    expect(id).toMatch(/^mem_/);
    expect(chunkLocationOf(id)).toEqual(location);
    for (const other of [ids("memory"), ids("source"), `${id}_1`, `${id}x`, "mem_1_1", id.toLowerCase(), ""]) {
      expect([other, isChunk(other), chunkLocationOf(other)]).toEqual([other, false, undefined]);
    }
  });
});

describe("visible chunks", () => {
  const [source_id, other] = [ids("source"), ids("source")];
  const chunk = (generation: number, source = source_id) => chunkId({ source_id: source, generation, position: 0 });
  const record = { pk: "p", sk: "s", kind: "source", id: source_id, generation: 2 };

  it("are the chunks of the source's current content; all other memories are visible", () => {
    const isInView = visibleChunks([record]);
    expect([1, 2, 3].map((generation) => isInView(chunk(generation)))).toEqual([false, true, false]);
    expect(isInView(chunk(2, other))).toBe(false);
    expect(isInView(ids("memory"))).toBe(true);
    expect(isInView(source_id)).toBe(true);
  });

  it("need one source per group of chunks; other memories need none", () => {
    expect(sourcesOf("org_1", [chunk(1), chunk(2), ids("memory"), chunk(1, other)])).toHaveLength(2);
    expect(sourcesOf("org_1", [ids("memory"), source_id])).toEqual([]);
  });
});
