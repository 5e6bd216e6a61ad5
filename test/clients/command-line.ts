import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export const CLI = fileURLToPath(new URL("../../clients/typescript/src/cli.ts", import.meta.url));

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts `memory` with only these environment variables, and the code that processes before it compiled. */
export function startMemory(
  words: string[],
  environment: Record<string, string>,
  cwd?: string,
): ChildProcessWithoutNullStreams {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawn(process.execPath, [CLI, ...words], { cwd, env: { PATH, NODE_COMPILE_CACHE, ...environment } });
}

/** Runs `memory` with only these environment variables, and with `input` on stdin. */
export async function runMemory(
  words: string[],
  environment: Record<string, string>,
  input = "",
  cwd?: string,
): Promise<Ran> {
  const child = startMemory(words, environment, cwd);
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const ended = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, stdout: stdout.trim(), stderr: stderr.trim() };
}
