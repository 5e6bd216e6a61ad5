/**
 * mem0's published clients at work on this service, each against a service of its own: `npm run test:mem0 -- --help` names
 * the options, docs/mem0.md tells how to get the clients. What is not given is skipped, and said so.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type ServiceProcess, startService } from "../support/service-process.ts";
import { type Access, runChecks } from "./checks.ts";
import { runCommandLine, runPython } from "./mem0-programs.ts";
import { runSuite } from "./mem0-suite.ts";
import { runWorkflowNode } from "./mem0-workflow-node.ts";
import { SELF_HOSTED_CLIENTS, type Send } from "./self-hosted-clients.ts";

const API_KEY = "admin-key-of-mem0s-clients";
const OWN_CLIENT = fileURLToPath(new URL("../node_modules/mem0ai", import.meta.url));
const USAGE = `
--suite DIR   integration tests of mem0's client for Node (mem0-ts/src/client/tests/integration); may be repeated
--client DIR  package mem0ai to run them with; default: that of this project
--cli DIR     package @mem0/cli
--n8n DIR     package @mem0/n8n-nodes-mem0, with n8n-workflow beside it
--python EXE  Python that has the package mem0ai`;

const { values } = parseArgs({
  options: {
    suite: { type: "string", multiple: true, default: [] },
    client: { type: "string", default: OWN_CLIENT },
    cli: { type: "string" },
    n8n: { type: "string" },
    python: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) console.log(USAGE);
else await runAll();

/** What failed, and how much passed. */
interface Outcome {
  passed: number;
  failed: string[];
}

async function runAll(): Promise<void> {
  const client = resolve(values.client);
  const isFailed = [];
  if (values.suite.length === 0) skip("the suite of the client for Node", "--suite");
  for (const suite of values.suite) {
    const run = ({ baseUrl }: ServiceProcess) =>
      runSuite({ suite: resolve(suite), client, host: baseUrl, apiKey: API_KEY });
    isFailed.push(await report(`suite ${basename(dirname(suite))}/${basename(suite)}`, run));
  }
  for (const [name, checksOf] of Object.entries(SELF_HOSTED_CLIENTS)) {
    const run = ({ baseUrl }: ServiceProcess) => runChecks(checksOf(senderTo({ host: baseUrl, apiKey: API_KEY })));
    isFailed.push(await report(`self-hosted wire of ${name}`, run));
  }
  for (const [name, given, run] of [
    ["cli", values.cli, runCommandLine],
    ["n8n", values.n8n, runWorkflowNode],
    ["python", values.python, runPython],
  ] as const) {
    if (given === undefined) skip(name, `--${name}`);
    else isFailed.push(await report(name, ({ baseUrl }) => run(given, { host: baseUrl, apiKey: API_KEY })));
  }
  process.exitCode = isFailed.includes(true) ? 1 : 0;
}

/** Sends as clients of a self-hosted mem0 do. */
function senderTo({ host, apiKey }: Access): Send {
  return async (method, path, body) => {
    const headers = { "content-type": "application/json", "x-api-key": apiKey };
    const response = await fetch(`${host}/mem0${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
}

function skip(name: string, option: string): void {
  console.log(`${name}: SKIPPED, ${option} is not given`);
}

async function report(name: string, run: (service: ServiceProcess) => Promise<Outcome>): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), "mem0-"));
  const service = await startService(dataDir, { EMBEDDER: "lexical", BOOTSTRAP_API_KEY: API_KEY });
  try {
    const { passed, failed } = await run(service);
    console.log(`${name}: ${passed} of ${passed + failed.length} pass`);
    for (const failure of failed) console.log(`- ${failure}`);
    return failed.length > 0;
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true });
  }
}
