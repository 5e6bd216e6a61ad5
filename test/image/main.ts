/**
 * `npm run test:image`: takes the steps of the Dockerfile without a container runtime. It installs into an empty folder with
 * production dependencies alone, starts as another user where it may, remembers, recalls and stops, and prints sizes and times.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const KEY = "key-of-the-image-that-is-tested";
const NOBODY = 65_534;
const START_TIMEOUT_MS = 30_000;

const app = mkdtempSync(path.join(tmpdir(), "memory-image-"));
try {
  chmodSync(app, 0o755);
  for (const name of copiedByDockerfile()) {
    cpSync(path.join(PROJECT, name), path.join(app, name), {
      recursive: true,
      filter: (file) => !file.endsWith(".test.ts") && !file.endsWith("/infra/aws"),
    });
  }
  execFileSync("npm", ["ci", "--omit=dev", "--omit=optional", "--no-audit", "--no-fund"], {
    cwd: app,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const size = Number(execFileSync("du", ["-sm", app], { encoding: "utf8" }).split("\t")[0]);
  console.log(`folder: ${size} MB`);
  await runService();
} finally {
  rmSync(app, { recursive: true, force: true });
}

/** What the Dockerfile copies from the project, so that a file it forgets fails here. */
function copiedByDockerfile(): string[] {
  const lines = readFileSync(path.join(PROJECT, "Dockerfile"), "utf8").split("\n");
  const copies = lines.filter((line) => line.startsWith("COPY ") && !line.includes("--from="));
  return [...new Set(copies.flatMap((line) => line.split(" ").slice(1, -1)))];
}

async function runService(): Promise<void> {
  const data = path.join(app, "data");
  mkdirSync(data);
  chmodSync(data, 0o777);
  const isRoot = process.getuid?.() === 0;
  const environment = {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    PORT: "0",
    DATA_DIR: data,
    BOOTSTRAP_API_KEY: KEY,
  };
  const began = performance.now();
  const service = spawn(process.execPath, ["--max-semi-space-size=8", "infra/local/main.ts"], {
    cwd: app,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  try {
    const url = await addressOf(service.stdout);
    console.log(`start: ${Math.round(performance.now() - began)} ms${isRoot ? `, as user ${NOBODY}` : ""}`);
    await ask(url, "/memories", { content: "My favourite tea is Assam.", user_id: "ada" });
    const { context } = await ask(url, "/recall", { query: "Which tea do I like?", user_id: "ada" });
    assert.match(context, /Assam/);
  } finally {
    service.kill("SIGTERM");
  }
  const [code] = await once(service, "exit");
  assert.equal(code, 0);
  console.log("remembered, recalled and stopped with status 0");
}

/** Reads on after that, so that the service can write. */
function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let written = "";
    const late = setTimeout(() => reject(new Error(`The service does not start: ${written}`)), START_TIMEOUT_MS);
    output.on("data", (chunk) => {
      written += chunk;
      const url = /listens on (http:[^\s,(]+)/.exec(written)?.[1];
      if (url === undefined) return;
      clearTimeout(late);
      resolve(url);
    });
  });
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes
async function ask(url: string, route: string, body?: object): Promise<any> {
  const headers = { "x-api-key": KEY, "content-type": "application/json" };
  const request = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(url + route, request);
  const answer = (await response.json()) as { data: unknown };
  assert.ok(response.ok, JSON.stringify(answer));
  return answer.data;
}
