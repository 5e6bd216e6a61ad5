import { parseArgs } from "node:util";
import { DataManifestError } from "../shared/adapters/local/data-manifest.ts";
import { DataDirInUseError } from "../shared/adapters/local/platform.ts";
import { DataFileError } from "../shared/adapters/local/storage/data-files.ts";
import { InvalidConfigError, loadConfig } from "../shared/kernel/config.ts";
import { NewerFormatError } from "../shared/ports/formats.ts";
import { examineFolder, NoDataFolderError } from "./doctor/run.ts";

/** `npm run doctor -- [--repair] [--json]`: examines the data folder of the environment. Exits with 1 on findings. */
const OPERATOR_ERRORS = [
  InvalidConfigError,
  DataDirInUseError,
  DataFileError,
  DataManifestError,
  NewerFormatError,
  NoDataFolderError,
];

// Files that libraries write are only for the owner too.
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

/** Invalid settings, a missing or used folder, or unknown arguments. */
function isOperators(error: unknown): error is Error {
  if (OPERATOR_ERRORS.some((known) => error instanceof known)) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
