import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { endWithThisProcess, freePort } from "../engines/engine-process.ts";
import { createClient, type Service } from "../support/service.ts";
import { type Inspector, inspect } from "./inspector.ts";

const MAIN = fileURLToPath(new URL("../../infra/local/main.ts", import.meta.url));
const ADMIN_KEY = "admin-key-of-a-service-under-load";

/** How long the event loop stood still, in milliseconds. */
export interface LoopDelay {
  p99: number;
  max: number;
}

/** What the process holds, in bytes. */
export interface Held {
  resident: number;
  heap: number;
  /** Of buffers, vectors among them. */
  external: number;
}

/** The service as `npm start` runs it, its log on and into nothing, with an inspector that tells what it does. */
export interface ServiceUnderLoad extends Service {
  url: string;
  inspector: Inspector;
  held(): Promise<Held>;
  /** Processor time used since it began. */
  cpuSeconds(): Promise<number>;
  /** Since the last time it was asked. */
  loopDelay(): Promise<LoopDelay>;
  close(): Promise<void>;
}

/** `core` keeps it on one processor, where `taskset` is there; else the system decides. */
export async function startUnderLoad(
  environment: Record<string, string> = {},
  core?: number,
): Promise<ServiceUnderLoad> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "memory-service-load-"));
  const node = [process.execPath, "--inspect=127.0.0.1:0", MAIN];
  const [command = "", ...args] = core === undefined ? node : ["taskset", "-c", `${core}`, ...node];
  const port = await freePort();
  const child = spawn(command, args, {
    env: { ...process.env, DATA_DIR: dataDir, PORT: `${port}`, BOOTSTRAP_API_KEY: ADMIN_KEY, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  endWithThisProcess(child);
  // By a signal itself nothing that is to be done at the exit is done.
  process.once("SIGTERM", () => process.exit(1));
  const inspector = await inspect(await debuggerOf(child.stderr));
  await inspector.evaluate(`globalThis.loopDelay = process.getBuiltinModule("node:perf_hooks")
    .monitorEventLoopDelay({ resolution: 5 }), loopDelay.enable(), true`);
  const url = `http://127.0.0.1:${port}`;
  const service = createClient(url, ADMIN_KEY);
  await untilReady(service);
  return {
    ...service,
    url,
    inspector,
    held: () =>
      inspector.evaluate(
        "(({ rss: resident, heapUsed: heap, external }) => ({ resident, heap, external }))(process.memoryUsage())",
      ),
    cpuSeconds: () => inspector.evaluate("(({ user, system }) => (user + system) / 1e6)(process.cpuUsage())"),
    loopDelay: () =>
      inspector.evaluate(`(() => {
        const delay = { p99: loopDelay.percentile(99) / 1e6, max: loopDelay.max / 1e6 };
        loopDelay.reset();
        return delay;
      })()`),
    close: async () => {
      inspector.close();
      child.kill("SIGTERM");
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Where the inspector listens; what else the process complains of is passed on. */
function debuggerOf(complaints: NodeJS.ReadableStream): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const lines = createInterface(complaints);
  lines.on("line", (line) => {
    const address = line.match(/^Debugger listening on (ws:\S+)/)?.[1];
    if (address) resolve(address);
    else if (!/^(For help, see|Debugger (attached|ending))/.test(line)) console.error(line);
  });
  lines.once("close", () => reject(new Error("the service ended before it listened")));
  return promise;
}

async function untilReady(service: Service): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const status = await service.request("GET", "/ready", { key: null }).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the service did not get ready");
}
