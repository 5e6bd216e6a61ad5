import { parseArgs } from "node:util";
import { ConfigInvalid, loadConfig } from "../shared/kernel/config.ts";
import { NewerFormatError } from "../shared/platform/formats.ts";
import { DataFileError } from "../shared/platform/local/data-files.ts";
import { DataManifestError } from "../shared/platform/local/data-manifest.ts";
import { DataDirInUse } from "../shared/platform/local/platform.ts";
import { examineFolder, NoDataFolder } from "./doctor/run.ts";

/** `npm run doctor -- [--repair] [--json]`: examines the data folder that the environment names. Exits 1 on findings. */
const OPERATOR_ERRORS = [ConfigInvalid, DataDirInUse, DataFileError, DataManifestError, NewerFormatError, NoDataFolder];

// Whatever a library writes is the owner's alone too.
process.umask(0o077);

try {
  const { values } = parseArgs({
    options: { repair: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
  });
  const report = await examineFolder(loadConfig(process.env), { repair: values.repair });
  console.log(values.json ? JSON.stringify(report.toJson(), undefined, 2) : report.toText());
  process.exitCode = report.isWell ? 0 : 1;
} catch (error) {
  console.error(isOperators(error) ? `The doctor cannot examine the folder. ${error.message}` : error);
  process.exitCode = 1;
}

/** Wrong settings, a folder that is in use or not there, or words that the command does not know. */
function isOperators(error: unknown): error is Error {
  if (OPERATOR_ERRORS.some((known) => error instanceof known)) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
