import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../infra/local/main.ts", import.meta.url));

/** Starts the service in a separate process, which must fail. Returns its exit code and standard error. */
export async function failStart(environment: Record<string, string>): Promise<{ code: number; complaint: string }> {
  const { BOOTSTRAP_API_KEY: _, ...inherited } = process.env;
  const env = { ...inherited, PORT: "0", LOG_LEVEL: "error", EMBEDDER: "lexical", ...environment };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", "ignore", "pipe"], timeout: 20_000 });
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { code, complaint };
}
