import type { CryptoKey, JWTHeaderParameters } from "jose";
import type { AuditActor } from "../audit/records.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import type { RecordStore } from "../platform/ports.ts";
import {
  ACCESS_TOKEN_SECONDS,
  isInOrder,
  KEYS_TRUSTED_MS,
  type KeyHome,
  type KeyRing,
  type RotationReason,
  readKeyRing,
  readPrivateKey,
  rotateSigningKey,
  SIGNING_ALGORITHM,
  signerAt,
  tendKeyRing,
  type VerificationKey,
  verifiesAt,
} from "./signing-keys.ts";

const ISSUER = "memory-service";
const AUDIENCE = "memory-service-api";
const TYPE = "at+jwt";
/** Shortest time between two readings of the keys that unknown key ids cause: who invents them causes no load. */
const REREAD_AFTER_MS = 1_000;
const DAY_MS = 86_400_000;

/** What an access token says. What its bearer may do is the user's record's to say, as it is when the token is used. */
export interface AccessClaims {
  /** User id. */
  sub: string;
  org: string;
  /** `credential_epoch` of the user when it was issued. */
  epoch: number;
  /** The sign-in that it goes back to. */
  session: string;
}

/** What issuing takes: the secrets, and where to say that a key could not be renewed. */
type IssuingHome = KeyHome & Pick<Home, "logger">;

/** Keys are renewed by themselves, whoever signs in at that moment. */
const BY_ITSELF: AuditActor = { kind: "system" };

interface KnownRing {
  ring: KeyRing;
  readAt: number;
}

/** Issues and verifies access tokens (JWT, RFC 9068) by the deployment's key ring; one a process. */
export class AccessTokens {
  readonly #records: RecordStore;
  readonly #clock: Clock;
  #known: KnownRing | undefined;
  #reading: Promise<KeyRing> | undefined;
  /** By `kid`, each imported once. */
  readonly #publicKeys = new Map<string, CryptoKey>();
  #signing: { kid: string; key: CryptoKey } | undefined;

  constructor(records: RecordStore, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** A token of 15 minutes. Makes the signing key at first use, and the next one when it is SIGNING_ROTATION_DAYS old. */
  async issue(
    home: IssuingHome,
    { sub, ...claims }: AccessClaims,
  ): Promise<{ access_token: string; expires_in: number }> {
    const { SignJWT } = await import("jose");
    const { kid, key } = await this.#signer(home);
    const now = Math.floor(home.clock() / 1000);
    const access_token = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: TYPE })
      .setSubject(sub)
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(now)
      .setExpirationTime(now + ACCESS_TOKEN_SECONDS)
      .sign(key);
    return { access_token, expires_in: ACCESS_TOKEN_SECONDS };
  }

  /** The claims of a token that this service signed and that has not expired; undefined for any other. */
  async verify(token: string): Promise<AccessClaims | undefined> {
    const { errors, jwtVerify } = await import("jose");
    const expected = {
      algorithms: [SIGNING_ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: TYPE,
      requiredClaims: ["exp", "iat", "sub"],
      currentDate: new Date(this.#clock()),
    };
    try {
      const { payload } = await jwtVerify(token, (header: JWTHeaderParameters) => this.#publicKey(header), expected);
      const { sub, org, epoch, session } = payload;
      const isComplete = sub && typeof org === "string" && typeof epoch === "number" && typeof session === "string";
      return isComplete ? { sub, org, epoch, session } : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /** Makes another signing key, in force in this process at once. */
  async rotate(home: KeyHome, reason: RotationReason, actor: AuditActor): Promise<KeyRing> {
    return this.#remember(await rotateSigningKey(home, reason, actor));
  }

  async #signer(home: IssuingHome): Promise<{ kid: string; key: CryptoKey }> {
    const ring = await this.#orderlyRing(home);
    const signer = signerAt(ring, this.#clock());
    if (signer && this.#signing?.kid === signer.kid) return this.#signing;
    const signing = signer && (await importPrivateKey(home, signer));
    if (signing) {
      this.#signing = signing;
      return signing;
    }
    const renewed = signerAt(await this.rotate(home, "lost", BY_ITSELF), this.#clock());
    const made = renewed && (await importPrivateKey(home, renewed));
    if (!made) throw new Error("the signing key that was just made cannot be read");
    this.#signing = made;
    return made;
  }

  /** The ring, brought in order where it is not; a key that cannot be renewed just now signs on. */
  async #orderlyRing(home: IssuingHome): Promise<KeyRing> {
    const maxAgeMs = home.config.SIGNING_ROTATION_DAYS * DAY_MS;
    const ring = await this.#trustedRing();
    if (isInOrder(ring, this.#clock(), maxAgeMs)) return ring;
    try {
      return this.#remember(await tendKeyRing(home, maxAgeMs, BY_ITSELF));
    } catch (error) {
      if (!signerAt(ring, this.#clock())) throw error;
      home.logger.error("SIGNING_KEY_NOT_RENEWED", { error });
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

  /** Looks once more where the id is unknown, as the key may be newer than what was read. */
  async #verificationKey(kid: string | undefined): Promise<VerificationKey | undefined> {
    const keyIn = ({ keys }: KeyRing) => keys.find((key) => key.kid === kid && verifiesAt(key, this.#clock()));
    const known = keyIn(await this.#trustedRing());
    const readAt = this.#known?.readAt ?? 0;
    if (known || this.#clock() - readAt < REREAD_AFTER_MS) return known;
    return keyIn(await this.#readRing());
  }

  async #trustedRing(): Promise<KeyRing> {
    const known = this.#known;
    return known && this.#clock() - known.readAt < KEYS_TRUSTED_MS ? known.ring : this.#readRing();
  }

  /** Requests that need it at the same time share one reading; one that this process's own change overtook is dropped. */
  #readRing(): Promise<KeyRing> {
    const before = this.#known;
    this.#reading ??= readKeyRing(this.#records)
      .then((ring) => (this.#known && this.#known !== before ? this.#known.ring : this.#remember(ring)))
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  #remember(ring: KeyRing): KeyRing {
    this.#known = { ring, readAt: this.#clock() };
    return ring;
  }
}

async function importPrivateKey(
  home: Pick<Home, "ports">,
  signer: VerificationKey,
): Promise<{ kid: string; key: CryptoKey } | undefined> {
  const { importJWK } = await import("jose");
  const pair = await readPrivateKey(home, signer);
  return pair && { kid: signer.kid, key: (await importJWK(pair, SIGNING_ALGORITHM)) as CryptoKey };
}
