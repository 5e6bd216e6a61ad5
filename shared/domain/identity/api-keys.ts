import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { base58 } from "@scure/base";
import { sha256 } from "../../kernel/digest.ts";

const MARK = "ak_live_";
const PREFIX_LENGTH = 12;

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base58.encode(bytes);
}

/** A new secret: `ak_live_`, 32 random bytes and a CRC-32 (for secret scanners), all in base58. */
export function newSecret(): string {
  const body = base58.encode(randomBytes(32));
  return MARK + body + checksum(body);
}

/** The stored form of a secret; SHA-256 is enough for 256 random bits. */
export function hashSecret(secret: string): string {
  return sha256(secret);
}

/** The part of a secret that may be displayed. */
export function visiblePrefix(secret: string): string {
  return secret.slice(0, PREFIX_LENGTH);
}
