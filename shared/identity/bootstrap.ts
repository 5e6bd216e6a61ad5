import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { FIRST_KEY } from "../platform/secret-names.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { hashSecret, newSecret, visiblePrefix } from "./api-keys.ts";
import { type ApiKey, findApiKeyByHash, putApiKey, putOrganization } from "./records.ts";

/** The organization whose admins run the deployment; there is one, so its id is fixed. */
export const OPERATOR_ORG = "org_operator";

/** Where the first key came from, for the line that greets the operator. */
export interface FirstKey {
  secret: string;
  isNew: boolean;
}

/**
 * Makes the operator organization and its admin key where they do not exist yet; safe to run at every start and in
 * several processes at once. A generated secret is kept by the Secrets port; a given one only as its hash.
 */
export async function bootstrap(home: Home): Promise<FirstKey> {
  const now = timestamp(home.clock());
  const organization = {
    id: OPERATOR_ORG,
    label: "Operator",
    plan: "enterprise",
    operator: true,
    created_at: now,
  } as const;
  await writeUnlessChanged(home, putOrganization(organization));
  const secret = home.config.BOOTSTRAP_API_KEY ?? (await home.ports.secrets.putIfAbsent(FIRST_KEY, newSecret()));
  const hash = hashSecret(secret);
  if (await findApiKeyByHash(home.ports.records, hash)) return { secret, isNew: false };
  const key: ApiKey = {
    id: home.ids("apiKey"),
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
  const isNew = await writeUnlessChanged(home, ...putApiKey(key));
  return { secret, isNew };
}
