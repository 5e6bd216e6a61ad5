import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../clients/typescript/src/cli/commands.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { type LocalService, openService } from "../support/service.ts";
import { bearer, signInUser } from "../support/users.ts";
import { CLI, runMemory, startMemory } from "./command-line.ts";

let service: LocalService;
let environment: Record<string, string>;

beforeAll(async () => {
  service = await openService();
  environment = { MEMORY_URL: await service.host.listen(), MEMORY_API_KEY: service.adminKey };
});
afterAll(() => service.close());

/** Runs a command that must succeed, and returns what it writes to stdout. */
async function memory(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runMemory(words, environment);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

it("remembers, recalls and searches", async () => {
  const id = await memory("remember", "My favourite tea is Assam.", "--user", "ada");
  expect(id).toMatch(/^mem_/);
  expect(await memory("recall", "Which tea do I like?", "--user", "ada")).toContain("[1] My favourite tea is Assam.");
  expect(await memory("search", "tea")).toContain(id);
  const whole = JSON.parse(await memory("recall", "Which tea?", "--user", "ada", "--json"));
  expect(whole.items).toMatchObject([{ memory_id: id }]);
  const piped = await runMemory(["remember", "-", "--json"], environment, "The tin of tea is blue.\n");
  expect(JSON.parse(piped.stdout)).toMatchObject({ content: "The tin of tea is blue." });
});

it("lists, reads, corrects and deletes", async () => {
  const id = await memory("remember", "I live in Bern. My favourite tea is Assam.", "--user", "max");
  await memory("remember", "The tin is blue.", "--user", "max");
  expect((await memory("list", "--user", "max")).split("\n")).toHaveLength(2);
  const [line] = (await memory("list", "--user", "max", "--limit", "1")).split("\n");
  expect(line).toMatch(/^mem_\w+ \d{4}-\d\d-\d\d The tin is blue\.$/);
  expect(JSON.parse(await memory("list", "--user", "max", "--json")).memories).toHaveLength(2);
  expect(await memory("get", id)).toContain("Bern");
  expect(await memory("profile", "--user", "max")).toContain("Bern");
  const { facts } = JSON.parse(await memory("facts", "--user", "max", "--json"));
  const { id: fact } = facts.find(({ attribute }: { attribute: string }) => attribute === "lives_in");
  expect(await memory("correct", fact, "New", "York")).toContain("lives_in: New York");
  expect(await memory("correct", fact)).toContain("(retracted)");
  expect(await memory("facts", "--user", "max")).not.toContain("lives_in");
  expect(await memory("facts", "--user", "max", "--status", "retracted")).toContain("New York");
  expect(await memory("facts", "--user", "max", "--as-of", "2000-01-01")).toBe("");
  expect(await memory("forget", id)).toContain(id);
  const gone = await runMemory(["get", id], environment);
  expect(gone).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(id) });
});

it("tells its version", async () => {
  expect(await memory("--version")).toMatch(/^\d+\.\d+\.\d+$/);
  expect(JSON.parse(await memory("--version", "--json"))).toEqual({ version: expect.any(String) });
});

it("shows a terminal no control character of a memory", async () => {
  const hostile = "Ada\u001b[2J\u009b31m\u202e drinks\u001b]0;title\u0007 oolong.";
  await memory("remember", hostile, "--user", "eve");
  for (const command of [
    ["search", "oolong"],
    ["recall", "oolong", "--user", "eve"],
  ]) {
    for (const form of [[], ["--json"]]) {
      const shown = await memory(...command, ...form);
      expect(shown).toContain("oolong");
      expect(shown).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u);
    }
  }
});

describe("what is wrong", () => {
  it("ends with 2 and nothing on stdout where the command line is wrong", async () => {
    for (const [words, complaint] of [
      [[], "Name a command"],
      [["brew"], "no command 'brew'"],
      [["toString"], "no command 'toString'"],
      [["search"], "needs a QUERY"],
      [["doctor", "now"], "takes no words"],
      [["search", "tea", "--format", "csv"], "takes no --format"],
      [["search", "tea", "--colour", "green"], "--colour"],
      [["recall", "tea", "--max-tokens", "few"], "whole number"],
      [["export", "tea.txt", "--format", "xml"], "one of json, jsonl, csv"],
      [["import", "a.json", "b.json"], "one FILE"],
      [["get", "mem_1", "mem_2"], "one ID"],
      [["profile"], "needs --user"],
      [["list", "--limit", "-1"], "--limit"],
      [["facts", "--status", "old"], "one of current"],
    ] as const) {
      const { code, stdout, stderr } = await runMemory([...words], environment);
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(complaint)]);
    }
  });

  it("ends with 1, and says what to do, where the service refuses or does not answer", async () => {
    const noUser = await runMemory(["recall", "Which tea?"], environment);
    expect(noUser).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("user_id") });
    const noKey = await runMemory(["search", "tea"], { ...environment, MEMORY_API_KEY: "no-such-key" });
    expect(noKey).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("memory login") });
    const away = { ...environment, MEMORY_URL: "http://127.0.0.1:9" };
    const { code, stderr } = await runMemory(["search", "tea", "--json"], away);
    const hint = expect.stringContaining("Start the service");
    expect([code, JSON.parse(stderr)]).toMatchObject([1, { error: { code: "CONNECTION_FAILED", hint } }]);
  });

  it("shows every command in its help", async () => {
    const help = await memory("--help");
    for (const name of Object.keys(COMMANDS)) expect(help).toContain(`memory ${name}`);
  });

  it("ends quietly when its reader is gone", async () => {
    for (const words of [["--help"], ["search", "tea"], ["export", "-"]]) {
      const child = startMemory(words, environment);
      child.stdout.destroy();
      let complaints = "";
      child.stderr.on("data", (chunk) => {
        complaints += chunk;
      });
      const [code] = await once(child, "close");
      expect(code).toBe(0);
      expect(complaints).not.toMatch(/error|EPIPE/i);
    }
  });
});

describe("memory login", () => {
  const configured = () => {
    const folder = path.join(temporaryFolder(), "config");
    return { folder, file: path.join(folder, "memory-service", "credentials.json") };
  };

  it("stores an address and a key for the user alone, and other commands use them", async () => {
    const { folder, file } = configured();
    const { MEMORY_URL = "", MEMORY_API_KEY = "" } = environment;
    const env = { XDG_CONFIG_HOME: folder };
    const stored = await runMemory(["login", "--url", `${MEMORY_URL}/`], env, `${MEMORY_API_KEY}\n`);
    expect(stored).toEqual({ code: 0, stdout: expect.stringContaining(file), stderr: "" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ url: MEMORY_URL, key: MEMORY_API_KEY });
    expect(readdirSync(path.dirname(file))).toHaveLength(1);
    expect(await runMemory(["search", "tea"], env)).toMatchObject({ code: 0, stderr: "" });
    const overridden = await runMemory(["search", "tea"], { ...env, MEMORY_API_KEY: "no-such-key" });
    expect(overridden.code).toBe(1);
  });

  it("stores who owns the key, whom coding agents then remember for", async () => {
    const { folder, file } = configured();
    const { user, token } = await signInUser(service, { org: OPERATOR_ORG, role: "admin" });
    const body = { name: "laptop", permissions: ["memory:read", "memory:write", "search:read"] };
    const key = await service.request("POST", "/api-keys", { body, key: null, headers: bearer(token) });
    const env = { XDG_CONFIG_HOME: folder, HOME: temporaryFolder() };
    const { MEMORY_URL = "" } = environment;
    await runMemory(["login", "--url", MEMORY_URL], env, key.body.data.key);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ owner: user.id });
    const shown = await runMemory(["install", "claude-code"], env);
    expect(shown.stderr).toContain(`hook claude-code --user ${user.id}`);
  });

  it("stores nothing that the service refuses", async () => {
    const { folder, file } = configured();
    const { MEMORY_URL = "" } = environment;
    const refused = await runMemory(["login", "--url", MEMORY_URL], { XDG_CONFIG_HOME: folder }, "no-such-key");
    expect([refused.code, statSync(file, { throwIfNoEntry: false })]).toEqual([1, undefined]);
    const empty = await runMemory(["login", "--url", MEMORY_URL], { XDG_CONFIG_HOME: folder });
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no key") });
    for (const url of ["ftp://host", "host:3000", "http://ada:secret@host", "http://host/?q=1"]) {
      const { code, stderr } = await runMemory(["login", "--url", url], { XDG_CONFIG_HOME: folder }, "key");
      expect([code, stderr]).toEqual([1, expect.stringContaining("not the address of a service")]);
    }
  });

  it("sends a stored key to no other address, and reads none that others can read", async () => {
    const { folder, file } = configured();
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ url: environment.MEMORY_URL, key: service.adminKey }), { mode: 0o600 });
    const elsewhere = await runMemory(["search", "tea"], { XDG_CONFIG_HOME: folder, MEMORY_URL: "http://127.0.0.1:9" });
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining("no key for http://127.0.0.1:9") });
    chmodSync(file, 0o644);
    const open = await runMemory(["search", "tea"], { XDG_CONFIG_HOME: folder });
    expect(open).toMatchObject({ code: 1, stderr: expect.stringContaining("chmod 600") });
    chmodSync(file, 0o600);
    writeFileSync(file, "{");
    const damaged = await runMemory(["search", "tea"], { XDG_CONFIG_HOME: folder });
    expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining("damaged") });
  });
});

describe("memory mcp", () => {
  it.each([
    ["2025-11-25", "legacy"],
    ["2026-07-28", { pin: "2026-07-28" }],
  ] as const)("speaks version %s of the Model Context Protocol over stdio", async (version, mode) => {
    const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
    const env = { PATH: process.env.PATH ?? "", ...environment };
    const args = [CLI, "mcp", "--user", "ada"];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    await client.callTool({ name: "remember", arguments: { content: "Ada collects coins." } });
    const listed = await client.callTool({ name: "list", arguments: {} });
    expect(JSON.stringify(listed.structuredContent)).toContain("Ada collects coins.");
    const { contents } = await client.readResource({ uri: "memory://profiles/ada" });
    expect([contents.length, client.getNegotiatedProtocolVersion()]).toEqual([1, version]);
    await client.close();
  });

  it("sends each line as it is, and answers what the service answers, in the protocol's form", async () => {
    const lines = [
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"one\u2028message"}}',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"1.0","id":2,"method":"ping"}',
      '[{"jsonrpc":"2.0","id":3,"method":"ping"}]',
      "null",
    ];
    const { stdout, code } = await runMemory(["mcp"], environment, lines.join("\n"));
    const answers = stdout.split("\n").map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(answers).toHaveLength(4);
    expect(answers).toEqual(
      expect.arrayContaining([
        { jsonrpc: "2.0", id: 1, result: {} },
        expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32600 }) }),
        [{ jsonrpc: "2.0", id: 3, result: {} }],
        expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
      ]),
    );
  });

  it("answers the protocol's errors where the line is no JSON or nothing answers", async () => {
    const env = { ...environment, MEMORY_URL: "http://127.0.0.1:9" };
    const input = '{"jsonrpc":\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n';
    const { stdout } = await runMemory(["mcp"], env, input);
    expect(stdout.split("\n").map((line) => JSON.parse(line))).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: 7, error: { code: -32000 } },
    ]);
  });
});
