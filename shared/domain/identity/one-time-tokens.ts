import { randomBytes } from "node:crypto";
import { sha256 } from "../../kernel/digest.ts";
import { getObject, toItem } from "../../ports/item.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import type { Runtime } from "../../runtime/context.ts";
import type { User } from "./users.ts";

/** The purpose of a token; a token is valid only for its purpose. */
export type TokenPurpose = "email_verification" | "password_reset" | "second_factor";

/** Lifetime of a token in seconds by purpose. */
export const TOKEN_SECONDS: Record<TokenPurpose, number> = {
  email_verification: 24 * 3600,
  password_reset: 3600,
  second_factor: 5 * 60,
};

const TOKEN_BYTES = 32;

/** The stored data of a token. The record holds only the token's SHA-256, which is enough for 256 random bits. */
export interface OneTimeToken {
  org: string;
  user_id: string;
  /** The user's credential epoch when the token was created; the token is invalid in another epoch. */
  epoch: number;
  /** For a second factor: whether the sign-in lasts longer, and how it started. */
  remember_me?: boolean;
  method?: string;
}

function tokenKey(purpose: TokenPurpose, token: string): RecordKey {
  return { pk: `one_time_token#${purpose}#${sha256(token)}`, sk: "one_time_token" };
}

/** A new token of a user with its purpose's lifetime by default, and the write that stores it. */
export function makeToken(
  { clock }: Pick<Runtime, "clock">,
  purpose: TokenPurpose,
  { org, id, credential_epoch }: User,
  details: Pick<OneTimeToken, "remember_me" | "method"> = {},
  seconds = TOKEN_SECONDS[purpose],
): { token: string; write: Write } {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const stored: OneTimeToken = { org, user_id: id, epoch: credential_epoch, ...details };
  const ttl = Math.ceil(clock() / 1000) + seconds;
  return { token, write: { put: toItem(tokenKey(purpose, token), "one_time_token", stored, { ttl }) } };
}

/** The data of a token; undefined if it was used, has expired or has another purpose. */
export function findToken(
  records: RecordStore,
  purpose: TokenPurpose,
  token: string,
): Promise<OneTimeToken | undefined> {
  return getObject(records, tokenKey(purpose, token));
}

/** The write that uses up a token; refused if it was used already. */
export function useUp(purpose: TokenPurpose, token: string): Write {
  return { delete: tokenKey(purpose, token), condition: "present" };
}
