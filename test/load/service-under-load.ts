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

/** Delay of the event loop in milliseconds. */
export interface LoopDelay {
  p99: number;
  max: number;
}

/** Memory of the process in bytes. */
export interface Held {
  resident: number;
  heap: number;
  /** Of buffers, including vectors. */
  external: number;
}

/** The service as `npm start` runs it, with its log discarded and with an inspector for measurements. */
export interface ServiceUnderLoad extends Service {
  url: string;
  inspector: Inspector;
  held(): Promise<Held>;
  /** Processor time since the start. */
  cpuSeconds(): Promise<number>;
  /** Since the previous call. */
  loopDelay(): Promise<LoopDelay>;
  close(): Promise<void>;
}

/** Starts the service. `core` binds it to one processor, which requires `taskset`; otherwise the system decides. */
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
  // A signal alone would end this process without its exit handlers.
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

/** Resolves to the URL of the inspector; other lines of the process's error output are passed on. */
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
