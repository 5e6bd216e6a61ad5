import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  FOREIGN_KEY,
  type ForeignServer,
  type Mem0Memory,
  startMem0,
  startZep,
  type ZepGraph,
} from "../fixtures/foreign-services.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { runMemory } from "./command-line.ts";

const USERS = { ada: 230, ben: 20 };
const DAY = "2025-03-02T09:30:00.000Z";

let service: LocalService;
let url: string;
let foreign: ForeignServer | undefined;

beforeAll(async () => {
  service = await openService();
  url = await service.host.listen();
});
afterAll(() => service.close());
afterEach(async () => {
  await foreign?.close();
  foreign = undefined;
});

const MEMORIES: Mem0Memory[] = Object.entries(USERS).flatMap(([user_id, count]) =>
  Array.from({ length: count }, (_, index) => ({
    ...{
      id: `${user_id}-${index}`,
      memory: `Bought book number ${index}.`,
      user_id,
      agent_id: index < 3 ? "shop" : null,
    },
    ...{ metadata: { shelf: index }, categories: null, created_at: DAY, updated_at: DAY, expiration_date: null },
  })),
);

const GRAPHS: Record<string, ZepGraph> = Object.fromEntries(
  Object.entries(USERS).map(([user, count]) => [
    user,
    {
      edges: Array.from({ length: count }, (_, index) => ({
        ...{
          uuid: `${user}-e${String(index).padStart(4, "0")}`,
          fact: `${user} bought book number ${index}.`,
          name: "BOUGHT",
        },
        ...{
          created_at: "2025-05-05T05:05:05Z",
          valid_at: DAY,
          invalid_at: index === 7 ? "2025-04-01T00:00:00Z" : null,
        },
      })),
      nodes: [
        { uuid: `${user}-n1`, name: user, summary: `${user} collects old books.`, created_at: DAY, labels: ["User"] },
        { uuid: `${user}-n2`, name: "Shelf", summary: "", created_at: DAY, labels: ["Entity"] },
      ],
    },
  ]),
);

/** Runs `memory migrate` in a folder against the stand-in. */
async function migrating(source: "mem0" | "zep") {
  const folder = temporaryFolder();
  const { key } = await createOrganization(service);
  const own = { mem0: ["MEM0_URL", "MEM0_API_KEY"], zep: ["ZEP_API_URL", "ZEP_API_KEY"] }[source];
  const environment = {
    MEMORY_URL: url,
    MEMORY_API_KEY: key,
    [own[0] ?? ""]: foreign?.url ?? "",
    [own[1] ?? ""]: FOREIGN_KEY,
  };
  const file = path.join(folder, `${source}-memories.jsonl`);
  return {
    file,
    environment,
    rows: () =>
      readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    run: (...words: string[]) => runMemory(["migrate", source, ...words], environment, "", folder),
    list: async (user: string) => {
      const { body } = await service.request("GET", `/memories?user_id=${user}&limit=100`, { key });
      return body.data as { memories: Record<string, unknown>[]; pagination: { total: number } };
    },
  };
}

describe("memory migrate mem0", () => {
  it("fetches all pages of all users, keeps times, and stores what is migrated twice once", async () => {
    foreign = await startMem0(MEMORIES);
    foreign.fail([429, 503]);
    const { run, list, file } = await migrating("mem0");
    const first = await run("--json");
    expect(first, first.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(first.stdout)).toMatchObject({ fetched: 250, imported: 250, skipped: 0, failed: 0, reasons: {} });
    const { memories, pagination } = await list("ada");
    expect(pagination.total).toBe(USERS.ada);
    expect(memories[0]).toMatchObject({
      user_id: "ada",
      created_at: DAY,
      occurred_at: DAY,
      metadata: { shelf: expect.any(Number) },
    });
    expect(JSON.parse(readFileSync(`${file}.report.json`, "utf8"))).toMatchObject({
      fetched: 250,
      imported: 250,
      failures: [],
    });
    const asked = foreign.requests.length;
    const second = await run("--json");
    expect(JSON.parse(second.stdout)).toMatchObject({ fetched: 250, imported: 0, skipped: 250, failed: 0 });
    expect(foreign.requests).toHaveLength(asked);
  });

  it("only fetches and counts with --dry-run, and continues from there", async () => {
    foreign = await startMem0(MEMORIES);
    const { run, list, rows } = await migrating("mem0");
    const dry = await run("--dry-run", "--user", "ben");
    expect([dry.code, dry.stdout]).toEqual([
      0,
      expect.stringMatching(/^20 rows of mem0 in \S+; nothing was imported$/),
    ]);
    expect([rows().length, (await list("ben")).pagination.total]).toEqual([20, 0]);
    const whole = await run();
    expect([whole.code, whole.stderr]).toEqual([1, expect.stringMatching(/has rows from .*"user":"ben".*\n.*--file/s)]);
    expect((await run("--user", "ben")).stdout).toContain("20 imported, 0 skipped, 0 failed");
  });

  it("resumes after the last complete page when it was stopped, whatever the file has behind it", async () => {
    foreign = await startMem0(MEMORIES);
    const { run, rows, file } = await migrating("mem0");
    const entities = "GET /v1/entities/";
    // The third page of the first user fails for good.
    foreign.fail([400], 3);
    const stopped = await run("--dry-run");
    expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining("was answered 400")]);
    expect(rows()).toHaveLength(200);
    writeFileSync(file, `${readFileSync(file, "utf8")}{"id":"half a li`);
    const asked = foreign.requests.length;
    expect(await run("--dry-run")).toMatchObject({ code: 0, stdout: expect.stringContaining("250 rows") });
    expect(new Set(rows().map(({ id }) => id)).size).toBe(250);
    const pages = foreign.requests.slice(asked).filter((request) => request !== entities);
    expect(pages[0]).toBe("POST /v3/memories/?page=3&page_size=100");
  });

  it("needs a key, refuses other services, and names what was refused", async () => {
    foreign = await startMem0(MEMORIES);
    const { run, environment, file } = await migrating("mem0");
    const { MEM0_API_KEY: _, ...without } = environment;
    const missing = await runMemory(["migrate", "mem0"], without);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("Set MEM0_API_KEY")]);
    expect((await runMemory(["migrate", "other"], environment)).code).toBe(2);
    writeFileSync(file, "mine\n");
    expect((await run()).code).toBe(1);
    expect(readFileSync(file, "utf8")).toBe("mine\n");
    truncateSync(file, 0);
    const wrong = await runMemory(["migrate", "mem0", "--file", `${file}.2`], {
      ...environment,
      MEM0_API_KEY: "wrong",
    });
    expect([wrong.code, wrong.stderr.includes("was answered 401"), wrong.stderr.includes("wrong")]).toEqual([
      1,
      true,
      false,
    ]);
    expect(existsSync(`${file}.report.json`)).toBe(false);
  });
});

describe.each([{ hasCursors: false }, { hasCursors: true }])("memory migrate zep, %j", (options) => {
  it("fetches the facts and summaries of all users with their times, and tells why some are left out", async () => {
    foreign = await startZep(GRAPHS, options);
    const { run, list } = await migrating("zep");
    const { code, stdout, stderr } = await run("--json");
    expect(code, stderr).toBe(1);
    // Two facts have ended, and two nodes have no summary.
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ fetched: 254, imported: 250, skipped: 0, failed: 4 },
      reasons: {
        "is a fact that ended at …; only facts that hold are imported": 2,
        "is the node … without a summary": 2,
      },
    });
    const { memories, pagination } = await list("ada");
    expect(pagination.total).toBe(USERS.ada);
    const fact = memories.find(({ content }) => String(content).includes("bought"));
    expect(fact).toMatchObject({
      user_id: "ada",
      occurred_at: DAY,
      metadata: { imported_from: "zep", relation: "BOUGHT" },
    });
    const again = await run("--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ imported: 0, skipped: 250, failed: 4 });
  });
});
