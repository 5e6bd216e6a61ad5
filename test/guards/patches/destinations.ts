import { guards, type Patch } from "../patch.ts";
import { CONNECTIONS, FETCHING } from "./tests.ts";

const OF_CONNECTIONS = "test/hostile/secrets-connections.test.ts";
const OF_DEPLOYMENT = "test/hostile/secrets-deployment.test.ts";
const TABLE = "test/hostile/secrets-table.test.ts";

/** The layer behind every other: no fetch sends a secret to where the table does not name. */
const TABLE_CHECK = {
  file: "shared/runtime/fetching/secret-destinations.ts",
  find: "  for (const secret of secrets) secret.assertMaySee(url);\n",
  replace: "",
};

/** Where secrets may go. */
export const DESTINATION_PATCHES: readonly Patch[] = guards("secret", [
  [
    "destinations: a fetch asks the table before it sends a secret",
    TABLE_CHECK.file,
    TABLE_CHECK.find,
    TABLE_CHECK.replace,
    [TABLE],
  ],
  [
    "destinations: the whole origin counts, not the host",
    "shared/runtime/fetching/secret-destinations.ts",
    "URL.parse(receiver)?.origin === target.origin",
    "URL.parse(receiver)?.hostname === target.hostname",
    [TABLE],
  ],
  [
    "destinations: other protocols have no origin",
    "shared/runtime/fetching/secret-destinations.ts",
    "  if (!target || !/^https?:$/.test(target.protocol)) return false;",
    "  if (!target) return false;",
    [TABLE],
  ],
  [
    "destinations: tokens of the deployment's client go to the built-in address",
    "shared/runtime/fetching/secret-destinations.ts",
    "  if (isOfDeployment) return builtInAddresses(provider, deployment)?.base_url;\n",
    "",
    [TABLE],
  ],
  [
    "destinations: a header with credentials is declared",
    "shared/runtime/fetching/secret-destinations.ts",
    "  if (undeclared !== undefined) throw",
    "  if (undeclared === '') throw",
    [FETCHING],
    "^a secret",
  ],
  [
    "destinations: a redirect to another origin takes no body along",
    "shared/runtime/fetching/fetch-public.ts",
    "  if (keepsMethod && !isSameOrigin && body !== undefined) {",
    "  if (keepsMethod && !isSameOrigin && body === '') {",
    [FETCHING, OF_CONNECTIONS],
    "redirect",
  ],
  [
    "destinations: what is sent to configured addresses is not redirected",
    "shared/runtime/fetching/fetch-configured.ts",
    `redirect: "manual"`,
    `redirect: "follow"`,
    [OF_DEPLOYMENT],
  ],
  [
    "destinations: a new connection with an own address brings a client",
    "functions/connections/service.ts",
    "  requireOwnClient(ctx.config, { provider, config: plain }, secrets);\n",
    "",
    [OF_CONNECTIONS],
    "^an address",
  ],
  [
    "destinations: a changed connection with an own address brings a client",
    "functions/connections/service.ts",
    "  requireOwnClient(ctx.config, { provider, config: plain }, { ...kept, ...given });\n",
    "",
    [CONNECTIONS, OF_CONNECTIONS],
    "forgets secrets|^another address",
  ],
  [
    "destinations: the deployment's client is not used at a connection's own addresses",
    "shared/domain/knowledge/connections/own-client.ts",
    "  if (ownAddresses(place.provider, place.config, config).length > 0) return false;\n",
    "",
    [OF_CONNECTIONS],
    "authorized again",
    [TABLE_CHECK],
  ],
]);
