import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { type ServiceProcess, startService } from "../support/service-process.ts";
import { KeepAliveClient } from "./steady-clients.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const KEY = "admin-key-of-a-service-that-stops";
const CLIENTS = 8;
/** Number of writes before the signal, so that others are in progress when it arrives. */
const WRITES = 100;
/** Maximum milliseconds of a stop with short requests, and with requests that would never end. */
const [SHORT_MS, MAX_MS] = [5_000, 15_000];
/** Maximum milliseconds of a start, which compiles the service if no start did so before. */
const START_MS = 90_000;
const PAGE = 100;
/** Paths that two requests and a worker request from a website, an embedding model and a language model. */
const HANGING = new Set(["/robots.txt", "/embeddings", "/chat/completions"]);

async function start(dataDir: string, environment: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startService(dataDir, { BOOTSTRAP_API_KEY: KEY, ...environment });
  onTestFinished(() => service.kill());
  return service;
}

/** Stops the service. Returns its exit code and the milliseconds that it took. */
async function timedStop(service: ServiceProcess, signal?: NodeJS.Signals) {
  const beganAt = performance.now();
  const code = await service.stop(signal);
  return { code, ms: performance.now() - beganAt };
}

/** A server that accepts requests and never responds. */
async function openHangingServer() {
  const hanging = { url: "", asked: new Set<string>() };
  const server = createServer(({ url = "" }) => void hanging.asked.add(url)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  hanging.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return hanging;
}

function connectTo({ baseUrl }: ServiceProcess): Socket {
  return connect(Number(new URL(baseUrl).port), "127.0.0.1");
}

async function contentsOf(service: ServiceProcess): Promise<string[]> {
  const contents: string[] = [];
  for (let hasNext = true; hasNext; ) {
    const { body } = await service.request("GET", `/memories?limit=${PAGE}&offset=${contents.length}`);
    contents.push(...body.data.memories.map(({ content }: { content: string }) => content));
    hasNext = body.data.pagination.has_next;
  }
  return contents;
}

const refusedInEnvelope = {
  status: 503,
  headers: { connection: "close", "retry-after": expect.stringMatching(/^\d+$/) },
  body: {
    success: false,
    error: { code: "SERVICE_UNAVAILABLE", message: expect.stringMatching(/stopping.*[Tt]ry again/) },
    meta: { request_id: expect.any(String) },
  },
};

describe("a service that receives a signal to stop", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "answers each write that it commits under steady load, at %s",
    async (name) => {
      const dataDir = temporaryFolder();
      const service = await start(dataDir);
      const clients = Array.from({ length: CLIENTS }, () => new KeepAliveClient(service.baseUrl, KEY));
      const writing = clients.map((client, index) => client.write(`client ${index}`));
      const attempted = () => clients.flatMap(({ attempts }) => attempts);
      await vi.waitFor(() => expect(attempted().length).toBeGreaterThan(WRITES), { timeout: 30_000 });
      const { code, ms } = await timedStop(service, name);
      await Promise.all(writing);
      const attempts = attempted();
      expect({ code, isSoon: ms < SHORT_MS }, `${ms} ms`).toEqual({ code: 0, isSoon: true });

      const closing = attempts.filter(
        ({ answer, error }) => error !== undefined || answer?.headers.connection === "close",
      );
      const firstClosing = Math.min(...closing.map(({ endedAt }) => endedAt));
      const answered = attempts.filter(({ answer }) => answer?.status === 201);
      const refused = attempts.filter(({ answer }) => answer !== undefined && answer.status !== 201);
      expect(answered.filter(({ sentAt }) => sentAt > firstClosing)).toEqual([]);
      for (const { answer } of refused) expect(answer).toMatchObject(refusedInEnvelope);
      expect(attempts.flatMap(({ error }) => error ?? [])).toEqual(clients.map(() => "ECONNREFUSED"));
      const stored = await contentsOf(await start(dataDir));
      expect(stored.sort()).toEqual(answered.map(({ content }) => content).sort());
    },
  );

  it("waits for no connection, body, request, worker or model that hangs", async () => {
    const dataDir = temporaryFolder();
    const hanging = await openHangingServer();
    const environment = {
      EMBEDDER: "openai",
      LANGUAGE_MODEL: "openai",
      OPENAI_BASE_URL: hanging.url,
      ALLOW_PRIVATE_TARGETS: "1",
    };
    const service = await start(dataDir, environment);
    const [writer, searcher, syncer] = [1, 2, 3].map(() => new KeepAliveClient(service.baseUrl, KEY)) as [
      KeepAliveClient,
      KeepAliveClient,
      KeepAliveClient,
    ];
    const searching = searcher.send("GET", "/search?q=bees");
    const messages = [{ role: "user", content: "I work as a nurse in Boston." }];
    expect((await writer.send("POST", "/v3/memories/add/", { messages, user_id: "ann" })).status).toBe(200);
    const { body: connection } = await writer.send("POST", "/connections/web_crawler", {
      config: { url: hanging.url },
    });
    const syncing = syncer.send("POST", `/connections/${connection.id}/sync`, {});
    await vi.waitFor(() => expect(hanging.asked).toEqual(HANGING), { timeout: 10_000 });
    const [idle, slow] = [connectTo(service), connectTo(service)];
    const head = `POST /memories HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\nContent-Length: 100\r\n`;
    slow.write(`${head}Expect: 100-continue\r\n\r\n`);
    await once(slow, "data");
    const dripping = setInterval(() => slow.write(" "), 1_000);
    onTestFinished(() => clearInterval(dripping));

    const stopped = timedStop(service);
    expect(await text(slow)).toMatch(/^HTTP\/1.1 503 .*SERVICE_UNAVAILABLE/s);
    expect((await searching).status).toBeOneOf([200, 503, 504]);
    expect(await syncing).toMatchObject(refusedInEnvelope);
    expect(await text(idle)).toBe("");
    const { code, ms } = await stopped;
    expect({ code, isSoon: ms < MAX_MS }, `${ms} ms`).toEqual({ code: 0, isSoon: true });

    hanging.asked.clear();
    const restarted = await start(dataDir, environment);
    expect((await restarted.request("GET", "/admin/quarantine")).body.data.works).toEqual([]);
    await vi.waitFor(() => expect(hanging.asked).toContain("/chat/completions"), { timeout: 10_000 });
    expect(await contentsOf(restarted)).toEqual([]);
  });

  it("ends immediately at a second signal", async () => {
    const hanging = await openHangingServer();
    const service = await start(temporaryFolder(), { EMBEDDER: "openai", OPENAI_BASE_URL: hanging.url });
    const search = service.request("GET", "/search?q=bees").catch(() => "cut off");
    await expect.poll(() => hanging.asked.size).toBeGreaterThan(0);
    const stopped = service.stop();
    await sleep(700);
    const { code, ms } = await timedStop(service);
    expect({ code, isSoon: ms < SHORT_MS }, `${ms} ms`).toEqual({ code: 1, isSoon: true });
    expect([await stopped, await search]).toEqual([1, "cut off"]);
  });

  it.each([
    ["SIGTERM to npm", (npm: number) => process.kill(npm, "SIGTERM")],
    [
      "Ctrl-C, which reaches npm and the service, and which npm passes on",
      (npm: number) => process.kill(-npm, "SIGINT"),
    ],
  ])(
    "stops at %s",
    async (_, tell) => {
      const env = { ...process.env, DATA_DIR: temporaryFolder(), PORT: "0", npm_config_loglevel: "silent" };
      const npm = spawn("npm", ["start"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "ignore"], detached: true });
      const pid = npm.pid ?? Number.NaN;
      const exited = once(npm, "exit");
      onTestFinished(() => killGroup(pid));
      let said = "";
      npm.stdout.setEncoding("utf8").on("data", (part: string) => {
        said += part;
      });
      await expect.poll(() => said, { timeout: START_MS }).toContain("/search?q=");
      tell(pid);
      // The service keeps the pipe open until it ends.
      await once(npm.stdout, "close");
      expect(await exited).toEqual([0, null]);
    },
    2 * START_MS,
  );
});

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
