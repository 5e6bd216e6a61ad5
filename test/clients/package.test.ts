import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SOURCE = fileURLToPath(new URL("../../clients/typescript", import.meta.url));
const MAX_CORE_BYTES = 19_000;

let folder: string;
let built: string;
let archive: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "memory-client-"));
  built = path.join(folder, "client");
  for (const name of ["package.json", "README.md", "LICENSE"]) cpSync(path.join(SOURCE, name), path.join(built, name));
  execFileSync("npx", ["tsc", "-p", SOURCE, "--outDir", path.join(built, "dist")], { stdio: "pipe" });
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: built,
    encoding: "utf8",
  });
  archive = path.join(folder, packed.trim());
});
afterAll(() => rmSync(folder, { recursive: true }));

const manifest = JSON.parse(readFileSync(path.join(SOURCE, "package.json"), "utf8"));

/** Returns a script with all scripts of the package that it loads; `others` are the packages that these import. */
function loadedBy(file: string, scripts = new Set<string>(), others = new Set<string>()) {
  if (scripts.has(file)) return { scripts, others };
  scripts.add(file);
  for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?"([^"]+)"/g)) {
    if (name.startsWith(".")) loadedBy(path.resolve(path.dirname(file), name), scripts, others);
    else others.add(name.startsWith("@") ? name.split("/", 2).join("/") : name);
  }
  return { scripts, others };
}

describe("the package of the TypeScript client", () => {
  it("has a core of less than 19 KB without any dependency, not even of Node", () => {
    const { scripts, others } = loadedBy(path.join(built, "dist/index.js"));
    expect(scripts.size).toBeGreaterThan(5);
    expect([...others]).toEqual([]);
    const sizes = [...scripts].map((file) => readFileSync(file).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_CORE_BYTES);
    expect(manifest.dependencies).toBeUndefined();
  });

  it("loads in each of its other entry points optional peers alone", () => {
    const exported = Object.entries<{ default: string; types: string }>(manifest.exports);
    for (const [name, { default: file, types }] of exported) {
      const { others } = loadedBy(path.join(built, file));
      const foreign = [...others].filter((other) => !other.startsWith("node:"));
      for (const other of foreign)
        expect(manifest.peerDependenciesMeta, name).toHaveProperty([other, "optional"], true);
      expect(readFileSync(path.join(built, types), "utf8")).not.toBe("");
    }
    const { others } = loadedBy(path.join(built, manifest.bin.memory));
    expect([...others].filter((other) => !other.startsWith("node:"))).toEqual([]);
  });

  it("runs as `npx memory` where it is installed", () => {
    const project = path.join(folder, "project");
    execFileSync("npm", ["install", "--offline", "--silent", "--no-audit", "--prefix", project, archive], {
      stdio: "pipe",
    });
    const help = execFileSync("npx", ["--no-install", "memory", "--help"], { cwd: project, encoding: "utf8" });
    expect(help).toContain("memory recall QUERY");
  });

  it("installs into an agent by npx, and works after npx's cache is emptied", () => {
    const home = path.join(folder, "home");
    const cache = path.join(folder, "npm-cache");
    const environment = { ...process.env, HOME: home, XDG_DATA_HOME: "", npm_config_cache: cache };
    const run = (...words: string[]) =>
      execFileSync("npx", ["--yes", "--offline", `file:${archive}`, ...words], { env: environment, encoding: "utf8" });
    mkdirSync(home);
    run("install", "opencode", "--yes");
    run("install", "codex", "--yes");
    rmSync(cache, { recursive: true });
    const kept = path.join(home, ".local", "share", "memory-service", "client");
    const plugin = readFileSync(path.join(home, ".config", "opencode", "plugins", "memory-service.js"), "utf8");
    const [, module = "", hook = "{}"] = /from "file:\/\/([^"]+)"[\s\S]*createPlugin\((.*)\)/.exec(plugin) ?? [];
    expect(module).toBe(path.join(kept, "dist", "cli", "agents", "opencode-plugin.js"));
    const { command, args } = JSON.parse(hook);
    expect(args[0]).toBe(path.join(kept, "dist", "cli.js"));
    expect(execFileSync(command, [args[0], "--version"], { encoding: "utf8" }).trim()).toBe(manifest.version);
    expect(existsSync(module)).toBe(true);
    for (const [agent, isKept] of [
      ["codex", true],
      ["opencode", false],
    ] as const) {
      execFileSync(command, [args[0], "uninstall", agent, "--yes"], { env: environment, stdio: "pipe" });
      expect(existsSync(kept)).toBe(isKept);
    }
  });
});
