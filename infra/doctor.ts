import { parseArgs } from "node:util";
import { loadConfig } from "../shared/entry/config.ts";
import { examineFolder } from "./doctor/run.ts";
import { runCommand } from "./operator-errors.ts";

/** `npm run doctor -- [--repair] [--json]`: examines the data folder of the environment. Exits with 1 on findings. */
await runCommand("The doctor cannot examine the folder.", async () => {
  const { values } = parseArgs({
    options: { repair: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
  });
  const report = await examineFolder(loadConfig(process.env), { repair: values.repair });
  console.log(values.json ? JSON.stringify(report.toJson(), undefined, 2) : report.toText());
  process.exitCode = report.isWell ? 0 : 1;
});
