import { timestamp } from "../../kernel/clock.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import { FIRST_KEY } from "../../ports/secret-names.ts";
import { OPERATOR_ORG } from "../../runtime/access/operator.ts";
import type { Runtime } from "../../runtime/context.ts";
import { hashSecret, newApiKey, newSecret } from "./api-keys.ts";
import { findApiKeyByHash, putApiKey, putOrganization } from "./records.ts";

/** The first key, for the start message; `isNew` if this start created it. */
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
  if (await findApiKeyByHash(runtime.ports.records, hashSecret(secret))) return { secret, isNew: false };
  const fields = {
    name: "First admin key",
    permissions: ["admin:all" as const],
    metadata: {},
    created_by: OPERATOR_ORG,
  };
  const { key } = newApiKey({ ...runtime, org: OPERATOR_ORG }, fields, secret);
  const isNew = await tryWrite(runtime, ...putApiKey(key));
  return { secret, isNew };
}
