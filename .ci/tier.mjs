/**
 * Runs a tier of tests (`node .ci/tier.mjs test:drills`) and prints how many passed, failed and were skipped. At most five
 * files that fail beside others run once more by themselves, because a busy machine may break a limit of time. The tier
 * fails if one fails again, if more files fail, or if no test ran. What failed at first is printed in any case.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";

const MAX_FILES = 5;

const tier = process.argv[2];

/** The report of one run, and whether it succeeded; errors outside of tests make a run fail without a failed file. */
function run(name, files) {
  const report = `dist/${name}.json`;
  rmSync(report, { force: true });
  const options = ["--reporter=minimal", "--reporter=json", `--outputFile=${report}`];
  const { status } = spawnSync("npm", ["run", tier, "--", ...options, ...files], { stdio: "inherit" });
  return { ok: status === 0, ...JSON.parse(readFileSync(report, "utf8")) };
}

function failedFiles({ testResults }) {
  return testResults.filter(({ status }) => status === "failed").map(({ name }) => relative(process.cwd(), name));
}

function print({ numPassedTests, numFailedTests, numPendingTests, numTodoTests }) {
  console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped`);
}

const together = run(tier, []);
print(together);
if (together.numPassedTests + together.numFailedTests === 0) process.exitCode = 1;
if (!together.ok) {
  const files = failedFiles(together);
  console.log(`Failed beside other files: ${files.join(", ") || "none, but the run reports errors"}`);
  const isWorthAnotherRun = files.length > 0 && files.length <= MAX_FILES;
  const last = isWorthAnotherRun ? run(`${tier}.alone`, ["--maxWorkers=1", ...files]) : together;
  if (isWorthAnotherRun) print(last);
  if (!last.ok) process.exitCode = 1;
}
