import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createClient, type Service } from "./service.ts";

const MAIN = fileURLToPath(new URL("../../infra/local/main.ts", import.meta.url));
const ADMIN_KEY = "admin-key-of-a-service-in-its-own-process";

/** The service as `npm start` runs it, in a separate process. */
export interface ServiceProcess extends Service {
  baseUrl: string;
  pid: number | undefined;
  /** Kills it between two instructions, like a power cut or the kernel's out-of-memory killer. */
  kill(): Promise<void>;
  /** Stops it by SIGTERM, as service managers do, or by another signal. Resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the service on a data folder and resolves once it answers. Rejects with its output if it exits before. `hear`
 * gets its output line by line. `main` may be the entry point of another release.
 */
export async function startService(
  dataDir: string,
  environment: Record<string, string> = {},
  hear: (line: string) => void = () => {},
  main = MAIN,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: "0",
      LOG_LEVEL: "warn",
      BOOTSTRAP_API_KEY: ADMIN_KEY,
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const baseUrl = await addressOf(child, hear);
  const end = async (signal: NodeJS.Signals) => {
    const exited = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  const adminKey = environment.BOOTSTRAP_API_KEY ?? ADMIN_KEY;
  return {
    ...createClient(baseUrl, adminKey),
    baseUrl,
    pid: child.pid,
    kill: async () => void (await end("SIGKILL")),
    stop: (signal = "SIGTERM") => end(signal),
  };
}

/**
 * Resolves to the address that the service prints when it listens. Later output is still read, so that its pipe never
 * fills.
 */
async function addressOf(child: ChildProcess, hear: (line: string) => void): Promise<string> {
  if (child.stdout === null) throw new Error("the service's output is not piped");
  const said: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  createInterface(child.stdout).on("line", (line) => {
    hear(line);
    said.push(line);
    const address = line.match(/listens on (http:\S+)/)?.[1];
    if (address) resolve(address);
  });
  child.once("exit", () => reject(new Error(`the service ended before it listened: ${said.join("\n")}`)));
  return promise;
}
