import { createHmac } from "node:crypto";
import type { Webhook } from "./webhook.ts";

/** Prefix of a secret that encodes its key's bytes in base64, as in Standard Webhooks. */
export const STANDARD_PREFIX = "whsec_";
const STANDARD_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** A message to sign: the exact text of its body, and its id. */
export interface SignedMessage {
  /** The same for every attempt. */
  id: string;
  /** Epoch milliseconds of sending. */
  at: number;
  payload: string;
}

/** The contract's signature: `sha256=` and the hex HMAC-SHA256 of the body's bytes, keyed with the secret's bytes. */
export function signatureOf(secret: string, payload: string): string {
  return `sha256=${createHmac("sha256", secret).update(payload).digest("hex")}`;
}

/** The key for Standard Webhooks: the decoded key of a secret in its form, otherwise the secret's bytes. */
function standardKey(secret: string): Buffer {
  const encoded = STANDARD_SECRET.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, "base64");
}

/** A signature of Standard Webhooks (github.com/standard-webhooks, "Signature scheme"): `v1,` and base64. */
function standardSignature(secret: string, { id, at, payload }: SignedMessage): string {
  const content = `${id}.${secondsOf(at)}.${payload}`;
  return `v1,${createHmac("sha256", standardKey(secret)).update(content).digest("base64")}`;
}

function secondsOf(at: number): number {
  return Math.floor(at / 1000);
}

/** Header for the signature under the previous secret while both are valid. */
export function previousHeaderOf(signature_header: string): string {
  return `${signature_header}-Previous`;
}

/** The signature headers for valid secrets, newest first: the contract's (`signature`), and Standard Webhooks'. */
export function signatureHeaders(
  { signature_header }: Pick<Webhook["delivery_config"], "signature_header">,
  [secret, previous]: readonly [current: string, previous?: string],
  message: SignedMessage,
): { headers: Record<string, string>; signature: string } {
  const signature = signatureOf(secret, message.payload);
  const inForce = previous === undefined ? [secret] : [secret, previous];
  const headers = {
    [signature_header]: signature,
    ...(previous !== undefined && { [previousHeaderOf(signature_header)]: signatureOf(previous, message.payload) }),
    "webhook-signature": inForce.map((validSecret) => standardSignature(validSecret, message)).join(" "),
  };
  return { headers, signature };
}

/** Headers that describe a message, signed or not. */
export function messageHeaders({ id, at }: SignedMessage): Record<string, string> {
  return { "webhook-id": id, "webhook-timestamp": String(secondsOf(at)) };
}

/** A valid header name: a token (RFC 9110, section 5.6.2) of limited length. */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
/** Reserved header names: ours, those of the connection and those that intermediaries use. */
const RESERVED =
  /^(accept(-.*)?|authorization|connection|content-.*|cookie|date|expect|forwarded|host|keep-alive|origin|proxy-.*|range|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via|webhook-(id|timestamp|signature)|x-forwarded-.*|x-webhook-(delivery|event))$/i;

/** Why a name cannot be used as a signature header; undefined for a valid one. */
export function problemOfHeader(name: string): string | undefined {
  if (!HEADER_NAME.test(name)) return "must be the name of a header: 1 to 64 ASCII letters, digits and -_.!#$%&'*+^`|~";
  return RESERVED.test(name)
    ? "is a header with another meaning: choose one of your own, such as X-Webhook-Signature"
    : undefined;
}
