import { LRUCache } from "lru-cache";
import { validFor } from "../../../kernel/clock.ts";
import type { Config } from "../../../kernel/config.ts";
import { ServiceError } from "../../../kernel/errors.ts";
import { clientSecretName } from "../../../ports/secret-names.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { createFetch, providerUnavailable, toSignInError } from "./http.ts";
import { type IdentityProvider, PROVIDERS, type ProviderClient, type ProviderName } from "./provider.ts";

/** How long a process caches a provider's metadata and the client secret; both rarely change. */
const TRUST_MS = 10 * 60_000;

type ProviderRuntime = Pick<Runtime, "config" | "ports" | "clock" | "logger">;

/** One cache per configuration. */
const opened = new WeakMap<Config, LRUCache<ProviderName, IdentityProvider, ProviderRuntime>>();

const CLIENTS: Record<ProviderName, (config: Config) => Partial<ProviderClient>> = {
  google: (config) => ({ clientId: config.GOOGLE_CLIENT_ID, clientSecret: config.GOOGLE_CLIENT_SECRET }),
  github: (config) => ({ clientId: config.GITHUB_CLIENT_ID, clientSecret: config.GITHUB_CLIENT_SECRET }),
};

const OPENERS: Record<ProviderName, (config: Config, client: ProviderClient) => Promise<IdentityProvider>> = {
  google: async (config, client) =>
    (await import("./google.ts")).openGoogle(config.GOOGLE_ISSUER, client, createFetch("google", config)),
  github: async (config, client) => {
    const address = { url: config.GITHUB_URL, apiUrl: config.GITHUB_API_URL };
    return (await import("./github.ts")).openGitHub(address, client, createFetch("github", config));
  },
};

/** The providers with a client id, at which people can sign in. */
export function configuredProviders(config: Config): ProviderName[] {
  return PROVIDERS.filter((name) => CLIENTS[name](config).clientId !== undefined);
}

/** The client; its secret is in the environment, or in the Secrets port as `providers/google-client-secret`. */
async function loadClient(name: ProviderName, { config, ports }: ProviderRuntime): Promise<ProviderClient> {
  const { clientId, clientSecret = clientId && (await ports.secrets.get(clientSecretName(name))) } =
    CLIENTS[name](config);
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  throw new ServiceError(
    "OAUTH_NOT_CONFIGURED",
    `Sign-in with ${name} is not configured. Use another sign-in method.`,
    { provider: name },
  );
}

async function open(name: ProviderName, runtime: ProviderRuntime): Promise<IdentityProvider> {
  const client = await loadClient(name, runtime);
  const reporting = { provider: name, logger: runtime.logger };
  const provider = await OPENERS[name](runtime.config, client).catch((error) => {
    throw providerUnavailable(error, reporting);
  });
  return {
    ...provider,
    identify: (...parameters) =>
      provider.identify(...parameters).catch(async (error) => {
        throw await toSignInError(error, reporting);
      }),
  };
}

function createCache({ clock }: ProviderRuntime): LRUCache<ProviderName, IdentityProvider, ProviderRuntime> {
  const fetchMethod = (name: ProviderName, _stale: unknown, { context }: { context: ProviderRuntime }) =>
    open(name, context);
  return new LRUCache({ max: PROVIDERS.length, ...validFor(TRUST_MS, clock), fetchMethod });
}

/** An initialized provider. Throws OAUTH_NOT_CONFIGURED, or SERVICE_UNAVAILABLE if it is unreachable. */
export function openProvider(name: ProviderName, runtime: ProviderRuntime): Promise<IdentityProvider> {
  const cache = opened.get(runtime.config) ?? createCache(runtime);
  opened.set(runtime.config, cache);
  return cache.forceFetch(name, { context: runtime });
}
