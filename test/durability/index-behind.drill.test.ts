import { cpSync, readdirSync, rmSync, truncateSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { failStart } from "../support/failed-start.ts";
import { ADMIN_KEY, copyFolder, FILLED_WITH, fillFolder } from "../support/filled-folder.ts";
import { type LocalService, openService } from "../support/service.ts";
import { startService } from "../support/service-process.ts";

const TIMEOUT_MS = 60_000;
const WAL_HEADER_BYTES = 32;
const NEW = "Emmy plays the violin.";

let filled: string;

beforeAll(async () => {
  filled = await fillFolder();
}, TIMEOUT_MS);
afterAll(() => rmSync(filled, { recursive: true, force: true }));

const searchFolder = (dataDir: string): string => path.join(dataDir, "search");

/** Opens a service on the folder for `use` and closes it; the folder is kept. */
async function withService<T>(dataDir: string, use: (service: LocalService) => Promise<T>): Promise<T> {
  const lines: string[] = [];
  const environment = { DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY, LOG_LEVEL: "warn" };
  const service = await openService(environment, undefined, { print: (line) => lines.push(line) });
  said.set(service, lines);
  try {
    return await use(service);
  } finally {
    await service.host.close();
  }
}

const said = new WeakMap<LocalService, string[]>();
const isToldBehind = (service: LocalService) => said.get(service)?.join("").includes('"INDEX_BEHIND"');

async function isCatchingUp(service: LocalService): Promise<boolean> {
  const [ready, status] = await Promise.all(["/ready", "/status"].map((route) => service.request("GET", route)));
  expect([ready?.status, status?.status]).toEqual([200, 200]);
  expect(ready?.body.data.index_catching_up).toBe(status?.body.data.index.catching_up);
  return status?.body.data.index.catching_up;
}

async function find(service: LocalService, query: string): Promise<string[]> {
  const { body } = await service.request("GET", `/search?q=${encodeURIComponent(query)}&threshold=0`);
  return body.data.results.map(({ content }: { content: string }) => content);
}

const store = async (service: LocalService, content: string) => {
  const { status, body } = await service.request("POST", "/memories", { body: { content, user_id: "ada" } });
  expect(status).toBe(201);
  return body.data.id;
};

/** Compares everything once, so that later starts know how current each index is. */
const drainChangeFeed = (dataDir: string) =>
  withService(dataDir, (service) => expect.poll(() => isCatchingUp(service), { timeout: 10_000 }).toBe(false));

describe("a search index older than its records", { timeout: TIMEOUT_MS }, () => {
  test("is not suspected after a normal stop", async () => {
    const dataDir = copyFolder(filled);
    await drainChangeFeed(dataDir);
    await withService(dataDir, (service) => store(service, NEW));
    await withService(dataDir, async (service) => {
      expect(await isCatchingUp(service)).toBe(false);
      expect(isToldBehind(service)).toBe(false);
      expect(await find(service, "violin")).toContain(NEW);
    });
  });

  test("is updated with later writes and deletions if it was replaced by an older copy", async () => {
    const dataDir = copyFolder(filled);
    await drainChangeFeed(dataDir);
    const copy = temporaryFolder();
    const gone = await withService(dataDir, (service) => store(service, "Nobody keeps this memory."));
    cpSync(searchFolder(dataDir), copy, { recursive: true });
    await withService(dataDir, async (service) => {
      await store(service, NEW);
      expect((await service.request("DELETE", `/memories/${gone}`)).status).toBe(200);
    });
    rmSync(searchFolder(dataDir), { recursive: true });
    cpSync(copy, searchFolder(dataDir), { recursive: true });
    await withService(dataDir, async (service) => {
      await expect.poll(() => isCatchingUp(service), { timeout: 10_000 }).toBe(false);
      await expect.poll(() => isToldBehind(service)).toBe(true);
      expect(await find(service, "violin")).toContain(NEW);
      expect(await find(service, "nobody keeps")).not.toContain("Nobody keeps this memory.");
      expect((await service.request("GET", "/status")).body.data.index.pending).toBe(0);
    });
    await withService(dataDir, async (service) => expect(isToldBehind(service)).toBe(false));
  });

  test("is rebuilt from the records if its folder is missing", async () => {
    const dataDir = copyFolder(filled);
    await drainChangeFeed(dataDir);
    rmSync(searchFolder(dataDir), { recursive: true });
    await withService(dataDir, async (service) => {
      await expect.poll(() => isCatchingUp(service), { timeout: 10_000 }).toBe(false);
      await expect.poll(() => isToldBehind(service)).toBe(true);
      for (const content of FILLED_WITH) expect(await find(service, content)).toContain(content);
    });
  });
});

describe("a start with records older than their search index", { timeout: TIMEOUT_MS }, () => {
  const refusal =
    /^Memory Service cannot start\. .*records\.sqlite is older than the search index, .* \d+ changes .*npm run doctor -- --repair.*\n$/;

  test("is refused if the records were replaced by an older copy", async () => {
    const dataDir = copyFolder(filled);
    await withService(dataDir, (service) => store(service, NEW));
    for (const file of readdirSync(filled).filter((name) => name.startsWith("records.sqlite"))) {
      cpSync(path.join(filled, file), path.join(dataDir, file));
    }
    expect(await failStart({ DATA_DIR: dataDir })).toEqual({ code: 1, complaint: expect.stringMatching(refusal) });
  });

  test("is refused if the write-ahead log was truncated", async () => {
    const dataDir = copyFolder(filled);
    const service = await startService(dataDir, { BOOTSTRAP_API_KEY: ADMIN_KEY, EMBEDDER: "lexical" });
    onTestFinished(() => service.kill());
    expect((await service.request("POST", "/memories", { body: { content: NEW } })).status).toBe(201);
    // The writes of a second share a commit of the index.
    await setTimeout(2_000);
    await service.kill();
    truncateSync(path.join(dataDir, "records.sqlite-wal"), WAL_HEADER_BYTES);
    expect(await failStart({ DATA_DIR: dataDir })).toEqual({ code: 1, complaint: expect.stringMatching(refusal) });
  });
});
