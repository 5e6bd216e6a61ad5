import { randomBytes } from "node:crypto";
import { CIPHER_KEY_BYTES, decrypt, encrypt } from "../../kernel/cipher.ts";
import { DATA_KEY } from "../../ports/secret-names.ts";
import type { Secrets } from "../../ports/secrets.ts";
import type { HasPorts } from "../../runtime/context.ts";

/** A prefix of each encrypted text, so that another cipher or key can follow. */
const FORMAT_PREFIX = "v1.";

/** The data key by the port that stores it, so that a process reads it once. */
const keys = new WeakMap<Secrets, Promise<Buffer>>();

async function loadKey(secrets: Secrets): Promise<Buffer> {
  const stored = await secrets.get(DATA_KEY);
  const create = () => secrets.putIfAbsent(DATA_KEY, randomBytes(CIPHER_KEY_BYTES).toString("base64url"));
  return Buffer.from(stored ?? (await create()), "base64url");
}

function keyOf(secrets: Secrets): Promise<Buffer> {
  const cached = keys.get(secrets);
  if (cached) return cached;
  const loading = loadKey(secrets);
  keys.set(secrets, loading);
  loading.catch(() => keys.delete(secrets));
  return loading;
}

/**
 * Encrypts a secret for storage: AES-256-GCM with the deployment's data key, as text. `location` says where it is stored,
 * such as `user_01…/totp`, and is required to decrypt it: copied to another record, it is useless.
 */
export async function seal({ ports }: HasPorts, location: string, secret: string): Promise<string> {
  const sealed = encrypt(await keyOf(ports.secrets), Buffer.from(secret), location);
  return FORMAT_PREFIX + sealed.toString("base64url");
}

/** Decrypts what `seal` returned. Throws if the text or `location` differs. */
export async function unseal({ ports }: HasPorts, location: string, sealed: string): Promise<string> {
  const bytes = Buffer.from(sealed.startsWith(FORMAT_PREFIX) ? sealed.slice(FORMAT_PREFIX.length) : "", "base64url");
  const plain = decrypt(await keyOf(ports.secrets), bytes, location);
  if (plain === undefined)
    throw new Error(`the secret of '${location}' does not open: the data key or the record changed`);
  return plain.toString();
}
