const encoder = new TextEncoder();
const TOLERANCE_MS = 5 * 60_000;

export interface VerifyOptions {
  /** The webhook's secret. */
  secret: string;
  /** Headers of the delivery, as the server received them. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The raw body, before it is parsed. */
  body: string;
  /** For tests. */
  now?: number;
}

/**
 * Returns the event of a delivery. Throws an Error if it is not signed with the webhook's secret, or if its timestamp
 * is more than five minutes from now (Standard Webhooks).
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

/** Decodes base64. Returns an empty array if the text is not base64, so that verification fails. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
