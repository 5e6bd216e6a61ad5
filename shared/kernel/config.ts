import * as z from "zod";
import { LOG_LEVELS } from "./logger.ts";
import { trimmedEnd } from "./trimmed.ts";

const flag = z.enum(["0", "1", "true", "false"]).transform((value) => value === "1" || value === "true");

/** An address that a browser is sent to: encrypted, or on this very machine; nothing may follow its path. */
function isRedirectAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.href === url.origin + url.pathname && isEncryptedOrLoopback(url);
}

function isEncryptedOrLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname));
}

/** Where a secret is sent to, or a sign-in is believed from. */
export const providerUrl = z
  .url({ abort: true })
  .refine((url) => isEncryptedOrLoopback(new URL(url)), "must begin with https:, unless it is on this machine")
  .transform((url) => trimmedEnd(url, /\//));

/** A page that sign-in by providers may lead back to. */
export const redirectAddress = z
  .string()
  .refine(isRedirectAddress, "must be an https URL without a query, or an http one of localhost");

/** An origin of pages, or `*` for all. */
export const origin = z.union([
  z.literal("*"),
  z.url({ abort: true }).refine((url) => new URL(url).origin === url, "must be an origin, like https://example.com"),
]);

/** How long something is kept or used. */
export const days = z.coerce.number().int().min(1).max(3650);

/** A severity, however it is written. */
export const logLevel = z.string().toLowerCase().pipe(z.enum(LOG_LEVELS));

/** How many proxies in front are believed. */
export const trustedProxies = z.coerce.number().int().min(0).max(10);

/** Comma-separated, as one variable holds them. */
const listOf = (each: z.ZodType<string, string>) =>
  z
    .string()
    .transform((list) => list.split(",").map((item) => item.trim()))
    .pipe(z.array(each));

/** The one OpenAI-compatible address that answers nobody without a key. */
export const OPENAI_HOME = "https://api.openai.com/v1";

/** Every setting with its default and meaning; the README's table is generated from it. */
const ConfigSchema = z.object({
  PLATFORM: z.enum(["local", "aws"]).default("local").describe("Which home: one machine, or AWS"),
  HOST: z.string().default("127.0.0.1").describe("Address the local server listens on"),
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(3000)
    .describe("Port the local server listens on; 0 picks one"),
  REQUEST_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3600)
    .default(30)
    .describe("Seconds within which the local server must have received a request, its body included"),
  DATA_DIR: z.string().min(1).default(".data").describe("Folder of the local home's data"),
  BOOTSTRAP_API_KEY: z
    .string()
    .min(20)
    .optional()
    .describe("First admin key, at least 20 characters; generated and printed once when unset"),
  ALLOW_PRIVATE_TARGETS: flag
    .default(false)
    .describe("Let webhooks and sources reach private addresses; for development"),
  LOG_LEVEL: logLevel.default("info").describe("Least severe log line written, in any case"),
  LOG_RETENTION_DAYS: days
    .default(30)
    .describe("Days that one machine keeps its log lines for GET /admin/logs, at most 32 MB of them"),
  TRUSTED_PROXIES: trustedProxies
    .default(0)
    .describe("Proxies in front whose X-Forwarded-For is believed when it is asked where a request came from"),
  ORIGIN_SECRET_HASHES: listOf(z.string().regex(/^[0-9a-f]{64}$/, "must be SHA-256 in hex"))
    .optional()
    .describe(
      "SHA-256 in hex, comma-separated, of secrets that a proxy in front sends as X-Origin-Secret; what comes without one is refused, unless unset",
    ),
  SIGNING_ROTATION_DAYS: days.default(30).describe("Days after which access tokens are signed by another key"),
  AUDIT_RETENTION_DAYS: days
    .default(365)
    .describe("Days that sign-ins, key and role changes and admin actions stay on record"),
  BACKUP_KEY: z
    .string()
    .min(20)
    .optional()
    .describe(
      "Key of the secrets in backups, at least 20 characters; else the kept secret `backups/backup-key`, and without either backups have no secrets",
    ),
  DEFAULT_PLAN: z
    .enum(["free", "pro", "team", "enterprise"])
    .optional()
    .describe("Plan of newly registered organizations; enterprise locally and free on AWS when unset"),
  ALLOW_REGISTRATION: flag
    .default(true)
    .describe("Let anybody register, which makes a new organization; invited people may join without it"),
  PUBLIC_URL: z
    .url()
    .transform((url) => trimmedEnd(url, /\//))
    .optional()
    .describe("Address that people reach the service at, for links in mails; http://HOST:PORT when unset"),
  OAUTH_REDIRECT_URIS: listOf(redirectAddress)
    .optional()
    .describe("Pages besides the service's own callbacks that social sign-in may lead back to, comma-separated"),
  ALLOWED_ORIGINS: listOf(origin)
    .optional()
    .describe("Origins of pages that may call the service from a browser (CORS), comma-separated; none when unset"),
  GOOGLE_ISSUER: providerUrl
    .default("https://accounts.google.com")
    .describe("OpenID provider behind /auth/google; unless it is Google, its token endpoint is of the same origin"),
  GOOGLE_CLIENT_ID: z.string().optional().describe("Client id there; no Google sign-in without one"),
  GOOGLE_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Its secret, for one machine; else the kept secret `providers/google-client-secret`"),
  GITHUB_URL: providerUrl
    .default("https://github.com")
    .describe("GitHub, or an Enterprise Server of it, for sign-in and connections"),
  GITHUB_API_URL: providerUrl
    .default("https://api.github.com")
    .describe("Its API, the usual `base_url` of connections; `/api/v3` of an Enterprise Server"),
  GITHUB_CLIENT_ID: z.string().optional().describe("Client id there; no GitHub sign-in without one"),
  GITHUB_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Its secret, for one machine; else the kept secret `providers/github-client-secret`"),
  NOTION_CLIENT_ID: z.string().optional().describe("Client id at Notion, for connections that people give leave to"),
  NOTION_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Its secret, for one machine; else the kept secret `providers/notion-client-secret`"),
  SLACK_CLIENT_ID: z.string().optional().describe("Client id at Slack, for connections that people give leave to"),
  SLACK_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Its secret, for one machine; else the kept secret `providers/slack-client-secret`"),
  EMBEDDER: z
    .enum(["onnx", "lexical", "openai", "bedrock"])
    .optional()
    .describe(
      "Where vectors come from: `onnx` (a model on this machine), `lexical` (hashed words), `openai` or `bedrock`; onnx locally and bedrock on AWS when unset",
    ),
  EMBEDDING_MODEL_DIR: z
    .string()
    .min(1)
    .optional()
    .describe("Folder of the model of `onnx`, see docs/embedders.md; models/minilm-bge-small when unset"),
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
  RERANKER_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(10)
    .max(20_000)
    .default(2000)
    .describe("Milliseconds that a search waits for the second stage, at most half of the time that it has left"),
  MAX_PENDING_VECTORS: z.coerce
    .number()
    .int()
    .min(1)
    .default(100_000)
    .describe(
      "Documents of an organization that may wait for their vectors on one machine; beyond it, what would add some is answered 503",
    ),
  LANGUAGE_MODEL: z
    .enum(["built-in", "openai", "bedrock"])
    .optional()
    .describe("What extracts and infers; built-in locally and bedrock on AWS when unset"),
  OPENAI_BASE_URL: z.url().default(OPENAI_HOME).describe("Base URL of an OpenAI-compatible provider"),
  OPENAI_API_KEY: z.string().optional().describe("Its key, if it wants one"),
  OPENAI_MODEL: z.string().default("gpt-4o-mini").describe("Its chat model"),
  OPENAI_EMBEDDING_MODEL: z.string().default("text-embedding-3-small").describe("Its embedding model"),
  OPENAI_EMBEDDING_DIMENSIONS: z.coerce.number().int().min(1).max(4096).default(1536).describe("Length of its vectors"),
  BEDROCK_MODEL: z.string().default("amazon.nova-lite-v1:0").describe("Bedrock chat model"),
});

export type Config = z.infer<typeof ConfigSchema>;

/** The plan of organizations that people register: on their own machine nobody has to be kept from using it all. */
export function registrationPlanOf({ DEFAULT_PLAN, PLATFORM }: Pick<Config, "DEFAULT_PLAN" | "PLATFORM">) {
  return DEFAULT_PLAN ?? (PLATFORM === "local" ? "enterprise" : "free");
}

/** Where people reach the service, without a slash at its end. */
export function publicUrlOf({ PUBLIC_URL, HOST, PORT }: Pick<Config, "PUBLIC_URL" | "HOST" | "PORT">): string {
  return PUBLIC_URL ?? `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
}

/** Names each variable of the environment that is not valid. */
export class ConfigInvalid extends Error {
  constructor(problems: string[]) {
    super(`The environment is not valid. ${problems.join("; ")}`);
    this.name = "ConfigInvalid";
  }
}

/** Reads the environment once per process. Throws ConfigInvalid. Empty strings count as unset. */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = ConfigSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new ConfigInvalid(problems);
}

export interface ConfigRow {
  name: string;
  default: string;
  meaning: string;
}

/** The settings as rows for documentation. */
export function configRows(): ConfigRow[] {
  const defaults = ConfigSchema.parse({}) as Record<string, unknown>;
  return Object.entries(ConfigSchema.shape).map(([name, schema]) => ({
    name,
    default: defaults[name] === undefined ? "" : String(defaults[name]),
    meaning: schema.description ?? "",
  }));
}
