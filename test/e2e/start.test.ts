import { type ChildProcess, type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";

const MAIN = fileURLToPath(new URL("../../infra/local/main.ts", import.meta.url));
const SECRET = /ak_live_\w+/;
const run = promisify(execFile);

function start(environment: Record<string, string>): ChildProcessByStdio<null, Readable, Readable> {
  const { BOOTSTRAP_API_KEY, ...inherited } = process.env;
  const env = { ...inherited, PORT: "0", LOG_LEVEL: "error", ...environment };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Returns the output up to the last line of the greeting. */
async function greetingOf({ stdout }: { stdout: Readable }): Promise<string> {
  let said = "";
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes("/search?q=") && said.endsWith("\n")) return said;
  }
  throw new Error(`it ended before it greeted: ${said}`);
}

/** Returns the exit code and the error output of a start that fails. */
async function failureOf(environment: Record<string, string>) {
  const child = start(environment);
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { code, complaint };
}

/** Copies the commands of a greeting into a shell, and returns what each request answers. */
async function copied(greeting: string): Promise<string[]> {
  const commands = greeting.slice(greeting.indexOf("Try:\n") + "Try:\n".length).replace(/\n(?= {2}curl)/g, "\necho\n");
  const { stdout } = await run("sh", ["-c", commands], { env: { PATH: process.env.PATH } });
  return stdout.split("\n").filter((line) => line !== "");
}

async function interrupt(child: ChildProcess): Promise<number | null> {
  const exited = once(child, "exit");
  child.kill("SIGINT");
  return (await exited)[0];
}

it("a start shows a key and commands that work, Ctrl-C ends it, and later starts name the key's file", async () => {
  const dataDir = path.join(temporaryFolder(), "ada's data");
  const first = start({ DATA_DIR: dataDir });
  const greeting = await greetingOf(first);
  const [stored = "", found = ""] = await copied(greeting);
  expect(JSON.parse(stored).success).toBe(true);
  const contentsIn = (answer: string) =>
    JSON.parse(answer).data.results.map(({ content }: { content: string }) => content);
  expect(contentsIn(found)).toEqual(["Ada lives in Zurich and prefers tea."]);
  expect(statSync(dataDir).mode & 0o077).toBe(0);
  expect(await interrupt(first)).toBe(0);

  const second = start({ DATA_DIR: dataDir });
  const later = await greetingOf(second);
  expect(later).toContain(path.join(dataDir, "secrets.json"));
  expect(later).not.toMatch(SECRET);
  const [storedLater = "", foundLater = ""] = await copied(later);
  expect(JSON.parse(storedLater).success).toBe(true);
  expect(contentsIn(foundLater)).toHaveLength(2);
  expect(await failureOf({ DATA_DIR: dataDir })).toEqual({
    code: 1,
    complaint: expect.stringMatching(/^Memory Service cannot start\. The data folder .* is in use .*\n$/),
  });
  expect(await interrupt(second)).toBe(0);
});

it("the service continues when its output is closed, and keeps its log", async () => {
  const key = "key-of-a-service-whose-output-nobody-reads";
  const dataDir = path.join(temporaryFolder(), "data");
  const child = start({ DATA_DIR: dataDir, LOG_LEVEL: "info", BOOTSTRAP_API_KEY: key });
  const [url = ""] = (await greetingOf(child)).match(/http:[^\s,(]+/) ?? [];
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  const headers = { "x-api-key": key };
  for (let count = 0; count < 3; count++) expect((await fetch(`${url}/memories`, { headers })).status).toBe(200);
  const logs = await fetch(`${url}/admin/logs`, { headers });
  expect(await logs.text()).toContain("/memories");
  expect(await interrupt(child)).toBe(0);
});

it("a start prints one line if its port is in use", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const { code, complaint } = await failureOf({ DATA_DIR: path.join(temporaryFolder(), "data"), PORT: String(port) });
  expect(code).toBe(1);
  expect(complaint).toBe(`Memory Service cannot start. listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`);
});

it("a start names every invalid setting in one line", async () => {
  const { code, complaint } = await failureOf({ PORT: "many", LOG_LEVEL: "loud", BOOTSTRAP_API_KEY: "short" });
  expect(code).toBe(1);
  expect(complaint).toMatch(/^Memory Service cannot start\. .*PORT: .*LOG_LEVEL: .*BOOTSTRAP_API_KEY: .*\n$/);
  expect(complaint).not.toContain("short");
});

it("a start prints one line if a newer release wrote the folder, and leaves the folder unchanged", async () => {
  const dataDir = temporaryFolder();
  const manifest = JSON.stringify({ release: "7.3.0", formats: { records: 99 } });
  writeFileSync(path.join(dataDir, "data.json"), manifest);
  const { code, complaint } = await failureOf({ DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(complaint).toMatch(
    /^Memory Service cannot start\. The data folder \S+ was written by release 7\.3\.0, .*DATA_DIR.*\n$/,
  );
  expect(readFileSync(path.join(dataDir, "data.json"), "utf8")).toBe(manifest);
  expect(readdirSync(dataDir).filter((file) => !file.startsWith("owner.lock"))).toEqual(["data.json"]);
});
