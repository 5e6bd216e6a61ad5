import { ArchiveRefused } from "../../shared/backups/format.ts";
import { ConfigInvalid } from "../../shared/kernel/config.ts";
import { DataDirInUse } from "../../shared/platform/local/platform.ts";
import { FolderBackupError } from "./format.ts";

/** Whether the operator can mend it: a backup or a folder that does not do, wrong settings, unknown words. */
export function isOperatorError(error: unknown): error is Error {
  if (error instanceof ArchiveRefused || error instanceof FolderBackupError) return true;
  if (error instanceof ConfigInvalid || error instanceof DataDirInUse) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
