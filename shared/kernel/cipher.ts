import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const CIPHER_KEY_BYTES = 32;

/**
 * Encrypts with AES-256-GCM; returns a random nonce, the tag and the ciphertext. `label` is authenticated: a value
 * cannot be decrypted under another label.
 */
export function encrypt(key: Uint8Array, plain: Uint8Array, label = ""): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(label));
  const ciphertext = [cipher.update(plain), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...ciphertext]);
}

/** Decrypts what `encrypt` returned; undefined if the key or the label is wrong, or if a bit has changed. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, label = ""): Buffer | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(label))
    .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plain = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
}
