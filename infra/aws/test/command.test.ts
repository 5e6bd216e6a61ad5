import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "../../..");

it("cdk in the root explains wrong options in one line", () => {
  const command = ["infra/aws/cdk.mjs", "synth", "--context", "stage=Prod", "--context", "alarmEmial=nobody"];
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: "utf8" });
  expect(status).toBe(1);
  const [explanation, ...others] = stderr.split("\n").filter((line) => line !== "");
  expect(explanation).toMatch(/^The options of the deployment are not valid: alarmEmial is not an option; stage must /);
  // The CLI's own line.
  expect(others).toEqual([expect.stringMatching(/^node infra\/aws\/app\.ts: Subprocess exited with error 1$/)]);
});
