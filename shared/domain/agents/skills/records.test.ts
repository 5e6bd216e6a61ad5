import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { openIdleRuntime } from "../../../../test/support/idle-runtime.ts";
import { newSkill } from "../../../../test/support/skills.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import type { Ports } from "../../../ports/ports.ts";
import { confidenceOf, stated } from "./confidence.ts";
import {
  countOutcome,
  countUse,
  findSkill,
  findSkillIdByName,
  insertSkill,
  judgeSkill,
  listSkills,
  removeSkill,
  replaceSkill,
  settleUses,
} from "./records.ts";
import type { Skill } from "./skill.ts";
import { listVersions } from "./versions.ts";

let ports: Ports;
let organizations = 0;

beforeEach(async () => {
  ({ ports } = (await openIdleRuntime()).runtime);
});

const AT = "2026-01-01T00:00:00.000Z";

describe("uses, changes and reviews that come in any order", () => {
  /** Each client reads a skill and later writes a change based on that read. */
  const step = fc.record({
    client: fc.nat(3),
    act: fc.constantFrom("use", "fail", "unknown", "read", "settle", "restate", "reword", "judge"),
  });

  it("lose no use, and keep sort keys and confidence consistent with the counts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const ctx = { ports, org: `org_${organizations++}` };
        const { org } = ctx;
        await ports.records.write(...insertSkill(newSkill({ org, name: "Tea" })));
        const current = async () => (await findSkill(ctx, "skill_1"))!;
        const views = new Map<number, Skill>();
        /** Clients that have counted but not settled yet, with what each of them has read since, if anything. */
        const unsettled = new Map<number, Skill | undefined>();
        const expected = { usage_count: 0, outcomes: 0, successes: 0 };
        /** The evidence of replaced versions. */
        const kept: Pick<Skill, "outcomes" | "successes">[] = [];
        for (const { client, act } of steps) {
          const seen = views.get(client) ?? (await current());
          const next = { ...seen, version: seen.version + 1, verified: false, human_reviewed: false };
          if (act === "read") {
            views.set(client, await current());
            if (unsettled.has(client)) unsettled.set(client, await current());
          }
          if (act === "use" || act === "fail") {
            const { version } = await current();
            await ports.records.write(countOutcome({ org, id: "skill_1", version }, AT, act === "use"));
            unsettled.set(client, undefined);
            expected.usage_count++;
            expected.outcomes++;
            expected.successes += act === "use" ? 1 : 0;
          }
          if (act === "unknown") {
            await ports.records.write(countUse({ org, id: "skill_1" }, AT));
            unsettled.set(client, undefined);
            expected.usage_count++;
          }
          if (act === "settle" && unsettled.has(client)) {
            await settleUses(ports.records, unsettled.get(client) ?? (await current()));
            unsettled.delete(client);
          }
          if (act === "judge" && (await tryWrite(ctx, ...judgeSkill(seen, true)))) {
            unsettled.set(client, undefined);
            expected.outcomes++;
            expected.successes++;
          }
          if (act === "reword" || act === "restate") {
            const after = { ...next, ...stated(act === "reword" ? seen.stated_confidence : 0.9) };
            if (await tryWrite(ctx, ...replaceSkill(seen, after))) {
              kept.push({ outcomes: expected.outcomes, successes: expected.successes });
              Object.assign(expected, { outcomes: 0, successes: 0 });
            }
          }
        }
        // Clients with an outdated read come last.
        const byAge = [...unsettled.values()].sort(
          (one, other) => Number(one !== undefined) - Number(other !== undefined),
        );
        for (const view of byAge) await settleUses(ports.records, view ?? (await current()));
        const skill = await current();
        expect(skill).toMatchObject(expected);
        const { items: versions } = await listVersions(ctx, skill, { limit: 100, offset: 0 });
        expect(versions.slice(0, -1)).toMatchObject(kept);
        expect(versions.at(-1)).toMatchObject({ version: skill.version, outcomes: expected.outcomes });
        expect(skill.confidence).toBeCloseTo(confidenceOf(skill));
        const more = newSkill({ org, id: "skill_2", name: "Coffee", usage_count: expected.usage_count + 1 });
        const usage_count = Math.max(0, expected.usage_count - 1);
        const less = newSkill({ org, id: "skill_3", name: "Milk", usage_count, created_at: "2025" });
        await ports.records.write(...insertSkill(more), ...insertSkill(less).slice(0, 2));
        const mostUsed = { field: "usage_count", descending: true } as const;
        const { items } = await listSkills(ctx, {}, mostUsed, { limit: 5, offset: 0 });
        expect(items.map(({ id }) => id)).toEqual(["skill_2", "skill_1", "skill_3"]);
      }),
      { numRuns: 200 },
    );
  });
});

describe("names that are added and removed in any order", () => {
  const NAMES = ["Tea", " tea", "TEA ", "Coffee", "Milk"];
  const IDS = ["skill_1", "skill_2", "skill_3"];
  const step = fc.record({
    id: fc.constantFrom(...IDS),
    name: fc.constantFrom(...NAMES),
    act: fc.constantFrom("make", "rename", "remove"),
    stale: fc.boolean(),
  });

  it("belong to one skill each, and the count equals the number of skills", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const ctx = { ports, org: `org_${organizations++}` };
        const views = new Map<string, Skill>();
        for (const { id, name, act, stale } of steps) {
          const seen = (stale ? views.get(id) : undefined) ?? (await findSkill(ctx, id));
          if (seen) views.set(id, seen);
          if (act === "make") await tryWrite(ctx, ...insertSkill(newSkill({ org: ctx.org, id, name })));
          if (act === "rename" && seen) {
            await tryWrite(ctx, ...replaceSkill(seen, { ...seen, name, version: seen.version + 1 }));
          }
          if (act === "remove" && seen) await tryWrite(ctx, ...removeSkill(seen));
        }
        const live = (await Promise.all(IDS.map((id) => findSkill(ctx, id)))).flatMap((skill) => skill ?? []);
        for (const { id, name } of live) expect(await findSkillIdByName(ctx, name)).toBe(id);
        const page = { limit: 1, offset: 0 };
        for (const field of ["name", "usage_count", "updated_at"] as const) {
          const { total, items } = await listSkills(ctx, {}, { field, descending: false }, page);
          expect([field, total, items.length]).toEqual([field, live.length, Math.min(1, live.length)]);
        }
        for (const name of NAMES) {
          const holder = await findSkillIdByName(ctx, name);
          if (holder !== undefined) expect(live.map(({ id }) => id)).toContain(holder);
        }
      }),
      { numRuns: 60 },
    );
  });
});
