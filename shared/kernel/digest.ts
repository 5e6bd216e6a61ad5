import { createHash } from "node:crypto";

/** SHA-256 in hex. Safe for 256 random bits; not for values that people choose, because those can be guessed. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
