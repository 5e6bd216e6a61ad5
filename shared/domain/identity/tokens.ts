import type { CryptoKey, JWTHeaderParameters, JWTPayload } from "jose";
import type { Clock } from "../../kernel/clock.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import { isPermission } from "../../runtime/access/permissions.ts";
import type { AuditActor } from "../../runtime/audit/records.ts";
import type { HasPorts, Runtime } from "../../runtime/context.ts";
import type { TokenGrant } from "./client-grants.ts";
import {
  ACCESS_TOKEN_SECONDS,
  CLIENT_TOKEN_SECONDS,
  isRingValid,
  KEYS_TRUSTED_MS,
  type KeyRing,
  type KeyRuntime,
  type RotationReason,
  readKeyRing,
  readPrivateKey,
  rotateKeysIfDue,
  rotateSigningKey,
  SIGNING_ALGORITHM,
  signerAt,
  type VerificationKey,
  verifiesAt,
} from "./signing-keys.ts";

const ISSUER = "memory-service";
const AUDIENCE = "memory-service-api";
const TYPE = "at+jwt";
/** Minimum time between key reads that unknown key ids cause, so that invented ids cause no load. */
const REREAD_AFTER_MS = 1_000;

/** The claims of an access token. Permissions come from the user's record when the token is used. */
export interface AccessClaims {
  /** User id. */
  sub: string;
  org: string;
  /** `credential_epoch` of the user when it was issued. */
  epoch: number;
  /** The sign-in of the token, or the grant to a client. */
  session: string;
  /** For the token of an OAuth client: what it may do. */
  client?: TokenGrant;
}

/** The runtime for issuing tokens: for keys, with a logger for failed renewals. */
type IssuingRuntime = KeyRuntime & Pick<Runtime, "logger">;

/** The service itself rotates keys, regardless of which user signs in at that moment. */
const SYSTEM: AuditActor = { kind: "system" };

/** Issues and verifies access tokens (JWT, RFC 9068) with the deployment's key ring; one instance per process. */
export class AccessTokens {
  readonly #records: RecordStore;
  readonly #clock: Clock;
  #cached: { ring: KeyRing; readAt: number } | undefined;
  #reading: Promise<KeyRing> | undefined;
  /** Imported public keys by `kid`. */
  readonly #publicKeys = new Map<string, CryptoKey>();
  #signing: { kid: string; key: CryptoKey } | undefined;

  constructor(records: RecordStore, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** A token of 15 minutes, or of an hour for a client. Creates the signing key at first use, and the next one after SIGNING_ROTATION_DAYS. */
  async issue(
    runtime: IssuingRuntime,
    { sub, client, ...claims }: AccessClaims,
  ): Promise<{ access_token: string; expires_in: number }> {
    const { SignJWT } = await import("jose");
    const { kid, key } = await this.#signer(runtime);
    const now = Math.floor(runtime.clock() / 1000);
    const expires_in = client ? CLIENT_TOKEN_SECONDS : ACCESS_TOKEN_SECONDS;
    const access_token = await new SignJWT({ ...claims, ...(client && claimsOf(client)) })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: TYPE })
      .setSubject(sub)
      .setIssuer(ISSUER)
      .setAudience(client?.resource ?? AUDIENCE)
      .setIssuedAt(now)
      .setExpirationTime(now + expires_in)
      .sign(key);
    return { access_token, expires_in };
  }

  /**
   * The claims of a token that this service signed and that has not expired; undefined for any other. The token of a
   * client must be for `resource`.
   */
  async verify(token: string, resource?: string): Promise<AccessClaims | undefined> {
    const { errors, jwtVerify } = await import("jose");
    const expected = {
      algorithms: [SIGNING_ALGORITHM],
      issuer: ISSUER,
      audience: resource === undefined ? AUDIENCE : [AUDIENCE, resource],
      typ: TYPE,
      requiredClaims: ["exp", "iat", "sub"],
      currentDate: new Date(this.#clock()),
    };
    try {
      const { payload } = await jwtVerify(token, (header: JWTHeaderParameters) => this.#publicKey(header), expected);
      const { sub, org, epoch, session, aud } = payload;
      const isComplete = sub && typeof org === "string" && typeof epoch === "number" && typeof session === "string";
      if (!isComplete) return undefined;
      return { sub, org, epoch, session, ...(aud !== AUDIENCE && { client: clientIn(payload) }) };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /** Creates another signing key, effective in this process at once. */
  async rotate(runtime: KeyRuntime, reason: RotationReason, actor: AuditActor): Promise<KeyRing> {
    return this.#cache(await rotateSigningKey(runtime, reason, actor));
  }

  async #signer(runtime: IssuingRuntime): Promise<{ kid: string; key: CryptoKey }> {
    const ring = await this.#maintainedRing(runtime);
    const signer = signerAt(ring, this.#clock());
    if (signer && this.#signing?.kid === signer.kid) return this.#signing;
    const signing = signer && (await importPrivateKey(runtime, signer));
    if (signing) {
      this.#signing = signing;
      return signing;
    }
    const renewed = signerAt(await this.rotate(runtime, "lost", SYSTEM), this.#clock());
    const created = renewed && (await importPrivateKey(runtime, renewed));
    if (!created) throw new Error("the signing key that was just created cannot be read");
    this.#signing = created;
    return created;
  }

  /** The ring, maintained if needed; a key that cannot be renewed now keeps signing. */
  async #maintainedRing(runtime: IssuingRuntime): Promise<KeyRing> {
    const maxAgeMs = runtime.config.SIGNING_ROTATION_DAYS * DAY_MS;
    const ring = await this.#trustedRing();
    if (isRingValid(ring, this.#clock(), maxAgeMs)) return ring;
    try {
      return this.#cache(await rotateKeysIfDue(runtime, maxAgeMs, SYSTEM));
    } catch (error) {
      if (!signerAt(ring, this.#clock())) throw error;
      runtime.logger.error("SIGNING_KEY_NOT_RENEWED", { error });
      return ring;
    }
  }

  async #publicKey({ kid }: JWTHeaderParameters): Promise<CryptoKey> {
    const { errors, importJWK } = await import("jose");
    const key = await this.#verificationKey(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    const imported =
      this.#publicKeys.get(key.kid) ?? ((await importJWK(key.public_key, SIGNING_ALGORITHM)) as CryptoKey);
    this.#publicKeys.set(key.kid, imported);
    return imported;
  }

  /** Reads the ring again for an unknown id, because the key may be newer than the cache. */
  async #verificationKey(kid: string | undefined): Promise<VerificationKey | undefined> {
    const keyIn = ({ keys }: KeyRing) => keys.find((key) => key.kid === kid && verifiesAt(key, this.#clock()));
    const known = keyIn(await this.#trustedRing());
    const readAt = this.#cached?.readAt ?? 0;
    if (known || this.#clock() - readAt < REREAD_AFTER_MS) return known;
    return keyIn(await this.#readRing());
  }

  async #trustedRing(): Promise<KeyRing> {
    const cached = this.#cached;
    return cached && this.#clock() - cached.readAt < KEYS_TRUSTED_MS ? cached.ring : this.#readRing();
  }

  /** Concurrent requests share one read; a read overtaken by this process's own change is dropped. */
  #readRing(): Promise<KeyRing> {
    const before = this.#cached;
    this.#reading ??= readKeyRing(this.#records)
      .then((ring) => (this.#cached && this.#cached !== before ? this.#cached.ring : this.#cache(ring)))
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  #cache(ring: KeyRing): KeyRing {
    this.#cached = { ring, readAt: this.#clock() };
    return ring;
  }
}

/** The claims of RFC 9068 for a client's token, beside its audience. */
function claimsOf({ id: client_id, scopes, memory_user }: TokenGrant) {
  return { client_id, scope: scopes.join(" "), ...(memory_user !== undefined && { memory_user }) };
}

function clientIn({ aud, client_id, scope, memory_user }: JWTPayload): TokenGrant {
  const scopes = String(scope).split(" ").filter(isPermission);
  const limit = memory_user === undefined ? {} : { memory_user: String(memory_user) };
  return { id: String(client_id), resource: String(aud), scopes, ...limit };
}

async function importPrivateKey(runtime: HasPorts, signer: VerificationKey) {
  const { importJWK } = await import("jose");
  const pair = await readPrivateKey(runtime, signer);
  return pair && { kid: signer.kid, key: (await importJWK(pair, SIGNING_ALGORITHM)) as CryptoKey };
}
