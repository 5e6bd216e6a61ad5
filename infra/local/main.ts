import path from "node:path";
import { DataManifestError } from "../../shared/adapters/local/data-manifest.ts";
import { DataDirInUseError } from "../../shared/adapters/local/platform.ts";
import { DataFileError } from "../../shared/adapters/local/storage/data-files.ts";
import { type Config, InvalidConfigError, loadConfig } from "../../shared/kernel/config.ts";
import { NewerFormatError } from "../../shared/ports/formats.ts";
import { type Host, openHost } from "./host.ts";
import { stopOnSignal } from "./signals.ts";

/** Errors that the operator can fix, besides failed system calls. */
const OPERATOR_ERRORS = [InvalidConfigError, DataDirInUseError, DataFileError, DataManifestError, NewerFormatError];

// Files that libraries write are only for the owner too.
process.umask(0o077);
outliveOutput();

try {
  await serve(loadConfig(process.env));
} catch (error) {
  // Errors that the operator can fix are one line; others include their stack.
  console.error(isOperators(error) ? `Memory Service cannot start. ${error.message}` : error);
  process.exit(1);
}

async function serve(config: Config): Promise<void> {
  const opening = openHost(config);
  stopOnSignal(async () => (await opening).close());
  const host = await opening;
  greet(config, host.firstKey, await host.listen());
}

/** Invalid settings, a used, damaged or newer folder, a used port; failed system calls name their subject. */
function isOperators(error: unknown): error is Error {
  return OPERATOR_ERRORS.some((known) => error instanceof known) || (error instanceof Error && "syscall" in error);
}

function greet({ BOOTSTRAP_API_KEY, DATA_DIR }: Config, { secret, isNew }: Host["firstKey"], url: string): void {
  const isShown = isNew && BOOTSTRAP_API_KEY === undefined;
  const kept = BOOTSTRAP_API_KEY === undefined ? `kept in ${path.join(DATA_DIR, "secrets.json")}` : "BOOTSTRAP_API_KEY";
  const key = isShown ? secret : "$API_KEY";
  console.log(`
Memory Service listens on ${url} (reference: ${url}/docs, console: ${url}/console), data in ${DATA_DIR}
${isShown ? `First admin key, shown this once: ${secret}` : `First admin key: ${kept}`}
Try:
  curl -s ${url}/memories -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' \\
    -d '{"content": "Ada lives in Zurich and prefers tea.", "user_id": "ada"}'
  curl -s '${url}/search?q=what+does+Ada+prefer' -H 'X-API-Key: ${key}'
`);
}

/**
 * Keeps the process alive when nobody reads its output any more, for example after `| head` or when a terminal is closed: Node
 * ends a process whose output fails. The lines stay readable at GET /admin/logs.
 */
function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}
