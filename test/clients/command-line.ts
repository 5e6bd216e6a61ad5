import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export const CLI = fileURLToPath(new URL("../../clients/typescript/src/cli.ts", import.meta.url));

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `memory` with only these environment variables, and with `input` on stdin. */
export async function runMemory(words: string[], environment: Record<string, string>, input = ""): Promise<Ran> {
  const env = { PATH: process.env.PATH, ...environment };
  const child = spawn(process.execPath, [CLI, ...words], { env, stdio: "pipe" });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const ended = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, stdout: stdout.trim(), stderr: stderr.trim() };
}
