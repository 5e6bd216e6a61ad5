import type { JWK } from "jose";
import { timestamp } from "../../kernel/clock.ts";
import { retryOnConflict } from "../../ports/conflicts.ts";
import type { Json } from "../../ports/json.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import { signingKeyName } from "../../ports/secret-names.ts";
import { OPERATOR_ORG } from "../../runtime/access/operator.ts";
import { audit } from "../../runtime/audit/audit.ts";
import type { AuditActor } from "../../runtime/audit/records.ts";
import type { HasPorts, Runtime } from "../../runtime/context.ts";

export const SIGNING_ALGORITHM = "EdDSA";
/** Lifetime of an access token of a sign-in. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;
/** Lifetime of an access token of an OAuth client; no access token is valid for longer. */
export const CLIENT_TOKEN_SECONDS = 60 * 60;
/** How long a process caches the key ring. */
export const KEYS_TRUSTED_MS = 10_000;

/** A key is published this long before it signs: six times any process's cache lifetime. */
const PUBLISHED_BEFORE_MS = 60_000;
/** Clocks may differ by this much, and a process may sign with the former key while it caches the ring. */
const LEEWAY_MS = 60_000;
const RING: RecordKey = { pk: "verification_keys", sk: "verification_keys" };

/** The public data of a key pair. The private half is a secret identified by `number`. Times in epoch milliseconds. */
export interface VerificationKey {
  /** Thumbprint of the public half (RFC 7638). */
  kid: string;
  /** Starts at 1 and increases with every new key. */
  number: number;
  public_key: { kty: string; crv: string; x: string };
  /** ISO 8601. */
  created_at: string;
  /** When it starts to sign, until a later key does. */
  signs_from: number;
  /** When its signatures become invalid; absent for the newest key. */
  verifies_until?: number;
}

/** All verification keys as one record; a change names the revision that it read. */
export interface KeyRing {
  keys: VerificationKey[];
  revision: number;
}

/**
 * Why a key is created. `age`: it signs only when every process knows it, and earlier signatures stay valid. `lost`:
 * the private half is gone, so the new key signs at once. `compromised`: former keys also stop verifying.
 */
export type RotationReason = "age" | "lost" | "compromised";

/** The parts of the runtime that handling keys needs. */
export type KeyRuntime = Pick<Runtime, "ports" | "clock" | "ids" | "config" | "request">;

const secretName = ({ number }: Pick<VerificationKey, "number">) => signingKeyName(number);

export async function readKeyRing(records: RecordStore): Promise<KeyRing> {
  const record = await records.get(RING);
  return { keys: (record?.keys ?? []) as unknown as VerificationKey[], revision: Number(record?.revision ?? 0) };
}

function putKeyRing({ keys, revision }: KeyRing): Write {
  const put = { ...RING, kind: "verification_keys", keys: keys as unknown as Json, revision: revision + 1 };
  return { put, condition: revision === 0 ? "absent" : { revision } };
}

export function verifiesAt({ verifies_until = Number.POSITIVE_INFINITY }: VerificationKey, now: number): boolean {
  return now < verifies_until;
}

/** The current signing key: the newest that may already sign, or the first one if none may yet. */
export function signerAt({ keys }: KeyRing, now: number): VerificationKey | undefined {
  const inOrder = keys.filter((key) => verifiesAt(key, now)).sort((a, b) => a.number - b.number);
  return inOrder.findLast((key) => key.signs_from <= now) ?? inOrder[0];
}

/** Whether the ring is valid: its signing key is at most `maxAgeMs` old or has a successor, and no key has expired. */
export function isRingValid({ keys }: KeyRing, now: number, maxAgeMs: number): boolean {
  const newest = keys.at(-1);
  return newest !== undefined && now < newest.signs_from + maxAgeMs && keys.every((key) => verifiesAt(key, now));
}

async function makeKeyPair(): Promise<string> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import("jose");
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const key = await exportJWK(privateKey);
  return JSON.stringify({ ...key, kid: await calculateJwkThumbprint(key), alg: SIGNING_ALGORITHM });
}

/** The private half; undefined if it is lost or belongs to another key. */
export async function readPrivateKey({ ports }: HasPorts, key: VerificationKey): Promise<JWK | undefined> {
  const stored = await ports.secrets.get(secretName(key));
  const pair: JWK | undefined = stored === undefined ? undefined : JSON.parse(stored);
  return pair?.kid === key.kid ? pair : undefined;
}

/** Returns the ring with a next key; all concurrent writers agree on its key pair. */
async function withNextKey({ ports, clock }: KeyRuntime, { keys, revision }: KeyRing, reason: RotationReason) {
  const number = 1 + Math.max(0, ...keys.map((key) => key.number));
  const { kid, kty, crv, x } = JSON.parse(await ports.secrets.putIfAbsent(secretName({ number }), await makeKeyPair()));
  const now = clock();
  const signs_from = reason === "age" && keys.length > 0 ? now + PUBLISHED_BEFORE_MS : now;
  const next = { kid, number, public_key: { kty, crv, x }, created_at: timestamp(now), signs_from };
  const ending = signs_from + CLIENT_TOKEN_SECONDS * 1000 + LEEWAY_MS;
  const former = reason === "compromised" ? [] : keys.filter((key) => verifiesAt(key, now));
  return { keys: [...former.map((key) => ({ verifies_until: ending, ...key })), next], revision };
}

/** Updates the ring with `revise` and destroys the private halves of dropped keys. */
async function reviseKeyRing(
  runtime: KeyRuntime,
  actor: AuditActor,
  revise: (ring: KeyRing) => KeyRing | Promise<KeyRing>,
): Promise<KeyRing> {
  const { records, secrets } = runtime.ports;
  const [before, after] = await retryOnConflict(async (): Promise<[KeyRing, KeyRing]> => {
    const ring = await readKeyRing(records);
    const revised = await revise(ring);
    if (revised === ring) return [ring, ring];
    const auditEntries = without(revised.keys, ring.keys).map(({ kid }) =>
      audit({ ...runtime, org: OPERATOR_ORG }, { action: "signing_key.made", actor, target: kid }),
    );
    await records.write(putKeyRing(revised), ...auditEntries);
    return [ring, { ...revised, revision: revised.revision + 1 }];
  });
  await Promise.all(without(before.keys, after.keys).map((key) => secrets.remove(secretName(key))));
  return after;
}

/** Those of the keys that `others` does not contain. */
function without(keys: VerificationKey[], others: VerificationKey[]): VerificationKey[] {
  const numbers = new Set(others.map(({ number }) => number));
  return keys.filter(({ number }) => !numbers.has(number));
}

/** Creates another signing key; with `age`, none if one is pending. Safe to call in many processes at once. */
export function rotateSigningKey(runtime: KeyRuntime, reason: RotationReason, actor: AuditActor): Promise<KeyRing> {
  return reviseKeyRing(runtime, actor, (ring) => {
    const isPending = ring.keys.some((key) => key.signs_from > runtime.clock());
    return reason === "age" && isPending ? ring : withNextKey(runtime, ring, reason);
  });
}

/** Maintains the ring: drops expired keys, and creates the next one when the newest is older than `maxAgeMs`. */
export function rotateKeysIfDue(runtime: KeyRuntime, maxAgeMs: number, actor: AuditActor): Promise<KeyRing> {
  return reviseKeyRing(runtime, actor, (ring) => {
    const now = runtime.clock();
    if (isRingValid(ring, now, maxAgeMs)) return ring;
    const valid = { ...ring, keys: ring.keys.filter((key) => verifiesAt(key, now)) };
    return isRingValid(valid, now, maxAgeMs) ? valid : withNextKey(runtime, valid, "age");
  });
}
