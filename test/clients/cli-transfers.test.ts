import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_UPLOAD_BYTES } from "../../clients/typescript/src/cli/transfers.ts";
import { MAX_FILE_BYTES } from "../../shared/domain/integration/transfers/export.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { runMemory } from "./command-line.ts";

const METADATA_BYTES = 16_000;

let service: LocalService;
let url: string;

beforeAll(async () => {
  service = await openService();
  url = await service.host.listen();
});
afterAll(() => service.close());

/** Returns the environment variables for a new organization. */
async function newEnvironment(): Promise<Record<string, string>> {
  const { key } = await createOrganization(service);
  return { MEMORY_URL: url, MEMORY_API_KEY: key };
}

/** Returns rows that together exceed the limits of a request and of an export file. */
const longRows = () =>
  Array.from({ length: Math.ceil(MAX_FILE_BYTES / METADATA_BYTES) + 1 }, (_, index) => ({
    id: `note-${index}`,
    content: `Note ${index}`,
    user_id: "ada",
    metadata: { filling: "x".repeat(METADATA_BYTES) },
  }));

function fileOf(name: string, content: string): string {
  const file = path.join(temporaryFolder(), name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

describe("memory import", () => {
  it("stores the rows of a file, tells progress, and skips those that are there", async () => {
    const environment = await newEnvironment();
    const rows = longRows().slice(0, 3);
    const file = fileOf("notes.jsonl", rows.map((row) => JSON.stringify(row)).join("\n"));
    const first = await runMemory(["import", file], environment);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("3 imported, 0 skipped, 0 failed") });
    expect(first.stderr).toMatch(/^Import evt_\w+ began\.\n(?:\d of 3 rows\n?)+$/);
    const second = await runMemory(["import", file, "--json"], environment);
    expect([second.stderr, JSON.parse(second.stdout)]).toMatchObject(["", { imported: 0, skipped: 3 }]);
  });

  it("refuses a file that .memoryignore names", async () => {
    const file = fileOf("private/notes.json", JSON.stringify([{ content: "Secret." }]));
    writeFileSync(path.join(path.dirname(file), ".memoryignore"), "*.json\n");
    const { code, stdout, stderr } = await runMemory(["import", file], await newEnvironment());
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(/not sent\.\n.*\.memoryignore/)]);
  });

  it("ends with 1 and names the rows that fail", async () => {
    const file = fileOf("notes.json", JSON.stringify([{ content: "Good." }, { content: 5 }]));
    const { code, stdout, stderr } = await runMemory(["import", file, "--user", "ada"], await newEnvironment());
    expect([code, stdout]).toEqual([1, expect.stringContaining("1 imported, 0 skipped, 1 failed")]);
    expect(stderr).toContain("row 1: ");
    const unreadable = await runMemory(["import", fileOf("notes.csv", "\0\0")], await newEnvironment());
    expect(unreadable.code).toBe(1);
    const missing = await runMemory(["import", "/no/such/file"], await newEnvironment());
    expect(missing).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("no file '/no/such/file'") });
  });
});

describe("memory export", () => {
  it("writes several files as one, which imports as it is, by a link where it is too long for a request", async () => {
    expect(MAX_UPLOAD_BYTES).toBe(MAX_FILE_BYTES);
    const rows = longRows();
    const environment = await newEnvironment();
    const long = fileOf("long.json", JSON.stringify(rows));
    expect((await runMemory(["import", long], environment)).stdout).toContain(`${rows.length} imported`);
    for (const format of ["json", "jsonl", "csv"]) {
      const file = path.join(temporaryFolder(), `memories.${format}`);
      const exported = await runMemory(["export", file, "--user", "ada", "--json"], environment);
      expect(exported.code).toBe(0);
      expect(JSON.parse(exported.stdout).files.length).toBeGreaterThan(1);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(file).size).toBeGreaterThan(MAX_UPLOAD_BYTES);
      expect(readdirSync(path.dirname(file))).toEqual([`memories.${format}`]);
      const again = JSON.parse((await runMemory(["import", file, "--json"], environment)).stdout);
      expect(again).toMatchObject({ imported: 0, skipped: rows.length, progress: { failed: 0 } });
    }
  });

  it("writes to stdout, and of one user, category or type alone", async () => {
    const environment = await newEnvironment();
    await runMemory(["remember", "Ada drinks tea.", "--user", "ada"], environment);
    await runMemory(["remember", "Ben drinks coffee.", "--user", "ben"], environment);
    const { stdout, stderr } = await runMemory(["export", "-", "--user", "ada", "--format", "jsonl"], environment);
    expect(stdout.split("\n").map((line) => JSON.parse(line))).toMatchObject([{ content: "Ada drinks tea." }]);
    expect(stderr).toContain("1 memories written");
    const none = await runMemory(["export", "-", "--category", "none"], environment);
    expect(JSON.parse(none.stdout).memories).toEqual([]);
  });

  it("leaves the file as it was where it fails", async () => {
    const file = fileOf("kept.json", "kept");
    const refused = await runMemory(["export", file], { ...(await newEnvironment()), MEMORY_API_KEY: "no-such-key" });
    expect([refused.code, readFileSync(file, "utf8"), readdirSync(path.dirname(file))]).toEqual([
      1,
      "kept",
      ["kept.json"],
    ]);
  });
});
