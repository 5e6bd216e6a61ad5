import * as z from "zod";
import { days, flag, integer, listOf, logLevel, origin, trustedProxies } from "../kernel/settings.ts";
import { trimmedEnd } from "../kernel/strings.ts";

declare module "../kernel/config.ts" {
  interface Config extends z.infer<typeof RuntimeConfig> {}
}

/** The settings of this folder with their defaults and meanings. */
export const RuntimeConfig = z.object({
  PLATFORM: z.enum(["local", "aws"]).default("local").describe("Runtime platform"),
  HOST: z.string().default("127.0.0.1").describe("Address the local server listens on"),
  PORT: integer(0, 65_535).default(3000).describe("Port the local server listens on; 0 picks one"),
  REQUEST_TIMEOUT_SECONDS: integer(1, 3600)
    .default(30)
    .describe("Seconds in which the local server must receive a whole request"),
  DATA_DIR: z.string().min(1).default(".data").describe("Folder of a local server's data"),
  PUBLIC_URL: z
    .url()
    .transform((url) => trimmedEnd(url, /\//))
    .optional()
    .describe("Public URL of the service: for links in mails, and its identifier in OAuth; http://HOST:PORT if unset"),
  ALLOWED_ORIGINS: listOf(origin)
    .optional()
    .describe("Origins allowed to call the service from a browser (CORS), comma-separated; none if unset"),
  TRUSTED_PROXIES: trustedProxies
    .default(0)
    .describe("Number of proxies in front of the service whose X-Forwarded-For is trusted"),
  ORIGIN_SECRET_HASHES: listOf(z.string().regex(/^[0-9a-f]{64}$/, "must be SHA-256 in hex"))
    .optional()
    .describe(
      "SHA-256 hashes in hex, comma-separated, of the secrets that a proxy sends as X-Origin-Secret; if set, other requests are refused",
    ),
  ALLOW_PRIVATE_TARGETS: flag
    .default(false)
    .describe("Allow webhooks and sources to reach private addresses; for development"),
  LOG_LEVEL: logLevel.default("info").describe("Minimum level of log lines, in upper or lower case"),
  LOG_RETENTION_DAYS: days
    .default(30)
    .describe("Days that a local server keeps log lines for GET /admin/logs, at most 32 MB"),
  AUDIT_RETENTION_DAYS: days
    .default(365)
    .describe("Days that audit records of sign-ins, key and role changes and admin actions are kept"),
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
});
