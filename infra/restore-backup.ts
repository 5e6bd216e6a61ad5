import { parseArgs } from "node:util";
import { ArchiveRefused } from "../shared/backups/format.ts";
import { ConfigInvalid, loadConfig } from "../shared/kernel/config.ts";
import { restoreFile } from "./restore.ts";

/** `npm run restore -- FILE [--key KEY] [--without-secrets]`: an archive into an empty home, which the environment names. */
const USAGE = "Usage: npm run restore -- FILE [--key KEY] [--without-secrets]";

try {
  const { values, positionals } = parseArgs({
    options: { key: { type: "string" }, "without-secrets": { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new ArchiveRefused(USAGE);
  const config = loadConfig({ ...process.env, ...(values.key !== undefined && { BACKUP_KEY: values.key }) });
  const report = await restoreFile(config, { file, withoutSecrets: values["without-secrets"] });
  console.log(`Restored ${report.id}, begun at ${report.created_at}:
  ${report.records} records, ${report.blobs} blobs, ${report.secrets} secrets
  ${report.documents} search documents made anew (${report.documents_named} named in the archive)
  ${report.left_out} secret records or parts of records are not there`);
} catch (error) {
  // What the operator can mend is said in a line; anything else with its stack.
  const isOperators = error instanceof ArchiveRefused || error instanceof ConfigInvalid || error instanceof TypeError;
  console.error(isOperators ? `Nothing was restored. ${error.message}` : error);
  process.exit(1);
}
