import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalService, openService } from "../support/service.ts";

const CLI = new URL("../../clients/typescript/src/cli.ts", import.meta.url).pathname;

let service: LocalService;
let environment: Record<string, string>;

beforeAll(async () => {
  service = await openService();
  environment = {
    PATH: process.env.PATH ?? "",
    MEMORY_URL: await service.host.listen(),
    MEMORY_API_KEY: service.adminKey,
  };
});
afterAll(() => service.close());

async function memory(...words: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [CLI, ...words], { env: environment })).stdout.trim();
}

it("remembers, recalls and searches", async () => {
  const id = await memory("remember", "My favourite tea is Assam.", "--user", "ada");
  expect(id).toMatch(/^mem_/);
  expect(await memory("recall", "Which tea do I like?", "--user", "ada")).toContain("[1] My favourite tea is Assam.");
  expect(await memory("search", "tea")).toContain(id);
  const whole = JSON.parse(await memory("recall", "Which tea?", "--user", "ada", "--json"));
  expect(whole.items).toMatchObject([{ memory_id: id }]);
});

it("says what is wrong, and fails", async () => {
  expect(await memory("--help")).toContain("memory recall QUERY");
  await expect(memory("brew")).rejects.toThrow("no command 'brew'");
  await expect(memory("recall", "Which tea?")).rejects.toThrow("user_id");
  environment = { ...environment, MEMORY_API_KEY: "no-such-key" };
  await expect(memory("search", "tea")).rejects.toThrow("POST /search");
  environment = { ...environment, MEMORY_API_KEY: service.adminKey };
});

it("speaks the Model Context Protocol over stdio", async () => {
  const client = new Client({ name: "test", version: "1.0.0" });
  const args = [CLI, "mcp", "--user", "ada"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: environment }));
  const listed = await client.callTool({ name: "list", arguments: {} });
  expect(JSON.stringify(listed.structuredContent)).toContain("Assam");
  await client.close();
});

it("answers the protocol's errors over stdio where the line is no JSON or nothing answers", async () => {
  const env = { ...environment, MEMORY_URL: "http://127.0.0.1:9" };
  const bridge = spawn(process.execPath, [CLI, "mcp"], { env });
  let written = "";
  bridge.stdout.on("data", (chunk) => {
    written += chunk;
  });
  bridge.stdin.end('{"jsonrpc":\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n');
  await once(bridge, "close");
  const answers = written
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: 7, error: { code: -32000 } },
  ]);
});
