import { base32 } from "@otplib/plugin-base32-scure";
import { crypto } from "@otplib/plugin-crypto-node";
import { generateSync } from "@otplib/totp";
import { describe, expect, it } from "vitest";
import { hashRecoveryCode, makeRecoveryCodes, newTotpSecret, stepOf } from "./totp.ts";

/** RFC 6238, appendix B, for SHA-1: the last six of its eight digits. `12345678901234567890` in base 32. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

describe("a code", () => {
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("of second %i equals the RFC's", async (second, otp) => {
    expect(await stepOf(RFC_SECRET, otp, second * 1000)).toBe(Math.floor(second / 30));
  });

  it("is valid one step before and after its own, and no longer", async () => {
    const otp = "287082";
    const at = (seconds: number) => stepOf(RFC_SECRET, otp, seconds * 1000);
    expect([await at(0), await at(30), await at(59), await at(89), await at(90)]).toEqual([1, 1, 1, 1, undefined]);
  });

  it("is not valid in another form", async () => {
    expect(await stepOf(RFC_SECRET, "287083", 59_000)).toBeUndefined();
  });
});

describe("an offered secret", () => {
  it("creates valid codes in an app", async () => {
    const { secret, otpauth_url, qr_svg } = await newTotpSecret("ada+x@example.com");
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(otpauth_url);
    expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
      "otpauth:",
      "totp",
      "/Memory Service:ada+x@example.com",
    ]);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ secret, issuer: "Memory Service" });
    expect(qr_svg).toMatch(/^<svg .*<\/svg>$/s);
    const otp = generateSync({ secret, epoch: 3_000_000_000, crypto, base32 });
    expect(await stepOf(secret, otp, 3_000_000_000_000)).toBe(100_000_000);
  });

  it("is in the QR code", async () => {
    const { decodeQR } = await import("qr/decode.js");
    const { encodeQR } = await import("qr");
    const { otpauth_url, qr_svg } = await newTotpSecret("ada@example.com");
    expect(qr_svg).toBe(encodeQR(otpauth_url, "svg"));
    const modules = encodeQR(otpauth_url, "raw", { scale: 4, border: 4 });
    const [height, width] = [modules.length, modules[0]?.length ?? 0];
    const data = Uint8Array.from(modules.flat().flatMap((isDark) => (isDark ? [0, 0, 0, 255] : [255, 255, 255, 255])));
    expect(decodeQR({ height, width, data })).toBe(otpauth_url);
  });
});

describe("recovery codes", () => {
  it("are ten different ones, recognized in any notation", async () => {
    const { codes, hashes } = await makeRecoveryCodes();
    expect(new Set(hashes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(codes.map((code) => hashRecoveryCode(code))).toEqual(hashes);
    expect(codes.map((code) => hashRecoveryCode(` ${code.toLowerCase().replaceAll("-", " ")}`))).toEqual(hashes);
    expect(hashRecoveryCode("oOiIlL1100000000")).toBe(hashRecoveryCode("0011111100000000"));
    for (const none of ["", "123456", "U".repeat(16), "0".repeat(17)]) expect(hashRecoveryCode(none)).toBeUndefined();
  });
});
