import { readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { LocalRecordStore } from "../../shared/adapters/local/records.ts";
import { failStart } from "../support/failed-start.ts";
import { ADMIN_KEY, copyFolder, fillFolder } from "../support/filled-folder.ts";
import { openService } from "../support/service.ts";

const TIMEOUT_MS = 60_000;
const PAGE_BYTES = 4096;

let filled: string;

beforeAll(async () => {
  filled = await fillFolder();
}, TIMEOUT_MS);
afterAll(() => rmSync(filled, { recursive: true, force: true }));

/** The relative path of the operator organization's search file. */
const searchFile = (dataDir: string): string => {
  const [name = ""] = readdirSync(path.join(dataDir, "search")).filter((file) => /^org_operator-.*\.db$/.test(file));
  return path.join("search", name);
};

function emptyRecords(dataDir: string): void {
  const database = new DatabaseSync(path.join(dataDir, "records.sqlite"));
  database.exec("DELETE FROM records");
  database.close();
}

interface Damage {
  name: string;
  /** The error message of a start, besides the folder's path. */
  says: RegExp;
  damage(dataDir: string): void;
}

const REBUILD = "It is rebuilt from the records by `npm run doctor -- --repair`\\.";
const RESTORE = "put a copy of the file back, or restore a backup .*`npm run restore -- FILE`";

const within = (dataDir: string, name: string): string => path.join(dataDir, name);
const remove = (name: string) => (dataDir: string) => rmSync(within(dataDir, name));
const empty = (name: string) => (dataDir: string) => writeFileSync(within(dataDir, name), "");
const spoil = (name: string) => (dataDir: string) => writeFileSync(within(dataDir, name), "no database ".repeat(1000));
const cut = (name: string) => (dataDir: string) => truncateSync(within(dataDir, name), PAGE_BYTES);

const DAMAGES: Damage[] = [
  {
    name: "records missing",
    damage: remove("records.sqlite"),
    says: RegExp(`records\\.sqlite is missing beside .*${RESTORE}.* To begin anew, move`),
  },
  {
    name: "records of no bytes",
    damage: empty("records.sqlite"),
    says: RegExp(`records\\.sqlite is empty beside .*${RESTORE}`),
  },
  {
    name: "records without a record",
    damage: emptyRecords,
    says: RegExp(`records\\.sqlite holds no records beside .*${RESTORE}`),
  },
  {
    name: "records that are no database",
    damage: spoil("records.sqlite"),
    says: RegExp(`records\\.sqlite is damaged: it is not a database.*${RESTORE}`),
  },
  {
    name: "records cut off",
    damage: cut("records.sqlite"),
    says: RegExp(`records\\.sqlite is damaged: it is cut off.*${RESTORE}`),
  },
  {
    name: "queues missing",
    damage: remove("queues.sqlite"),
    says: /queues\.sqlite is missing beside .*rebuilt from the jobs.*`npm run doctor -- --repair`/,
  },
  {
    name: "queues that are no database",
    damage: spoil("queues.sqlite"),
    says: /queues\.sqlite is damaged: .*rebuilt from the jobs/,
  },
  {
    name: "secrets missing",
    damage: remove("secrets.json"),
    says: RegExp(`secrets\\.json is missing beside .*keys of sealed secrets.*${RESTORE}`),
  },
  {
    name: "secrets that are no JSON",
    damage: (dataDir) => writeFileSync(within(dataDir, "secrets.json"), '{"data-k'),
    says: RegExp(`secrets\\.json is damaged: .*${RESTORE}`),
  },
  {
    name: "a search file that is no database",
    damage: (dataDir) => spoil(searchFile(dataDir))(dataDir),
    says: RegExp(`org_operator-.*\\.db is damaged: it is not a database.*${REBUILD}`),
  },
  {
    name: "a search file cut off",
    damage: (dataDir) => cut(searchFile(dataDir))(dataDir),
    says: RegExp(`org_operator-.*\\.db is damaged: it is cut off.*${REBUILD}`),
  },
];

describe("a damaged folder stops the start with one line that says what to do", { timeout: TIMEOUT_MS }, () => {
  test.for(DAMAGES)("$name", async ({ damage, says }) => {
    const dataDir = copyFolder(filled);
    damage(dataDir);
    const files = readdirSync(dataDir).sort();
    const { code, complaint } = await failStart({ DATA_DIR: dataDir });
    expect(complaint).toMatch(/^Memory Service cannot start\. [^\n]*\n$/);
    expect(complaint).toMatch(says);
    expect(code).toBe(1);
    expect(
      readdirSync(dataDir)
        .filter((file) => !/-(wal|shm)$/.test(file))
        .sort(),
    ).toEqual(files);
  });
});

/** Damages the word index of a search file, which a start does not read. */
function spoilWords(file: string): void {
  const database = new DatabaseSync(file, { defensive: false });
  database.exec("DELETE FROM words_docsize");
  database.close();
}

test("an index that turns out to be damaged makes /ready and searches answer 503", async () => {
  const dataDir = copyFolder(filled);
  spoilWords(path.join(dataDir, searchFile(dataDir)));
  const lines: string[] = [];
  const service = await openService({ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY }, undefined, {
    print: (line) => lines.push(line),
  });
  onTestFinished(() => service.close());
  const found = await service.request("GET", "/search?q=tea");
  expect([found.status, found.body.error.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
  const ready = await service.request("GET", "/ready", { key: null });
  expect(ready.status).toBe(503);
  expect(ready.body.error.details).toEqual({
    ready: false,
    checks: { records: true, search: false, blobs: true, queue: true },
    index_catching_up: false,
    embedder: "loaded",
    queries_without_vector: 0,
    fact_reader: "absent",
  });
  expect(lines.join("")).toMatch(RegExp(`org_operator-.*\\.db is damaged\\. ${REBUILD}`));
  expect((await service.request("GET", "/memories")).body.data.memories).toHaveLength(4);
});

test("a file that takes no writes makes /ready answer 503; /ready checks at most once a second", async () => {
  const service = await openService();
  onTestFinished(() => service.close());
  expect((await service.request("GET", "/ready", { key: null })).body.data.ready).toBe(true);
  const ping = vi.spyOn(LocalRecordStore.prototype, "ping");
  onTestFinished(() => void vi.restoreAllMocks());
  // Within one second, however busy the machine is.
  const time = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  for (let asked = 0; asked < 20; asked++) await service.request("GET", "/ready", { key: null });
  time.mockRestore();
  expect(ping.mock.calls.length).toBeLessThanOrEqual(1);
  const writer = new DatabaseSync(path.join(service.dataDir, "records.sqlite"));
  writer.exec("ALTER TABLE records RENAME COLUMN kind TO kind_of_an_older_version");
  writer.close();
  const checks = async () => (await service.request("GET", "/ready", { key: null })).body.error?.details.checks;
  await vi.waitFor(async () => expect(await checks()).toMatchObject({ records: false, queue: true }), {
    timeout: 5_000,
  });
});
