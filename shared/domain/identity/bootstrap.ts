import { timestamp } from "../../kernel/clock.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import { FIRST_KEY } from "../../ports/secret-names.ts";
import { OPERATOR_ORG } from "../../runtime/access/operator.ts";
import type { Runtime } from "../../runtime/context.ts";
import { hashSecret, newSecret, visiblePrefix } from "./api-keys.ts";
import { type ApiKey, findApiKeyByHash, putApiKey, putOrganization } from "./records.ts";

/** The origin of the first key, for the start message. */
export interface FirstKey {
  secret: string;
  isNew: boolean;
}

/**
 * Creates the operator organization and its admin key if they do not exist; safe at every start and in several
 * processes at once. A generated secret is stored by the Secrets port, a given one only as its hash.
 */
export async function bootstrap(runtime: Runtime): Promise<FirstKey> {
  const now = timestamp(runtime.clock());
  const organization = {
    id: OPERATOR_ORG,
    label: "Operator",
    plan: "enterprise",
    operator: true,
    created_at: now,
  } as const;
  await tryWrite(runtime, putOrganization(organization));
  const secret = runtime.config.BOOTSTRAP_API_KEY ?? (await runtime.ports.secrets.putIfAbsent(FIRST_KEY, newSecret()));
  const hash = hashSecret(secret);
  if (await findApiKeyByHash(runtime.ports.records, hash)) return { secret, isNew: false };
  const key: ApiKey = {
    id: runtime.ids("apiKey"),
    org: OPERATOR_ORG,
    name: "First admin key",
    prefix: visiblePrefix(secret),
    hash,
    permissions: ["admin:all"],
    metadata: {},
    status: "active",
    created_at: now,
    created_by: OPERATOR_ORG,
  };
  const isNew = await tryWrite(runtime, ...putApiKey(key));
  return { secret, isNew };
}
