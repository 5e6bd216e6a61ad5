import { setTimeout as sleep } from "node:timers/promises";
import type { Answered, Service } from "../../support/service.ts";
import { agents } from "./agents.ts";
import { apiKeys } from "./api-keys.ts";
import { auth } from "./auth.ts";
import { backups } from "./backups.ts";
import { compat } from "./compat.ts";
import { compatRest } from "./compat-rest.ts";
import { compression } from "./compression.ts";
import { connections } from "./connections.ts";
import { consent } from "./consent.ts";
import { operatorConsole } from "./console.ts";
import { docs } from "./docs.ts";
import { facts } from "./facts.ts";
import { health } from "./health.ts";
import { maintenance } from "./maintenance.ts";
import { mcp } from "./mcp.ts";
import { memories } from "./memories.ts";
import { monitoring } from "./monitoring.ts";
import { oauth } from "./oauth.ts";
import { recall } from "./recall.ts";
import type { GroupSamples, Sample, Thing } from "./sample.ts";
import { search } from "./search.ts";
import { sessions } from "./sessions.ts";
import { skills } from "./skills.ts";
import { sources } from "./sources.ts";
import { transfers } from "./transfers.ts";
import { users } from "./users.ts";
import { webhooks } from "./webhooks.ts";

/** Maximum time until a resource is found that workers create. */
const FOUND_MS = 10_000;
const INTERVAL_MS = 50;

const GROUPS: GroupSamples[] = [
  agents,
  apiKeys,
  auth,
  backups,
  compat,
  compatRest,
  compression,
  connections,
  consent,
  operatorConsole,
  docs,
  facts,
  health,
  maintenance,
  memories,
  monitoring,
  mcp,
  oauth,
  recall,
  search,
  sessions,
  skills,
  sources,
  transfers,
  users,
  webhooks,
];

/** Every route's sample by the route's name; throws if a route has none, or a sample has no route. */
export const SAMPLES: Record<string, Sample> = Object.assign({}, ...GROUPS.map(({ routes }) => routes));

/** The resources that paths name, and how each is created. */
export const THINGS: Record<string, Thing> = Object.assign({}, ...GROUPS.map(({ things }) => things));

/** Routes that are not in the contract, which defines a framework: using it requires these as well. */
export const ADDITIONS = GROUPS.flatMap(({ additions = [] }) => additions);

/** Creates one resource and returns its id. */
export async function makeThing(
  service: Service,
  key: string,
  thing: string,
  name: string,
  known: Record<string, string> = {},
): Promise<string> {
  const recipe = THINGS[thing];
  if (!recipe) throw new Error(`No group's samples tell how to make '${thing}'`);
  const { body, idField = "id", params = {}, found } = recipe;
  const ids = await makeThings(service, key, params, name, known);
  const path = recipe.path.replace(/\{(\w+)\}/g, (_, parameter) => ids[parameter] ?? "");
  const sent = typeof body === "function" ? body({ name, ids }) : body;
  const answer = await service.request("POST", path, { key, body: sent });
  const id = idIn(answer, idField);
  if (answer.status >= 300 || !id) {
    throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  if (found === undefined) return id;
  const { path: list, idField: field } = found;
  return find(service, key, { path: typeof list === "function" ? list(name) : list, idField: field });
}

function idIn({ body }: Answered, idField: string): string | undefined {
  return idField.split(".").reduce((within, field) => within?.[field], body.data ?? body);
}

async function find(
  service: Service,
  key: string,
  { path, idField }: { path: string; idField: string },
): Promise<string> {
  const deadline = Date.now() + FOUND_MS;
  for (;;) {
    const answer = await service.request("GET", path, { key });
    const id = idIn(answer, idField);
    if (id !== undefined) return id;
    if (Date.now() > deadline) throw new Error(`GET ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    await sleep(INTERVAL_MS);
  }
}

/** Creates the resource of each parameter unless it is known; returns ids by the parameters' names. */
export async function makeThings(
  service: Service,
  key: string,
  params: Record<string, string>,
  name: string,
  known: Record<string, string> = {},
): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  for (const [parameter, thing] of Object.entries(params)) {
    made[parameter] = known[parameter] ?? (await makeThing(service, key, thing, name, made));
  }
  return made;
}
