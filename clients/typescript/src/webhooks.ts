const encoder = new TextEncoder();
const TOLERANCE_MS = 5 * 60_000;

export interface VerifyOptions {
  /** The secret of the webhook. */
  secret: string;
  /** Headers of the delivery, as the server received them. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The body as it came, before it is parsed. */
  body: string;
  /** For tests. */
  now?: number;
}

/**
 * The event of a delivery, if its signature is by the webhook's secret and no more than five minutes old (Standard Webhooks).
 * Throws an Error otherwise.
 */
export async function verify({ secret, headers, body, now = Date.now() }: VerifyOptions): Promise<unknown> {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    header(headers, `webhook-${name}`),
  );
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    throw new Error("The delivery lacks webhook-id, webhook-timestamp or webhook-signature.");
  }
  if (!(Math.abs(now - Number(timestamp) * 1000) <= TOLERANCE_MS))
    throw new Error("The delivery is too old or too new.");
  const key = await crypto.subtle.importKey("raw", keyOf(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const signed = encoder.encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(" ")) {
    const [version, value = ""] = signature.split(",");
    if (version === "v1" && (await crypto.subtle.verify("HMAC", key, fromBase64(value), signed)))
      return JSON.parse(body);
  }
  throw new Error("No signature of the delivery is by this secret.");
}

function header(headers: VerifyOptions["headers"], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? value.join(" ") : value;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  return secret.startsWith("whsec_") ? fromBase64(secret.slice("whsec_".length)) : encoder.encode(secret);
}

/** Empty where it is no base64, which verifies nothing. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
