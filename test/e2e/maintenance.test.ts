import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrganization, type TestedService } from "../support/service.ts";
import { Caller, eventually, IS_DEPLOYED, openTestedService } from "../support/target.ts";

let service: TestedService;
let operator: Caller;

beforeAll(async () => {
  service = await openTestedService();
  operator = new Caller(service, service.adminKey);
});

afterAll(() => service.close());

const organization = async () => operator.as((await createOrganization(service)).key);

const jobOf = async (id: string) => (await operator.get(`/admin/jobs?job_id=${id}`)).body.data.jobs[0];

async function sync(body: object) {
  const begun = await operator.post("/admin/sync", body);
  expect(begun.status, JSON.stringify(begun.body)).toBe(202);
  return over(begun.body.data.job_id);
}

/** A sync also runs due chores of these components, which other tests in the same deployment create at any time. */
const WITH_CHORES = ["sessions", "agents", "sources", "users"];

/** A sync processes all data that other tests left in a deployment. */
const JOB_MS = IS_DEPLOYED ? 240_000 : 10_000;

const over = (id: string) =>
  eventually(async () => {
    const job = await jobOf(id);
    expect(["completed", "failed", "superseded"], JSON.stringify(job)).toContain(job.status);
    return job;
  }, JOB_MS);

describe("a cleanup", () => {
  // Data of other tests in the deployment takes longer than a request waits for the report.
  it.skipIf(IS_DEPLOYED)(
    "returns the documented report with one result for each operation (if all is clean)",
    async () => {
      const operations = ["orphaned_memories", "expired_sessions", "old_logs", "temp_files"];
      const isOnAws = service.runtime.config.PLATFORM === "aws";
      for (const dry_run of [true, false]) {
        const { status, body } = await operator.post("/admin/cleanup", { operations, dry_run, older_than_days: 1 });
        expect([status, body.data]).toEqual([
          200,
          {
            cleanup_summary: {
              operations_performed: operations.length - (isOnAws ? 1 : 0),
              total_items_processed: 0,
              space_freed_mb: 0,
              time_taken_ms: expect.any(Number),
            },
            operation_results: operations.map((operation) => ({
              operation,
              items_processed: 0,
              space_freed_mb: 0,
              // On AWS the retention of the log groups deletes old logs.
              status: isOnAws && operation === "old_logs" ? "skipped" : "completed",
            })),
          },
        ]);
      }
    },
  );

  it("uses thirty days and no dry run by default", async () => {
    const { status } = await operator.post("/admin/cleanup", { operations: ["temp_files"] });
    expect(status).toBe(200);
    const { jobs } = (await operator.get("/admin/jobs?type=cleanup&limit=1")).body.data;
    expect(jobs[0]).toMatchObject({ type: "cleanup", status: "completed", dry_run: false, error: null });
  });
});

describe("a sync", () => {
  it("reports by component, and repairs nothing if nothing is wrong", async () => {
    const tenant = await organization();
    const skill = { name: "Tea", trigger: "a guest comes", action: "Serve tea.", domain: "house", confidence: 0.5 };
    const made = [await tenant.post("/memories", { content: "Ada drinks tea." }), await tenant.post("/skills", skill)];
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    const components = ["memories", "sessions", "skills", "agents", "sources", "webhooks", "users", "config", "blobs"];
    const everything = { components: [...components, "search_index"] };
    // Other tests may have left something to repair in the deployment.
    if (IS_DEPLOYED) await sync(everything);
    const job = await sync(everything);
    expect(job).toMatchObject({ type: "sync", status: "completed", full_sync: false, error: null });
    expect(job.components.map(({ component }: { component: string }) => component)).toEqual([
      ...components,
      "search_index",
    ]);
    for (const { component, repaired, removed, failed } of job.components) {
      const due = IS_DEPLOYED && WITH_CHORES.includes(component) ? repaired : 0;
      expect({ component, repaired, removed, failed }).toEqual({ component, repaired: due, removed: 0, failed: 0 });
    }
    const checked = Object.fromEntries(
      job.components.map((each: { component: string; checked: number }) => [each.component, each.checked]),
    );
    expect(checked).toMatchObject({ memories: expect.any(Number), skills: expect.any(Number) });
    expect(checked.memories).toBeGreaterThanOrEqual(1);
    expect(checked.search_index).toBeGreaterThanOrEqual(2);
  });

  it("with full_sync rebuilds the index during writes, and loses nothing", async () => {
    const tenant = await organization();
    const made: string[] = [];
    const store = async (content: string) => {
      const { body } = await tenant.post("/memories", { content });
      made.push(body.data.id);
      return body.data.id as string;
    };
    for (let position = 0; position < 20; position++) await store(`Guest ${position} drinks tea.`);
    const begun = await operator.post("/admin/sync", { components: ["search_index"], full_sync: true });
    expect(begun.status).toBe(202);
    let ended = false;
    const write = async (writer: number) => {
      for (let turn = 0; !ended && turn < 200; turn++) {
        const id = await store(`Writer ${writer} brings cake ${turn}.`);
        if (turn % 3 === 0) await tenant.put(`/memories/${id}`, { content: `Writer ${writer} brings pie ${turn}.` });
        if (turn % 4 === 0) await tenant.delete(`/memories/${id}`);
      }
    };
    const writers = [1, 2, 3].map(write);
    const job = await over(begun.body.data.job_id);
    ended = true;
    await Promise.all(writers);
    expect(job).toMatchObject({ status: "completed", full_sync: true, error: null });
    // Anything to repair now would be a lost write.
    const after = await sync({ components: ["memories", "search_index"] });
    expect(after.components).toEqual([
      { component: "memories", checked: expect.any(Number), repaired: 0, removed: 0, failed: 0 },
      { component: "search_index", checked: expect.any(Number), repaired: 0, removed: 0, failed: 0 },
    ]);
    expect(made.length).toBeGreaterThan(20);
  });

  it("runs alone, unless force_sync replaces the running one", async () => {
    const bodies = Array.from({ length: 6 }, () => ({ components: ["search_index"], full_sync: true }));
    const answers = await Promise.all(bodies.map((body) => operator.post("/admin/sync", body)));
    const begun = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status !== 202);
    expect(begun.length).toBeGreaterThanOrEqual(1);
    for (const { status, body } of refused) {
      expect([status, body.error?.code]).toEqual([409, "CONFLICT"]);
      expect(body.error?.details.job_id).toMatch(/^job_/);
    }
    const forced = await operator.post("/admin/sync", { components: ["config"], force_sync: true });
    expect(forced.status).toBe(202);
    expect(await over(forced.body.data.job_id)).toMatchObject({ status: "completed" });
    for (const { body } of begun) expect(["completed", "superseded"]).toContain((await over(body.data.job_id)).status);
  });
});

describe("rejected maintenance requests", () => {
  it("require the operator", async () => {
    const tenant = await organization();
    const answers = [
      await tenant.post("/admin/cleanup", { operations: ["temp_files"] }),
      await tenant.post("/admin/sync", { components: ["config"] }),
      await tenant.get("/admin/jobs?type=cleanup"),
    ];
    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(
      answers.map(() => [403, "FORBIDDEN"]),
    );
  });

  const countJobs = async () => (await operator.get("/admin/jobs?limit=1")).body.data.pagination.total;

  it.each([
    ["no operations", {}, "operations"],
    ["an empty list", { operations: [] }, "operations"],
    ["an unknown name", { operations: ["temp_files", "everything"] }, "operations"],
    ["text instead of a list", { operations: "temp_files" }, "operations"],
    ["zero days", { operations: ["temp_files"], older_than_days: 0 }, "older_than_days"],
    ["negative days", { operations: ["temp_files"], older_than_days: -1 }, "older_than_days"],
    ["half days", { operations: ["temp_files"], older_than_days: 1.5 }, "older_than_days"],
    ["days as text", { operations: ["temp_files"], older_than_days: "30" }, "older_than_days"],
    ["too many days", { operations: ["temp_files"], older_than_days: 1e9 }, "older_than_days"],
    ["a dry run as text", { operations: ["temp_files"], dry_run: "no" }, "dry_run"],
  ])("for a cleanup with %s start no job", async (_what, body, field) => {
    const before = await countJobs();
    const answer = await operator.post("/admin/cleanup", body);
    expect([answer.status, answer.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(JSON.stringify(answer.body.error?.details)).toContain(field);
    expect(await countJobs()).toBe(before);
  });

  it.each([
    ["no components", {}, "components"],
    ["an empty list", { components: [] }, "components"],
    ["an unknown name", { components: ["config", "everything"] }, "components"],
    ["a flag as text", { components: ["config"], full_sync: "yes" }, "full_sync"],
    ["another flag as a number", { components: ["config"], force_sync: 1 }, "force_sync"],
  ])("for a sync with %s start no job", async (_what, body, field) => {
    const before = await countJobs();
    const answer = await operator.post("/admin/sync", body);
    expect([answer.status, answer.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(JSON.stringify(answer.body.error?.details)).toContain(field);
    expect(await countJobs()).toBe(before);
  });

  it.each(["limit=0", "limit=201", "offset=-1", "type=backup", "status=done", "job_id="])(
    "for a list of jobs with %s return 400",
    async (query) => {
      expect((await operator.get(`/admin/jobs?${query}`)).status).toBe(400);
    },
  );

  it("for an unknown job return an empty list", async () => {
    const { status, body } = await operator.get("/admin/jobs?job_id=job_absent");
    expect([status, body.data.jobs, body.data.pagination.total]).toEqual([200, [], 0]);
  });
});
