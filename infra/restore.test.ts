import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { backupHandler, newBackup } from "../shared/domain/operations/backups/make.ts";
import { findLatest, insertBackup } from "../shared/domain/operations/backups/records.ts";
import { loadConfig } from "../shared/entry/config.ts";
import { sha256 } from "../shared/kernel/digest.ts";
import type { Component } from "../shared/ports/components.ts";
import type { Runtime } from "../shared/runtime/context.ts";
import { messageOf } from "../shared/runtime/jobs/queue.ts";
import { insertJob } from "../shared/runtime/jobs/records.ts";
import { runJob } from "../shared/runtime/jobs/run.ts";
import { temporaryFolder } from "../test/fixtures/temporary-folder.ts";
import { runCommand } from "../test/support/command.ts";
import { withRuntime } from "./local-runtime.ts";

const KEY = "the operator's key for backups in tests";
const SETTING = { pk: "settings", sk: "sample", kind: "setting", value: { colour: "red" } };

let archived: Uint8Array;
let folder: string;
let archive: string;

const within = <T>(dataDir: string, use: (runtime: Runtime) => Promise<T>) =>
  withRuntime(loadConfig({ DATA_DIR: dataDir, BACKUP_KEY: KEY, EMBEDDER: "lexical" }), use);

const restore = (dataDir: string, ...words: string[]) => runCommand("restore-backup.ts", words, dataDir);

beforeAll(async () => {
  const first = mkdtempSync(path.join(tmpdir(), "first-"));
  const bytes = await within(first, async (runtime) => {
    await runtime.ports.records.write({ put: SETTING });
    await runtime.ports.secrets.putIfAbsent("sealing/data-key", "a key that seals stored secrets");
    const components: Component[] = ["config", "blobs"];
    const wanted = { components, include_logs: false, compression_enabled: true, retention_days: 1 };
    const { backup, job } = newBackup(runtime, wanted, "user_1");
    await runtime.ports.records.write(insertBackup(backup), insertJob(job));
    await runJob(runtime, [backupHandler], messageOf(job), 0);
    const latest = await findLatest(runtime.ports.records);
    return (await runtime.ports.blobs.get(latest?.archive?.blob ?? ""))?.bytes;
  });
  rmSync(first, { recursive: true });
  archived = bytes ?? expect.unreachable("no archive was made");
});

beforeEach(() => {
  folder = temporaryFolder();
  archive = path.join(folder, "archive.jsonl.gz");
  writeFileSync(archive, archived);
});

const inside = () => readdirSync(folder).sort();

/** Forges the archive as somebody without the key could: no seal, no secrets, and checksums that match. */
function removeSeal(): void {
  const lines = gunzipSync(archived).toString().trimEnd().split("\n");
  const { sealing: _sealing, ...header } = JSON.parse(lines[0] ?? "");
  const { manifest } = JSON.parse(lines.at(-1) ?? "");
  const first = `${JSON.stringify(header)}\n`;
  const { secrets: _secrets, ...components } = manifest.components;
  const closing = { manifest: { ...manifest, components, header_sha256: sha256(first) } };
  const kept = lines.slice(1, -1).filter((line) => !line.includes('"sealed"'));
  writeFileSync(archive, `${[first.trimEnd(), ...kept, JSON.stringify(closing)].join("\n")}\n`);
}

it("accepts a forged archive without a key, which proves that the seal decides", async () => {
  removeSeal();
  expect((await restore(path.join(folder, "target"), archive)).code).toBe(0);
});

describe("npm run restore", () => {
  it("restores into a data folder that is missing or empty", async () => {
    const [absent, empty] = [path.join(folder, "absent"), path.join(folder, "empty")];
    mkdirSync(empty);
    for (const target of [absent, empty]) {
      const { code, said } = await restore(target, archive, "--key", KEY);
      expect([code, said]).toEqual([
        0,
        expect.stringMatching(/^Restored bak_\w+.*\n {2}1 records, 0 blobs, 1 secrets/),
      ]);
      const kept = await within(target, async ({ ports }) => [
        await ports.records.get(SETTING),
        await ports.secrets.get("sealing/data-key"),
      ]);
      expect(kept).toEqual([SETTING, "a key that seals stored secrets"]);
    }
    expect(inside()).toEqual(["absent", "archive.jsonl.gz", "empty"]);
  });

  it("removes what a killed restore left, and leaves a running one alone", async () => {
    const target = path.join(folder, "target");
    const [killed, working] = [`${target}.restoring-killed`, `${target}.restoring-working`];
    await within(killed, async () => undefined);
    await within(working, async () => {
      expect((await restore(target, archive, "--key", KEY)).code).toBe(0);
    });
    expect(inside()).toEqual(["archive.jsonl.gz", "target", path.basename(working)]);
  });

  it("refuses a folder that is not empty, and does not change it", async () => {
    const target = path.join(folder, "taken");
    mkdirSync(target);
    writeFileSync(path.join(target, "note"), "mine");
    const { code, said } = await restore(target, archive, "--key", KEY);
    expect([code, said]).toEqual([1, expect.stringMatching(/^Nothing was restored\. The folder .* is not empty/)]);
    expect(readFileSync(path.join(target, "note"), "utf8")).toBe("mine");
    expect(inside()).toEqual(["archive.jsonl.gz", "taken"]);
  });

  it.each([
    [
      "a truncated archive",
      () => writeFileSync(archive, readFileSync(archive).subarray(0, -20)),
      ["--key", KEY],
      /incomplete/,
    ],
    ["an archive whose seal was removed", removeSeal, ["--key", KEY], /not sealed.*unset BACKUP_KEY/],
    ["another key", () => {}, ["--key", "not the key of that archive"], /key is not the key of/],
    ["no key", () => {}, [], /BACKUP_KEY/],
    ["a key that is too short", () => {}, ["--key", "short"], /BACKUP_KEY/],
    ["an unknown option", () => {}, ["--force"], /force/],
  ])("refuses %s, and creates no folder", async (_, spoil, words, reason) => {
    spoil();
    const target = path.join(folder, "target");
    const { code, said } = await restore(target, archive, ...words);
    expect([code, said]).toEqual([1, expect.stringMatching(/^Nothing was restored\. /)]);
    expect(said).toMatch(reason);
    expect(existsSync(target)).toBe(false);
    expect(inside()).toEqual(["archive.jsonl.gz"]);
  });

  it("explains its usage without a file, and refuses a missing one", async () => {
    const target = path.join(folder, "target");
    expect((await restore(target)).said).toMatch(/Usage: npm run restore/);
    expect((await restore(target, path.join(folder, "nothing"))).said).toMatch(/does not exist/);
    expect(inside()).toEqual(["archive.jsonl.gz"]);
  });
});
