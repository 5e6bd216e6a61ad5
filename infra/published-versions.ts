import { readFileSync } from "node:fs";

/** The versions in the files that are published, by file. */
export function publishedVersions(): Record<string, string | undefined> {
  const server = read("server.json");
  const plugin = read("clients/plugin/.claude-plugin/plugin.json");
  const hooks = readFileSync(fileOf("clients/plugin/hooks/hooks.json"), "utf8");
  return {
    "package.json": read("package.json").version,
    "clients/typescript/package.json": read("clients/typescript/package.json").version,
    "clients/python/pyproject.toml": /^version = "(.*)"$/m.exec(
      readFileSync(fileOf("clients/python/pyproject.toml"), "utf8"),
    )?.[1],
    "server.json": server.version,
    "server.json, its package": server.packages[0].version,
    "clients/plugin/.claude-plugin/plugin.json": plugin.version,
    "clients/plugin/.claude-plugin/plugin.json, its server": /@(.*)$/.exec(
      plugin.mcpServers["memory-service"].args[1],
    )?.[1],
    "clients/plugin/hooks/hooks.json": [...new Set(hooks.match(/(?<=memory-service-client@)[\d.]+/g))].join(" and "),
  };
}

function fileOf(file: string): URL {
  return new URL(`../${file}`, import.meta.url);
}

function read(file: string) {
  return JSON.parse(readFileSync(fileOf(file), "utf8"));
}
