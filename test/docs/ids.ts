import { vi } from "vitest";
import { listenOnLoopback } from "../fixtures/loopback-server.ts";
import type { LocalService } from "../support/service.ts";

type Data = { id: string } & Record<string, string>;

/** The input of a maker: the service, the address of a web page, and the ids of other names. */
export interface Made {
  service: LocalService;
  pageUrl: string;
  id(name: string): Promise<string>;
}
type Make = (made: Made) => Promise<string>;

/** Creates the resource that a variable in a block names, and returns its id. */
const MAKERS: Record<string, Make> = {
  MEMORY: async ({ service }) => (await post(service, "/memories", { content: "Ada prefers tea.", user_id: "ada" })).id,
  FACT: async ({ service }) => {
    await post(service, "/memories", { content: "I live in Lisbon.", user_id: "ada" });
    const { body } = await service.request("GET", "/facts?user_id=ada&attribute=lives_in");
    return body.data.facts[0].id;
  },
  PATTERN: findPattern,
  SESSION: async ({ service }) => (await post(service, "/sessions", { agent_id: "guide", user_id: "ada" })).id,
  SKILL: async ({ service }) => (await post(service, "/skills", SKILL)).id,
  AGENT: async ({ service }) => (await post(service, "/agents", { name: "Helper", model: "any" })).id,
  GROUP: async ({ service }) => (await post(service, "/groups", { name: "Helpers" })).id,
  SOURCE: async ({ service }) => {
    const source = { type: "text", content: "Ships call here.", title: "Ships" };
    return (await post(service, "/sources/ingest", source)).source_id ?? "";
  },
  CHUNK: async ({ service, id }) => {
    const { body } = await service.request("GET", `/sources/${await id("SOURCE")}`);
    return body.chunk_memory_ids[0];
  },
  CONNECTION: async ({ service, pageUrl }) =>
    (await post(service, "/connections/web_crawler", { config: { url: pageUrl } })).id,
  WEBHOOK: async ({ service }) => (await post(service, "/webhooks", { ...HOOK, url: "http://127.0.0.1:9/" })).id,
  ENTRY: failDelivery,
  IMPORT: async ({ service }) =>
    (await post(service, "/imports", { memories: [{ content: "Ada drinks tea.", user_id: "ada" }] })).event_id ?? "",
  JOB: async ({ service }) => (await post(service, "/admin/sync", { components: ["memories"] })).job_id ?? "",
  ACCESS_TOKEN: async ({ service }) => {
    const person = { email: "grace@example.com", password: "a password nobody has" };
    await post(service, "/auth/register", { ...person, name: "Grace" });
    return (await post(service, "/auth/login", person)).access_token ?? "";
  },
};

async function findPattern({ service }: Made): Promise<string> {
  for (const day of ["2026-03-02", "2026-04-01", "2026-05-06"]) {
    await post(service, "/memories", { content: "I flew to Lisbon.", user_id: "ada", occurred_at: `${day}T09:00:00Z` });
  }
  await post(service, "/patterns/find", { user_id: "ada" });
  return vi.waitFor(async () => {
    const { body } = await service.request("GET", "/patterns?user_id=ada");
    return body.data.patterns[0].id as string;
  }, 20_000);
}

const SKILL = { name: "Return", trigger: "a customer returns a parcel", action: "Take it back.", domain: "support" };
const HOOK = { name: "Log", events: ["memory.created"], delivery_config: { retry_count: 0 } };

/** The variables that documents may use without defining them. */
export const NAMES = Object.keys(MAKERS);

/** Creates the resource of a variable and returns its id. Throws an error if nothing was created. */
export async function makeId(name: string, made: Made): Promise<string> {
  const id = await MAKERS[name]?.(made);
  if (!id) throw new Error(`nothing was made for $${name}`);
  return id;
}

async function post(service: LocalService, path: string, body: object): Promise<Data> {
  const answer = await service.request("POST", path, { body });
  if (answer.status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data ?? answer.body;
}

/** Creates a dead letter of a webhook whose receiver answers 500, and returns its id. */
async function failDelivery({ service }: Made): Promise<string> {
  const receiver = await listenOnLoopback((request, response) => {
    request.resume();
    response.writeHead(500).end();
  });
  await post(service, "/webhooks", { ...HOOK, url: receiver.url });
  await post(service, "/memories", { content: "Grace sails.", user_id: "grace" });
  const entry = await vi.waitFor(async () => {
    const { body } = await service.request("GET", "/webhooks/dead-letter");
    const [first] = body.data.dead_letter_entries;
    if (!first) throw new Error("no delivery has failed yet");
    return first.id as string;
  }, 20_000);
  await receiver.close();
  return entry;
}
