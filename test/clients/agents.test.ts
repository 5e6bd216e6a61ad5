import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AGENTS } from "../../clients/typescript/src/cli/agents/agents.ts";
import { type LocalService, openService } from "../support/service.ts";
import { eventually } from "../support/target.ts";
import { runMemory } from "./command-line.ts";

const ENTRY = { command: "/opt/node", args: ["/opt/cli.js", "mcp", "--user", "ada"] };

interface Fixture {
  before: string;
  added: string[];
}

/**
 * Files of the agents, by the form that each agent documents:
 * - claude-code: hooks as in anthropics/claude-code, plugins/plugin-dev/skills/hook-development/SKILL.md at
 *   0abd56c8d2db388f2feefca82ee552a590e58620; the entry's file has no such source.
 * - codex: `mcp_servers` of openai/codex, codex-rs/core/config.schema.json at b8a1c8f8c4671c9a534eede7f32f11f5c9a5f938.
 * - opencode: anomalyco/opencode, packages/web/src/content/docs/mcp-servers.mdx at
 *   00a9a98a15c9857d2d94f4897549631d275cd3b1.
 * - openclaw: openclaw/openclaw, docs/cli/mcp.md at 0c564e0bb5687e5616a415558f73f2739004586d.
 * - hermes: NousResearch/hermes-agent, website/docs/user-guide/features/mcp.md at
 *   00067189dfecf833d4d009c2dd977ae85cf800e0.
 * - cursor: its source is not public.
 */
const FILES: Record<string, Fixture[]> = {
  "claude-code": [
    {
      before: '{\n\t"numStartups": 3,\n\t"mcpServers": {\n\t\t"files": {\n\t\t\t"command": "npx"\n\t\t}\n\t}\n}\n',
      added: ['"memory-service": {', '"type": "stdio"'],
    },
    {
      before: JSON.stringify(
        { hooks: { SessionStart: [{ matcher: "*", hooks: [{ type: "command", command: "load.sh" }] }] } },
        null,
        2,
      ).concat("\n"),
      added: [
        '"command": "/opt/node /opt/cli.js hook claude-code --user ada"',
        '"SessionEnd"',
        '"PreCompact"',
        "load.sh",
      ],
    },
  ],
  codex: [
    {
      before: 'model = "gpt-5"\n\n[mcp_servers.files]\ncommand = "npx"\n',
      added: ["[mcp_servers.memory-service]", 'args = ["/opt/cli.js","mcp","--user","ada"]'],
    },
  ],
  cursor: [{ before: '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n', added: ['"memory-service"'] }],
  opencode: [{ before: '{\n  "theme": "dark"\n}\n', added: ['"type": "local"', '"enabled": true'] }],
  openclaw: [
    { before: '{\n  "mcp": {\n    "servers": {\n      "b": {}\n    }\n  }\n}\n', added: ['"memory-service"'] },
  ],
  hermes: [
    {
      before: 'model: x\nmcp_servers:\n    # Mine\n    files:\n        command: "npx"\nother: 1\n',
      added: ['    memory-service: {"command":"/opt/node"'],
    },
  ],
};

describe.each(Object.entries(AGENTS))("the files of %s", (agent, files) => {
  it("get our entries alone, once, and lose them again", () => {
    const fixtures = FILES[agent] ?? [];
    expect(fixtures).toHaveLength(files.length);
    for (const [index, { before, added }] of fixtures.entries()) {
      const edit = files[index]?.edit ?? String;
      for (const text of [before, ""]) {
        const after = edit(text, ENTRY);
        for (const part of text === "" ? [] : added) expect(after).toContain(part);
        expect(edit(after, ENTRY)).toBe(after);
        const removed = edit(after, undefined);
        expect(removed.replace(/^\{\}\n$/, "")).toBe(text);
        expect(edit(text, undefined)).toBe(text);
      }
    }
  });
});

describe("memory install", () => {
  let home: string;
  let service: LocalService;
  let environment: Record<string, string>;

  beforeAll(async () => {
    service = await openService();
    environment = { MEMORY_URL: await service.host.listen(), MEMORY_API_KEY: service.adminKey };
  });
  afterAll(() => service.close());
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), "memory-agents-"));
    environment = { ...environment, HOME: home };
    return () => rmSync(home, { recursive: true, force: true });
  });

  const settings = () => path.join(home, ".claude", "settings.json");

  it("shows the change, keeps a copy, changes nothing the second time, and can be undone", async () => {
    mkdirSync(path.dirname(settings()));
    const before = '{\n  "theme": "dark"\n}\n';
    writeFileSync(settings(), before);
    const asked = await runMemory(["install", "claude-code"], environment);
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringMatching(/\+ .*hook claude-code[\s\S]*--yes/)]);
    expect(readFileSync(settings(), "utf8")).toBe(before);
    const done = await runMemory(["install", "claude-code", "--yes", "--user", "ada"], environment);
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining(".claude.json")]);
    expect(readFileSync(`${settings()}.before-memory`, "utf8")).toBe(before);
    const again = await runMemory(["install", "claude-code", "--yes", "--user", "ada"], environment);
    expect(again.stdout).toContain("Nothing to change");
    const { stdout } = await runMemory(["status", "--json"], environment);
    expect(JSON.parse(stdout)).toMatchObject({ "claude-code": "installed", codex: "not installed" });
    await runMemory(["uninstall", "claude-code", "--yes"], environment);
    expect(readFileSync(settings(), "utf8")).toBe(before);
  });

  it("leaves a file that it cannot read as it is, with a sentence", async () => {
    mkdirSync(path.dirname(settings()));
    writeFileSync(settings(), "{ // mine\n}");
    const { code, stderr } = await runMemory(["install", "claude-code", "--yes"], environment);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/settings\.json is not a JSON object.*\n.*left as it is/),
    ]);
    expect([readFileSync(settings(), "utf8"), existsSync(path.join(home, ".claude.json"))]).toEqual([
      "{ // mine\n}",
      false,
    ]);
  });

  it("remembers at the end of a session what the user said, and recalls it at the next start", async () => {
    const transcript = path.join(home, "transcript.jsonl");
    const lines = [
      { type: "user", message: { role: "user", content: "I prefer tabs over spaces. My editor is Helix." } },
      { type: "user", message: { role: "user", content: [{ type: "tool_result", content: "secret output" }] } },
      { type: "user", isMeta: true, message: { role: "user", content: "Caveat: generated" } },
      { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "Noted, said the user." }] } },
    ];
    writeFileSync(transcript, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{broken`);
    const hook = (event: string, env = environment) =>
      runMemory(
        ["hook", "claude-code", "--user", "ada"],
        env,
        JSON.stringify({ session_id: "s", transcript_path: transcript, cwd: "/repo/app", hook_event_name: event }),
      );
    expect(await hook("SessionEnd")).toMatchObject({ code: 0, stdout: "", stderr: "" });
    await eventually(async () => {
      const { body } = await service.request("GET", "/memories?user_id=ada");
      const said = body.data.memories.map(({ content }: { content: string }) => content).join(" ");
      expect(said).toContain("tabs over spaces");
      expect(said).not.toMatch(/secret|Caveat|Noted/);
    });
    await eventually(async () => {
      const { stdout } = await hook("SessionStart");
      const { hookEventName, additionalContext } = JSON.parse(stdout).hookSpecificOutput;
      expect([hookEventName, additionalContext]).toEqual(["SessionStart", expect.stringContaining("tabs over spaces")]);
    });
    const down = { ...environment, MEMORY_URL: "http://127.0.0.1:9" };
    expect(await hook("SessionStart", down)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const off = { ...environment, MEMORY_HOOKS: "off" };
    expect(await hook("SessionStart", off)).toMatchObject({ code: 0, stdout: "" });
  });
});
