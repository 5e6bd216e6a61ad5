/**
 * `npm run test:quickstarts`: follows each way to use the service from an empty folder to the first recall, with the commands
 * and code of the README, and prints the number of commands and the time of each. It installs packages from their
 * registries.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startService } from "../support/service-process.ts";
import { type Block, blocksOf, PROJECT } from "./blocks.ts";

const KEY = "key-of-the-doors-of-the-service";
const FACT = "My favourite tea is Assam.";
const QUESTION = "Which tea do I like?";

interface Door {
  door: string;
  commands: number | string;
  seconds: number | string;
}

/** Runs a command in a folder and returns its output, with the usage reports of mem0's client turned off. */
function run(command: string, cwd: string): string {
  const env = { ...process.env, API_KEY: KEY, MEM0_TELEMETRY: "false" };
  return execFileSync("bash", ["-ec", `shopt -s expand_aliases\n${command}`], { cwd, env, encoding: "utf8" });
}

const README = blocksOf("README.md", readFileSync(path.join(PROJECT, "README.md"), "utf8"));

function firstBlock(language: string, containing: string): Block {
  const block = README.find(({ text, ...rest }) => rest.language === language && text.includes(containing));
  if (!block) throw new Error(`the README has no ${language} block with '${containing}'`);
  return block;
}

/** Returns the number of commands in a block: lines that do not continue another one. */
function commandsIn({ text }: Block): number {
  return text.split("\n").filter((line) => /^\S/.test(line)).length;
}

const INSTALL = firstBlock("sh", "npm ci");
const CURL = firstBlock("sh", "/recall");
const MCP = firstBlock("sh", "mcp add");

const root = mkdtempSync(path.join(tmpdir(), "memory-doors-"));
const checkout = path.join(root, "memory-service");
const doors: Door[] = [];
try {
  mkdirSync(checkout);
  execFileSync("bash", ["-c", `git archive HEAD | tar x -C '${checkout}'`], { cwd: PROJECT });
  await takeAll();
} finally {
  rmSync(root, { recursive: true, force: true });
}
console.table(doors);

async function takeAll(): Promise<void> {
  const began = performance.now();
  run("npm ci --no-audit --no-fund", checkout);
  const main = path.join(checkout, "infra/local/main.ts");
  const environment = { BOOTSTRAP_API_KEY: KEY, EMBEDDER: "onnx" };
  const service = await startService(path.join(root, "data"), environment, undefined, main);
  const url = service.baseUrl;
  const installed = performance.now() - began;
  try {
    const host = new URL(url).host;
    const localized = ({ text }: Block) => text.replaceAll(/(localhost|127\.0\.0\.1):3000/g, host);
    await take("npm", installed, commandsIn(INSTALL) + commandsIn(CURL), async () =>
      assert.match(run(localized(CURL), root), /until 4 May 2026/),
    );
    await take("MCP", installed, commandsIn(INSTALL) + commandsIn(MCP), () => recallOverMcp(url));
    await takeAgent(installed, url);
    await takeCode("TypeScript", installed, [
      [checkout, "npm run client:build"],
      [folder("typescript"), `npm install --no-audit --no-fund '${checkout}/clients/typescript'`],
      [folder("typescript"), "node app.mts", "app.mts", localized(firstBlock("ts", "memory-service-client"))],
    ]);
    await takeCode("mem0", installed, [
      [folder("mem0"), "npm install --no-audit --no-fund mem0ai"],
      [folder("mem0"), "node app.mjs", "app.mjs", localized(firstBlock("js", "mem0ai"))],
    ]);
    if (existsSync(path.join(checkout, "clients/python"))) {
      await takeCode("Python", installed, [
        [folder("python"), "python3 -m venv .venv"],
        [folder("python"), `.venv/bin/pip install --quiet '${checkout}/clients/python'`],
        [folder("python"), ".venv/bin/python app.py", "app.py", localized(firstBlock("python", "memory_service"))],
      ]);
    } else {
      doors.push({ door: "Python", commands: "", seconds: "skipped: no clients/python" });
    }
  } finally {
    await service.stop();
  }
  await take("container steps, without a runtime", 0, 1 + commandsIn(CURL), async () => {
    run("npm run test:image", PROJECT);
  });
}

/** Installs the packed client into Claude Code's files, and runs the hooks with the JSON that the agent sends. */
async function takeAgent(installed: number, url: string): Promise<void> {
  const place = folder("agent");
  const home = folder("home");
  const memory = `HOME='${home}' XDG_DATA_HOME= npx --yes "file:$(ls '${place}'/*.tgz)"`;
  const transcript = path.join(place, "transcript.jsonl");
  writeFileSync(transcript, JSON.stringify({ type: "user", message: { role: "user", content: FACT } }));
  await take("coding agent", installed, commandsIn(INSTALL) + 4, async () => {
    run("npm run client:build", checkout);
    run(`npm pack --silent '${checkout}/clients/typescript'`, place);
    run(`${memory} login --url ${url} <<< "$API_KEY"`, place);
    run(`${memory} install claude-code --yes --user agent`, place);
    const { hooks } = JSON.parse(readFileSync(path.join(home, ".claude", "settings.json"), "utf8"));
    const call = (event: string, more: object) => {
      const given = JSON.stringify({ hook_event_name: event, cwd: place, transcript_path: transcript, ...more });
      return run(`HOME='${home}' ${hooks[event][0].hooks[0].command} <<'JSON'\n${given}\nJSON`, place);
    };
    call("SessionEnd", { reason: "exit" });
    // A hook gives up after two seconds, which may be too short on a busy machine.
    let answer = "";
    for (let tries = 0; tries < 10 && answer === ""; tries += 1) {
      answer = call("UserPromptSubmit", { prompt: QUESTION, transcript_path: "none" });
    }
    assert.match(answer, /Assam/);
  });
}

type Step = [cwd: string, command: string, file?: string, content?: string];

async function takeCode(door: string, installed: number, steps: Step[]): Promise<void> {
  await take(door, installed, commandsIn(INSTALL) + steps.length, async () => {
    for (const [cwd, command, file, content] of steps) {
      if (file !== undefined) writeFileSync(path.join(cwd, file), content ?? "");
      const printed = run(command, cwd);
      if (file !== undefined) assert.match(printed, /tea|vegetarian/i);
    }
  });
}

/** Times a way that starts with a running service, `before` milliseconds after the empty folder. */
async function take(door: string, before: number, commands: number, way: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await way();
  doors.push({ door, commands, seconds: Math.round((before + performance.now() - began) / 1000) });
}

function folder(name: string): string {
  const made = path.join(root, name);
  mkdirSync(made, { recursive: true });
  return made;
}

async function recallOverMcp(url: string): Promise<void> {
  const client = new Client({ name: "doors", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${KEY}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }));
  await client.callTool({ name: "remember", arguments: { content: FACT, user_id: "mcp" } });
  const recalled = await client.callTool({ name: "recall", arguments: { query: QUESTION, user_id: "mcp" } });
  assert.match(JSON.stringify(recalled), /Assam/);
  await client.close();
}
