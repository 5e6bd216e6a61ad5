import { randomInt } from "node:crypto";
import { inject } from "vitest";
import { discoverGroups } from "../../infra/discover.ts";
import { openAwsPlatform } from "../../shared/adapters/aws/platform.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { createBaseRuntime, createRuntime } from "../../shared/entry/runtime.ts";
import { systemClock } from "../../shared/kernel/clock.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Mailer } from "../../shared/ports/mailer.ts";
import type { Capability } from "../../shared/ports/ports.ts";
import { FIRST_KEY, PURPOSES } from "../../shared/ports/secret-names.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { createClient, type RequestOptions, type Service, type TestedService } from "../support/service.ts";
import { ChangeFeed } from "./change-feed.ts";
import { EMULATED_ACCOUNT } from "./emulator.ts";
import { DeployedFunctions } from "./functions.ts";
import { sentMails } from "./mail.ts";

const CAPABILITIES: Capability[] = [
  ...(["records", "inventory", "search", "blobs", "queue"] as const),
  ...(["embedder", "reader", "models", "mailer", "logs"] as const),
  ...PURPOSES.map((purpose) => `secrets:${purpose}` as const),
];

/** Behind a proxy that the deployment trusts, each request seems to come from elsewhere: the emulator knows one address. */
const FORWARDED = "x-forwarded-for";

const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/** Mails go out from the functions; a test that wants to see them puts a mailer of its own in this one's place. */
const NO_READER: Mailer = { send: async () => {} };

/** What all services that a test file opens have in common: there is one deployment. */
interface Deployment {
  functions: DeployedFunctions;
  client: Service;
  adminKey: string;
  feed: ChangeFeed;
  /** Prefixes of the groups that search. */
  searching: string[];
}

let opened: Promise<Deployment> | undefined;

/**
 * The deployed service, spoken to through API Gateway. Its runtime is the AWS adapters in this process, on what is deployed
 * and with the functions' own settings, for what no request can arrange. Whenever it sends a request all functions run
 * under `settings` besides those they were deployed with, so that several services of one file can be open at a time.
 */
export async function openDeployedService(settings: Record<string, string> = {}): Promise<TestedService> {
  const { emulator } = inject("deployment");
  opened ??= openDeployment();
  const { functions, client, adminKey, feed, searching } = await opened;
  const runtime = await openRuntime({ ...functions.environment, ...settings });
  runtime.drainChangeFeed = () => feed.drainChangeFeed();
  const handOverMails = await mailsTo(runtime, emulator);
  const request = async (method: string, path: string, options?: RequestOptions) => {
    await functions.use(settings);
    if (isSearching(method, path, searching)) await feed.drainChangeFeed();
    const headers = { [FORWARDED]: someAddress(), ...options?.headers };
    const answer = await client.request(method, path, { ...options, headers });
    if (!READING.has(method)) {
      feed.expectChanges();
      await handOverMails();
    }
    return answer;
  };
  return { request, runtime, adminKey, close: async () => {} };
}

/** Whether an answer may come from the search index: what a group that searches is asked, rather than told to change. */
function isSearching(method: string, path: string, prefixes: string[]): boolean {
  const isAsked = READING.has(method) || /\b(mcp|recall|search|spreading-activation)\b/.test(path);
  return isAsked && prefixes.some((prefix) => path.startsWith(prefix));
}

function someAddress(): string {
  return `10.${[randomInt(256), randomInt(256), randomInt(256)].join(".")}`;
}

async function openDeployment(): Promise<Deployment> {
  const { emulator, url, functions: described } = inject("deployment");
  Object.assign(process.env, EMULATED_ACCOUNT, { AWS_ENDPOINT_URL: emulator });
  const functions = new DeployedFunctions(described);
  const runtime = await openRuntime(functions.environment);
  const adminKey = await runtime.ports.secrets.get(FIRST_KEY);
  if (adminKey === undefined) throw new Error("the deployment made no first key");
  const [api] = new URL(url).hostname.split(".");
  const client = createClient(`${emulator}/_aws/execute-api/${api}`, adminKey);
  const groups = await discoverGroups();
  const searching = groups.filter(({ manifest }) => manifest.capabilities.includes("search"));
  return {
    functions,
    client,
    adminKey,
    feed: new ChangeFeed(client, runtime, functions.environment),
    searching: searching.flatMap(({ manifest }) => manifest.prefixes),
  };
}

async function openRuntime(variables: Record<string, string | undefined>): Promise<Runtime> {
  const environment = { ...process.env, ...variables };
  const config = loadConfig(environment);
  const base = createBaseRuntime(config, systemClock, silentLogger);
  const ports = await openAwsPlatform({ ...base, capabilities: CAPABILITIES, environment });
  return createRuntime(base, { ...ports, mailer: NO_READER });
}

/** Hands what is sent from now on to the runtime's mailer, if a test reads it there. */
async function mailsTo(runtime: Runtime, emulator: string): Promise<() => Promise<void>> {
  let known = (await sentMails(emulator)).length;
  return async () => {
    if (runtime.ports.mailer === NO_READER) return;
    const mails = (await sentMails(emulator)).slice(known);
    known += mails.length;
    for (const mail of mails) await runtime.ports.mailer.send(mail);
  };
}
