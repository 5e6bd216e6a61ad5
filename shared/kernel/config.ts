import * as z from "zod";
import { LOG_LEVELS } from "./logger.ts";
import { trimmedEnd } from "./strings.ts";

const flag = z.enum(["0", "1", "true", "false"]).transform((value) => value === "1" || value === "true");

/** Whether an address is a redirect URL: HTTPS or localhost, without a query or fragment. */
function isRedirectAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.href === url.origin + url.pathname && isEncryptedOrLoopback(url);
}

function isEncryptedOrLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}

/** Whether the host of a URL is this machine by one of its usual names. */
export function isLoopbackHost(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/**
 * Whether an address names an SMTP server, with credentials or without, and nothing else: options in the query could
 * switch off a library's checks.
 */
function isMailServer(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "") return false;
  const { pathname, search, hash, username, password } = url;
  return ["", "/"].includes(pathname) && search + hash === "" && isPercentEncoded(username + password);
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The URL of a service that receives secrets or authenticates users. */
export const providerUrl = z
  .url({ abort: true })
  .refine((url) => isEncryptedOrLoopback(new URL(url)), "must begin with https:, unless it is on this machine")
  .transform((url) => trimmedEnd(url, /\//));

/** An allowed redirect URL of sign-in with providers. */
export const redirectAddress = z
  .string()
  .refine(isRedirectAddress, "must be an https URL without a query, or an http one of localhost");

/** An origin, or `*` for all origins. */
export const origin = z.union([
  z.literal("*"),
  z.url({ abort: true }).refine((url) => new URL(url).origin === url, "must be an origin, like https://example.com"),
]);

/** A whole number in digits. */
const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** A number of days for which something is kept or used. */
export const days = integer(1, 3650);

/** A log level in upper or lower case. */
export const logLevel = z.string().toLowerCase().pipe(z.enum(LOG_LEVELS));

/** The number of trusted proxies. */
export const trustedProxies = integer(0, 10);

/** A comma-separated list in one variable. */
const listOf = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform((list) => list.split(",").map((item) => item.trim()))
    .pipe(z.array(item));

/** The only OpenAI-compatible URL that always needs a key. */
export const OPENAI_API_URL = "https://api.openai.com/v1";

/** Every setting with its default and meaning; the table of docs/settings.md is generated from it. */
const ConfigSchema = z.object({
  PLATFORM: z.enum(["local", "aws"]).default("local").describe("Runtime platform"),
  HOST: z.string().default("127.0.0.1").describe("Address the local server listens on"),
  PORT: integer(0, 65_535).default(3000).describe("Port the local server listens on; 0 picks one"),
  REQUEST_TIMEOUT_SECONDS: integer(1, 3600)
    .default(30)
    .describe("Seconds in which the local server must receive a whole request"),
  DATA_DIR: z.string().min(1).default(".data").describe("Folder of a local server's data"),
  BOOTSTRAP_API_KEY: z
    .string()
    .min(20)
    .optional()
    .describe("First admin key, at least 20 characters; generated and printed once when unset"),
  ALLOW_PRIVATE_TARGETS: flag
    .default(false)
    .describe("Allow webhooks and sources to reach private addresses; for development"),
  LOG_LEVEL: logLevel.default("info").describe("Minimum level of log lines, in upper or lower case"),
  LOG_RETENTION_DAYS: days
    .default(30)
    .describe("Days that a local server keeps log lines for GET /admin/logs, at most 32 MB"),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "OpenTelemetry collector to which a local server sends spans and durations (OTLP as JSON); none if unset",
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe("Headers for the collector, as `name=value`, comma-separated and percent-encoded"),
  OTEL_SERVICE_NAME: z.string().default("memory-service").describe("Name of the service in spans and metrics"),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .optional()
    .describe("More attributes of spans and metrics, as `name=value`, comma-separated"),
  TRUSTED_PROXIES: trustedProxies
    .default(0)
    .describe("Number of proxies in front of the service whose X-Forwarded-For is trusted"),
  ORIGIN_SECRET_HASHES: listOf(z.string().regex(/^[0-9a-f]{64}$/, "must be SHA-256 in hex"))
    .optional()
    .describe(
      "SHA-256 hashes in hex, comma-separated, of the secrets that a proxy sends as X-Origin-Secret; if set, other requests are refused",
    ),
  SIGNING_ROTATION_DAYS: days.default(30).describe("Days until access tokens are signed with a new key"),
  AUDIT_RETENTION_DAYS: days
    .default(365)
    .describe("Days that audit records of sign-ins, key and role changes and admin actions are kept"),
  SECRETS_POLICY: z
    .enum(["store", "mask", "redact", "block"])
    .optional()
    .describe(
      "What happens to secrets in texts where an organization does not say: see docs/secrets.md; by default mask on a local server and redact on AWS",
    ),
  BACKUP_KEY: z
    .string()
    .min(20)
    .optional()
    .describe(
      "Key of the secrets in backups, at least 20 characters; else the kept secret `backups/backup-key`, and without either backups have no secrets",
    ),
  MCP_MEM0_TOOLS: flag.default(false).describe("Offer the tools of MCP under mem0's names too, such as `add_memory`"),
  DEFAULT_PLAN: z
    .enum(["free", "pro", "team", "enterprise"])
    .optional()
    .describe("Plan of newly registered organizations; by default enterprise on a local server and free on AWS"),
  ALLOW_REGISTRATION: flag
    .default(true)
    .describe("Allow registration, which creates a new organization; invitations work without it"),
  PUBLIC_URL: z
    .url()
    .transform((url) => trimmedEnd(url, /\//))
    .optional()
    .describe("Public URL of the service: for links in mails, and its identifier in OAuth; http://HOST:PORT if unset"),
  MAILER: z
    .enum(["outbox", "smtp"])
    .default("outbox")
    .describe("Where mails of one machine go: `outbox`, a folder of DATA_DIR, or `smtp`, the server of SMTP_URL"),
  SMTP_URL: z
    .string()
    .refine(isMailServer, "must be like smtps://USER:PASSWORD@HOST:PORT, percent-encoded and without a path")
    .optional()
    .describe(
      "Mail server: `smtps:` (port 465), or `smtp:` (587), which must offer STARTTLS unless it is on this machine; user and password are percent-encoded",
    ),
  MAIL_FROM: z.email().optional().describe("Address that mails are sent from by `smtp`, and by SES on AWS"),
  OAUTH_REDIRECT_URIS: listOf(redirectAddress)
    .optional()
    .describe("Additional redirect URLs for sign-in with providers, comma-separated"),
  ALLOWED_ORIGINS: listOf(origin)
    .optional()
    .describe("Origins allowed to call the service from a browser (CORS), comma-separated; none if unset"),
  GOOGLE_ISSUER: providerUrl
    .default("https://accounts.google.com")
    .describe("OpenID provider of /auth/google; unless it is Google, its token endpoint must have the same origin"),
  GOOGLE_CLIENT_ID: z.string().optional().describe("Client id; without it, sign-in with Google is off"),
  GOOGLE_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Client secret for Google on a local server; on AWS, the secret `providers/google-client-secret`"),
  GITHUB_URL: providerUrl
    .default("https://github.com")
    .describe("GitHub or an Enterprise Server, for sign-in and connections"),
  GITHUB_API_URL: providerUrl
    .default("https://api.github.com")
    .describe("API of GitHub, the default `base_url` of connections; of an Enterprise Server, its `/api/v3`"),
  GITHUB_CLIENT_ID: z.string().optional().describe("Client id; without it, sign-in with GitHub is off"),
  GITHUB_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Client secret for GitHub on a local server; on AWS, the secret `providers/github-client-secret`"),
  NOTION_CLIENT_ID: z.string().optional().describe("Client id at Notion for connections that users authorize"),
  NOTION_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Client secret for Notion on a local server; on AWS, the secret `providers/notion-client-secret`"),
  SLACK_CLIENT_ID: z.string().optional().describe("Client id at Slack for connections that users authorize"),
  SLACK_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Client secret for Slack on a local server; on AWS, the secret `providers/slack-client-secret`"),
  EMBEDDER: z
    .enum(["onnx", "lexical", "openai", "bedrock"])
    .optional()
    .describe(
      "The embedder: `onnx` (a model on this machine), `lexical` (hashed words), `openai` or `bedrock`; by default onnx on a local server and bedrock on AWS",
    ),
  EMBEDDING_MODEL_DIR: z
    .string()
    .min(1)
    .optional()
    .describe("Folder of the model of `onnx`, see docs/embedders.md; models/multilingual-e5-small when unset"),
  FACT_READER: z
    .enum(["onnx", "rules"])
    .optional()
    .describe(
      "What reads facts behind the rules: `onnx` (the model of models/reader) or `rules` alone; by default onnx where EMBEDDER is",
    ),
  RERANKER: z
    .enum(["onnx", "llm"])
    .optional()
    .describe(
      "Second stage of a search, on one machine: `onnx` (a cross-encoder) or `llm` (LANGUAGE_MODEL) reads the best 30; none when unset",
    ),
  RERANKER_MODEL_DIR: z
    .string()
    .min(1)
    .optional()
    .describe("Folder of the cross-encoder of RERANKER=onnx, see docs/ranking.md"),
  RERANKER_TIMEOUT_MS: integer(10, 20_000)
    .default(2000)
    .describe("Milliseconds that a search waits for the second stage, at most half of the time that it has left"),
  MAX_PENDING_VECTORS: z.coerce
    .number()
    .int()
    .min(1)
    .default(100_000)
    .describe(
      "Documents of an organization that may wait for their vectors on a local server; beyond this, writes fail with 503",
    ),
  LANGUAGE_MODEL: z
    .enum(["built-in", "openai", "bedrock"])
    .optional()
    .describe(
      "The language model for extraction and inference; by default built-in on a local server and bedrock on AWS",
    ),
  LANGUAGE_MODEL_WHEN: z
    .enum(["always", "unsure"])
    .default("always")
    .describe(
      "Which messages the language model reads: all, or only those in which the model of FACT_READER is unsure; the others are read by rules and by that model",
    ),
  OPENAI_BASE_URL: z.url().default(OPENAI_API_URL).describe("Base URL of an OpenAI-compatible provider"),
  OPENAI_API_KEY: z.string().optional().describe("API key for OPENAI_BASE_URL, if it needs one"),
  OPENAI_MODEL: z.string().default("gpt-4o-mini").describe("Chat model of OPENAI_BASE_URL"),
  OPENAI_EMBEDDING_MODEL: z.string().default("text-embedding-3-small").describe("Embedding model of OPENAI_BASE_URL"),
  OPENAI_EMBEDDING_DIMENSIONS: integer(1, 4096)
    .default(1536)
    .describe("Length of the vectors of OPENAI_EMBEDDING_MODEL"),
  OCR: z
    .enum(["tesseract"])
    .optional()
    .describe(
      "OCR for scanned PDFs and images on a local server: `tesseract`, whose packages are installed separately (see docs/sources.md); off if unset",
    ),
  OCR_LANGUAGE: z
    .string()
    .regex(/^[a-z]{3}(?:_[a-z]+)?$/, "must be a code of Tesseract's, like eng or chi_sim")
    .default("eng")
    .describe("Language of OCR, of which `@tesseract.js-data/OCR_LANGUAGE` has the data"),
  BEDROCK_MODEL: z.string().default("amazon.nova-lite-v1:0").describe("Bedrock chat model"),
});

export type Config = z.infer<typeof ConfigSchema>;

/** Returns the plan of new organizations; by default enterprise on a local server, where limits are not needed. */
export function registrationPlanOf({ DEFAULT_PLAN, PLATFORM }: Pick<Config, "DEFAULT_PLAN" | "PLATFORM">) {
  return DEFAULT_PLAN ?? (PLATFORM === "local" ? "enterprise" : "free");
}

/** Returns the service's public URL without a trailing slash. */
export function publicUrlOf({ PUBLIC_URL, HOST, PORT }: Pick<Config, "PUBLIC_URL" | "HOST" | "PORT">): string {
  return PUBLIC_URL ?? `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
}

/** The error of an invalid environment; it names each invalid variable. */
export class InvalidConfigError extends Error {
  constructor(problems: string[]) {
    super(`The environment is not valid. ${problems.join("; ")}`);
    this.name = "InvalidConfigError";
  }
}

/** Reads the environment once per process. Empty strings count as unset. Throws InvalidConfigError. */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const variables = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = ConfigSchema.safeParse(variables);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new InvalidConfigError(problems);
}

export interface ConfigRow {
  name: string;
  default: string;
  meaning: string;
}

/** Returns the settings as rows of the documentation's table. */
export function configRows(): ConfigRow[] {
  const defaults = ConfigSchema.parse({}) as Record<string, unknown>;
  return Object.entries(ConfigSchema.shape).map(([name, schema]) => ({
    name,
    default: defaults[name] === undefined ? "" : String(defaults[name]),
    meaning: schema.description ?? "",
  }));
}
