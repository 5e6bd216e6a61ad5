import { randomBytes } from "node:crypto";
import { sha256 } from "../kernel/digest.ts";
import type { Home } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import type { RecordKey, RecordStore, Write } from "../platform/ports.ts";
import type { User } from "./users.ts";

/** What a token is good for; it is worth nothing for anything else. */
export type TokenPurpose = "email_verification" | "password_reset" | "second_factor";

/** Seconds that a token of each purpose lasts. */
export const TOKEN_SECONDS: Record<TokenPurpose, number> = {
  email_verification: 24 * 3600,
  password_reset: 3600,
  second_factor: 5 * 60,
};

const TOKEN_BYTES = 32;

/** What a token stands for. The record holds only the token's SHA-256, which is enough for 256 random bits. */
export interface OneTimeToken {
  org: string;
  user_id: string;
  /** Epoch of the user's credentials when it was made; it is worth nothing in another one. */
  epoch: number;
  /** Of a second factor: whether the sign-in is to last longer, and how it began. */
  remember_me?: boolean;
  method?: string;
}

function tokenKey(purpose: TokenPurpose, token: string): RecordKey {
  return { pk: `one_time_token#${purpose}#${sha256(token)}`, sk: "one_time_token" };
}

/** A new token for a user, which lasts as long as its purpose says unless told, and the write that makes it count. */
export function makeToken(
  { clock }: Pick<Home, "clock">,
  purpose: TokenPurpose,
  { org, id, credential_epoch }: User,
  details: Pick<OneTimeToken, "remember_me" | "method"> = {},
  seconds = TOKEN_SECONDS[purpose],
): { token: string; write: Write } {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const stands: OneTimeToken = { org, user_id: id, epoch: credential_epoch, ...details };
  const ttl = Math.ceil(clock() / 1000) + seconds;
  return { token, write: { put: toItem(tokenKey(purpose, token), "one_time_token", stands, { ttl }) } };
}

/** What a token stands for; undefined when it was used, has expired, or never was one of this purpose. */
export async function findToken(
  records: RecordStore,
  purpose: TokenPurpose,
  token: string,
): Promise<OneTimeToken | undefined> {
  const record = await records.get(tokenKey(purpose, token));
  return record && fromItem<OneTimeToken>(record);
}

/** The write that uses a token up; refused when another use came first. */
export function useUp(purpose: TokenPurpose, token: string): Write {
  return { delete: tokenKey(purpose, token), condition: "present" };
}
