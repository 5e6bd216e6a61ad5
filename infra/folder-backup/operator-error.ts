import { DataDirInUseError } from "../../shared/adapters/local/platform.ts";
import { InvalidArchiveError } from "../../shared/domain/operations/backups/format.ts";
import { InvalidConfigError } from "../../shared/kernel/config.ts";
import { FolderBackupError } from "./format.ts";

/** Whether the operator can fix it: an invalid backup or folder, invalid settings, unknown arguments. */
export function isOperatorError(error: unknown): error is Error {
  if (error instanceof InvalidArchiveError || error instanceof FolderBackupError) return true;
  if (error instanceof InvalidConfigError || error instanceof DataDirInUseError) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
