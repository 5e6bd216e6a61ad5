import type { ProviderName } from "../../domain/knowledge/connections/connection.ts";
import { type Config, publicUrlOf } from "../../kernel/config.ts";
import { ServiceError } from "../../kernel/errors.ts";
import type { JsonObject } from "../../ports/json.ts";
import { addressOf, builtInAddresses } from "./built-in-addresses.ts";

/** The fields that determine where a connection's secrets may be sent. */
export interface ConnectionOwner {
  provider: ProviderName;
  config: JsonObject;
  /** Names of the connection's stored secrets. */
  secret_names: readonly string[];
  deployment: Pick<Config, "GITHUB_URL" | "GITHUB_API_URL">;
}

interface BucketSettings {
  base_url?: unknown;
  bucket?: unknown;
  region?: unknown;
}

/** One kind of secret with its owner type and the origins that may receive it or its signatures. */
interface Destinations<Owner> {
  /** Description for people. */
  what: string;
  owner: "deployment" | "connection" | "webhook";
  /** Description of `origins` for people. */
  receivers: string;
  /** URLs whose origins may receive it, given the owner's configuration. */
  origins(owner: Owner): readonly string[];
}

const never = (what: string) => ({
  what,
  owner: "deployment" as const,
  receivers: "no request of the service",
  origins: (_: object): string[] => [],
});

const GOOGLE_ISSUER = "https://accounts.google.com";
const GOOGLE_TOKENS = "https://oauth2.googleapis.com";
const NOTION = "https://api.notion.com";
const SLACK = "https://slack.com";
const SLACK_FILES = "https://files.slack.com";

/** Every kind of secret of the service. A secret that is not in this table cannot be sent. */
export const SECRETS = {
  google_client: {
    what: "client id and secret at Google",
    owner: "deployment",
    receivers: "`GOOGLE_ISSUER`; Google's token endpoint where that is Google",
    origins: (config: Pick<Config, "GOOGLE_ISSUER">) =>
      config.GOOGLE_ISSUER === GOOGLE_ISSUER ? [GOOGLE_ISSUER, GOOGLE_TOKENS] : [config.GOOGLE_ISSUER],
  },
  github_client: {
    what: "client id and secret at GitHub",
    owner: "deployment",
    receivers: "`GITHUB_URL`",
    origins: (config: Pick<Config, "GITHUB_URL">) => [config.GITHUB_URL],
  },
  notion_client: {
    what: "client id and secret at Notion",
    owner: "deployment",
    receivers: NOTION,
    origins: (_: object) => [NOTION],
  },
  slack_client: {
    what: "client id and secret at Slack",
    owner: "deployment",
    receivers: SLACK,
    origins: (_: object) => [SLACK],
  },
  github_sign_in_token: {
    what: "access token of a person who signs in with GitHub",
    owner: "deployment",
    receivers: "`GITHUB_API_URL`",
    origins: (config: Pick<Config, "GITHUB_API_URL">) => [config.GITHUB_API_URL],
  },
  model_key: {
    what: "key of the OpenAI-compatible model and embedder",
    owner: "deployment",
    receivers: "`OPENAI_BASE_URL`",
    origins: (config: Pick<Config, "OPENAI_BASE_URL">) => [config.OPENAI_BASE_URL],
  },
  collector_headers: {
    what: "headers for the OpenTelemetry collector",
    owner: "deployment",
    receivers: "`OTEL_EXPORTER_OTLP_ENDPOINT`",
    origins: ({ OTEL_EXPORTER_OTLP_ENDPOINT: url }: Pick<Config, "OTEL_EXPORTER_OTLP_ENDPOINT">) => listOf(url),
  },
  mailed_token: {
    what: "token in a mailed link: verification, password reset, invitation",
    owner: "deployment",
    receivers: "`PUBLIC_URL`, by a link in a mail to the person",
    origins: (config: Pick<Config, "PUBLIC_URL" | "HOST" | "PORT">) => [publicUrlOf(config)],
  },
  aws_credentials: never("credentials of the AWS role, which only the AWS SDK uses, at AWS"),
  mail_server: never("user and password of the mail server, which only the SMTP mailer uses, at `SMTP_URL`"),
  data_key: never("key of everything that is stored sealed"),
  signing_key: never("keys that sign access tokens and links to files"),
  backup_key: never("key of the secrets in backups"),
  user_credentials: never("API keys, passwords, tokens of sign-ins and second factors of users"),
  origin_secret: never("secret of the proxy in front, of which only the hash is known"),
  connection_grant: {
    what: "authorization code, refresh token, own client id and secret",
    owner: "connection",
    receivers: "its `token_url`, otherwise the provider's",
    origins: ({ provider, config, deployment }: ConnectionOwner) =>
      listOf(addressOf("token_url", provider, config, deployment)),
  },
  connection_token: {
    what: "access token at a provider",
    owner: "connection",
    receivers:
      "its `base_url`, otherwise the provider's, with Slack's host of files; only the provider's for a token of the deployment's client",
    origins: (owner: ConnectionOwner) => {
      const api = apiOf(owner);
      return owner.provider === "team_chat" && api !== undefined ? slackFileOrigins(api) : listOf(api);
    },
  },
  bucket_keys: {
    what: "keys of an object store, which sign requests, and a session token",
    owner: "connection",
    receivers: "its `base_url`, otherwise S3 of its region",
    origins: ({ config }: { config: BucketSettings }) => bucketAddresses(config),
  },
  webhook_secret: {
    what: "signing secret, which signs messages and is not sent",
    owner: "webhook",
    receivers: "signatures: its `url`",
    origins: ({ url }: { url: string }) => [url],
  },
} as const satisfies Record<string, Destinations<never>>;

export type SecretKind = keyof typeof SECRETS;
export type OwnerOf<Kind extends SecretKind> = Parameters<(typeof SECRETS)[Kind]["origins"]>[0];

/** Returns the origins that serve the files of a Slack workspace to its token, given the API's address. */
export function slackFileOrigins(base_url: string): string[] {
  const origin = URL.parse(base_url)?.origin;
  if (origin === undefined) return [];
  return origin === SLACK ? [SLACK, SLACK_FILES] : [origin];
}

const listOf = (address: string | undefined): string[] => (address === undefined ? [] : [address]);

/** Returns the API's address to which a connection's token may be sent. */
function apiOf(owner: ConnectionOwner): string | undefined {
  const { provider, config, secret_names, deployment } = owner;
  const isOfDeployment = secret_names.includes("refresh_token") && !secret_names.includes("client_id");
  if (isOfDeployment) return builtInAddresses(provider, deployment)?.base_url;
  return addressOf("base_url", provider, config, deployment);
}

/**
 * Returns AWS's URLs as its SDK derives them from bucket and region; a directory bucket also has a host in its zone.
 */
function bucketAddresses({ base_url, bucket, region }: BucketSettings): string[] {
  if (typeof base_url === "string") return [base_url];
  const domain = `${region}.amazonaws.com${String(region).startsWith("cn-") ? ".cn" : ""}`;
  const zone = /--([\w-]+)--x-s3$/.exec(String(bucket))?.[1];
  const hosts = [`s3.${domain}`, `${bucket}.s3.${domain}`];
  if (zone !== undefined) hosts.push(`${bucket}.s3express-${zone}.${domain}`);
  return hosts.map((host) => `https://${host}`);
}

/** Whether the URL's origin may receive the secret. */
export function maySee<Kind extends SecretKind>(kind: Kind, url: string | URL, owner: OwnerOf<Kind>): boolean {
  const target = URL.parse(String(url));
  if (!target || !/^https?:$/.test(target.protocol)) return false;
  const { origins }: Destinations<OwnerOf<Kind>> = SECRETS[kind];
  return origins(owner).some((receiver) => URL.parse(receiver)?.origin === target.origin);
}

/** The only check of where secrets may be sent. Throws URL_NOT_ALLOWED for a URL that may not receive this secret. */
export function assertMaySee<Kind extends SecretKind>(kind: Kind, url: string | URL, owner: OwnerOf<Kind>): void {
  if (maySee(kind, url, owner)) return;
  const { what, owner: whose, receivers } = SECRETS[kind];
  const origin = URL.parse(String(url))?.origin ?? "an invalid URL";
  throw new ServiceError(
    "URL_NOT_ALLOWED",
    `${origin} must not receive this secret of the ${whose}: ${what}. It goes to: ${receivers}.`,
    { secret: kind, origin },
  );
}

/** A secret in a request: in these headers or in its body. */
export interface OutgoingSecret {
  headers: Readonly<Record<string, string>>;
  /** Throws URL_NOT_ALLOWED if the URL may not receive it. */
  assertMaySee(url: string | URL): void;
}

/** Declares that a request contains a secret; the fetch checks the URL and adds `headers`. */
export function carry<Kind extends SecretKind>(
  kind: Kind,
  owner: OwnerOf<Kind>,
  headers: Readonly<Record<string, string>> = {},
): OutgoingSecret {
  return { headers, assertMaySee: (url) => assertMaySee(kind, url, owner) };
}

/** Credential headers, which only a declared secret may set. */
const CREDENTIAL_HEADER = /^(authorization|proxy-authorization|cookie|x-api-key|api-key|x-amz-security-token)$/i;

/** Returns the headers of a request to `url` with those of its secrets; names in lower case. Throws URL_NOT_ALLOWED. */
export function headersWithSecrets(
  url: string | URL,
  headers: Readonly<Record<string, string>>,
  secrets: readonly OutgoingSecret[],
): Record<string, string> {
  const undeclared = Object.keys(headers).find((name) => CREDENTIAL_HEADER.test(name));
  if (undeclared !== undefined) throw new Error(`the header '${undeclared}' holds a secret: declare it by carry()`);
  for (const secret of secrets) secret.assertMaySee(url);
  const all = [headers, ...secrets.map((secret) => secret.headers)].flatMap(Object.entries);
  return Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value]));
}
