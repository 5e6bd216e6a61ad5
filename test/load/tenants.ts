import { Generator } from "../bench/corpus.ts";
import type { Service } from "../support/service.ts";

const BATCH = 100;
const PASSWORD = "a password nobody has";

/** An organization with a key that has every permission, and the ids of its memories. */
export interface Tenant {
  organization: string;
  key: string;
  memories: string[];
}

/** Registers an organization with the public API and stores this many memories in it. */
export async function createTenant(service: Service, seed: number, memories: number): Promise<Tenant> {
  const organization = `tenant-${seed}`;
  const email = `${organization}@example.com`;
  await succeed(service, "/auth/register", { email, password: PASSWORD, name: `Tenant ${seed}`, organization }, null);
  const { access_token } = await succeed(service, "/auth/login", { email, password: PASSWORD }, null);
  const { key } = await succeed(service, "/api-keys", { name: "load", permissions: ["admin:all"] }, access_token);
  const tenant: Tenant = { organization, key, memories: [] };
  const text = new Generator(seed);
  while (tenant.memories.length < memories) {
    const size = Math.min(BATCH, memories - tenant.memories.length);
    const batch = Array.from({ length: size }, () => ({ content: text.memory(), user_id: `user-${seed}` }));
    const { created } = await succeed(service, "/memories/batch", { memories: batch }, key);
    tenant.memories.push(...created.map(({ id }: { id: string }) => id));
  }
  return tenant;
}

async function succeed(service: Service, path: string, body: object, credential: string | null) {
  const headers: Record<string, string> = credential === null ? {} : { authorization: `Bearer ${credential}` };
  const answer = await service.request("POST", path, { key: null, headers, body });
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}
