import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalService, openService } from "../support/service.ts";
import { eventually } from "../support/target.ts";
import { runMemory } from "./command-line.ts";

/** What a user says in the first two sessions with a toy repository; the agent answers, and its tools print. */
const SESSIONS: [user: string, agent: string][][] = [
  [
    ["Please set up the project shop. I prefer tabs over spaces.", "Done. I used tabs."],
    ["We decided to use SQLite instead of Postgres, because it runs on one machine.", "SQLite it is."],
    ["Thanks!", "You're welcome."],
  ],
  [
    ["The tests of shop run with `npm run test:unit`, not with npm test.", "They pass."],
    ["Our staging server is called heron.", "Noted."],
    ["Does the build work?", "Yes."],
  ],
];

/** What the third session asks, and a word of the right answer. */
const QUESTIONS: [question: string, answer: string][] = [
  ["Do I prefer tabs or spaces?", "tabs"],
  ["Which database did we decide to use?", "SQLite"],
  ["How do the tests of shop run?", "test:unit"],
  ["What is our staging server called?", "heron"],
];

let service: LocalService;
let home: string;
let environment: Record<string, string>;

beforeAll(async () => {
  service = await openService();
  home = mkdtempSync(path.join(tmpdir(), "memory-drill-"));
  environment = { MEMORY_URL: await service.host.listen(), MEMORY_API_KEY: service.adminKey, HOME: home };
  mkdirSync(path.join(home, "shop"));
});
afterAll(async () => {
  await service.close();
  rmSync(home, { recursive: true });
});

/** Runs a hook as the agent does, and returns the context that it adds. */
async function hook(event: string, transcript: string, more = {}): Promise<string> {
  const input = { session_id: "s", transcript_path: transcript, cwd: path.join(home, "shop"), ...more };
  const words = ["hook", "claude-code", "--user", "ada"];
  const { stdout } = await runMemory(words, environment, JSON.stringify({ hook_event_name: event, ...input }));
  return stdout === "" ? "" : JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

function transcriptOf(name: string, turns: [string, string][]): string {
  const lines = turns.flatMap(([user, agent]) => [
    { type: "user", message: { role: "user", content: user } },
    { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: agent }] } },
    { type: "user", message: { role: "user", content: [{ type: "tool_result", content: `${user.length} lines` }] } },
  ]);
  const file = path.join(home, `${name}.jsonl`);
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  return file;
}

/** Starts a third session with a question, and returns everything that the agent gets to know. */
async function thirdSession(question: string): Promise<string> {
  const file = path.join(home, "third.jsonl");
  const atStart = await hook("SessionStart", file, { source: "startup" });
  return `${atStart}\n${await hook("UserPromptSubmit", file, { prompt: question })}`;
}

it("an agent knows in the third session what was said in the first two, and nothing without its memory", async () => {
  for (const [question] of QUESTIONS) expect(await thirdSession(question)).toBe("\n");
  for (const [index, turns] of SESSIONS.entries()) {
    await hook("SessionStart", path.join(home, `${index}.jsonl`), { source: "startup" });
    await hook("SessionEnd", transcriptOf(String(index), turns), { reason: "exit" });
  }
  await eventually(async () => {
    const known = await Promise.all(QUESTIONS.map(([question]) => thirdSession(question)));
    expect(known.map((context, index) => context.includes(QUESTIONS[index]?.[1] ?? "?"))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    for (const context of known) expect(context).not.toMatch(/Thanks|\d+ lines|You're welcome/);
  });
}, 60_000);
