/**
 * `npm run test:inspector`: checks `/mcp` and `memory mcp` with the command line of the Model Context Protocol's
 * inspector. Its packages take 110 MB, so they are installed into a temporary folder. Without the registry the test is
 * skipped with a message.
 */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { startService } from "../support/service-process.ts";
import { CLI } from "./command-line.ts";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const KEY = "key-of-the-service-that-is-inspected";

const folder = mkdtempSync(path.join(tmpdir(), "memory-inspector-"));
try {
  if (isRegistryReachable()) await inspect();
  else console.log("inspector: SKIPPED, the npm registry does not answer");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function isRegistryReachable(): boolean {
  try {
    execFileSync("npm", ["view", INSPECTOR, "version", "--fetch-retries=0"], { stdio: "ignore", timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

async function inspect(): Promise<void> {
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder, INSPECTOR];
  execFileSync("npm", install, { stdio: ["ignore", "ignore", "inherit"] });
  const service = await startService(path.join(folder, "data"), { EMBEDDER: "lexical", BOOTSTRAP_API_KEY: KEY });
  try {
    const bearer = `Authorization: Bearer ${KEY}`;
    await check("HTTP", [`${service.baseUrl}/mcp`, "--transport", "http", "--header", bearer]);
    const variables = ["-e", `MEMORY_URL=${service.baseUrl}`, "-e", `MEMORY_API_KEY=${KEY}`];
    await check("stdio", [...variables, process.execPath, CLI, "mcp"]);
  } finally {
    await service.stop();
  }
}

/** Runs the first calls of a client over one transport. */
async function check(transport: string, target: string[]): Promise<void> {
  const run = async (...words: string[]) => {
    const inspector = path.join(folder, "node_modules/.bin/inspector");
    const env = { ...process.env, HOME: folder };
    const { stdout } = await promisify(execFile)(inspector, ["--cli", ...target, ...words], { env, timeout: 30_000 });
    return JSON.parse(stdout);
  };
  const call = (name: string, ...given: string[]) =>
    run("--method", "tools/call", "--tool-name", name, ...given.flatMap((pair) => ["--tool-arg", pair]));

  const { tools } = await run("--method", "tools/list");
  for (const { name, inputSchema, annotations } of tools) assert.ok(inputSchema && annotations, name);
  const user = `user_id=${transport.toLowerCase()}`;
  const { structuredContent } = await call("remember", "content=My favourite tea is Assam.", user);
  const recalled = await call("recall", "query=Which tea do I like?", user);
  assert.match(recalled.structuredContent.context, /Assam/);
  const uri = `memory://memories/${structuredContent.id}`;
  assert.match(JSON.stringify(await run("--method", "resources/read", "--uri", uri)), /Assam/);
  const { prompts } = await run("--method", "prompts/list");
  assert.deepEqual(
    prompts.map(({ name }: { name: string }) => name),
    ["use_my_memory"],
  );
  console.log(`inspector, ${transport}: ${tools.length} tools, remember, recall, a resource and the prompt pass`);
}
