import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { HOOKS } from "../../clients/typescript/src/cli/agents/hooks.ts";
import { createPlugin } from "../../clients/typescript/src/cli/agents/opencode-plugin.ts";
import {
  CLAUDE_CODE,
  CODEX,
  CURSOR,
  OPENCLAW,
  type Said,
  type Transcript,
  wordsOf,
} from "../../clients/typescript/src/cli/agents/transcripts.ts";

/** What each transcript has: a command, its exit code, and the description where the agent gives one. */
const RUNS: [command: string, code: number, description: string][] = [
  ["npm run build", 0, "Build all packages"],
  ["npm run lint", 0, "Check the style"],
  ["npm run build", 0, "Build all packages"],
  ["npm run lint", 1, "Check the style"],
  ["npm run once", 0, "Run something once"],
  ["cd app && git status --short", 0, "Look at the state"],
  ["cd app && git status --short", 0, "Look at the state"],
  ["npm test", 1, "Run the tests"],
  ["npm test", 0, "Run the tests"],
  ["npm test", 0, "Run the tests"],
];
const DESCRIBED = ["Build all packages: `npm run build`", "Run the tests: `npm test`"];
const BARE = ["The command `npm run build` works.", "The command `npm test` works."];

const last = ([role, content]: [string, unknown]) => ({ type: role, message: { role, content } });

async function saidIn(format: Transcript, lines: object[], turn?: "all" | "last"): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "memory-transcript-"));
  const file = path.join(folder, "transcript.jsonl");
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"role":"user",broken`);
  try {
    return await contentsOf(wordsOf(file, format, turn));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the agent says. */
async function contentsOf(said: AsyncIterable<Said> | Iterable<Said>): Promise<string[]> {
  const contents: string[] = [];
  for await (const { role, content } of said) if (role === "assistant") contents.push(content);
  return contents;
}

const call = (type: string, payload: object) => ({ timestamp: "2026-10-01T09:00:00.000Z", type, payload });
const item = (payload: object) => call("response_item", payload);

/**
 * As codex-rs/rollout/src/slow_commands_tests.rs of openai/codex writes them at a5a99c49; the head of the output of
 * `shell_command` as in codex-rs/core/src/tools/mod.rs at 019402a8.
 */
function codexRun(id: number, [command, code]: [string, number, ...unknown[]], name: "exec_command" | "shell_command") {
  const call_id = `call_${id}`;
  const given = name === "exec_command" ? { cmd: command } : { command };
  const exit = name === "exec_command" ? `Process exited with code ${code}` : `Exit code: ${code}`;
  const output = `${exit}\nWall time: 1.0000 seconds\nOutput:\nProcess exited with code 0\nExit code: 0\n`;
  return [
    item({ type: "function_call", name, arguments: JSON.stringify(given), call_id }),
    item({ type: "function_call_output", call_id, output }),
  ];
}

/** Blocks of Anthropic's messages. The form of the lines of this transcript is untested against a source. */
it("reads in Claude Code's transcripts which commands worked twice, and the last time", async () => {
  const lines = RUNS.flatMap(([command, code, description], id) => [
    last(["assistant", [{ type: "tool_use", id: `${id}`, name: "Bash", input: { command, description } }]]),
    last([
      "user",
      [{ type: "tool_result", tool_use_id: `${id}`, content: "…", ...(code !== 0 && { is_error: true }) }],
    ]),
  ]);
  expect(await saidIn(CLAUDE_CODE, lines)).toEqual(DESCRIBED);
});

it.each(["exec_command", "shell_command"] as const)(
  "reads in Codex's transcripts which calls of %s worked",
  async (name) => {
    const lines = RUNS.flatMap((run, id) => codexRun(id, run, name));
    expect(await saidIn(CODEX, lines)).toEqual(BARE);
  },
);

it("leaves out commands with credentials", async () => {
  const secret = [
    "curl -u ada:s3cret https://api.example.com",
    "curl -u sk_live_4711: https://api.example.com",
    "sshpass -p s3cret ssh host",
    "docker login -u ada -p s3cret",
    "redis-cli -a s3cret ping",
    'curl -H "apikey: s3cret" https://api.example.com',
    'curl "https://api.example.com/?api_key=s3cret"',
    `curl -d '{"password":"s3cret"}' https://api.example.com`,
    "git clone https://ghp_4711@example.com/a.git",
    "curl --user=ada:s3cret https://api.example.com",
    'curl -H "Authorization: Bearer s3cret" https://api.example.com',
    "curl -H 'PRIVATE-TOKEN: s3cret' https://api.example.com",
    "mysql -uroot -ps3cret shop",
    "deploy --password s3cret",
    "deploy --api-key=s3cret",
    "npm publish --token s3cret",
    "NPM_TOKEN=s3cret npm publish",
    "cd app && DB_PASSWORD=s3cret npm start",
    "psql postgres://ada:s3cret@db/shop",
  ];
  const plain = ["mkdir -p build", "docker login --password-stdin", "CI=1 npm test", "git push -u origin main"];
  const runs = [...secret, ...plain].flatMap((text) => [text, text]);
  for (const command of secret) {
    const lines = [0, 1].flatMap((id) => codexRun(id, [command, 0], "exec_command"));
    expect(await saidIn(CODEX, lines), command).toEqual([]);
  }
  const lines = runs.flatMap((command, id) => codexRun(id, [command, 0], "exec_command"));
  expect(await saidIn(CODEX, lines)).toEqual(plain.map((command) => `The command \`${command}\` works.`));
});

it("waits in Codex's transcripts for a command that ends in a later call, and says those of the last turn", async () => {
  const long = (id: string, code: number) => [
    item({ type: "function_call", name: "exec_command", arguments: '{"cmd":"npm run e2e"}', call_id: id }),
    item({
      type: "function_call_output",
      call_id: id,
      output: [{ type: "input_text", text: "Wall time: 10.0000 seconds\nProcess running with session ID 42\nOutput:" }],
    }),
    ...["Process running with session ID 42", `Process exited with code ${code}`].flatMap((state, poll) => [
      item({ type: "function_call", name: "write_stdin", arguments: '{"session_id":42}', call_id: `${id}-${poll}` }),
      item({ type: "function_call_output", call_id: `${id}-${poll}`, output: `${state}\nOutput:` }),
    ]),
  ];
  const turn = call("event_msg", { type: "task_complete", turn_id: "1" });
  const lines = [...long("a", 0), ...codexRun(1, ["npm test", 0], "exec_command"), turn, ...long("b", 0)];
  const again = [...codexRun(2, ["npm test", 0], "exec_command"), turn];
  expect(await saidIn(CODEX, lines, "last")).toEqual(["The command `npm run e2e` works."]);
  expect(await saidIn(CODEX, [...lines, ...again], "last")).toEqual([]);
  expect(await saidIn(CODEX, [...lines, ...again])).toHaveLength(2);
  expect(await saidIn(CODEX, [...lines, ...long("c", 1)])).toEqual([]);
});

it("keeps the agent's last message of each turn of Codex's transcripts, and of the last turn alone if asked", async () => {
  const say = (message: string) => [
    call("event_msg", { type: "user_message", message: "Go on." }),
    call("event_msg", { type: "agent_message", message: "On the way." }),
    call("event_msg", { type: "agent_message", message }),
    call("event_msg", { type: "task_complete", turn_id: message }),
  ];
  const lines = [...say("First."), ...say("Second.")];
  expect(await saidIn(CODEX, lines)).toEqual(["First.", "Second."]);
  expect(await saidIn(CODEX, lines.slice(0, -1), "last")).toEqual(["Second."]);
});

/**
 * Results as src/agents/bash-tools.exec.ts of openclaw/openclaw makes them at 0048c284, which
 * src/agents/session-tool-result-guard.payload.ts keeps at 3b19125e; messages as in packages/ai/src/types.ts of
 * badlogic/pi-mono at 3344adda.
 */
it("reads in OpenClaw's transcripts which commands worked", async () => {
  const lines = RUNS.flatMap(([command, exitCode], id) => [
    {
      ...last(["assistant", [{ type: "toolCall", id: `${id}`, name: "exec", arguments: { command } }]]),
      type: "message",
    },
    {
      type: "message",
      message: {
        ...{ role: "toolResult", toolCallId: `${id}`, toolName: "exec", isError: false },
        content: [{ type: "text", text: "assistant" }],
        details: { status: "completed", exitCode, durationMs: 47, aggregated: "…" },
      },
    },
  ]);
  expect(await saidIn(OPENCLAW, lines)).toEqual(BARE);
  const running = { status: "running", sessionId: "1" };
  const started = lines.map((line) =>
    "details" in line.message ? { ...line, message: { ...line.message, details: running } } : line,
  );
  expect(await saidIn(OPENCLAW, started)).toEqual([]);
});

/**
 * Parts as in packages/opencode/src/session/message-v2.ts of anomalyco/opencode at c4794191, with the metadata of
 * packages/opencode/src/tool/shell.ts at e39044e2.
 */
it("reads in OpenCode's messages which commands worked", async () => {
  const asked = path.join(mkdtempSync(path.join(tmpdir(), "memory-opencode-")), "asked.json");
  const parts = RUNS.map(([command, exit, description], id) => ({
    ...{ type: "tool", tool: "bash", callID: `${id}` },
    state: { status: "completed", input: { command, description }, output: "…", metadata: { exit, description } },
  }));
  const messages: { info: { role: string }; parts: object[] }[] = [
    { info: { role: "user" }, parts: [{ type: "text", text: "Build it." }] },
    { info: { role: "assistant" }, parts: [...parts, { type: "text", text: "Done." }] },
  ];
  const script = `process.stdin.pipe(require("node:fs").createWriteStream(${JSON.stringify(asked)}, { flags: "w" }))`;
  const session = { get: async () => ({ data: {} }), messages: async () => ({ data: messages }) };
  const plugin = await createPlugin({ command: process.execPath, args: ["-e", script] })({
    directory: "/",
    client: { session },
  });
  await plugin["chat.message"]({ sessionID: "1" }, { parts: messages[0]?.parts ?? [] });
  await plugin.event({ event: { type: "session.idle", properties: { sessionID: "1" } } });
  const { said } = JSON.parse(readFileSync(asked, "utf8"));
  rmSync(path.dirname(asked), { recursive: true });
  expect(said.map(({ content }: Said) => content)).toEqual(["Build it.", "Done.", ...DESCRIBED]);
});

/**
 * Results as tools/terminal_tool.py of NousResearch/hermes-agent writes them at e7950f74; the history of the hook as in
 * website/docs/user-guide/features/hooks.md at 006a5aeb.
 */
it("reads in the history of Hermes which commands worked, and none that only started", async () => {
  const history = (session?: string) => [
    { role: "user", content: "Build it." },
    ...RUNS.flatMap(([command, exit_code], id) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: `${id}`, type: "function", function: { name: "terminal", arguments: JSON.stringify({ command }) } },
        ],
      },
      {
        role: "tool",
        tool_call_id: `${id}`,
        content: JSON.stringify({ output: "…", exit_code, error: null, ...(session && { session_id: session }) }),
      },
    ]),
  ];
  const saidOf = async (conversation_history: object[]) => {
    const extra = { user_message: "", assistant_response: "", platform: "cli", conversation_history };
    const wanted = await HOOKS.hermes?.read({ hook_event_name: "post_llm_call", cwd: "/", extra });
    return contentsOf(wanted?.said ?? []);
  };
  expect(await saidOf(history())).toEqual(BARE);
  expect(await saidOf(history("proc_1"))).toEqual([]);
  expect(await saidOf([...history(), { role: "user", content: "Thanks." }])).toEqual([]);
});

/** Cursor's transcripts have the calls of tools, and nothing about how they ended. */
it("says no command of Cursor's transcripts", async () => {
  const lines = RUNS.map(([command]) => ({
    role: "assistant",
    message: { content: [{ type: "tool_use", name: "Shell", input: { command } }] },
  }));
  expect(await saidIn(CURSOR, lines)).toEqual([]);
});
