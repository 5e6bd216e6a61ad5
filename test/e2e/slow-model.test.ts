import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { openHost } from "../../infra/local/host.ts";
import { InferenceProcess } from "../../shared/domain/models/onnx/inference-process.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { createClient } from "../support/service.ts";

const CONTENT = "Mara keeps bees on the roof.";
const hanging = () => new Promise<never>(() => {});

afterEach(() => vi.restoreAllMocks());

/** Starts the service with the default model, which does not load before `load` is called, and stores a memory. */
async function openWithSlowModel(timeout_ms: number) {
  const { promise: isLoaded, resolve } = Promise.withResolvers<void>();
  let isLoading = true;
  vi.spyOn(InferenceProcess.prototype, "isLoading", "get").mockImplementation(() => isLoading);
  vi.spyOn(InferenceProcess.prototype, "verified", "get").mockResolvedValue(undefined);
  const { run } = InferenceProcess.prototype;
  vi.spyOn(InferenceProcess.prototype, "run").mockImplementation(async function (this: typeof run, ...given) {
    await isLoaded;
    return Reflect.apply(run, this, given);
  });
  const dataDir = mkdtempSync(path.join(tmpdir(), "memory-service-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const host = await openHost(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: "error", PORT: "0", FACT_READER: "rules" }));
  onTestFinished(host.close);
  const { request } = createClient("http://localhost", host.firstKey.secret, (sent) => host.app.fetch(sent));
  await request("PUT", "/search/config", { body: { settings: { timeout_ms } } });
  await request("POST", "/memories", { body: { content: CONTENT, user_id: "mara" } });
  const load = async () => {
    isLoading = false;
    resolve();
    await host.modelLoaded;
  };
  return { request, load };
}

type Request = Awaited<ReturnType<typeof openWithSlowModel>>["request"];

/** Asks in every way; returns the contents that were found and whether the query had no vector, by kind of request. */
async function askEverywhere(request: Request, query: string) {
  const options = { threshold: 0 };
  const answers = {
    simple: request("GET", `/search?${new URLSearchParams({ q: query, threshold: "0" })}`),
    filtered: request("POST", "/search", { body: { query, options } }),
    advanced: request("POST", "/search/advanced", { body: { query, options } }),
    hybrid: request("POST", "/search/hybrid", { body: { query, options } }),
    enhanced: request("POST", "/search/enhanced", { body: { query, parameters: options } }),
    direct: request("POST", "/search/enhanced", { body: { query, mode: "hybrid", parameters: options } }),
    recall: request("POST", "/recall", { body: { query, user_id: "mara" } }),
  };
  const found: Record<string, unknown> = {};
  for (const [kind, sent] of Object.entries(answers)) {
    const { status, body } = await sent;
    expect([kind, status]).toEqual([kind, 200]);
    const { results, items = results, search_metadata, ...data } = body.data;
    const contents = items.map(({ content }: { content: string }) => content);
    found[kind] = { contents, without_vector: search_metadata?.without_vector ?? data.without_vector };
  }
  return found;
}

const KINDS = ["simple", "filtered", "advanced", "hybrid", "enhanced", "direct", "recall"];
const each = (value: unknown) => Object.fromEntries(KINDS.map((kind) => [kind, value]));

it("answers by words until the model is loaded, and says so, then by meaning", async () => {
  // Seven questions that waited for a vector, each a quarter of its time, would take longer than that.
  const limit = 20_000;
  const { request, load } = await openWithSlowModel(limit);
  expect((await request("GET", "/ready")).body.data).toMatchObject({ ready: true, embedder: "loading" });
  const startedAt = performance.now();
  expect(await askEverywhere(request, "who keeps bees?")).toEqual(each({ contents: [CONTENT], without_vector: true }));
  expect(performance.now() - startedAt).toBeLessThan(limit);
  await load();
  const pending = async () => (await request("GET", "/status")).body.data.index.pending;
  await expect.poll(pending, { timeout: 20_000 }).toBe(0);
  const { data } = (await request("GET", "/ready")).body;
  expect(data).toMatchObject({ embedder: "loaded", queries_without_vector: 0 });
  expect(await askEverywhere(request, "who keeps bees?")).toEqual(each({ contents: [CONTENT] }));
});

it("answers by words if the loaded model hangs", async () => {
  const { request, load } = await openWithSlowModel(4_000);
  await load();
  vi.spyOn(InferenceProcess.prototype, "run").mockImplementation(hanging);
  expect(await askEverywhere(request, "who keeps bees?")).toEqual(each({ contents: [CONTENT], without_vector: true }));
  const { queries_without_vector } = (await request("GET", "/ready")).body.data;
  expect(queries_without_vector).toBe(KINDS.length);
});
