import { setPriority } from "node:os";
import { parseArgs } from "node:util";
import { loadConfig } from "../shared/entry/config.ts";
import { FolderBackupError } from "./folder-backup/format.ts";
import { type FolderBackupReport, makeFolderBackup } from "./folder-backup/make.ts";
import { runCommand } from "./operator-errors.ts";

/** `npm run backup`: copies the data folder into a new folder while the service runs. */
const USAGE = "Usage: npm run backup -- --to FOLDER [--from DATA_DIR] [--key KEY | --plain-secrets]";

/** Lower than the service's requests, like work on large texts. */
const PRIORITY = 10;

setPriority(PRIORITY);

await runCommand("Nothing was backed up.", async () => {
  const { values, positionals } = parseArgs({
    options: {
      to: { type: "string" },
      from: { type: "string" },
      key: { type: "string" },
      "plain-secrets": { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  if (values.to === undefined || positionals.length > 0) throw new FolderBackupError(USAGE);
  const config = loadConfig({
    ...process.env,
    ...(values.key !== undefined && { BACKUP_KEY: values.key }),
    ...(values.from !== undefined && { DATA_DIR: values.from }),
  });
  if (config.PLATFORM === "aws") {
    throw new FolderBackupError("It backs up a folder. On AWS use POST /admin/backup, or see docs/backups.md.");
  }
  const { "plain-secrets": isPlain } = values;
  if (isPlain === (config.BACKUP_KEY !== undefined)) {
    throw new FolderBackupError(
      "Set BACKUP_KEY, which seals the secrets in the backup, or give --plain-secrets, which leaves them readable.",
    );
  }
  const started = performance.now();
  const report = await makeFolderBackup({
    dataDir: config.DATA_DIR,
    target: values.to,
    key: isPlain ? undefined : config.BACKUP_KEY,
  });
  console.log(summaryOf(report, values.to, performance.now() - started));
});

function summaryOf({ header, pausedMs }: FolderBackupReport, target: string, milliseconds: number): string {
  const { id, created_at, files, bytes, secrets, missing_blobs } = header;
  const line = `Backed up ${id} of ${created_at} into ${target}, and verified it:
  ${files} files, ${bytes} bytes, secrets: ${secrets}
  ${(milliseconds / 1000).toFixed(1)} s, of which writers waited ${pausedMs.toFixed(1)} ms`;
  if (missing_blobs.length === 0) return line;
  return `${line}
  ${missing_blobs.length} blobs that records name are missing in the data folder; backup.json names them`;
}
