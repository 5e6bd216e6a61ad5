import path from "node:path";
import { fileURLToPath } from "node:url";
import { type EngineProcess, freePort, startEngine } from "../engines/engine-process.ts";
import { installPackages } from "../engines/install.ts";

const REQUIREMENTS = fileURLToPath(new URL("./requirements.txt", import.meta.url));
const PROGRAM = fileURLToPath(new URL("./emulator.py", import.meta.url));
const LOOPBACK = "127.0.0.1";
const READY_PATH = "/_ministack/health";

/** The account that the emulator takes requests for that it is not told another of. */
export const EMULATED_ACCOUNT = {
  AWS_ACCESS_KEY_ID: "000000000000",
  AWS_SECRET_ACCESS_KEY: "emulated",
  AWS_REGION: "us-east-1",
} as const;

/**
 * Installs MiniStack if it is missing and starts it on a free port of the loopback, with all that it keeps in a folder. Its
 * URL speaks for all services of AWS. Functions run in processes of its own, by the `node` that is first on PATH.
 */
export async function startEmulator(folder: string, searchUrl: string): Promise<EngineProcess> {
  const python = path.join(await installPackages("ministack", REQUIREMENTS), "bin/python");
  const port = await freePort();
  // So it names its queues and APIs; the SDK remarks on each queue whose host is another than its endpoint's.
  const url = `http://localhost:${port}`;
  const environment = {
    ...EMULATED_ACCOUNT,
    BIND_HOST: LOOPBACK,
    GATEWAY_PORT: String(port),
    LOG_LEVEL: "WARNING",
    // A burst of requests leaves a process each, which else stay for five minutes.
    LAMBDA_WARM_TTL_SECONDS: "20",
    // What functions are told.
    AWS_ENDPOINT_URL: url,
    MINISTACK_OPENSEARCH_ENDPOINT: new URL(searchUrl).host,
    TMPDIR: folder,
  };
  const command = { name: "ministack", program: python, parameters: [PROGRAM] };
  const engine = await startEngine({ ...command, port, folder, readyPath: READY_PATH, environment });
  return { url, stop: engine.stop };
}
