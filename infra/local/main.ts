import path from "node:path";
import { loadConfig } from "../../shared/entry/config.ts";
import type { Config } from "../../shared/kernel/config.ts";
import { FIRST_KEY } from "../../shared/ports/secret-names.ts";
import { runCommand } from "../operator-errors.ts";
import { type Host, openHost } from "./host.ts";
import { stopOnSignal } from "./signals.ts";

// Keeps the process alive when nobody reads its output any more, for example after `| head` or when a terminal is
// closed: Node ends a process whose output fails. The lines stay readable at GET /admin/logs.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
await runCommand(
  "Memory Service cannot start.",
  () => serve(loadConfig(process.env)),
  // The operator can fix a failed system call, for example if the port is in use: its message names the port.
  (error) => "syscall" in error,
);

async function serve(config: Config): Promise<void> {
  const opening = openHost(config);
  stopOnSignal(async () => (await opening).close());
  const host = await opening;
  greet(config, host.firstKey, await host.listen());
  try {
    await host.modelLoaded;
  } catch (error) {
    await host.close();
    throw error;
  }
}

function greet({ BOOTSTRAP_API_KEY, DATA_DIR }: Config, { secret, isNew }: Host["firstKey"], url: string): void {
  const isShown = isNew && BOOTSTRAP_API_KEY === undefined;
  const file = path.resolve(DATA_DIR, "secrets.json");
  const location = BOOTSTRAP_API_KEY === undefined ? `kept in ${file}` : "BOOTSTRAP_API_KEY";
  const read = `JSON.parse(require("fs").readFileSync(${JSON.stringify(file)}))[${JSON.stringify(FIRST_KEY)}]`;
  const kept = BOOTSTRAP_API_KEY === undefined ? `$(node -p ${quoted(read)})` : '"$BOOTSTRAP_API_KEY"';
  console.log(`
Memory Service listens on ${url} (reference: ${url}/docs, console: ${url}/console), data in ${DATA_DIR}
${isShown ? `First admin key, shown this once: ${secret}` : `First admin key: ${location}`}
Try:
  export API_KEY=${isShown ? secret : kept}
  curl -s ${url}/memories -H "X-API-Key: $API_KEY" -H 'Content-Type: application/json' \\
    -d '{"content": "Ada lives in Zurich and prefers tea.", "user_id": "ada"}'
  curl -s '${url}/search?q=what+does+Ada+prefer' -H "X-API-Key: $API_KEY"
`);
}

/** A word for a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
