import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 10_000;
const INTERVAL_MS = 100;

export interface EngineProcess {
  url: string;
  stop(): Promise<void>;
}

export interface EngineCommand {
  name: string;
  program: string;
  parameters: string[];
  port: number;
  /** Folder for its log. */
  folder: string;
  /** Path that responds, with any status, once the engine is ready. */
  readyPath?: string;
  /** Environment variables in addition to those of this process. */
  environment?: Record<string, string>;
}

/** A port of the loopback interface that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

/** Starts an engine and waits until it responds. Throws with the end of its log if it does not. */
export async function startEngine(command: EngineCommand): Promise<EngineProcess> {
  const { name, program, parameters, port, folder, readyPath = "/", environment } = command;
  const log = path.join(folder, `${name}.log`);
  const output = openSync(log, "w");
  const env = { ...process.env, ...environment };
  const child = spawn(program, parameters, { stdio: ["ignore", output, output], cwd: folder, env });
  closeSync(output);
  endWithThisProcess(child);
  const failure = once(child, "error").then(([error]) => String(error));
  const engine = { url: `http://127.0.0.1:${port}`, stop: () => stop(child) };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(engine.url + readyPath))) {
    const hasEnded = child.exitCode !== null || child.pid === undefined;
    if (hasEnded || Date.now() > deadline) {
      const reason = child.pid === undefined ? await failure : readFileSync(log, "utf8").slice(-2_000);
      await stop(child);
      throw new Error(`${name} did not start: ${reason}`);
    }
    await sleep(INTERVAL_MS);
  }
  return engine;
}

/** Kills the child also if this process exits before it stops the child. */
export function endWithThisProcess(child: ChildProcess): void {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
