import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { inBatches } from "../../shared/kernel/parallel.ts";
import { modelWith } from "../fixtures/model-folder.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { openService } from "../support/service.ts";

const QUESTION = "What does her physician advise?";
const ANSWER = "The doctor told her to sleep more.";
const TIMEOUT_MS = 240_000;
/** Between searches, whose questions are embedded before the memories that wait. */
const PAUSE_MS = 50;
const PATIENCE = { timeout: 120_000, interval: 100 };

it("searches by meaning throughout a change of the embedding model", { timeout: TIMEOUT_MS }, async () => {
  const started = {
    EMBEDDER: "onnx",
    // Another model beside the two would only take their processor.
    FACT_READER: "rules",
    DATA_DIR: temporaryFolder(),
    BOOTSTRAP_API_KEY: "a-key-of-more-than-twenty-characters",
  };
  const start = async (model: Record<string, string>) => {
    const service = await openService({ ...started, ...model });
    let isOpen = true;
    const close = async () => {
      if (isOpen) await service.host.close();
      isOpen = false;
    };
    onTestFinished(close);
    const search = async () => {
      const { status, body } = await service.request("GET", `/search?q=${encodeURIComponent(QUESTION)}`);
      expect(status).toBe(200);
      const [best] = body.data.results;
      return { best: best?.content, score: best?.score };
    };
    const status = async () => (await service.request("GET", "/status")).body.data.index;
    const pending = async () => (await status()).pending as number;
    return { service, search, status, pending, close };
  };

  const former = await start({});
  // A question that is not embedded in time is searched by its words, of which the answer has none.
  const patient = await former.service.request("PUT", "/search/config", { body: { settings: { timeout_ms: 25_000 } } });
  expect(patient.status).toBe(200);
  // Enough memories that the change takes longer than starting the former model.
  const others = Array.from({ length: 800 }, (_, i) => `Box ${i} in the cellar holds ${i + 2} old newspapers.`);
  for (const contents of [[ANSWER], ...inBatches(others, 100)]) {
    const memories = contents.map((content) => ({ content }));
    expect((await former.service.request("POST", "/memories/batch", { body: { memories } })).status).toBe(201);
  }
  await expect.poll(former.pending, PATIENCE).toBe(0);
  const before = await former.search();
  expect(before.best).toBe(ANSWER);
  await former.close();

  const changed = { EMBEDDING_MODEL_DIR: modelWith({ name: "changed", prefixes: { query: "", passage: "" } }) };
  const next = await start(changed);
  expect((await next.status()).compared_vectors).toBe("former");
  const counts: number[] = [];
  const seen = [];
  do {
    counts.push(await next.pending());
    seen.push(await next.search());
    await sleep(PAUSE_MS);
  } while ((counts.at(-1) ?? 0) > 0);
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  expect(counts.at(-1)).toBe(0);
  const after = await next.search();
  expect(after.best).toBe(ANSWER);
  expect(after.score).not.toBeCloseTo(before.score, 6);
  // At any time all vectors and the scale of their cosines belong to one model.
  for (const each of seen) {
    expect(each.best).toBe(ANSWER);
    expect([before.score, after.score].some((score) => Math.abs(score - each.score) < 1e-6)).toBe(true);
  }
  expect(seen[0]?.score).toBeCloseTo(before.score, 6);
  await next.close();

  const again = await start(changed);
  expect(await again.status()).toMatchObject({ pending: 0, compared_vectors: "current" });
  expect(await again.search()).toEqual(after);
});
