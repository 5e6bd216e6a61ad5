import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { LocalPorts } from "../../shared/adapters/local/ports.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import type { SearchDocument } from "../../shared/ports/search-index.ts";
import { temporaryFolder } from "../../test/fixtures/temporary-folder.ts";
import { runCommand } from "../../test/support/command.ts";
import { withRuntime } from "../local-runtime.ts";
import { restoreBackup } from "../restore.ts";
import { FolderBackupError, FolderHeader, type FolderHeader as Header } from "./format.ts";
import { makeFolderBackup } from "./make.ts";
import { restoreFolder } from "./restore.ts";
import { takeSnapshot } from "./snapshot.ts";
import { verifyFolderBackup } from "./verify.ts";

const KEY = "the operator's key for backups in tests";
const DATA_KEY = "a key that seals stored secrets";
const RECORD = { pk: "org_1#mem_1", sk: "memory", kind: "memory", content_blob: "content/org_1/mem_1/a" };
const BLOB = { bytes: Buffer.from("long content"), contentType: "text/plain" };

/** `around` runs right before each snapshot; the function that it returns runs right after it. */
const seam = vi.hoisted(() => ({ around: (_snapshot: number) => () => {}, taken: 0 }));
vi.mock("./snapshot.ts", async (original) => {
  const { takeSnapshot: take } = await original<typeof import("./snapshot.ts")>();
  return {
    takeSnapshot: (dir: string) => {
      const after = seam.around(++seam.taken);
      const snapshot = take(dir);
      after();
      return snapshot;
    },
  };
});

let folder: string;
let dataDir: string;
let target: string;
let restored: string;

/** The search document of a memory. */
async function documentOf({ embedder }: LocalPorts["ports"], org: string, id: string): Promise<SearchDocument> {
  const [embedding] = await embedder.embed(["long content"], { purpose: "passage" });
  const now = new Date().toISOString();
  return {
    ...{ org, id, version: 1, content: "long content", metadata: {}, entity_ids: [], created_at: now, updated_at: now },
    ...{ original_tokens: 2, compressed_tokens: 2, processing_ms: 1, ...(embedding && { embedding }) },
  };
}

/** Opens the ports of a data folder with a reader of the change feed, as the service does, and closes them after `use`. */
function within<T>(dir: string, use: (ports: LocalPorts["ports"]) => Promise<T>): Promise<T> {
  const wiring = { streams: [{ name: "index-memories", kinds: ["memory"] }], queues: [], baseUrl: () => "" };
  return withRuntime(loadConfig({ DATA_DIR: dir, EMBEDDER: "lexical" }), (_runtime, { ports }) => use(ports), wiring);
}

const backUp = (...words: string[]) => runCommand("make-backup.ts", words, dataDir);
const restore = (...words: string[]) => runCommand("restore-backup.ts", words, dataDir);

/** A data folder and its backup, which tests copy. */
const filled = mkdtempSync(path.join(tmpdir(), "filled-"));
const [FILLED_DATA, FILLED_BACKUP] = [path.join(filled, "data"), path.join(filled, "backup")];
afterAll(() => rmSync(filled, { recursive: true }));

beforeAll(async () => {
  await within(FILLED_DATA, async (ports) => {
    await ports.blobs.put(RECORD.content_blob, BLOB);
    await ports.records.write({ put: RECORD });
    await ports.search.upsert([await documentOf(ports, "org_1", "mem_1")]);
    await ports.secrets.putIfAbsent("sealing/data-key", DATA_KEY);
    await ports.mailer.send({ to: "ada@example.com", subject: "Hello", text: "A link" });
  });
  await makeFolderBackup({ dataDir: FILLED_DATA, target: FILLED_BACKUP, key: KEY });
});

beforeEach(() => {
  Object.assign(seam, { around: () => () => {}, taken: 0 });
  folder = temporaryFolder();
  dataDir = path.join(folder, "data");
  target = path.join(folder, "backup");
  restored = path.join(folder, "restored");
  cpSync(FILLED_DATA, dataDir, { recursive: true });
});

/** Mounts a separate file system of this size. Returns undefined if this process may not mount one. */
function mountSmallDisk(parent: string, megabytes: number): string | undefined {
  const disk = path.join(parent, "disk");
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", disk], { stdio: "pipe" });
  } catch {
    return undefined;
  }
  // Hooks of a test run in reverse order, so the disk is unmounted before the folder is deleted.
  onTestFinished(() => void execFileSync("umount", ["--lazy", disk]));
  return disk;
}

/** The relative paths of all files below a folder, sorted. */
function filesBelow(root: string): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

function rowsOf(file: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const names = ["records", "changes"];
    return names.flatMap((name) => database.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all());
  } finally {
    database.close();
  }
}

describe("npm run backup and npm run restore", () => {
  it("restore every file of a folder that is in use", async () => {
    await within(dataDir, async () => {
      const made = await backUp("--to", target, "--key", KEY);
      expect([made.code, made.said]).toEqual([0, expect.stringMatching(/^Backed up bak_\S+ .*verified/)]);
    });
    const { code, said } = await restore("--from", target, "--to", restored, "--key", KEY);
    expect([code, said]).toEqual([0, expect.stringMatching(/^Restored bak_.*\n.*with secrets/)]);
    const kept = (file: string) => !/^(owner\.lock|unfinished|logs)|-(wal|shm)$|\.lock$/.test(file);
    expect(filesBelow(restored).filter(kept)).toEqual(filesBelow(dataDir).filter(kept));
    const file = "records.sqlite";
    expect(rowsOf(path.join(restored, file))).toEqual(rowsOf(path.join(dataDir, file)));
    await within(restored, async (ports) => {
      expect(await ports.blobs.get(RECORD.content_blob)).toEqual(BLOB);
      expect(await ports.secrets.get("sealing/data-key")).toBe(DATA_KEY);
      expect((await ports.search.list({ limit: 10 })).documents).toHaveLength(1);
    });
  });

  it("create no file that other users may read, and no secret in a sealed backup", async () => {
    await backUp("--to", target, "--key", KEY);
    for (const entry of [target, ...filesBelow(target).map((file) => path.join(target, file))]) {
      expect(statSync(entry).mode & 0o077, entry).toBe(0);
    }
    for (const file of filesBelow(target)) {
      expect(readFileSync(path.join(target, file)).includes(DATA_KEY), file).toBe(false);
    }
    const { said } = await restore(target, "--to", restored);
    expect(said).toMatch(/^Nothing was restored\. The secrets of the backup are sealed/);
    const without = await restore(target, "--to", restored, "--without-secrets");
    expect(without.said).toMatch(/without secrets/);
    expect(existsSync(path.join(restored, "secrets.json"))).toBe(false);
  });

  it("keep secrets readable only on request", async () => {
    expect((await backUp("--to", target)).said).toMatch(/Set BACKUP_KEY.*--plain-secrets/);
    expect((await backUp("--to", target, "--plain-secrets")).code).toBe(0);
    expect((await restore(target, "--to", restored)).code).toBe(0);
    expect(await within(restored, (ports) => ports.secrets.get("sealing/data-key"))).toBe(DATA_KEY);
  });

  it.each([
    [
      "a target with files",
      () => {
        mkdirSync(target);
        writeFileSync(path.join(target, "note"), "mine");
      },
      /is not empty/,
    ],
    ["a target that is a file", () => writeFileSync(target, "mine"), /is a file/],
    ["no data folder", () => rmSync(dataDir, { recursive: true }), /has no records\.sqlite/],
  ])("refuse %s", async (_, spoil, reason) => {
    spoil();
    const before = filesBelow(folder);
    const { code, said } = await backUp("--to", target, "--key", KEY);
    expect([code, said]).toEqual([1, expect.stringMatching(/^Nothing was backed up\. /)]);
    expect(said).toMatch(reason);
    expect(filesBelow(folder)).toEqual(before);
  });

  it("refuse a target inside the data folder, even through a link", async () => {
    const link = path.join(folder, "link");
    symlinkSync(dataDir, link);
    for (const inside of [path.join(dataDir, "backup"), path.join(dataDir, "a", "b"), path.join(link, "backup")]) {
      expect((await backUp("--to", inside, "--key", KEY)).said).toMatch(/inside the data folder/);
    }
    expect(filesBelow(dataDir).filter((file) => file.includes("backup"))).toEqual([]);
  });

  it("refuse to restore into a folder that is in use or has files", async () => {
    await backUp("--to", target, "--key", KEY);
    const used = path.join(folder, "used");
    await within(used, async () => {
      expect((await restore(target, "--to", used, "--key", KEY)).said).toMatch(/in use by another process/);
    });
    const before = filesBelow(used);
    expect((await restore(target, "--to", used, "--key", KEY)).said).toMatch(/is not empty/);
    expect(filesBelow(used)).toEqual(before);
  });
});

describe("a full disk", () => {
  const DISK_MB = 2;

  it("is detected before or while files are copied, and no copy remains", async ({ skip }) => {
    const disk = mountSmallDisk(folder, DISK_MB);
    if (disk === undefined) return skip("needs the right to mount a file system, as root has");
    expect((await backUp("--to", disk, "--key", KEY)).said).toMatch(/is a mount point/);
    const inDisk = path.join(disk, "backup");
    await within(dataDir, (ports) =>
      ports.blobs.put("content/org_1/mem_1/large", { ...BLOB, bytes: Buffer.alloc(2 * DISK_MB * 1024 * 1024) }),
    );
    const { code, said } = await backUp("--to", inDisk, "--key", KEY);
    expect([code, said]).toEqual([1, expect.stringMatching(/Not enough disk space for the backup: it needs \d+ MB/)]);
    expect(readdirSync(disk)).toEqual([]);
    cpSync(FILLED_BACKUP, target, { recursive: true });
    const onFullDisk = await restore(target, "--to", inDisk, "--key", KEY);
    expect([onFullDisk.code, onFullDisk.said]).toEqual([1, expect.stringMatching(/No disk space is left beside/)]);
    expect(readdirSync(disk)).toEqual([]);
  });
});

describe("a backup that was killed", () => {
  it("is removed by the next backup, which leaves a running one alone", async () => {
    const [killed, working] = [`${target}-1.backing-up-killed`, `${target}-2.backing-up-works`];
    await within(killed, async () => undefined);
    await within(working, async () => {
      expect((await backUp("--to", target, "--key", KEY)).code).toBe(0);
    });
    expect(readdirSync(folder).sort()).toEqual(["backup", path.basename(working), "data"]);
  });
});

describe("a backup that was changed", () => {
  const inBackup = (...names: string[]) => path.join(target, ...names);
  const restoreInProcess = (BACKUP_KEY: string) =>
    restoreBackup(loadConfig({ DATA_DIR: restored, BACKUP_KEY }), { file: target, withoutSecrets: false });
  const changeHeader = (change: Partial<Header> | { format: number }) => {
    const header = FolderHeader.parse(JSON.parse(readFileSync(inBackup("backup.json"), "utf8")));
    writeFileSync(inBackup("backup.json"), JSON.stringify({ ...header, ...change }));
  };

  it.each([
    ["a shorter file", () => writeFileSync(inBackup("data", "queues.sqlite"), ""), /queues\.sqlite is another/],
    ["a missing file", () => rmSync(inBackup("data", "queues.sqlite")), /queues\.sqlite is missing/],
    ["an additional file", () => writeFileSync(inBackup("data", "more"), ""), /more that it does not list/],
    ["a longer list of files", () => appendFileSync(inBackup("files.jsonl"), "{}\n"), /list of files is another/],
    ["other secrets", () => writeFileSync(inBackup("secrets.sealed"), "AAAA"), /secrets\.sealed is missing or was/],
    ["a forged header", () => changeHeader({ missing_blobs: ["a"] }), /does not vouch/],
    ["a later service", () => changeHeader({ service: "99.0.0" }), /made by version 99\.0\.0.*Update/],
    ["a later format", () => changeHeader({ format: 2 }), /has format 2.*Update/],
    ["no header", () => writeFileSync(inBackup("backup.json"), "{"), /no backup that this service made/],
  ])("is refused because of %s, and no folder is created", async (_, spoil, reason) => {
    cpSync(FILLED_BACKUP, target, { recursive: true });
    spoil();
    const error = await restoreInProcess(KEY).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(FolderBackupError);
    expect(error.message).toMatch(reason);
    expect(readdirSync(folder).sort()).toEqual(["backup", "data"]);
  });

  it("is refused with another key", async () => {
    cpSync(FILLED_BACKUP, target, { recursive: true });
    const { code, said } = await restore(target, "--to", restored, "--key", "not the key of that one");
    expect([code, said]).toEqual([1, expect.stringMatching(/^Nothing was restored\. .*key is not the key of/)]);
  });

  it("is refused with a key if its seal was removed", async () => {
    cpSync(FILLED_BACKUP, target, { recursive: true });
    changeHeader({ mac: undefined, sealing: undefined, secrets: "none" });
    await expect(restoreInProcess(KEY)).rejects.toThrow(/not sealed.*unset BACKUP_KEY/);
    changeHeader({ sealing: undefined });
    await expect(restoreInProcess(KEY)).rejects.toThrow(/not sealed/);
    expect(readdirSync(folder).sort()).toEqual(["backup", "data"]);
  });

  it("is not restored if it changes between its check and its copy", async () => {
    await makeFolderBackup({ dataDir, target, key: undefined });
    mkdirSync(restored);
    const restoring = restoreFolder(restored, { file: target, withoutSecrets: false }, undefined);
    const spoiling = async () => {
      while (!existsSync(path.join(restored, "blobs"))) await nextTurn();
      writeFileSync(inBackup("data", "records.sqlite"), "spoiled");
    };
    await Promise.all([expect(restoring).rejects.toThrow(/changed while it was restored/), spoiling()]);
  });
});

describe("blobs", () => {
  it("that records name and that are missing are listed, and fail no backup", async () => {
    await within(dataDir, (ports) => ports.blobs.delete(RECORD.content_blob));
    const { header } = await makeFolderBackup({ dataDir, target, key: KEY });
    expect(header.missing_blobs).toEqual([RECORD.content_blob]);
    await verifyFolderBackup(target, { key: KEY, service: header.service });
  });

  /**
   * Adds a record whose blob is missing before a snapshot. The returned function deletes the record, as if both were deleted
   * before the blob could be copied.
   */
  function deletedMeanwhile(snapshot: number): () => void {
    const database = new DatabaseSync(path.join(dataDir, "records.sqlite"));
    const record = { ...RECORD, pk: `org_1#raced_${snapshot}`, content_blob: `content/org_1/raced/${snapshot}` };
    database
      .prepare("INSERT INTO records (pk, sk, kind, item) VALUES (?, ?, ?, ?)")
      .run(record.pk, record.sk, record.kind, JSON.stringify(record));
    return () => {
      database.prepare("DELETE FROM records WHERE pk = ?").run(record.pk);
      database.close();
    };
  }

  it("that are deleted before they are copied make the backup take another snapshot, without their records", async () => {
    seam.around = (snapshot) => (snapshot < 3 ? deletedMeanwhile(snapshot) : () => {});
    const { header } = await makeFolderBackup({ dataDir, target, key: KEY });
    expect(seam.taken).toBe(3);
    expect(header.missing_blobs).toEqual([]);
    expect(rowsOf(path.join(target, "data", "records.sqlite"))).toEqual(rowsOf(path.join(dataDir, "records.sqlite")));
  });

  it("that are deleted too fast fail the backup, which leaves no files", async () => {
    seam.around = deletedMeanwhile;
    await expect(makeFolderBackup({ dataDir, target, key: KEY })).rejects.toThrow(
      /deleted before they could be copied/,
    );
    expect(readdirSync(folder)).toEqual(["data"]);
  });

  it("that are created and deleted meanwhile are all in the backup whose records name them", async () => {
    await within(dataDir, async ({ records, blobs }) => {
      let isOver = false;
      const churn = async (lane: number) => {
        for (let round = 0; !isOver; round++) {
          const [key, name] = [`content/org_1/mem_${lane}/${round}`, `mem_${lane}`];
          await blobs.put(key, BLOB);
          const record = { ...RECORD, pk: `org_1#${name}`, content_blob: key };
          await records.write({ put: record });
          await records.write({ delete: { pk: record.pk, sk: record.sk } });
          await blobs.delete(key);
          await nextTurn();
        }
      };
      const lanes = [10, 11, 12, 13].map(churn);
      for (let round = 0; round < 10; round++) {
        const { header } = await makeFolderBackup({ dataDir, target: `${target}-${round}`, key: undefined });
        expect(header.missing_blobs).toEqual([]);
      }
      isOver = true;
      await Promise.all(lanes);
    });
  });
});

describe("a snapshot", () => {
  it("shows one moment: every database has all earlier writes, and none has later ones", async () => {
    await within(dataDir, async (ports) => {
      const { records, search } = ports;
      const snapshot = takeSnapshot(dataDir);
      await records.write({ put: { ...RECORD, pk: "org_1#mem_2" } });
      await search.upsert([await documentOf(ports, "org_2", "mem_2")]);
      const count = (file: string, table: string) =>
        snapshot.databases.get(file)?.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n;
      expect(count("records.sqlite", "records")).toBe(1);
      expect([...snapshot.databases.keys()].filter((file) => file.includes("org_2"))).toEqual([]);
      expect(snapshot.state.get("secrets.json")?.toString()).toContain(DATA_KEY);
      snapshot.close();
    });
  });

  it("fails while another process keeps the records locked, and leaves no lock", async () => {
    const holder = new DatabaseSync(path.join(dataDir, "records.sqlite"));
    holder.exec("BEGIN IMMEDIATE");
    await expect(makeFolderBackup({ dataDir, target, key: KEY })).rejects.toThrow(/stayed locked/);
    holder.exec("ROLLBACK");
    holder.close();
    expect(readdirSync(folder)).toEqual(["data"]);
    await makeFolderBackup({ dataDir, target, key: KEY });
  });
});
