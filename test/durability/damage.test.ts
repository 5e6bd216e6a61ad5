import { readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failStart } from "../support/failed-start.ts";
import { copyFolder, fillFolder } from "../support/filled-folder.ts";

const TIMEOUT_MS = 60_000;
const PAGE_BYTES = 4096;

let filled: string;

beforeAll(async () => {
  filled = await fillFolder();
}, TIMEOUT_MS);
afterAll(() => rmSync(filled, { recursive: true, force: true }));

/** The search file of the operator's organization, below the folder. */
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
  /** What a start complains of, besides the folder's path. */
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

describe("a damaged folder is refused in one line that says what to do", { timeout: TIMEOUT_MS }, () => {
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
