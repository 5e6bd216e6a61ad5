import { createHmac } from "node:crypto";
import type { Webhook } from "./webhook.ts";

/** How a secret begins that names the bytes of its key, as Standard Webhooks has them: in base64. */
export const STANDARD_PREFIX = "whsec_";
const STANDARD_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** What is sent: the exact text of the body, and what names it. */
export interface SignedMessage {
  /** The same for every time that this is sent. */
  id: string;
  /** Epoch milliseconds; when it is sent. */
  at: number;
  payload: string;
}

/** The contract's signature: `sha256=` and the hex HMAC-SHA256 of the body's bytes keyed with the secret's. */
export function signatureOf(secret: string, payload: string): string {
  return `sha256=${createHmac("sha256", secret).update(payload).digest("hex")}`;
}

/** The key for Standard Webhooks: what a secret in its form stands for, else the secret's own bytes. */
function standardKey(secret: string): Buffer {
  const encoded = STANDARD_SECRET.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, "base64");
}

/** One signature as Standard Webhooks has it (github.com/standard-webhooks, "Signature scheme"): `v1,` and base64. */
function standardSignature(secret: string, { id, at, payload }: SignedMessage): string {
  const content = `${id}.${secondsOf(at)}.${payload}`;
  return `v1,${createHmac("sha256", standardKey(secret)).update(content).digest("base64")}`;
}

function secondsOf(at: number): number {
  return Math.floor(at / 1000);
}

/** Header beside the contract's that holds the signature under the secret of before, while both are in force. */
export function previousHeaderOf(signature_header: string): string {
  return `${signature_header}-Previous`;
}

/**
 * The headers that sign a message under the secrets in force, the newest first: the contract's and those of Standard
 * Webhooks, which takes several signatures in one header. `signature` is the contract's.
 */
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
    "webhook-signature": inForce.map((each) => standardSignature(each, message)).join(" "),
  };
  return { headers, signature };
}

/** Headers that say what a message is, signed or not. */
export function messageHeaders({ id, at }: SignedMessage): Record<string, string> {
  return { "webhook-id": id, "webhook-timestamp": String(secondsOf(at)) };
}

/** The form of a header's name: a token (RFC 9110, section 5.6.2), short enough for whatever is in between. */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
/** Headers that are ours, the connection's, or that intermediaries go by. */
const TAKEN =
  /^(accept(-.*)?|authorization|connection|content-.*|cookie|date|expect|forwarded|host|keep-alive|origin|proxy-.*|range|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via|webhook-(id|timestamp|signature)|x-forwarded-.*|x-webhook-(delivery|event))$/i;

/** What is wrong with a header's name as that of signatures; undefined for one that will do. */
export function problemOfHeader(name: string): string | undefined {
  if (!HEADER_NAME.test(name)) return "must be the name of a header: 1 to 64 ASCII letters, digits and -_.!#$%&'*+^`|~";
  return TAKEN.test(name)
    ? "is a header with another meaning: choose one of your own, such as X-Webhook-Signature"
    : undefined;
}
