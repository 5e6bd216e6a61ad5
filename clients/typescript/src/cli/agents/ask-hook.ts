import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Entry } from "./edits.ts";

/** The hook itself ends after two seconds. */
const LIMIT_MS = 5_000;

/** Runs `memory hook` with a question, and returns the context of its answer; "" if there is none. */
export async function askHook({ command, args }: Entry, question: object): Promise<string> {
  try {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], timeout: LIMIT_MS, windowsHide: true });
    // Without the program, writing fails too.
    child.on("error", () => {});
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(question));
    const answer = await text(child.stdout);
    return answer.trim() === "" ? "" : String(JSON.parse(answer).context ?? "");
  } catch {
    // The agent must work without its memory.
    return "";
  }
}
