import { createHash } from "node:crypto";

/** Returns SHA-256 in hex. It hides 256 random bits, but no values that people choose, because those can be guessed. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
