import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../test/fixtures/temporary-folder.ts";
import { discoverGroups, discoverWorkers } from "./discover.ts";

const GROUP = { prefixes: ["/notes"], capabilities: ["records"], memoryMb: 256, timeoutSeconds: 10 };
const WORKER = { capabilities: ["records"], memoryMb: 256, timeoutSeconds: 60 };

/** A functions folder with the given manifests, by path below it. */
function functionsFolder(manifests: Record<string, object>): string {
  const root = temporaryFolder();
  for (const [folder, manifest] of Object.entries(manifests)) {
    const role = folder.startsWith("workers/") ? "worker" : "group";
    mkdirSync(path.join(root, folder), { recursive: true });
    writeFileSync(path.join(root, folder, `${role}.ts`), `export const ${role} = ${JSON.stringify(manifest)};`);
    for (const name of role === "group" ? ["routes.ts", "handler.ts"] : ["handler.ts"])
      writeFileSync(path.join(root, folder, name), "export const routes = {};");
  }
  return root;
}

describe("discoverGroups", () => {
  it("finds groups by name, with their routes, and nothing in an empty folder", async () => {
    const folder = functionsFolder({
      notes: { name: "notes", ...GROUP },
      lists: { name: "lists", ...GROUP, prefixes: ["/lists"] },
    });
    const groups = await discoverGroups(folder);
    expect(groups.map(({ manifest }) => manifest.name)).toEqual(["lists", "notes"]);
    expect(groups[1]).toMatchObject({
      module: path.join(folder, "notes", "routes.ts"),
      handler: path.join(folder, "notes", "handler.ts"),
    });
    expect(await discoverGroups(temporaryFolder())).toEqual([]);
  });

  it.each([
    ["a name that is not its folder's", { name: "other", ...GROUP }, /is not its folder's/],
    ["a prefix of three segments", { name: "notes", ...GROUP, prefixes: ["/notes/all/old"] }, /prefixes/],
    ["an unknown capability", { name: "notes", ...GROUP, capabilities: ["teleport"] }, /capabilities/],
    ["secrets of every purpose", { name: "notes", ...GROUP, capabilities: ["secrets"] }, /capabilities/],
    ["secrets of an unknown purpose", { name: "notes", ...GROUP, capabilities: ["secrets:any"] }, /capabilities/],
    ["a timeout beyond the API's", { name: "notes", ...GROUP, timeoutSeconds: 60 }, /timeoutSeconds/],
    ["an unknown field", { name: "notes", ...GROUP, colour: "red" }, /colour/],
  ])("refuses %s", async (_what, manifest, problem) => {
    await expect(discoverGroups(functionsFolder({ notes: manifest }))).rejects.toThrow(problem);
  });

  it("refuses a prefix that two groups claim", async () => {
    const folder = functionsFolder({ notes: { name: "notes", ...GROUP }, papers: { name: "papers", ...GROUP } });
    await expect(discoverGroups(folder)).rejects.toThrow("'/notes' is claimed by two manifests");
  });
});

describe("discoverWorkers", () => {
  it("refuses a queue with two readers", async () => {
    const source = { queues: { names: ["letters"], batchSize: 10, maxReceives: 3, maxConcurrency: 2 } };
    const folder = functionsFolder({
      "workers/read": { name: "read", source, ...WORKER },
      "workers/sort": { name: "sort", source, ...WORKER },
    });
    await expect(discoverWorkers(folder)).rejects.toThrow("'letters' is claimed by two manifests");
  });

  it("refuses a batch larger than SQS allows", async () => {
    const source = { queues: { names: ["letters"], batchSize: 11, maxReceives: 3, maxConcurrency: 2 } };
    const folder = functionsFolder({ "workers/read": { name: "read", source, ...WORKER } });
    await expect(discoverWorkers(folder)).rejects.toThrow(/source/);
  });

  it("allows only one worker for dead letters, and only for existing queues", async () => {
    const letters = { queues: { names: ["letters"], batchSize: 10, maxReceives: 3, maxConcurrency: 20 } };
    const dead = { deadLetters: { of: ["letters"], batchSize: 10 } };
    const read = { "workers/read": { name: "read", source: letters, ...WORKER } };
    const bury = { "workers/bury": { name: "bury", source: dead, ...WORKER } };
    const burn = { "workers/burn": { name: "burn", source: dead, ...WORKER } };
    expect(await discoverWorkers(functionsFolder({ ...read, ...bury }))).toHaveLength(2);
    await expect(discoverWorkers(functionsFolder(bury))).rejects.toThrow("dead letters of 'letters'");
    await expect(discoverWorkers(functionsFolder({ ...read, ...bury, ...burn }))).rejects.toThrow(
      "'letters' is claimed",
    );
  });
});
