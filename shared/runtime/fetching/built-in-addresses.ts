import type { ProviderName } from "../../domain/knowledge/connections/connection.ts";
import type { Config } from "../../kernel/config.ts";
import type { JsonObject } from "../../ports/json.ts";

/** Settings of a connection that override an address of its provider, as named in its `config`. */
const ADDRESS_NAMES = ["base_url", "token_url", "authorize_url"] as const;
export type AddressName = (typeof ADDRESS_NAMES)[number];
type Addresses = Readonly<Record<AddressName, string>>;

type GitHubSettings = Pick<Config, "GITHUB_URL" | "GITHUB_API_URL">;

/** The addresses of OAuth providers: the providers' public addresses, or those of the operator's settings. */
const BUILT_IN: Partial<Record<ProviderName, (config: GitHubSettings) => Addresses>> = {
  notes_workspace: () => ({
    base_url: "https://api.notion.com",
    token_url: "https://api.notion.com/v1/oauth/token",
    authorize_url: "https://api.notion.com/v1/oauth/authorize",
  }),
  cloud_drive: () => ({
    base_url: "https://www.googleapis.com",
    token_url: "https://oauth2.googleapis.com/token",
    authorize_url: "https://accounts.google.com/o/oauth2/v2/auth",
  }),
  code_host: ({ GITHUB_URL, GITHUB_API_URL }) => ({
    base_url: GITHUB_API_URL,
    token_url: `${GITHUB_URL}/login/oauth/access_token`,
    authorize_url: `${GITHUB_URL}/login/oauth/authorize`,
  }),
  team_chat: () => ({
    base_url: "https://slack.com/api",
    token_url: "https://slack.com/api/oauth.v2.access",
    authorize_url: "https://slack.com/oauth/v2/authorize",
  }),
};

/** Returns a provider's built-in addresses; undefined for a provider without OAuth. */
export function builtInAddresses(provider: ProviderName, config: GitHubSettings): Addresses | undefined {
  return BUILT_IN[provider]?.(config);
}

/** Returns the names of addresses in a connection's `config` that differ from the built-in ones. */
export function ownAddresses(provider: ProviderName, given: JsonObject, config: GitHubSettings): AddressName[] {
  const builtIn = builtInAddresses(provider, config);
  if (!builtIn) return [];
  return ADDRESS_NAMES.filter((name) => given[name] !== undefined && given[name] !== builtIn[name]);
}

/** Returns the address that a connection uses: its own, otherwise the built-in one. Undefined if it has neither. */
export function addressOf(
  name: AddressName,
  provider: ProviderName,
  given: JsonObject,
  config: GitHubSettings,
): string | undefined {
  const own = given[name];
  return typeof own === "string" ? own : builtInAddresses(provider, config)?.[name];
}
