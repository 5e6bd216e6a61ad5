import { createHash } from "node:crypto";

/** SHA-256 in hex. Of 256 random bits it is as good as a slow hash; of what people choose it hides nothing from who guesses. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
