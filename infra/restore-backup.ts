import { parseArgs } from "node:util";
import { InvalidArchiveError } from "../shared/domain/operations/backups/format.ts";
import { loadConfig } from "../shared/entry/config.ts";
import { runCommand } from "./operator-errors.ts";
import { type Restored, restoreBackup } from "./restore.ts";

/**
 * `npm run restore`: restores an archive or a folder backup into an empty target, named by the environment or `--to`.
 */
const USAGE = "Usage: npm run restore -- [--from] BACKUP [--to FOLDER] [--key KEY] [--without-secrets]";

await runCommand("Nothing was restored.", async () => {
  const { values, positionals } = parseArgs({
    options: {
      from: { type: "string" },
      to: { type: "string" },
      key: { type: "string" },
      "without-secrets": { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const [file, ...others] = [...(values.from === undefined ? [] : [values.from]), ...positionals];
  if (file === undefined || others.length > 0) throw new InvalidArchiveError(USAGE);
  const config = loadConfig({
    ...process.env,
    ...(values.key !== undefined && { BACKUP_KEY: values.key }),
    ...(values.to !== undefined && { DATA_DIR: values.to }),
  });
  const report = await restoreBackup(config, { file, withoutSecrets: values["without-secrets"] });
  console.log(summaryOf(report));
});

function summaryOf(report: Restored): string {
  if ("header" in report) {
    const { id, created_at, files, bytes, missing_blobs } = report.header;
    return `Restored ${id} of ${created_at}:
  ${files} files, ${bytes} bytes, ${report.withSecrets ? "with" : "without"} secrets
  ${missing_blobs.length} blobs that records name were missing before the backup`;
  }
  return `Restored ${report.id}, begun at ${report.created_at}:
  ${report.records} records, ${report.blobs} blobs, ${report.secrets} secrets
  ${report.documents} search documents made anew (${report.documents_named} named in the archive)
  ${report.left_out} secret records or parts of records are not there`;
}
