import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrganization, type LocalService, openService } from "../../../test/support/service.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import { type Logger, silentLogger } from "../../kernel/logger.ts";
import { OPERATOR_ORG } from "../access/operator.ts";
import { audit, recordAudit } from "./audit.ts";
import { listAudit } from "./records.ts";

const PAGE = { limit: 100, offset: 0 };
const START = Date.parse("2026-01-31T12:00:00Z");
let service: LocalService;
let now = START;

beforeAll(async () => {
  service = await openService({ AUDIT_RETENTION_DAYS: "30" }, () => now);
});

afterAll(() => service.close());

const scopeOf = (org: string) => ({ ...service.runtime, org });
const records = () => service.runtime.ports.records;

describe("an audit record", () => {
  it("states who did what to what, from where, and is written with the action or not at all", async () => {
    const { org, key } = await createOrganization(service);
    const made = await service.request("POST", "/api-keys", { key, body: { name: "n", permissions: ["memory:read"] } });
    const { entries, total } = await listAudit(records(), { org }, {}, PAGE);
    expect(total).toBe(1);
    expect(entries).toEqual([
      {
        id: expect.stringMatching(/^log_/),
        org,
        at: new Date(now).toISOString(),
        actor: { kind: "api_key", id: expect.stringMatching(/^ak_/) },
        action: "api_key.created",
        service: "api_key",
        level: "info",
        outcome: "success",
        target: made.body.data.id,
        details: { permissions: ["memory:read"] },
        request_id: made.headers.get("x-request-id"),
      },
    ]);
    await service.request("DELETE", `/api-keys/${made.body.data.id}`, { key });
    const refused = await service.request("PUT", `/api-keys/${made.body.data.id}`, { key, body: { name: "again" } });
    expect(refused.status).toBe(409);
    const actions = (await listAudit(records(), { org }, {}, PAGE)).entries.map(({ action }) => action);
    expect(actions.sort()).toEqual(["api_key.created", "api_key.revoked"]);
  });

  it("of an unknown actor names nobody and logs a warning", async () => {
    const org = "org_of_a_failed_sign_in";
    await recordAudit(scopeOf(org), { action: "auth.login", outcome: "refused", target: "user_1" });
    await recordAudit(scopeOf(org), { action: "auth.login", outcome: "failed" });
    const { entries } = await listAudit(records(), { org }, {}, PAGE);
    expect(entries.map(({ actor, level }) => [actor, level])).toEqual([
      [{ kind: "anonymous" }, "error"],
      [{ kind: "anonymous" }, "warn"],
    ]);
  });

  it("is kept for the configured time", async () => {
    const org = "org_of_old_records";
    await recordAudit(scopeOf(org), { action: "auth.login" });
    const [at, hasIt] = [now, async () => (await listAudit(records(), { org }, {}, PAGE)).entries.length];
    now = at + 30 * DAY_MS - 1000;
    expect(await hasIt()).toBe(1);
    now = at + 30 * DAY_MS + 1000;
    expect(await hasIt()).toBe(0);
  });

  it("that cannot be written is logged and does not fail the action", async () => {
    const lines: unknown[] = [];
    const logger: Logger = { ...silentLogger, error: (...line) => lines.push(line) };
    const write = () => Promise.reject(new Error("down"));
    const ports = { ...service.runtime.ports, records: { ...records(), write } };
    await recordAudit({ ...scopeOf("org_1"), ports, logger }, { action: "auth.login", target: "user_1" });
    expect(lines).toMatchObject([["AUDIT_NOT_WRITTEN", { org: "org_1", action: "auth.login", target: "user_1" }]]);
  });
});

describe("the list of audit records", () => {
  const org = "org_with_a_list";
  const at: string[] = [];

  beforeAll(async () => {
    for (const outcome of ["success", "refused", "failed"] as const) {
      now += 1000;
      at.push(new Date(now).toISOString());
      const writes = [
        audit(scopeOf(org), { action: "auth.login", outcome, details: { place: at.length } }),
        audit(scopeOf("org_with_another"), { action: "user.created", outcome }),
      ];
      await records().write(...writes);
    }
  });

  const placesOf = async (filter: Parameters<typeof listAudit>[2], page = PAGE) => {
    const { entries, ...rest } = await listAudit(records(), { org }, filter, page);
    return { places: entries.map(({ details }) => details.place), ...rest };
  };

  it("is newest first, in pages, and of one organization", async () => {
    expect(await placesOf({})).toEqual({ places: [3, 2, 1], total: 3, hasNext: false });
    const cursor = expect.any(String);
    expect(await placesOf({}, { limit: 1, offset: 1 })).toEqual({ places: [2], total: 3, hasNext: true, cursor });
  });

  it.each([
    ["a level", { level: "warn" }, [2]],
    ["a service", { service: "auth" }, [3, 2, 1]],
    ["another service", { service: "user" }, []],
    ["a start", { from: 1 }, [3, 2]],
    ["an end", { to: 1 }, [2, 1]],
    ["a span", { from: 1, to: 1 }, [2]],
  ] as const)("may be limited to %s", async (_what, filter, expected) => {
    const bounds = Object.fromEntries(
      Object.entries(filter).map(([name, value]) => [name, typeof value === "number" ? at[value] : value]),
    );
    expect((await placesOf(bounds)).places).toEqual(expected);
  });

  it("of the whole deployment includes every organization's", async () => {
    const { entries } = await listAudit(records(), "deployment", { from: at[0] }, PAGE);
    expect(new Set(entries.map((entry) => entry.org))).toEqual(new Set([org, "org_with_another"]));
    await recordAudit(scopeOf(OPERATOR_ORG), { action: "auth.login", outcome: "refused" });
    const [newest] = (await listAudit(records(), "deployment", {}, PAGE)).entries;
    expect(newest).toMatchObject({ org: OPERATOR_ORG });
  });
});
