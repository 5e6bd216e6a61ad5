import { createHmac, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { CIPHER_KEY_BYTES, decrypt, encrypt } from "../../../kernel/cipher.ts";
import { type ArchiveSealing, InvalidArchiveError } from "./format.ts";

/** Parameters of scrypt from OWASP's Password Storage Cheat Sheet: N = 2^15, r = 8, p = 3, which need 32 MB. */
const COST = 2 ** 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 3;
const SALT_BYTES = 16;

const scryptAsync = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** Encrypts the secrets of one archive and authenticates its manifest, with keys derived from the operator's. */
export class ArchiveKeys {
  readonly #cipherKey: Buffer;
  readonly #macKey: Buffer;
  readonly #archive: string;

  private constructor(derived: Buffer, archive: string) {
    this.#cipherKey = derived.subarray(0, CIPHER_KEY_BYTES);
    this.#macKey = derived.subarray(CIPHER_KEY_BYTES);
    this.#archive = archive;
  }

  /** Creates the keys of a new archive under a new salt, and their header fields. */
  static async make(secret: string, archive: string): Promise<{ keys: ArchiveKeys; sealing: ArchiveSealing }> {
    const salt = randomBytes(SALT_BYTES).toString("base64");
    const sizes = { cost: COST, block_size: BLOCK_SIZE, parallelization: PARALLELIZATION };
    const keys = new ArchiveKeys(await deriveKeys(secret, { ...sizes, salt }), archive);
    return { keys, sealing: { kdf: "scrypt", ...sizes, salt, check: keys.seal("check", archive) } };
  }

  /**
   * Returns the keys of an archive; undefined without an operator's secret, when nothing proves its origin. Throws
   * InvalidArchiveError if the secret is not the archive's, or if the archive is not sealed: anyone can make one.
   */
  static async of(secret: string | undefined, archive: string, sealing: ArchiveSealing | undefined) {
    if (secret === undefined) return undefined;
    if (sealing === undefined) {
      throw new InvalidArchiveError(
        "The backup is not sealed, so anyone could have made it. To restore a backup that was made without a key, unset BACKUP_KEY.",
      );
    }
    const keys = new ArchiveKeys(await deriveKeys(secret, sealing), archive);
    keys.unseal("check", sealing.check);
    return keys;
  }

  /** Encrypts with AES-256-GCM, bound to the archive and to a part of it. */
  seal(part: string, secret: string): string {
    return encrypt(this.#cipherKey, Buffer.from(secret), `${this.#archive}/${part}`).toString("base64");
  }

  /** Throws InvalidArchiveError for a value that `seal` did not create with this key for this part. */
  unseal(part: string, sealed: string): string {
    const plain = decrypt(this.#cipherKey, Buffer.from(sealed, "base64"), `${this.#archive}/${part}`);
    if (plain !== undefined) return plain.toString();
    throw new InvalidArchiveError(
      part === "check"
        ? "The key is not the key of this archive."
        : `The sealed values of the archive's ${part} were changed.`,
    );
  }

  mac(text: string): string {
    return createHmac("sha256", this.#macKey).update(text).digest("hex");
  }

  isMac(text: string, mac: string): boolean {
    const [expected, given] = [Buffer.from(this.mac(text)), Buffer.from(mac)];
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}

function deriveKeys(
  secret: string,
  { salt, cost, block_size, parallelization }: Omit<ArchiveSealing, "kdf" | "check">,
): Promise<Buffer> {
  const maxmem = 256 * (cost + parallelization) * block_size;
  const sizes = { N: cost, r: block_size, p: parallelization, maxmem };
  return scryptAsync(secret, Buffer.from(salt, "base64"), 2 * CIPHER_KEY_BYTES, sizes);
}
