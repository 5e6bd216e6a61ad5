import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { JOBS } from "./jobs.ts";

it("requeues jobs of every kind that a domain declares", () => {
  const files = globSync("shared/domain/**/job-kinds.ts");
  const declared = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/defineJob\(\s*"(?<kind>\w+)"/g)].map(({ groups }) => groups?.kind),
  );
  expect(declared.length).toBeGreaterThanOrEqual(20);
  expect(JOBS.map(({ kind }) => kind).sort()).toEqual(declared.sort());
});
