import { parseArgs } from "node:util";
import { ArchiveRefused } from "../shared/backups/format.ts";
import { ConfigInvalid, loadConfig } from "../shared/kernel/config.ts";
import { restoreFile } from "./restore.ts";

/** `npm run restore -- FILE [--key KEY] [--without-secrets]`: an archive into an empty home, which the environment names. */
const USAGE = "Usage: npm run restore -- FILE [--key KEY] [--without-secrets]";

// Whatever a library writes is the owner's alone too.
process.umask(0o077);

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
  console.error(isOperators(error) ? `Nothing was restored. ${error.message}` : error);
  process.exit(1);
}

/** An archive or a home that does not do, wrong settings, or words that the command does not know. */
function isOperators(error: unknown): error is Error {
  if (error instanceof ArchiveRefused || error instanceof ConfigInvalid) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
