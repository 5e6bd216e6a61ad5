import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Job {
  needs?: string | string[];
  "timeout-minutes": number;
  strategy?: { matrix: { part?: number[] } };
  steps: { uses?: string; run?: string }[];
}
interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const read = (file: string) => readFileSync(`${ROOT}/${file}`, "utf8");
const files = globSync(".github/workflows/*.yaml", { cwd: ROOT });
const workflows = files.map((file): [string, Workflow] => [file, parse(read(file))]);

it("workflows name every action by the digest of a commit", () => {
  const used = files.flatMap((file) => read(file).match(/(?<=uses: ).*/g) ?? []);
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

describe.each(workflows)("%s", (_file, { permissions, jobs }) => {
  it("starts without the right to write, and limits the time of its jobs", () => {
    expect(permissions).toEqual({ contents: "read" });
    for (const [name, { "timeout-minutes": minutes }] of Object.entries(jobs)) expect(minutes, name).toBeGreaterThan(0);
  });

  it("needs jobs, scripts and files that exist", () => {
    for (const { needs = [], steps } of Object.values(jobs)) {
      expect(Object.keys(jobs)).toEqual(expect.arrayContaining([needs].flat()));
      const commands = steps.map(({ run = "" }) => run).join("\n");
      for (const [, script = ""] of commands.matchAll(/npm run ([\w:]+)/g)) {
        expect(packageJson.scripts).toHaveProperty([script]);
      }
      for (const [file] of commands.matchAll(/(?<![\w/])(?:\.ci|infra|test|clients)\/[\w./-]+/g)) {
        expect(existsSync(`${ROOT}/${file}`), file).toBe(true);
      }
    }
  });
});

it("the deployed tests run in as many parts as the page on tests says", () => {
  const { jobs }: Workflow = parse(read(".github/workflows/deploy.yaml"));
  const parts = jobs.test?.strategy?.matrix.part ?? [];
  expect(jobs.test?.steps.at(-1)?.run).toBe(`npm run test:deploy -- --shard=\${{ matrix.part }}/${parts.length}`);
  expect(parts).toEqual(parts.map((_, index) => index + 1));
  expect(read("docs/testing.md")).toContain(`--shard=1/${parts.length} `);
});
