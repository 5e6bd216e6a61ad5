import { DataManifestError } from "../shared/adapters/local/data-manifest.ts";
import { DataDirInUseError } from "../shared/adapters/local/platform.ts";
import { DataFileError } from "../shared/adapters/local/storage/data-files.ts";
import { InvalidArchiveError } from "../shared/domain/operations/backups/format.ts";
import { InvalidConfigError } from "../shared/kernel/config.ts";
import { NewerFormatError } from "../shared/ports/formats.ts";
import { FolderBackupError } from "./folder-backup/format.ts";

/** The folder to examine does not exist. */
export class NoDataFolderError extends Error {
  constructor(dataDir: string) {
    super(`The folder ${dataDir} does not exist. Set DATA_DIR to the data folder to examine.`);
    this.name = "NoDataFolderError";
  }
}

/** Errors that the operator can fix; their messages say how. */
const OPERATOR_ERRORS = [
  DataDirInUseError,
  DataFileError,
  DataManifestError,
  FolderBackupError,
  InvalidArchiveError,
  InvalidConfigError,
  NewerFormatError,
  NoDataFolderError,
];

/** Runs a command of the operator; ends the process with 1 if it fails. */
export async function runCommand(
  failure: string,
  command: () => Promise<void>,
  isExpected: (error: Error) => boolean = isUnknownArgument,
): Promise<void> {
  // Files that libraries write are only for the owner too.
  process.umask(0o077);
  try {
    await command();
  } catch (error) {
    const isOperators =
      error instanceof Error && (OPERATOR_ERRORS.some((known) => error instanceof known) || isExpected(error));
    // Errors that the operator can fix are one line; others include their stack.
    console.error(isOperators ? `${failure} ${error.message}` : error);
    process.exit(1);
  }
}

function isUnknownArgument(error: Error): boolean {
  return "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
