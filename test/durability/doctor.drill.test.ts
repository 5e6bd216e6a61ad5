import { execFile } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { examineFolder } from "../../infra/doctor/run.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import type { StoredRecord } from "../../shared/ports/record-store.ts";
import { ADMIN_KEY, copyFolder, FILLED_WITH, fillFolder } from "../support/filled-folder.ts";
import { openService } from "../support/service.ts";

const DOCTOR = fileURLToPath(new URL("../../infra/doctor.ts", import.meta.url));
const TIMEOUT_MS = 60_000;
const PAGE_BYTES = 4096;
/** The first byte of an index page without child pages in SQLite's file format. */
const INDEX_LEAF = 0x0a;
const LONG_AGO = new Date("2026-01-01T00:00:00Z");
const KINDS = ["memory", "version", "webhook", "organization", "api_key", "entity"];

let filled: string;
let before: Awaited<ReturnType<typeof stateOf>>;

beforeAll(async () => {
  filled = await fillFolder();
  before = await stateOf(filled);
}, TIMEOUT_MS);
afterAll(() => rmSync(filled, { recursive: true, force: true }));

/** A record without what the doctor and requests may count again. */
function withoutCounts({ last_used_at: _, ...record }: StoredRecord) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !name.startsWith("counted_")));
}

/** Everything in a folder that clients can see: records of every kind, and search results. */
async function stateOf(dataDir: string) {
  const service = await openService({ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY });
  try {
    await vi.waitFor(
      async () => expect((await service.request("GET", "/status")).body.data.index.catching_up).toBe(false),
      { timeout: 10_000 },
    );
    const { items } = await service.runtime.ports.inventory.list({ kinds: KINDS, limit: 1000 });
    const records = items.map(withoutCounts);
    const list = await service.request("GET", "/memories?limit=100");
    const searches: unknown[] = [];
    for (const query of [...FILLED_WITH, "tea in Zurich"]) {
      const { body } = await service.request("GET", `/search?q=${encodeURIComponent(query)}&threshold=0`);
      searches.push(body.data.results.map(({ id, score }: { id: string; score: number }) => ({ id, score })));
    }
    return { records, memories: list.body.data.memories, searches };
  } finally {
    await service.host.close();
  }
}

const within = (dataDir: string, name: string): string => path.join(dataDir, name);

function searchFile(dataDir: string): string {
  const [name = ""] = readdirSync(within(dataDir, "search")).filter((file) => /^org_operator-.*\.db$/.test(file));
  return path.join(dataDir, "search", name);
}

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

/** Overwrites the pages of a file after the first two. */
function spoilPages(file: string): void {
  const handle = openSync(file, "r+");
  for (let page = 2; page < statSync(file).size / PAGE_BYTES; page++) {
    writeSync(handle, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, page * PAGE_BYTES);
  }
  closeSync(handle);
}

/** Replaces the root page of a database's index with a page without entries. */
function emptyIndex(file: string, index: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const { rootpage } = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(index) ?? {};
  const bytes = Number(database.prepare("PRAGMA page_size").get()?.page_size);
  database.close();
  const page = Buffer.alloc(bytes);
  page[0] = INDEX_LEAF;
  page.writeUInt16BE(bytes, 5);
  const handle = openSync(file, "r+");
  writeSync(handle, page, 0, bytes, (Number(rootpage) - 1) * bytes);
  closeSync(handle);
}

/** The files in the folder of blobs. */
const blobsIn = (dataDir: string): string[] =>
  readdirSync(within(dataDir, "blobs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

interface Damage {
  name: string;
  damage(dataDir: string): void;
  finding: object;
}

const MENDED: Damage[] = [
  {
    name: "a search file whose pages are spoilt",
    damage: (dataDir) => spoilPages(searchFile(dataDir)),
    finding: {
      check: "files",
      problem: expect.stringContaining("is damaged"),
      mend: expect.stringContaining("builds the index"),
    },
  },
  {
    name: "a search file that is no database",
    damage: (dataDir) => writeFileSync(searchFile(dataDir), "no database ".repeat(1000)),
    finding: { check: "files", problem: expect.stringContaining("not a database") },
  },
  {
    name: "an index that is ahead of the records",
    damage: (dataDir) => change(searchFile(dataDir), "UPDATE settings SET value = '999' WHERE name = 'sequence'"),
    finding: { check: "files", problem: expect.stringMatching(/has seen \d+ changes that records\.sqlite lacks/) },
  },
  {
    name: "a file of an earlier release",
    damage: (dataDir) => change(within(dataDir, "records.sqlite"), "DROP TABLE index_marks; PRAGMA user_version = 3"),
    finding: { check: "versions", problem: expect.stringContaining("of an earlier release") },
  },
  {
    name: "queues that are missing",
    damage: (dataDir) => rmSync(within(dataDir, "queues.sqlite")),
    finding: {
      check: "files",
      problem: expect.stringContaining("is missing"),
      mend: expect.stringContaining("empty one"),
    },
  },
  {
    name: "queues whose pages are spoilt",
    damage: (dataDir) => spoilPages(within(dataDir, "queues.sqlite")),
    finding: { check: "files", what: expect.stringContaining("queues.sqlite") },
  },
  {
    name: "an index of the records that lacks rows",
    damage: (dataDir) => emptyIndex(within(dataDir, "records.sqlite"), "records_ttl"),
    finding: { check: "files", problem: expect.stringContaining("index records_ttl") },
  },
  {
    name: "a blob that is missing",
    damage: (dataDir) => rmSync(blobsIn(dataDir)[0] ?? ""),
    finding: { check: "blobs of records", mend: expect.stringContaining("another copy") },
  },
  {
    name: "a blob that is damaged",
    damage: (dataDir) => writeFileSync(blobsIn(dataDir)[0] ?? "", "text/plain\nsomething else"),
    finding: { check: "blobs of records", problem: expect.stringContaining("damaged") },
  },
  {
    name: "a blob that no record names",
    damage: (dataDir) => {
      const [named = ""] = blobsIn(dataDir);
      const orphan = path.join(path.dirname(named), "0".repeat(64));
      writeFileSync(orphan, "text/plain\nnobody's", { mode: 0o600 });
      utimesSync(orphan, LONG_AGO, LONG_AGO);
    },
    finding: { check: "orphaned blobs", what: expect.stringContaining("0".repeat(64)) },
  },
  {
    name: "documents that are missing",
    damage: (dataDir) => change(searchFile(dataDir), "UPDATE documents SET version = 0 WHERE doc = 2"),
    finding: { check: "index of records", problem: expect.stringContaining("lacks 1") },
  },
  {
    name: "a document without a record",
    damage: (dataDir) =>
      change(
        searchFile(dataDir),
        `CREATE TEMP TABLE copy AS SELECT * FROM documents WHERE doc = 1;
         UPDATE copy SET doc = 99, id = 'mem_gone', version = 1;
         INSERT INTO documents SELECT * FROM copy;
         INSERT INTO sources SELECT 99, json_set(source, '$.id', 'mem_gone', '$.entity_ids', json('[]')) FROM sources WHERE doc = 1`,
      ),
    finding: { check: "orphaned documents", problem: expect.stringContaining("1 documents") },
  },
  {
    name: "a counter that is too low",
    damage: (dataDir) =>
      change(
        within(dataDir, "records.sqlite"),
        "UPDATE records SET item = json_set(item, '$.counted_keys', 0) WHERE kind = 'organization'",
      ),
    finding: { check: "counters", what: "organization org_operator" },
  },
  {
    name: "a file that others may read",
    damage: (dataDir) => chmodSync(within(dataDir, "secrets.json"), 0o644),
    finding: { check: "permissions", what: expect.stringContaining("secrets.json") },
  },
];

const configOf = (dataDir: string) =>
  loadConfig({ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY, EMBEDDER: "lexical", LOG_LEVEL: "error" });
const examine = (dataDir: string, repair = false) => examineFolder(configOf(dataDir), { repair });

describe("the doctor", { timeout: TIMEOUT_MS }, () => {
  test("finds nothing in an intact folder", async () => {
    const report = await examine(copyFolder(filled));
    expect(report.findings).toEqual([]);
    expect(report.toJson().checks.filter(({ checked }) => checked === null)).toEqual([]);
    expect(report.toText()).toMatch(/^blobs of records +2 {2}ok$/m);
  });

  test.for(MENDED)("finds and repairs $name, and the folder has its former state", async ({ damage, finding }) => {
    const dataDir = copyFolder(filled);
    damage(dataDir);
    const found = await examine(dataDir);
    expect(found.findings).toContainEqual(expect.objectContaining({ ...finding, isMended: false }));
    const mended = await examine(dataDir, true);
    expect(mended.isWell, mended.toText()).toBe(true);
    expect((await examine(dataDir)).findings).toEqual([]);
    expect(await stateOf(dataDir)).toEqual(before);
  });

  test("keeps the files that it replaces", async () => {
    const dataDir = copyFolder(filled);
    const file = searchFile(dataDir);
    writeFileSync(file, "no database");
    await examine(dataDir, true);
    const [aside = ""] = readdirSync(dataDir).filter((name) => name.startsWith("set-aside-"));
    expect(existsSync(path.join(dataDir, aside, "search", path.basename(file)))).toBe(true);
  });

  test.for([
    ["records that are missing", (dataDir: string) => rmSync(within(dataDir, "records.sqlite"))],
    ["records whose pages are spoilt", (dataDir: string) => spoilPages(within(dataDir, "records.sqlite"))],
    ["secrets that are missing", (dataDir: string) => rmSync(within(dataDir, "secrets.json"))],
  ] as const)("finds %s, and leaves the folder unchanged", async ([, damage]) => {
    const dataDir = copyFolder(filled);
    damage(dataDir);
    const files = readdirSync(dataDir).sort();
    const report = await examine(dataDir, true);
    expect(report.isWell).toBe(false);
    expect(
      readdirSync(dataDir)
        .filter((name) => !/-(wal|shm)$/.test(name))
        .sort(),
    ).toEqual(files);
  });

  test("finds encrypted records whose key is missing", async () => {
    const dataDir = copyFolder(filled);
    writeFileSync(within(dataDir, "secrets.json"), "{}");
    const { findings } = await examine(dataDir);
    expect(findings).toEqual([
      expect.objectContaining({ check: "secrets", problem: expect.stringContaining("1 records") }),
    ]);
  });

  test("exits with 1 on findings and with 0 after a repair, and refuses the folder of a running service", async () => {
    const dataDir = copyFolder(filled);
    rmSync(within(dataDir, "queues.sqlite"));
    const run = async (...options: string[]) => {
      const env = { ...process.env, DATA_DIR: dataDir, EMBEDDER: "lexical" };
      const running = promisify(execFile)(process.execPath, [DOCTOR, ...options], { env });
      return running
        .then(({ stdout }) => ({ code: 0, said: stdout }))
        .catch(({ code, stdout, stderr }) => ({ code, said: stdout + stderr }));
    };
    const found = await run("--json");
    expect([found.code, JSON.parse(found.said).findings.length]).toEqual([1, 1]);
    expect(await run("--repair")).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^files +\d+ {2}1 wrong, 1 mended$/m),
    });
    const service = await openService({ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY });
    onTestFinished(() => service.close());
    expect(await run("--repair")).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^The doctor cannot examine .* in use/),
    });
  });
});
