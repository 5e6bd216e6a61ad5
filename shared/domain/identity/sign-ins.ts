import { randomBytes } from "node:crypto";
import { timestamp } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/digest.ts";
import { DAY_SECONDS } from "../../kernel/durations.ts";
import { ServiceError } from "../../kernel/errors.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { writeOrThrow } from "../../ports/conflicts.ts";
import { getObject, toItem } from "../../ports/item.ts";
import { listObjects } from "../../ports/listing.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import type { Runtime } from "../../runtime/context.ts";
import type { ClientGrant } from "./client-grants.ts";
import { CLIENT_TOKEN_SECONDS } from "./signing-keys.ts";
import { findUser, isAdmitted, reviseUser, type User } from "./users.ts";

/** Lifetime of a refresh token; each use issues a new one with the same lifetime. */
const REFRESH_SECONDS = 7 * DAY_SECONDS;
const REMEMBERED_SECONDS = 30 * DAY_SECONDS;

const TOKEN_PREFIX = "rt_";
const FAMILY_BYTES = 16;
const SECRET_BYTES = 32;
/** A user's sign-ins are counted up to this number. */
const COUNT_CEILING = 10_000;

/** A sign-in with its family of refresh tokens, of which only the last is valid. Access tokens name `id` as session. */
export interface SignIn {
  id: string;
  org: string;
  user_id: string;
  /** The user's `credential_epoch` at the start; the sign-in is invalid in another epoch. */
  epoch: number;
  /** SHA-256 of the family's last refresh token. */
  token_hash: string;
  lifetime_seconds: number;
  created_at: string;
  renewed_at: string;
  /** For a grant to an OAuth client: what the client may do for the user. Absent for a sign-in of the user. */
  client?: ClientGrant;
}

/** A sign-in that is a grant to a client. */
export type Grant = SignIn & { client: ClientGrant };

/** A parsed refresh token. */
interface ParsedToken {
  /** The random bytes that all tokens of the sign-in share. */
  family: Buffer;
  /** The id of the sign-in: SHA-256 of `family`. */
  id: string;
  /** SHA-256 of the whole token. */
  hash: string;
}

const signInKey = (id: string): RecordKey => ({ pk: `sign_in#${id}`, sk: "sign_in" });
const signInsOf = (org: string, userId: string): string => `${org}#${userId}#sign_ins`;

/** The next token of a family: the family's random bytes, then the token's own. */
function newToken(family: Buffer): { token: string; hash: string } {
  const token = TOKEN_PREFIX + Buffer.concat([family, randomBytes(SECRET_BYTES)]).toString("base64url");
  return { token, hash: sha256(token) };
}

function readToken(token: string): ParsedToken | undefined {
  const bytes = Buffer.from(token.startsWith(TOKEN_PREFIX) ? token.slice(TOKEN_PREFIX.length) : "", "base64url");
  if (bytes.length !== FAMILY_BYTES + SECRET_BYTES) return undefined;
  const family = bytes.subarray(0, FAMILY_BYTES);
  return { family, id: sha256(family), hash: sha256(token) };
}

function toRecord(signIn: SignIn, now: number): Write {
  const index = {
    gsi1pk: signInsOf(signIn.org, signIn.user_id),
    gsi1sk: `${signIn.created_at}#${signIn.id}`,
    ttl: Math.ceil(now / 1000) + signIn.lifetime_seconds,
  };
  return { put: toItem(signInKey(signIn.id), "sign_in", signIn, index) };
}

/** A new sign-in of a user, or grant to a client: its first refresh token and the write that stores it. */
export function openSignIn(
  { clock }: Pick<Runtime, "clock">,
  { org, id: user_id, credential_epoch: epoch }: User,
  isRemembered: boolean,
  client?: ClientGrant,
): { signIn: SignIn; refreshToken: string; write: Write } {
  const family = randomBytes(FAMILY_BYTES);
  const { token, hash } = newToken(family);
  const now = clock();
  const signIn: SignIn = {
    id: sha256(family),
    org,
    user_id,
    epoch,
    token_hash: hash,
    lifetime_seconds: isRemembered ? REMEMBERED_SECONDS : REFRESH_SECONDS,
    created_at: timestamp(now),
    renewed_at: timestamp(now),
    ...(client && { client }),
  };
  return { signIn, refreshToken: token, write: toRecord(signIn, now) };
}

/** A sign-in or grant by its id; undefined if it has ended or expired. */
export function findSignIn(records: RecordStore, id: string): Promise<SignIn | undefined> {
  return getObject(records, signInKey(id));
}

/** The sign-in of a refresh token, whether or not the token is the last one. */
export async function findSignInOf(records: RecordStore, refreshToken: string): Promise<SignIn | undefined> {
  const parsed = readToken(refreshToken);
  return parsed && findSignIn(records, parsed.id);
}

function refused(): ServiceError {
  return new ServiceError("UNAUTHORIZED", "The refresh token is no longer valid. Sign in again.");
}

/** Called before the sign-in is ended, so that it can be recorded. */
type OnReuse = (signIn: SignIn) => Promise<void>;

/**
 * Exchanges a refresh token for the next one of its family. A token that is not the last one was stolen or replayed, so
 * the whole sign-in ends; this also happens if two requests exchange the same token at once. Throws UNAUTHORIZED, also
 * for a token of another client than `clientId`, without which it must be a sign-in of the user.
 */
export async function renewSignIn(
  runtime: Pick<Runtime, "ports" | "clock" | "authenticator">,
  refreshToken: string,
  onReuse: OnReuse,
  clientId?: string,
): Promise<{ user: User; signIn: SignIn; refreshToken: string }> {
  const { records } = runtime.ports;
  const parsed = readToken(refreshToken);
  const signIn = parsed && (await findSignIn(records, parsed.id));
  if (!parsed || !signIn || signIn.client?.id !== clientId) throw refused();
  const user = await findUser(records, signIn.org, signIn.user_id);
  const now = runtime.clock();
  if (!user || !isAdmitted(user, { epoch: signIn.epoch, session: signIn.id }, now)) throw refused();
  const { token, hash } = newToken(parsed.family);
  const renewed = { ...signIn, token_hash: hash, renewed_at: timestamp(now) };
  const write = { ...toRecord(renewed, now), condition: { token_hash: parsed.hash } };
  await writeOrThrow(runtime, [write], async () => {
    await onReuse(signIn);
    await endSignIn(runtime, signIn);
    return refused();
  });
  return { user, signIn: renewed, refreshToken: token };
}

/** Ends a sign-in: its refresh tokens at once, its access tokens as soon as the user is read again. */
export async function endSignIn(
  runtime: Pick<Runtime, "ports" | "clock" | "authenticator">,
  { id, org, user_id }: Pick<SignIn, "id" | "org" | "user_id">,
): Promise<void> {
  const now = runtime.clock();
  const until = timestamp(now + CLIENT_TOKEN_SECONDS * 1000);
  const end = ({ ended_sessions }: User) => {
    if (ended_sessions.some((ended) => ended.id === id)) return undefined;
    return { ended_sessions: [...ended_sessions.filter((ended) => Date.parse(ended.until) > now), { id, until }] };
  };
  await reviseUser(runtime, { org, id: user_id }, end, [{ delete: signInKey(id) }]);
}

/** Counts the active sign-ins of a user. */
export function countSignIns(records: RecordStore, { org, id, credential_epoch }: User): Promise<number> {
  const query = { index: "gsi1" as const, pk: signInsOf(org, id), where: { epoch: credential_epoch } };
  return records.count(query, COUNT_CEILING);
}

/** One page of what a user granted to clients, newest first, with the total. */
export function listGrants(records: RecordStore, { org, id, credential_epoch }: User, page: PageRequest) {
  const where = { epoch: credential_epoch, client: { absent: false } };
  return listObjects<Grant>(records, { index: "gsi1", pk: signInsOf(org, id), where, descending: true }, page);
}
