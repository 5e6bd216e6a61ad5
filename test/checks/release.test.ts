import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { AGENTS } from "../../clients/typescript/src/cli/agents/agents.ts";
import { publishedVersions } from "../../infra/published-versions.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), "utf8");
const parsed = (file: string) => JSON.parse(read(file));

it("everything that is published has one version", () => {
  const versions = Object.values(publishedVersions());
  expect(versions.length).toBeGreaterThan(5);
  expect(new Set(versions)).toEqual(new Set([expect.stringMatching(/^\d+\.\d+\.\d+$/)]));
});

/**
 * The form of a plugin: anthropics/claude-code, plugins/plugin-dev/skills/plugin-structure/references/manifest-reference.md at
 * 4f5f30e5102f309d0033be8e840b8437f7f04a63, and .claude-plugin/marketplace.json at
 * dc8a92cefc52c37b5416cc88d6f69b4208cefeda; its hooks, within `hooks`: plugins/plugin-dev/skills/hook-development/SKILL.md at
 * 5cfc0a1905ce0c0a9bd81d8a90fe6b62ff614357. Loading it in the agent is untested.
 */
it("the plugin has the skill and the hooks that the command line installs", () => {
  const [plugin] = parsed(".claude-plugin/marketplace.json").plugins;
  expect(parsed(`${plugin.source}/.claude-plugin/plugin.json`).name).toBe(plugin.name);
  const [, settings, skill] = AGENTS["claude-code"] ?? [];
  const entry = { command: "npx", args: ["-y", "mcp"] };
  expect(read(`${plugin.source}/skills/memory-service/SKILL.md`)).toBe(skill?.edit("", entry));
  const installed = JSON.parse(settings?.edit("", entry) ?? "{}").hooks;
  const { hooks: inPlugin } = parsed(`${plugin.source}/hooks/hooks.json`);
  const shapeOf = (hooks: Record<string, { matcher?: string }[]>) =>
    Object.entries(hooks).map(([event, groups]) => [event, groups.map(({ matcher }) => matcher)]);
  expect(shapeOf(inPlugin)).toEqual(shapeOf(installed));
});

it("the registry's entry names the package that is published, and no owner yet", () => {
  const server = parsed("server.json");
  expect(server.packages[0].identifier).toBe(parsed("clients/typescript/package.json").name);
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(server.description.length).toBeLessThanOrEqual(100);
});
