import { randomBytes } from "node:crypto";
import { sha256 } from "../../kernel/digest.ts";

/** The issuer name shown by authenticator apps. */
const ISSUER = "Memory Service";
/** RFC 6238 as in authenticator apps: SHA-1, six digits, 30-second steps; the previous and the next step count too. */
const STEP_SECONDS = 30;
/** RFC 4226, section 4: 160 bits. */
const SECRET_BYTES = 20;

const RECOVERY_CODES = 10;
/** 80 bits in Crockford's base 32, whose characters cannot be confused. */
const RECOVERY_BYTES = 10;
const RECOVERY_FORM = /^[0-9A-HJKMNP-TV-Z]{16}$/;

/** Returns a factory of TOTP objects; the libraries are loaded at the first use of a second factor. */
async function loadTotp() {
  const [{ TOTP }, { crypto }, { base32 }] = await Promise.all([
    import("@otplib/totp"),
    import("@otplib/plugin-crypto-node"),
    import("@otplib/plugin-base32-scure"),
  ]);
  return (options: { secret?: string; epoch?: number } = {}) =>
    new TOTP({ ...options, issuer: ISSUER, period: STEP_SECONDS, digits: 6, algorithm: "sha1", crypto, base32 });
}

/** A new shared secret in base 32 for an authenticator app, as a link and as a QR code. */
export async function newTotpSecret(email: string): Promise<{ secret: string; otpauth_url: string; qr_svg: string }> {
  const [newTotp, { base32 }, { encodeQR }] = await Promise.all([
    loadTotp(),
    import("@otplib/plugin-base32-scure"),
    import("qr"),
  ]);
  const secret = base32.encode(randomBytes(SECRET_BYTES), { padding: false });
  const otpauth_url = newTotp({ secret }).toURI({ label: email });
  return { secret, otpauth_url, qr_svg: encodeQR(otpauth_url, "svg") };
}

/** The time step of a valid code; an accepted step must not be accepted again. `now` in epoch milliseconds. */
export async function stepOf(secret: string, otp: string, now: number): Promise<number | undefined> {
  const newTotp = await loadTotp();
  const epoch = Math.floor(now / 1000);
  const result = await newTotp({ secret, epoch }).verify(otp, { epochTolerance: STEP_SECONDS });
  return result.valid ? result.timeStep : undefined;
}

/** The stored form of a recovery code, however it was typed. Undefined for an invalid one. */
export function hashRecoveryCode(code: string): string | undefined {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return RECOVERY_FORM.test(plain) ? sha256(plain) : undefined;
}

/** Ten recovery codes for a lost app, with their stored forms. */
export async function makeRecoveryCodes(): Promise<{ codes: string[]; hashes: string[] }> {
  const { base32crockford } = await import("@scure/base");
  const generated = Array.from({ length: RECOVERY_CODES }, () => base32crockford.encode(randomBytes(RECOVERY_BYTES)));
  return {
    codes: generated.map((code) => code.replaceAll(/.{4}(?=.)/g, "$&-")),
    hashes: generated.flatMap((code) => hashRecoveryCode(code) ?? []),
  };
}
