import { expect, it } from "vitest";
import { insertSkill, removeSkill } from "../../../shared/domain/agents/skills/records.ts";
import type { Skill } from "../../../shared/domain/agents/skills/skill.ts";
import { skillsPartition } from "../../../shared/ports/partitions.ts";
import type { StoredRecord, Write } from "../../../shared/ports/record-store.ts";
import { openIdleRuntime } from "../../../test/support/idle-runtime.ts";
import { newSkill } from "../../../test/support/skills.ts";
import { createSkillIndexer } from "./skills.ts";

const ORG = "org_test";

/** The record of a skill as the change feed contains it. */
function recordOf(skill: Skill): StoredRecord {
  const puts = insertSkill(skill).flatMap((write) => ("put" in write ? [write.put] : []));
  const [record] = puts.filter(({ kind }) => kind === "skill");
  if (!record) throw new Error("the skill has no record");
  return record;
}

async function setUp() {
  const idle = await openIdleRuntime();
  const { ports } = idle.runtime;
  let embedded = 0;
  const counting: typeof ports.embedder = {
    ...ports.embedder,
    embed: (texts, options) => {
      embedded += texts.length;
      return ports.embedder.embed(texts, options);
    },
  };
  const runtime = idle.runtimeWith({ embedder: counting });
  const index = createSkillIndexer(runtime);
  /** Passes changes to the indexer, each as a skill before and after. */
  const apply = (...changes: [Skill | undefined, Skill | undefined][]) =>
    index(
      changes.map(([before, after], position) => ({
        key: { pk: recordOf((after ?? before) as Skill).pk, sk: "skill" },
        before: before && recordOf(before),
        after: after && recordOf(after),
        sequence: String(position),
      })),
    );
  const count = (org: string) => ports.search.count({ org, now: Date.now() });
  return { ports, apply, count, embedded: () => embedded };
}

it("indexes skills in a separate partition", async () => {
  const { apply, count } = await setUp();
  await apply([undefined, newSkill()], [undefined, newSkill({ id: "skill_2" })]);
  expect([await count(skillsPartition(ORG)), await count(ORG)]).toEqual([2, 0]);
});

it("has the same result for repeated and late changes", async () => {
  const { ports, apply, count } = await setUp();
  const [first, second] = [newSkill(), newSkill({ version: 2, trigger: "a guest asks for coffee" })];
  await apply([first, second]);
  await apply([undefined, first]);
  const { keyword } = await ports.search.search({
    org: skillsPartition(ORG),
    now: Date.now(),
    keyword: { text: "coffee tea", limit: 5 },
  });
  expect(keyword.map(({ document }) => document.content)).toEqual(["Serve tea. a guest asks for coffee. Serve tea."]);
  await apply([second, undefined]);
  await apply([first, second]);
  expect(await count(skillsPartition(ORG))).toBe(0);
});

it("embeds nothing for uses and reviews", async () => {
  const { apply, embedded } = await setUp();
  const before = newSkill();
  await apply([undefined, before]);
  await apply([before, { ...before, usage_count: 1, confidence: 0.6, verified: true }]);
  expect(embedded()).toBe(1);
});

it("removes only the executions of a deleted skill", async () => {
  const { ports, apply } = await setUp();
  const pk = recordOf(newSkill()).pk;
  const executions = Array.from({ length: 250 }, (_, position): Write => {
    return { put: { pk, sk: `execution#${String(position).padStart(4, "0")}`, kind: "execution" } };
  });
  for (let start = 0; start < executions.length; start += 100) {
    await ports.records.write(...executions.slice(start, start + 100));
  }
  await ports.records.write({ put: { pk, sk: "departure", kind: "departure" } }, ...insertSkill(newSkill()));
  await ports.records.write(...removeSkill(newSkill()));
  await apply([newSkill(), undefined]);
  const { items } = await ports.records.query({ pk, limit: 10 });
  expect(items.map(({ kind }) => kind)).toEqual(["departure"]);
});
