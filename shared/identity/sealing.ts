import { randomBytes } from "node:crypto";
import { CIPHER_KEY_BYTES, decrypt, encrypt } from "../kernel/cipher.ts";
import type { Home } from "../platform/context.ts";
import type { Secrets } from "../platform/ports.ts";
import { DATA_KEY } from "../platform/secret-names.ts";

/** Goes before each sealed text, so that another cipher or key may follow one day. */
const FORM = "v1.";

/** By the port that keeps it: one look-up a process. */
const keys = new WeakMap<Secrets, Promise<Buffer>>();

async function loadKey(secrets: Secrets): Promise<Buffer> {
  const kept = await secrets.get(DATA_KEY);
  const made = () => secrets.putIfAbsent(DATA_KEY, randomBytes(CIPHER_KEY_BYTES).toString("base64url"));
  return Buffer.from(kept ?? (await made()), "base64url");
}

function keyOf(secrets: Secrets): Promise<Buffer> {
  const known = keys.get(secrets);
  if (known) return known;
  const loading = loadKey(secrets);
  keys.set(secrets, loading);
  loading.catch(() => keys.delete(secrets));
  return loading;
}

/**
 * A secret as it may be stored: AES-256-GCM under the deployment's data key, as text. `place` names the one thing it
 * belongs to, such as `user_01…/totp`, and must be the same to open it: copied to another record it is worth nothing.
 */
export async function seal({ ports }: Pick<Home, "ports">, place: string, secret: string): Promise<string> {
  const sealed = encrypt(await keyOf(ports.secrets), Buffer.from(secret), place);
  return FORM + sealed.toString("base64url");
}

/** What `seal` was given. Throws an Error for what it did not make, or made for another place. */
export async function unseal({ ports }: Pick<Home, "ports">, place: string, sealed: string): Promise<string> {
  const bytes = Buffer.from(sealed.startsWith(FORM) ? sealed.slice(FORM.length) : "", "base64url");
  const plain = decrypt(await keyOf(ports.secrets), bytes, place);
  if (plain === undefined) throw new Error(`what is sealed for '${place}' does not open: data key or record changed`);
  return plain.toString();
}
