import path from "node:path";
import { type Config, ConfigInvalid, loadConfig } from "../../shared/kernel/config.ts";
import { NewerFormatError } from "../../shared/platform/formats.ts";
import { DataFileError } from "../../shared/platform/local/data-files.ts";
import { DataManifestError } from "../../shared/platform/local/data-manifest.ts";
import { DataDirInUse } from "../../shared/platform/local/platform.ts";
import { type Host, openHost } from "./host.ts";
import { stopOnSignal } from "./signals.ts";

/** What the operator can mend, besides failed system calls. */
const OPERATOR_ERRORS = [ConfigInvalid, DataDirInUse, DataFileError, DataManifestError, NewerFormatError];

// Whatever a library writes is the owner's alone too.
process.umask(0o077);

try {
  await serve(loadConfig(process.env));
} catch (error) {
  // What the operator can mend is said in a line; anything else with its stack.
  console.error(isOperators(error) ? `Memory Service cannot start. ${error.message}` : error);
  process.exit(1);
}

async function serve(config: Config): Promise<void> {
  const opening = openHost(config);
  stopOnSignal(async () => (await opening).close());
  const host = await opening;
  greet(config, host.firstKey, await host.listen());
}

/** Wrong settings, a folder that is taken, damaged or too new, a port that is taken; failed system calls name what they were about. */
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
