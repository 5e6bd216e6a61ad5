import { expect, it } from "vitest";
import { openIdleRuntime } from "../../../test/support/idle-runtime.ts";
import { changeCount, readCount } from "./exact-count.ts";

it("counts concurrent changes, for each subject separately", async () => {
  const { records } = (await openIdleRuntime()).runtime.ports;
  expect(await readCount(records, "org_1#things")).toBe(0);
  const ids = Array.from({ length: 100 }, (_, index) => `thing_${index}`);
  await Promise.all(ids.map((id) => records.write(changeCount("org_1#things", id, 1))));
  await Promise.all(ids.slice(0, 30).map((id) => records.write(changeCount("org_1#things", id, -1))));
  await records.write(changeCount("org_2#things", "thing_1", 1));
  expect(await readCount(records, "org_1#things")).toBe(70);
  expect(await readCount(records, "org_2#things")).toBe(1);
});

it("spreads over several records", () => {
  const keys = Array.from({ length: 200 }, (_, index) => JSON.stringify(changeCount("org_1#things", `t${index}`, 1)));
  expect(new Set(keys).size).toBeGreaterThan(10);
});
