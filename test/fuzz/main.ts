/**
 * `npm run fuzz`: has schemathesis send generated requests to every route of a service in a folder of its own, and check that
 * each answer is one that the API's document announces; before that, as many sequences of the model test as `--sequences N`
 * (0) asks for. `--seconds N` (120) bounds schemathesis, `--seed N` (any) repeats a run, `--paths REGEX` (all) narrows it.
 * schemathesis.toml tells which checks are narrowed, and why.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installPackages } from "../engines/install.ts";
import type { Service } from "../support/service.ts";
import { startService } from "../support/service-process.ts";
import { type ApiDocument, withKnown } from "./document.ts";

const KEY = "admin-key-of-the-service-that-is-fuzzed";
/** The organization that the first key is of. */
const OPERATOR = "org_operator";

/** What is used of schemathesis's report. */
interface Report {
  running_time: number;
  operations: { total: number; tested: number };
  test_cases: { generated: number };
  failures: { code: string; title: string; count: number; operations: string[] }[];
  errors: unknown[];
  /** Of requests that fit the document, by route and phase. */
  valid_rates: Record<string, Record<string, { accepted: number }>>;
}

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    sequences: { type: "string", default: "0" },
    paths: { type: "string", default: "" },
  },
});

const schemathesis = await installPackages("schemathesis", fileOf("requirements.txt"));
const folder = mkdtempSync(path.join(tmpdir(), "memory-service-fuzz-"));
try {
  console.log(`seed ${options.seed}`);
  const modelHolds = options.sequences === "0" || runModel();
  const service = await startService(path.join(folder, "data"), {
    NODE_OPTIONS: `--import=${fileOf("offline.ts")}`,
    BOOTSTRAP_API_KEY: KEY,
    DEFAULT_PLAN: "enterprise",
    LOG_LEVEL: "error",
  });
  try {
    const report = await fuzz(service, service.baseUrl);
    process.exitCode = tell(report, await errorsLogged(service)) && modelHolds ? 0 : 1;
  } finally {
    await service.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Whether the model test passed. */
function runModel(): boolean {
  const env = { ...process.env, FUZZ_RUNS: options.sequences, FUZZ_SEED: options.seed };
  return spawnSync("vitest", ["run", fileOf("model.test.ts")], { stdio: "inherit", env }).status === 0;
}

async function fuzz(service: Service, baseUrl: string): Promise<Report> {
  const environment = await environmentOf(service);
  const { body } = await service.request("GET", "/openapi.json");
  const document = path.join(folder, "openapi.json");
  writeFileSync(
    document,
    JSON.stringify(await withKnown(body as ApiDocument, new RegExp(options.paths), service, KEY)),
  );
  const report = path.join(folder, "report.json");
  const child = spawn(
    path.join(schemathesis, "bin/st"),
    [
      ...["--config-file", fileOf("schemathesis.toml"), "run", document, "--url", baseUrl],
      ...["--seed", options.seed, "--max-time", options.seconds, "--report", "json", "--report-json-path", report],
      "--no-color",
    ],
    { cwd: folder, stdio: "inherit", env: { ...process.env, ...environment } },
  );
  const [status] = await once(child, "exit");
  if (status !== 0 && status !== 1) throw new Error(`schemathesis ended with ${status}`);
  return JSON.parse(readFileSync(report, "utf8")) as Report;
}

/** What schemathesis.toml and hooks.py take from the environment; there is one key yet, and it is the fuzzer's. */
async function environmentOf(service: Service): Promise<Record<string, string>> {
  const { body } = await service.request("GET", "/api-keys");
  const ids: string[] = body.data.api_keys.map(({ id }: { id: string }) => id);
  return {
    FUZZ_KEY: KEY,
    FUZZ_KEPT_IDS: [...ids, OPERATOR].join(),
    PYTHONPATH: fileOf("."),
    SCHEMATHESIS_HOOKS: "hooks",
    PYTHONDONTWRITEBYTECODE: "1",
  };
}

/** Messages of what the service logged as errors of its own. */
async function errorsLogged(service: Service): Promise<string[]> {
  const { body } = await service.request("GET", "/admin/logs?level=error&limit=100");
  return body.data.logs.filter(({ message }: { message: string }) => message !== "REQUEST").map(JSON.stringify);
}

/** Prints the figures, and answers whether something was tried and nothing failed. */
function tell(
  { running_time, operations, test_cases, failures, errors, valid_rates }: Report,
  logged: string[],
): boolean {
  const isAccepted = (phases: Report["valid_rates"][string]) => Object.values(phases).some((each) => each.accepted > 0);
  const [accepted = [], refusing = []] = [true, false].map((wanted) =>
    Object.keys(valid_rates).filter((route) => isAccepted(valid_rates[route] ?? {}) === wanted),
  );
  console.log(`
seed                       ${options.seed}
routes tried               ${operations.tested} of ${operations.total}
routes that accepted one   ${accepted.length}
cases                      ${test_cases.generated}
seconds                    ${Math.round(running_time)}
failures                   ${failures.reduce((sum, { count }) => sum + count, 0)}
errors the service logged  ${logged.length}
routes that accepted none  ${refusing.join(", ")}`);
  for (const { code, title, operations: those } of failures) console.log(`${code} ${title}: ${those.join(", ")}`);
  for (const line of logged) console.log(line);
  for (const error of errors) console.log(JSON.stringify(error));
  return operations.tested > 0 && failures.length + logged.length + errors.length === 0;
}
