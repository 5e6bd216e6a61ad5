import type { JWK } from "jose";
import { audit } from "../audit/audit.ts";
import type { AuditActor } from "../audit/records.ts";
import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import type { Json, RecordKey, RecordStore, Write } from "../platform/ports.ts";
import { signingKeyName } from "../platform/secret-names.ts";
import { OPERATOR_ORG } from "./bootstrap.ts";

export const SIGNING_ALGORITHM = "EdDSA";
/** How long an access token lasts. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;
/** How long a process goes on with the keys that it read. */
export const KEYS_TRUSTED_MS = 10_000;

/** A key is known this long before it signs: six times what any process trusts what it read. */
const PUBLISHED_BEFORE_MS = 60_000;
/** Clocks may differ by this much, and a process may sign with the former key for as long as it trusts what it read. */
const LEEWAY_MS = 60_000;
const MAX_ATTEMPTS = 8;
const RING: RecordKey = { pk: "verification_keys", sk: "verification_keys" };

/** A key pair as everyone may know it. The private half is a secret that `number` names. Times in epoch milliseconds. */
export interface VerificationKey {
  /** Thumbprint of the public half (RFC 7638). */
  kid: string;
  /** 1.., in the order they were made. */
  number: number;
  public_key: { kty: string; crv: string; x: string };
  /** ISO. */
  created_at: string;
  /** From then on it signs, until a later key does. */
  signs_from: number;
  /** From then on nothing it signed is valid; absent for the newest key. */
  verifies_until?: number;
}

/** All keys that may verify, as one record: whoever changes it names the revision that it read. */
export interface KeyRing {
  keys: VerificationKey[];
  revision: number;
}

/**
 * Why another key is made. `age`: it signs only when every process knows it, and what the former one signed stays valid.
 * `lost`: nobody has the private half any more, so it signs at once. `compromised`: besides, former keys verify nothing.
 */
export type RotationReason = "age" | "lost" | "compromised";

/** What keys are kept and made with. */
export type KeyHome = Pick<Home, "ports" | "clock" | "ids" | "config" | "request">;

const secretOf = ({ number }: Pick<VerificationKey, "number">) => signingKeyName(number);

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

/**
 * The key that signs now: of those whose time has come the last one made. By a clock that is behind none's may have: then
 * the first, which is no less known for that.
 */
export function signerAt({ keys }: KeyRing, now: number): VerificationKey | undefined {
  const inOrder = keys.filter((key) => verifiesAt(key, now)).sort((a, b) => a.number - b.number);
  return inOrder.findLast((key) => key.signs_from <= now) ?? inOrder[0];
}

/** Whether the ring is as it should be: a key that signs and is no older than `maxAgeMs` or has a successor, and none that is over. */
export function isInOrder({ keys }: KeyRing, now: number, maxAgeMs: number): boolean {
  const newest = keys.at(-1);
  return newest !== undefined && now < newest.signs_from + maxAgeMs && keys.every((key) => verifiesAt(key, now));
}

async function makeKeyPair(): Promise<string> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import("jose");
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const key = await exportJWK(privateKey);
  return JSON.stringify({ ...key, kid: await calculateJwkThumbprint(key), alg: SIGNING_ALGORITHM });
}

/** The private half; undefined where it is lost, or another's. */
export async function readPrivateKey({ ports }: Pick<Home, "ports">, key: VerificationKey): Promise<JWK | undefined> {
  const kept = await ports.secrets.get(secretOf(key));
  const pair: JWK | undefined = kept === undefined ? undefined : JSON.parse(kept);
  return pair?.kid === key.kid ? pair : undefined;
}

/** The ring with a next key in it, whose pair all who race to make it agree on. */
async function withNextKey(
  { ports, clock }: KeyHome,
  { keys, revision }: KeyRing,
  reason: RotationReason,
): Promise<KeyRing> {
  const number = 1 + Math.max(0, ...keys.map((key) => key.number));
  const { kid, kty, crv, x } = JSON.parse(await ports.secrets.putIfAbsent(secretOf({ number }), await makeKeyPair()));
  const now = clock();
  const signs_from = reason === "age" && keys.length > 0 ? now + PUBLISHED_BEFORE_MS : now;
  const next = { kid, number, public_key: { kty, crv, x }, created_at: timestamp(now), signs_from };
  const ending = signs_from + ACCESS_TOKEN_SECONDS * 1000 + LEEWAY_MS;
  const former = reason === "compromised" ? [] : keys.filter((key) => verifiesAt(key, now));
  return { keys: [...former.map((key) => ({ verifies_until: ending, ...key })), next], revision };
}

/** Changes the ring to what `revise` makes of it, and destroys the private halves of keys that it leaves out. */
async function reviseKeyRing(
  home: KeyHome,
  actor: AuditActor,
  revise: (ring: KeyRing) => KeyRing | Promise<KeyRing>,
): Promise<KeyRing> {
  const { records, secrets } = home.ports;
  for (let attempt = 1; ; attempt++) {
    const ring = await readKeyRing(records);
    const revised = await revise(ring);
    if (revised === ring) return ring;
    const made = without(revised.keys, ring.keys).map(({ kid }) =>
      audit({ ...home, org: OPERATOR_ORG }, { action: "signing_key.made", actor, target: kid }),
    );
    try {
      await records.write(putKeyRing(revised), ...made);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === MAX_ATTEMPTS) throw error;
      continue;
    }
    await Promise.all(without(ring.keys, revised.keys).map((key) => secrets.remove(secretOf(key))));
    return { ...revised, revision: revised.revision + 1 };
  }
}

function without(keys: VerificationKey[], others: VerificationKey[]): VerificationKey[] {
  const numbers = new Set(others.map(({ number }) => number));
  return keys.filter(({ number }) => !numbers.has(number));
}

/** Makes another key that signs; by `age` none where one is on its way. Safe to call in many processes at once. */
export function rotateSigningKey(home: KeyHome, reason: RotationReason, actor: AuditActor): Promise<KeyRing> {
  return reviseKeyRing(home, actor, (ring) => {
    const isOnItsWay = ring.keys.some((key) => key.signs_from > home.clock());
    return reason === "age" && isOnItsWay ? ring : withNextKey(home, ring, reason);
  });
}

/** Brings the ring in order: drops keys that are over, and makes the next one when the newest is older than `maxAgeMs`. */
export function tendKeyRing(home: KeyHome, maxAgeMs: number, actor: AuditActor): Promise<KeyRing> {
  return reviseKeyRing(home, actor, (ring) => {
    const now = home.clock();
    if (isInOrder(ring, now, maxAgeMs)) return ring;
    const living = { ...ring, keys: ring.keys.filter((key) => verifiesAt(key, now)) };
    return isInOrder(living, now, maxAgeMs) ? living : withNextKey(home, living, "age");
  });
}
