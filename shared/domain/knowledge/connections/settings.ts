import * as z from "zod";
import type { Config } from "../../../kernel/config.ts";
import { invalid } from "../../../kernel/errors.ts";
import { trimmedEnd } from "../../../kernel/strings.ts";
import type { JsonObject } from "../../../ports/json.ts";
import { builtInAddresses } from "../../../runtime/fetching/built-in-addresses.ts";
import type { ProviderName } from "./connection.ts";

const MINUTES_A_DAY = 1440;
const MIN_INTERVAL_MINUTES = 15;
const MAX_INTERVAL_MINUTES = 30 * MINUTES_A_DAY;
const MAX_PAGES = 1000;
const DEFAULT_PAGES = 100;
const MAX_NAMES = 100;

const line = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine((value) => !/\p{Cc}/u.test(value), "must be one line without control characters");
const secret = line(8192);
const address = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(2048)
  .refine((value) => !/^[^/]*\/\/[^/]*@/.test(value), "must not hold credentials")
  .transform((value) => trimmedEnd(value, /\//));
const paths = z.array(line(1024)).min(1).max(MAX_NAMES);

/** Settings of all providers. An interval of 0 means never; the default is daily. */
const common = {
  sync_interval_minutes: z
    .union([z.literal(0), z.int().min(MIN_INTERVAL_MINUTES).max(MAX_INTERVAL_MINUTES)])
    .default(MINUTES_A_DAY),
};

/** Settings of providers at whose pages a user authorizes the connection. */
const authorized = {
  ...common,
  /** The redirect URL of those pages; the default is PUBLIC_URL. */
  redirect_uri: address.optional(),
  /** Token and authorization URLs of a self-hosted provider. */
  token_url: address.optional(),
  authorize_url: address.optional(),
};
/** `authorization_code`: the code of the redirect; it is exchanged at once and not stored. */
const tokens = {
  access_token: secret.optional(),
  refresh_token: secret.optional(),
  client_id: line(512).optional(),
  client_secret: secret.optional(),
  authorization_code: secret.optional(),
};

const REPOSITORY_PARTS = ["files", "issues", "pull_requests", "discussions"] as const;

interface ProviderSettings {
  plain: z.ZodObject;
  secrets: z.ZodObject;
  /** Settings that decide where secrets are sent: if one changes, the secrets must be sent again. */
  addresses: readonly string[];
  /** Whether the provider requires an access or refresh token. */
  needsToken: boolean;
}

/** The settings that all providers with tokens share. */
const byToken = {
  secrets: z.object(tokens),
  addresses: ["base_url", "token_url", "authorize_url", "redirect_uri"],
  needsToken: true,
} as const;

/** The `config` of each provider. Other fields are dropped and never stored. */
const SETTINGS = {
  notes_workspace: {
    plain: z.object({ ...authorized, base_url: address.default("https://api.notion.com") }),
    ...byToken,
  },
  cloud_drive: {
    plain: z.object({
      ...authorized,
      base_url: address.default("https://www.googleapis.com"),
      folder_id: line(256)
        .regex(/^[\w-]+$/, "must be the id of a folder")
        .optional(),
    }),
    ...byToken,
  },
  code_host: {
    plain: z.object({
      ...authorized,
      base_url: address.default("https://api.github.com"),
      owner: line(256).regex(/^[\w.-]+$/, "must be the name of an owner"),
      repo: line(256).regex(/^[\w.-]+$/, "must be the name of a repository"),
      branch: line(256).optional(),
      /** Folders or files; the default is everything. */
      paths: paths.optional(),
      /** File name extensions with the dot. */
      extensions: z.array(line(32).regex(/^\./, "must begin with a dot")).min(1).max(MAX_NAMES).optional(),
      /** The parts of the repository to import. */
      include: z.array(z.enum(REPOSITORY_PARTS)).min(1).max(REPOSITORY_PARTS.length).default(["files"]),
    }),
    ...byToken,
  },
  team_chat: {
    plain: z.object({
      ...authorized,
      base_url: address.default("https://slack.com/api"),
      /** Ids or names; the default is all channels that the token's owner has joined. */
      channels: paths.optional(),
      /** How many days back answers, edits and deletions are looked for. */
      lookback_days: z.int().min(1).max(90).default(7),
    }),
    ...byToken,
  },
  object_store: {
    plain: z.object({
      ...common,
      /** The default is AWS's endpoint of the region. */
      base_url: address.optional(),
      region: line(64)
        .regex(/^[\w-]+$/, "must be the name of a region")
        .default("us-east-1"),
      bucket: line(255).regex(/^[\w.-]+$/, "must be the name of a bucket"),
      prefix: line(1024).optional(),
      access_key_id: line(256).optional(),
    }),
    secrets: z.object({ secret_access_key: secret.optional(), session_token: secret.optional() }),
    addresses: ["base_url", "region", "bucket", "access_key_id"],
    needsToken: false,
  },
  web_crawler: {
    plain: z.object({
      ...common,
      url: address,
      sitemap_url: address.optional(),
      max_pages: z.int().min(1).max(MAX_PAGES).default(DEFAULT_PAGES),
    }),
    secrets: z.object({}),
    addresses: [],
    needsToken: false,
  },
} as const satisfies Record<ProviderName, ProviderSettings>;

/** A provider's settings, without the secrets. */
export type SettingsOf<Name extends ProviderName> = z.output<(typeof SETTINGS)[Name]["plain"]>;

/** Secrets by name. */
export type ConnectionSecrets = Record<string, string>;

/** Other names that clients use for tokens. */
const ALIASES = new Map([
  ["token", "access_token"],
  ["api_key", "access_token"],
]);

/**
 * The settings and secrets of a `config`, with the built-in `base_url` by default. Throws a VALIDATION_ERROR that names
 * each invalid field without its value.
 */
export function readConfig(
  deployment: Config,
  provider: ProviderName,
  config: JsonObject,
): { plain: JsonObject; secrets: ConnectionSecrets } {
  const renamed = Object.fromEntries(Object.entries(config).map(([name, value]) => [ALIASES.get(name) ?? name, value]));
  const builtIn = builtInAddresses(provider, deployment);
  const defaults = builtIn && { base_url: builtIn.base_url };
  const values = { ...defaults, ...Object.fromEntries(Object.entries(renamed).filter(([, value]) => value !== null)) };
  const plain = SETTINGS[provider].plain.safeParse(values);
  const secrets = SETTINGS[provider].secrets.safeParse(values);
  const issues = [...(plain.error?.issues ?? []), ...(secrets.error?.issues ?? [])];
  if (!plain.success || !secrets.success) {
    throw invalid(...issues.map(({ path, message }) => ({ field: ["config", ...path].join("."), problem: message })));
  }
  return { plain: asJson(plain.data), secrets: asJson(secrets.data) as ConnectionSecrets };
}

/** The values of a parsed object as JSON; undefined ones are dropped. */
function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

/** The settings in the form in which they were stored. */
export function settingsOf<Name extends ProviderName>(provider: Name, config: JsonObject): SettingsOf<Name> {
  return SETTINGS[provider].plain.parse(config) as SettingsOf<Name>;
}

/** The interval of automatic syncs in milliseconds; undefined for never. */
export function intervalOf({ sync_interval_minutes }: JsonObject): number | undefined {
  const minutes = Number(sync_interval_minutes ?? MINUTES_A_DAY);
  return minutes > 0 ? minutes * 60_000 : undefined;
}

/** Whether a provider has the credentials that it needs. */
export function hasCredentials(provider: ProviderName, secrets: ConnectionSecrets): boolean {
  return !SETTINGS[provider].needsToken || secrets.access_token !== undefined || secrets.refresh_token !== undefined;
}

/** Whether the settings `after` would send secrets to other addresses than those `before`. */
export function changesSecretDestination(provider: ProviderName, before: JsonObject, after: JsonObject): boolean {
  return SETTINGS[provider].addresses.some((name) => before[name] !== after[name]);
}

const HIDDEN = "••••";

/** The configuration for responses: secrets only by name. */
export function redactedConfig(config: JsonObject, secret_names: string[]): JsonObject {
  return { ...config, ...Object.fromEntries(secret_names.map((name) => [name, HIDDEN])) };
}
