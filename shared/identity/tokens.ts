import type { JSONWebKeySet, JWK } from "jose";
import type { Home } from "../platform/context.ts";
import type { RecordKey, RecordStore } from "../platform/ports.ts";
import { isPermission, type Permission } from "./permissions.ts";

const ALGORITHM = "EdDSA";
const ISSUER = "memory-service";
const AUDIENCE = "memory-service-api";
const TYPE = "at+jwt";
const LIFETIME_SECONDS = 15 * 60;
const SIGNING_KEY = "signing-key";
const VERIFICATION_KEYS: RecordKey = { pk: "verification_keys", sk: "verification_keys" };

/** What an access token says of its bearer. */
export interface AccessClaims {
  /** User id. */
  sub: string;
  org: string;
  permissions: Permission[];
  /** The user's `credential_epoch` when it was issued. */
  epoch: number;
  /** Id of the sign-in whose refresh token renews it. */
  session: string;
}

async function makeSigningKey(): Promise<string> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import("jose");
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const key = await exportJWK(privateKey);
  return JSON.stringify({ ...key, kid: await calculateJwkThumbprint(key), alg: ALGORITHM });
}

/** The key that signs, made at first use and kept by the Secrets port; its public half is published to the records. */
async function loadSigningKey({ ports }: Home): Promise<JWK> {
  const { secrets, records } = ports;
  const kept = (await secrets.get(SIGNING_KEY)) ?? (await secrets.putIfAbsent(SIGNING_KEY, await makeSigningKey()));
  const { d, ...published } = JSON.parse(kept);
  await records.write({ update: VERIFICATION_KEYS, set: { kind: "verification_keys", keys: [published] } });
  return { ...published, d };
}

/** Signs access tokens of 15 minutes; the key is loaded once. */
export class TokenIssuer {
  readonly #home: Home;
  #key: Promise<JWK> | undefined;

  constructor(home: Home) {
    this.#home = home;
  }

  async issue({ sub, session, ...claims }: AccessClaims): Promise<{ access_token: string; expires_in: number }> {
    const { SignJWT } = await import("jose");
    this.#key ??= loadSigningKey(this.#home);
    const key = await this.#key;
    const now = Math.floor(this.#home.clock() / 1000);
    const access_token = await new SignJWT({ ...claims, sid: session })
      .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: TYPE })
      .setSubject(sub)
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(now)
      .setExpirationTime(now + LIFETIME_SECONDS)
      .sign(key);
    return { access_token, expires_in: LIFETIME_SECONDS };
  }
}

/** Public keys by which any process verifies, without access to secrets. */
async function readVerificationKeys(records: RecordStore): Promise<JSONWebKeySet> {
  const record = await records.get(VERIFICATION_KEYS);
  return { keys: (record?.keys ?? []) as unknown as JWK[] };
}

/** The claims of a token that this service signed and that has not expired; undefined for any other. */
export async function verifyAccessToken(
  records: RecordStore,
  token: string,
  now: number,
): Promise<AccessClaims | undefined> {
  const { createLocalJWKSet, errors, jwtVerify } = await import("jose");
  const keys = createLocalJWKSet(await readVerificationKeys(records));
  const expected = {
    algorithms: [ALGORITHM],
    issuer: ISSUER,
    audience: AUDIENCE,
    typ: TYPE,
    currentDate: new Date(now),
  };
  try {
    const { payload } = await jwtVerify(token, keys, expected);
    const { sub, org, permissions, epoch, sid } = payload;
    if (sub === undefined || typeof org !== "string" || !Array.isArray(permissions)) return undefined;
    if (typeof epoch !== "number" || typeof sid !== "string") return undefined;
    return { sub, org, permissions: permissions.filter(isPermission), epoch, session: sid };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
