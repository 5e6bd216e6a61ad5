import { expect, it, vi } from "vitest";
import { silentLogger } from "../../kernel/logger.ts";
import { Query } from "../../language/questions/query.ts";
import type { Embedder } from "../../ports/embedder.ts";
import { embedQuery } from "./embed-query.ts";

const TIMEOUT_MS = 2_000;
const VECTOR = new Float32Array([1]);

/** Returns a searcher with this embedder, and what is logged and counted. */
function searcherWith(embed: Embedder["embed"]) {
  const warn = vi.fn();
  const count = vi.fn();
  const ctx = {
    ...{ org: "org_a", clock: () => 0, logger: { ...silentLogger, warn }, rollups: { count } },
    settings: { read: async <Value>({ initial }: { initial: Value }) => ({ ...initial, timeout_ms: TIMEOUT_MS }) },
    ports: { embedder: { id: "test", embed } },
  };
  return { ctx, warn, count };
}

const hanging = () => new Promise<never>(() => {});

it("answers the vector that comes in time, and logs nothing", async () => {
  const { ctx, warn, count } = searcherWith(async () => [VECTOR]);
  expect(await embedQuery(ctx, new Query("tea"))).toMatchObject({ vector: VECTOR });
  expect([warn.mock.calls, count.mock.calls]).toEqual([[], []]);
});

it("embeds a repeated query once in each organization", async () => {
  const embed = vi.fn(async () => [VECTOR]);
  const { ctx } = searcherWith(embed);
  for (const org of ["org_a", "org_a", "org_b"]) await embedQuery({ ...ctx, org }, new Query("tea"));
  expect(await embedQuery(ctx, new Query("coffee"))).toMatchObject({ vector: VECTOR });
  expect(embed).toHaveBeenCalledTimes(3);
});

it("answers no vector while the model is being loaded, unless the query was embedded before", async () => {
  const embed = vi.fn(async () => [VECTOR]);
  const { ctx, warn, count } = searcherWith(embed);
  await embedQuery(ctx, new Query("tea"));
  const loading = { ...ctx, isModelLoading: () => true };
  expect(await embedQuery(loading, new Query("tea"))).toMatchObject({ vector: VECTOR });
  expect(await embedQuery(loading, new Query("coffee"))).toMatchObject({ vector: undefined });
  expect(embed).toHaveBeenCalledOnce();
  expect([warn.mock.calls, count.mock.calls]).toEqual([[], []]);
});

it.each([
  ["never answers", hanging],
  ["rejects", async () => Promise.reject(new Error("down"))],
  [
    "throws",
    () => {
      throw new Error("broken");
    },
  ],
])("answers no vector, logs and counts where the embedder %s", async (_, embed) => {
  const { ctx, warn, count } = searcherWith(embed);
  const startedAt = performance.now();
  expect(await embedQuery(ctx, new Query("tea"))).toMatchObject({ vector: undefined });
  expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS);
  expect(warn).toHaveBeenCalledExactlyOnceWith("QUERY_EMBEDDING_FAILED", {
    ...{ org: "org_a", embedder: "test", error: expect.any(Error) },
  });
  expect(count).toHaveBeenCalled();
});

it("tells an embedder that is late to stop", async () => {
  let given: AbortSignal | undefined;
  const { ctx } = searcherWith((_, { signal }) => {
    given = signal;
    return hanging();
  });
  await embedQuery(ctx, new Query("tea"));
  expect(given?.aborted).toBe(true);
});

it("throws if the search itself is cancelled, which counts as no failure of the embedder", async () => {
  const { ctx, count } = searcherWith(
    (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  );
  const controller = new AbortController();
  const embedded = embedQuery(ctx, new Query("tea"), controller.signal);
  controller.abort(new Error("gone"));
  await expect(embedded).rejects.toThrow("gone");
  expect(count).not.toHaveBeenCalled();
});
