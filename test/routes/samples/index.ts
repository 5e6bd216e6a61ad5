import type { Service } from "../../support/service.ts";
import { agents } from "./agents.ts";
import { apiKeys } from "./api-keys.ts";
import { auth } from "./auth.ts";
import { backups } from "./backups.ts";
import { compression } from "./compression.ts";
import { connections } from "./connections.ts";
import { docs } from "./docs.ts";
import { health } from "./health.ts";
import { memories } from "./memories.ts";
import type { GroupSamples, Sample, Thing } from "./sample.ts";
import { search } from "./search.ts";
import { sessions } from "./sessions.ts";
import { skills } from "./skills.ts";
import { sources } from "./sources.ts";
import { transfers } from "./transfers.ts";
import { users } from "./users.ts";

const GROUPS: GroupSamples[] = [
  agents,
  apiKeys,
  auth,
  backups,
  compression,
  connections,
  docs,
  health,
  memories,
  search,
  sessions,
  skills,
  sources,
  transfers,
  users,
];

/** Every route's sample by the route's name; a route without one, or one without a route, fails. */
export const SAMPLES: Record<string, Sample> = Object.assign({}, ...GROUPS.map(({ routes }) => routes));

/** What paths name, and how each is made. */
export const THINGS: Record<string, Thing> = Object.assign({}, ...GROUPS.map(({ things }) => things));

/** Routes that the contract does not name: its paths are a frame, and these are what using it needs besides. */
export const ADDITIONS = GROUPS.flatMap(({ additions = [] }) => additions);

/** Makes one thing and answers its id. */
export async function makeThing(
  service: Service,
  key: string,
  thing: string,
  name: string,
  known: Record<string, string> = {},
): Promise<string> {
  const recipe = THINGS[thing];
  if (!recipe) throw new Error(`No group's samples tell how to make '${thing}'`);
  const { body, idField = "id", params = {} } = recipe;
  const ids = await makeThings(service, key, params, name, known);
  const path = recipe.path.replace(/\{(\w+)\}/g, (_, parameter) => ids[parameter] ?? "");
  const sent = typeof body === "function" ? body({ name, ids }) : body;
  const answer = await service.request("POST", path, { key, body: sent });
  const made = answer.body.data ?? answer.body;
  const id = idField.split(".").reduce((within, field) => within?.[field], made);
  if (answer.status >= 300 || !id) {
    throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return id;
}

/** Makes what each parameter names, but for what is known; ids by the parameters' names. */
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
