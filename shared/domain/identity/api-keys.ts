import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { base58 } from "@scure/base";
import { timestamp } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/digest.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import type { ApiKey } from "./records.ts";

const SECRET_PREFIX = "ak_live_";
/** Length of the displayed beginning of a secret. */
const DISPLAYED_LENGTH = 12;

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base58.encode(bytes);
}

/** A new secret: `ak_live_`, 32 random bytes and a CRC-32 (for secret scanners), all in base58. */
export function newSecret(): string {
  const body = base58.encode(randomBytes(32));
  return SECRET_PREFIX + body + checksum(body);
}

/** The stored form of a secret; SHA-256 is enough for 256 random bits. */
export function hashSecret(secret: string): string {
  return sha256(secret);
}

/** A new key with its secret; the key has the secret's displayed prefix and its hash. */
export function newApiKey(
  { ids, clock, org }: Pick<OrgRuntime, "ids" | "clock" | "org">,
  fields: Omit<ApiKey, "id" | "org" | "prefix" | "hash" | "status" | "created_at">,
  secret = newSecret(),
): { key: ApiKey; secret: string } {
  const displayed = { prefix: secret.slice(0, DISPLAYED_LENGTH), hash: hashSecret(secret) };
  const initial = { id: ids("apiKey"), org, status: "active" as const, created_at: timestamp(clock()) };
  return { key: { ...fields, ...displayed, ...initial }, secret };
}
