import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, type Service } from "../support/service.ts";
import type { Ready, Use } from "./server.ts";

const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));

/** A server in its own process, so that its clients do not slow it down. */
export interface Served extends Service, Ready {
  pid: number;
  use(): Promise<Use>;
  close(): Promise<void>;
}

/** Starts the service with its log on but discarded, or a bare Hono server if its answer is given. */
export async function serve(bareAnswer?: unknown, environment: Record<string, string> = {}): Promise<Served> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "memory-service-bench-"));
  const bare = bareAnswer === undefined ? {} : { BARE_ANSWER: JSON.stringify(bareAnswer) };
  const child = fork(SERVER, {
    env: { EMBEDDER: "lexical", ...process.env, DATA_DIR: dataDir, PORT: "0", ...environment, ...bare },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const next = async <T>(): Promise<T> => {
    const early = ended.then(() => Promise.reject(new Error("the server ended")));
    const [message] = await Promise.race([once(child, "message"), early]);
    return message;
  };
  const ready = await next<Ready>();
  if (child.pid === undefined) throw new Error("the server did not start");
  return {
    pid: child.pid,
    ...ready,
    ...createClient(ready.url, ready.apiKey),
    use: () => {
      child.send("use");
      return next<Use>();
    },
    close: async () => {
      child.disconnect();
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
