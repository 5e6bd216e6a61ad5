import { expect, it } from "vitest";
import { openIdleRuntime } from "../../../test/support/idle-runtime.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import { eraseAllModelAnswers, eraseModelAnswers, modelAnswers } from "./model-answers.ts";

async function open() {
  const { runtime } = await openIdleRuntime();
  let now = Date.now();
  const answersOf = (user_id?: string, viewer?: string) =>
    modelAnswers<string>({ ports: runtime.ports, org: "org_1", clock: () => now }, { user_id, viewer });
  const wait = (days: number) => {
    now += days * DAY_MS;
  };
  const count = async () => (await runtime.ports.inventory.list({ kinds: ["model_answer"], limit: 1000 })).items.length;
  return { records: runtime.ports.records, answersOf, wait, count };
}

it("finds an answer for a week, only for its user and reader", async () => {
  const { answersOf, wait } = await open();
  await answersOf("ann").keep(["q"], "a");
  expect(await answersOf("ann").find(["q"])).toBe("a");
  for (const [user, viewer] of [["bob"], [undefined], ["ann", "agent_1"]]) {
    expect(await answersOf(user, viewer).find(["q"])).toBeUndefined();
  }
  wait(6.9);
  expect(await answersOf("ann").find(["q"])).toBe("a");
  wait(0.2);
  expect(await answersOf("ann").find(["q"])).toBeUndefined();
});

it("keeps a limited number of answers of limited length", async () => {
  const { answersOf, count } = await open();
  const answers = answersOf("ann");
  await answers.keep("long", "x".repeat(100_000));
  expect(await count()).toBe(0);
  for (let index = 0; index < 1200; index++) await answers.keep(index, `${index}`);
  expect(await count()).toBeLessThanOrEqual(512);
  expect(await answers.find(1199)).toBe("1199");
  for (let index = 0; index < 1200; index++) expect([undefined, `${index}`]).toContain(await answers.find(index));
});

it("deletes the answers of a user or of an organization", async () => {
  const { records, answersOf, count } = await open();
  for (const user of ["ann", "bob", undefined]) {
    for (let index = 0; index < 60; index++) await answersOf(user).keep(index, "a");
  }
  const before = await count();
  await eraseModelAnswers(records, "org_1", "ann");
  expect(await answersOf("ann").find(1)).toBeUndefined();
  expect(await answersOf("bob").find(59)).toBe("a");
  expect(await count()).toBeLessThan(before);
  await eraseAllModelAnswers(records, "org_2");
  expect(await answersOf("bob").find(59)).toBe("a");
  await eraseAllModelAnswers(records, "org_1");
  expect(await count()).toBe(0);
});
