import type { Clock } from "../../kernel/clock.ts";
import type { Config } from "../../kernel/config.ts";
import { ServiceError } from "../../kernel/errors.ts";
import type { Home } from "../../platform/context.ts";
import { clientSecretName } from "../../platform/secret-names.ts";
import { createFetch, explain, outOfOrder } from "./http.ts";
import type { IdentityProvider, ProviderClient, ProviderName } from "./provider.ts";

/** How long a process goes on with a provider's description and our secret there; both change once in years. */
const TRUST_MS = 10 * 60_000;

interface Opened {
  provider: Promise<IdentityProvider>;
  at: number;
}

/** Per deployment, which has one configuration. */
const opened = new WeakMap<Config, Map<ProviderName, Opened>>();

type ProviderHome = Pick<Home, "config" | "ports" | "clock" | "logger">;

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

/** The secret is kept as `providers/google-client-secret`; one machine may have it in its environment instead. */
async function clientAt(name: ProviderName, { config, ports }: ProviderHome): Promise<ProviderClient> {
  const { clientId, clientSecret = clientId && (await ports.secrets.get(clientSecretName(name))) } =
    CLIENTS[name](config);
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  throw new ServiceError("OAUTH_NOT_CONFIGURED", `Sign-in by ${name} is not set up here. Sign in another way.`, {
    provider: name,
  });
}

async function open(name: ProviderName, home: ProviderHome): Promise<IdentityProvider> {
  const client = await clientAt(name, home);
  const blame = { provider: name, logger: home.logger };
  const provider = await OPENERS[name](home.config, client).catch((error) => {
    throw outOfOrder(error, blame);
  });
  return {
    ...provider,
    identify: (...given) =>
      provider.identify(...given).catch(async (error) => {
        throw await explain(error, blame);
      }),
  };
}

function isFresh({ at }: Opened, clock: Clock): boolean {
  return clock() - at < TRUST_MS;
}

/** A provider, ready to be asked. Throws OAUTH_NOT_CONFIGURED, or SERVICE_UNAVAILABLE when it is out of reach. */
export function openProvider(name: ProviderName, home: ProviderHome): Promise<IdentityProvider> {
  const those = opened.get(home.config) ?? new Map<ProviderName, Opened>();
  opened.set(home.config, those);
  const known = those.get(name);
  if (known && isFresh(known, home.clock)) return known.provider;
  const provider = open(name, home);
  those.set(name, { provider, at: home.clock() });
  provider.catch(() => those.delete(name));
  return provider;
}
