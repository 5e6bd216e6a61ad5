import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { type Block, expectedFailure, needsStopped, PROJECT } from "./blocks.ts";
import type { PageFolder } from "./page-folder.ts";

const TIMEOUT_MS = 60_000;
const run = promisify(execFile);
/** Definitions that later blocks of a page use: aliases, exports and plain assignments. */
const DEFINITION = /^(alias \S|export [A-Z_]+='|[A-Za-z_]+='[^']*'$)/;

/** Runs a block and returns what it printed to both streams. */
type Runner = (block: Block, page: PageFolder, earlier: Block[]) => Promise<string>;

/** How to run blocks of each language. An unknown language fails, so that no block is ignored. */
export const RUNNERS: Record<string, Runner> = {
  sh: runShell,
  bash: runShell,
  ts: async (block, page) => {
    const file = writeSnippet(block, page, "mts");
    await run(process.execPath, [path.join(PROJECT, "node_modules/typescript/bin/tsc"), "-p", page.folder], {
      cwd: page.folder,
    }).catch(throwOutput);
    return runProgram(process.execPath, [file], block, page);
  },
  js: async (block, page) => runProgram(process.execPath, [writeSnippet(block, page, "mjs")], block, page),
  python: async (block, page) => runProgram(PYTHON.command, [writeSnippet(block, page, "py")], block, page),
  json: async ({ text }) => JSON.stringify(JSON.parse(text)),
  yaml: async ({ text }) => JSON.stringify(parse(text)),
};

/** The language of diagrams, which are not run. */
export const DRAWING = "mermaid";
/** The language of blocks that show the output of the preceding block. */
export const OUTPUT = "text";

/** The reason why commands cannot run here, or undefined if they can. */
export const NO_SHELL = ["bash", "curl"].some((program) => spawnSync(program, ["--version"]).status !== 0)
  ? "no bash or curl on PATH"
  : undefined;

/** The Python command that can import the client, or the reason why there is none. */
export const PYTHON = findPython();

/** Throws an error with a program's output, which says more than its status. */
function throwOutput(error: { stdout?: string; stderr?: string; message: string }): never {
  throw new Error(`${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
}

async function runShell(block: Block, page: PageFolder, earlier: Block[]): Promise<string> {
  const definitions = earlier.flatMap(({ text }) => text.split("\n").filter((line) => DEFINITION.test(line)));
  const script = [
    "set -Eeuo pipefail; shopt -s expand_aliases",
    ...definitions,
    `trap 'echo "this failed: $BASH_COMMAND" >&2' ERR`,
    page.localize(block.text),
  ].join("\n");
  const file = path.join(page.folder, "snippets", `block-${block.line}.sh`);
  writeFileSync(file, script);
  return runProgram("bash", [file], block, page);
}

async function runProgram(command: string, args: string[], block: Block, page: PageFolder): Promise<string> {
  const env = await page.environmentFor(block.text);
  if (needsStopped(block)) await page.stop();
  if (command === PYTHON.command) env.PYTHONPATH = PYTHON.path;
  const ended = run(command, args, { cwd: page.folder, env, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 });
  ended.child.stdin?.end();
  const failure = expectedFailure(block);
  if (failure === undefined) {
    const { stdout, stderr } = await ended.catch(throwOutput);
    return stdout + stderr;
  }
  const output = await ended.then(
    () => undefined,
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
  if (!output?.includes(failure)) throw new Error(`should fail with ${failure}: ${output ?? "it succeeded"}`);
  return output;
}

function writeSnippet(block: Block, page: PageFolder, extension: string): string {
  const file = path.join(page.folder, "snippets", `block-${block.line}.${extension}`);
  writeFileSync(file, page.localize(block.text));
  return file;
}

/** Compiles the TypeScript client into a folder. */
export function buildClient(folder: string): void {
  const project = path.join(PROJECT, "clients/typescript");
  const tsc = path.join(PROJECT, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", folder], { stdio: "pipe" });
}

function findPython(): { command: string; path: string; missing?: string } {
  const client = path.join(PROJECT, "clients/python/src");
  if (!existsSync(client)) return { command: "python3", path: client, missing: "no client in clients/python" };
  const installed = path.join(PROJECT, ".cache/engines/python-client/bin/python");
  const commands = [process.env.PYTHON, existsSync(installed) ? installed : undefined, "python3"];
  const command = commands.find((each) => each !== undefined && canImportClient(each, client));
  if (command !== undefined) return { command, path: client };
  return {
    command: "python3",
    path: client,
    missing: "no Python has the packages of clients/python (PYTHON names one)",
  };
}

function canImportClient(python: string, client: string): boolean {
  const env = { ...process.env, PYTHONPATH: client };
  return spawnSync(python, ["-c", "import memory_service"], { env, stdio: "ignore" }).status === 0;
}
