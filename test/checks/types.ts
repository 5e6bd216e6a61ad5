/**
 * `npm run check:types`: checks the types of all code. It skips code that needs the packages of infra/aws or test, and says
 * so, where these are not installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const absent = ["infra/aws", "test"].filter((folder) => !existsSync(`${folder}/node_modules`));
for (const folder of absent) {
  process.stdout.write(
    `types: skipped code that needs the packages of ${folder}. Run npm run install:${path.basename(folder)}\n`,
  );
}
const projects = [absent.includes("test") ? "." : "test", "functions/console/browser", "infra/aws"];
for (const project of projects.filter((each) => !absent.includes(each))) {
  if (spawnSync("tsc", ["-p", project], { stdio: "inherit" }).status !== 0) process.exitCode = 1;
}
