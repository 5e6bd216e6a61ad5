import { sha256 } from "../../../kernel/digest.ts";
import { DAY_SECONDS } from "../../../kernel/durations.ts";
import { getObject, toItem } from "../../../ports/item.ts";
import type { RecordKey, RecordStore, Write } from "../../../ports/record-store.ts";
import type { ClientGrant } from "../client-grants.ts";

/** A client that registered itself. */
export interface RegisteredClient {
  id: string;
  name: string;
  redirect_uris: string[];
  created_at: string;
}

/** An authorization code until it is redeemed, and afterwards the trace by which its second use is noticed. */
export interface AuthorizationCode {
  org: string;
  user_id: string;
  /** The user's `credential_epoch` at consent. */
  epoch: number;
  redirect_uri: string;
  /** SHA-256 of the verifier in base64url (RFC 7636). */
  challenge: string;
  client: ClientGrant;
  /** Epoch milliseconds. */
  expires_at: number;
  /** Id of the grant that it was redeemed for. */
  redeemed_as?: string;
}

/** A registration that nobody consented to ends after a day, so that strangers cannot fill the store. */
const UNUSED_CLIENT_SECONDS = DAY_SECONDS;
const USED_CLIENT_SECONDS = 400 * DAY_SECONDS;
const CODE_SECONDS = 60;
/** How long the second use of a code is noticed. */
const CODE_KEPT_SECONDS = DAY_SECONDS;

const clientKey = (id: string): RecordKey => ({ pk: `oauth_client#${id}`, sk: "oauth_client" });
const codeKey = (code: string): RecordKey => ({ pk: `oauth_code#${sha256(code)}`, sk: "oauth_code" });

const inSeconds = (now: number, seconds: number): number => Math.ceil(now / 1000) + seconds;

export function putClient(client: RegisteredClient, now: number): Write {
  const ttl = inSeconds(now, UNUSED_CLIENT_SECONDS);
  return { put: toItem(clientKey(client.id), "oauth_client", client, { ttl }), condition: "absent" };
}

/** The write that keeps a client that a user consented to. */
export function keepClient(id: string, now: number): Write {
  return { update: clientKey(id), set: { ttl: inSeconds(now, USED_CLIENT_SECONDS) }, condition: "present" };
}

export function findRegisteredClient(records: RecordStore, id: string): Promise<RegisteredClient | undefined> {
  return getObject(records, clientKey(id));
}

/** The write that stores a code. The record has only its hash, which is enough for 256 random bits. */
export function putCode(code: string, fields: Omit<AuthorizationCode, "expires_at">, now: number): Write {
  const stored: AuthorizationCode = { ...fields, expires_at: now + CODE_SECONDS * 1000 };
  const ttl = inSeconds(now, CODE_KEPT_SECONDS);
  return { put: toItem(codeKey(code), "oauth_code", stored, { ttl }), condition: "absent" };
}

export function findCode(records: RecordStore, code: string): Promise<AuthorizationCode | undefined> {
  return getObject(records, codeKey(code));
}

/** The write that redeems a code for a grant; refused if it was redeemed already or does not exist. */
export function redeemCode(code: string, { challenge }: AuthorizationCode, grant: string): Write {
  const condition = { challenge, redeemed_as: { absent: true } };
  return { update: codeKey(code), set: { redeemed_as: grant }, condition };
}
