import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createOrganization, openService } from "../../../test/support/service.ts";
import { bearer, signInUser } from "../../../test/support/users.ts";
import { MINUTE_MS } from "../../kernel/durations.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import { readKeyRing, type VerificationKey } from "./signing-keys.ts";
import { AccessTokens } from "./tokens.ts";

const CLAIMS = { org: "org_1", epoch: 1, session: "s" };

let now = Date.parse("2026-01-31T12:00:00Z");

const service = await openService({}, () => now);
const { org } = await createOrganization(service);
const { user, token } = await signInUser(service, { org, role: "admin" });
afterAll(() => service.close());

async function statusWith(bearerToken: string): Promise<number> {
  const { status } = await service.request("GET", "/memories", { key: null, headers: bearer(bearerToken) });
  return status;
}

async function currentKey(): Promise<VerificationKey> {
  return (await readKeyRing(service.runtime.ports.records)).keys.at(-1) as VerificationKey;
}

/** A token that is valid except for `change` and `header`. */
function almost(kid: string | undefined, change = (jwt: SignJWT) => jwt, header: object = {}, ofOrg = org) {
  const jwt = new SignJWT({ ...CLAIMS, org: ofOrg })
    .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", kid, ...header })
    .setSubject(user.id)
    .setIssuer("memory-service")
    .setAudience("memory-service-api")
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(now / 1000) + 900);
  return change(jwt);
}

/** The current private signing key, which only the secret store has. */
async function signingKey() {
  const { number, kid } = await currentKey();
  const pair = await service.runtime.ports.secrets.get(`signing/signing-key-${number}`);
  return { kid, pair: JSON.parse(pair ?? "{}") };
}

/** The tokens as another process verifies them, and how often it has read its keys. */
function countingTokens() {
  const get = vi.fn<RecordStore["get"]>((key) => service.runtime.ports.records.get(key));
  const tokens = new AccessTokens({ get } as Partial<RecordStore> as RecordStore, () => now);
  return { tokens, readings: () => get.mock.calls.length };
}

describe("access tokens", () => {
  it("authenticate their bearer", async () => {
    expect(await statusWith(token)).toBe(200);
    const { kid, pair } = await signingKey();
    expect(await statusWith(await almost(kid).sign(pair))).toBe(200);
  });

  it("end after 15 minutes", async () => {
    const { token: early } = await signInUser(service, { org, role: "viewer" });
    now += 15 * MINUTE_MS - 1000;
    expect(await statusWith(early)).toBe(200);
    now += 2000;
    expect(await statusWith(early)).toBe(401);
  });

  describe("are refused", () => {
    it("when any part of them was changed, cut off or left out", async () => {
      const { token: whole } = await signInUser(service, { org, role: "viewer" });
      expect(await statusWith(whole)).toBe(200);
      const [header, payload, signature] = whole.split(".") as [string, string, string];
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
      const raised = Buffer.from(JSON.stringify({ ...claims, sub: user.id })).toString("base64url");
      for (const forged of [
        `${header}.${raised}.${signature}`,
        `${header}.${payload}.${"A".repeat(signature.length)}`,
        `${header}.${payload}.`,
        `${header}.${payload}`,
        `${header}..${signature}`,
        `.${payload}.${signature}`,
        whole.slice(0, -1),
        whole.slice(0, -10),
        `${whole}.${signature}`,
        payload,
      ]) {
        expect([forged, await statusWith(forged)]).toEqual([forged, 401]);
      }
    });

    it("when they are unsigned, whatever their algorithm says", async () => {
      const claims = { ...CLAIMS, org, sub: user.id, iss: "memory-service", aud: "memory-service-api" };
      expect(await statusWith(new UnsecuredJWT(claims).setExpirationTime("1h").encode())).toBe(401);
      const { kid } = await currentKey();
      for (const alg of ["none", "None", "NONE", "nOnE", ""]) {
        const header = Buffer.from(JSON.stringify({ alg, typ: "at+jwt", kid })).toString("base64url");
        const payload = token.split(".")[1];
        expect([alg, await statusWith(`${header}.${payload}.`)]).toEqual([alg, 401]);
      }
    });

    it("when another key signed them, under its own id, a valid one or none", async () => {
      const { privateKey } = await generateKeyPair("EdDSA");
      const { kid } = await currentKey();
      for (const named of ["unknown", kid, undefined]) {
        expect([named, await statusWith(await almost(named).sign(privateKey))]).toEqual([named, 401]);
      }
    });

    it("when the public key served as an HMAC secret, in any form", async () => {
      const { kid, public_key } = await currentKey();
      const forms = [
        Buffer.from(public_key.x, "base64url"),
        Buffer.from(public_key.x),
        Buffer.from(JSON.stringify(public_key)),
      ];
      for (const secret of forms) {
        for (const alg of ["HS256", "HS512"]) {
          const padded = Buffer.concat([secret, Buffer.alloc(Math.max(0, 64 - secret.length))]);
          for (const key of [secret, padded]) {
            const forged = almost(kid, (jwt) => jwt, { alg }).sign(key);
            // The library refuses keys that are too short for an algorithm.
            const text = await forged.catch(() => undefined);
            if (text !== undefined) expect([alg, await statusWith(text)]).toEqual([alg, 401]);
          }
        }
      }
    });

    it("when they contain their own key", async () => {
      const { privateKey, publicKey } = await generateKeyPair("EdDSA", { extractable: true });
      const { exportJWK } = await import("jose");
      const jwk = await exportJWK(publicKey);
      const { kid } = await currentKey();
      for (const header of [{ jwk }, { jwk, kid: undefined }, { jku: "https://attacker.example/keys" }]) {
        expect(await statusWith(await almost(kid, (jwt) => jwt, header).sign(privateKey))).toBe(401);
      }
    });

    it.each([
      ["another issuer", (jwt: SignJWT) => jwt.setIssuer("another-service"), {}],
      ["another audience", (jwt: SignJWT) => jwt.setAudience("another-api"), {}],
      ["another type", (jwt: SignJWT) => jwt, { typ: "JWT" }],
      ["no type", (jwt: SignJWT) => jwt, { typ: undefined }],
      ["an end in the past", (jwt: SignJWT) => jwt.setExpirationTime(Math.floor(now / 1000) - 1), {}],
      ["a start in the future", (jwt: SignJWT) => jwt.setNotBefore(Math.floor(now / 1000) + 60), {}],
      ["another subject", (jwt: SignJWT) => jwt.setSubject("user_nobody"), {}],
      ["an extension that nobody knows", (jwt: SignJWT) => jwt, { crit: ["ours"], ours: 1 }],
    ])("when a valid key signed them but they have %s", async (_what, change, header) => {
      const { kid, pair } = await signingKey();
      const signed = await almost(kid, change, header).sign(pair, { crit: { ours: true } });
      expect(await statusWith(signed)).toBe(401);
    });

    it.each(["org", "epoch", "session", "exp", "iat", "sub", "iss", "aud"])("when they lack %s", async (claim) => {
      const { kid, pair } = await signingKey();
      const payload = JSON.parse(
        Buffer.from((await almost(kid).sign(pair)).split(".")[1] ?? "", "base64url").toString(),
      );
      const { [claim]: _, ...rest } = payload;
      const without = new SignJWT(rest).setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", kid });
      expect(await statusWith(await without.sign(pair))).toBe(401);
    });

    it("when they name another organization than the user's", async () => {
      const { kid, pair } = await signingKey();
      const other = await createOrganization(service);
      const moved = almost(kid, (jwt) => jwt, {}, other.org);
      expect(await statusWith(await moved.sign(pair))).toBe(401);
    });
  });

  it("with unknown key ids cause one read per second, and none during another read", async () => {
    const { tokens, readings } = countingTokens();
    const { privateKey } = await generateKeyPair("EdDSA");
    const forged = await Promise.all(Array.from({ length: 50 }, (_, index) => almost(`kid ${index}`).sign(privateKey)));
    const refuseAll = async () => {
      const before = readings();
      const claims = await Promise.all(forged.map((each) => tokens.verify(each)));
      expect(claims.filter(Boolean)).toEqual([]);
      return readings() - before;
    };
    expect(await refuseAll()).toBe(1);
    expect(await refuseAll()).toBe(0);
    now += 1000;
    expect(await refuseAll()).toBe(1);
    now += 10_000;
    expect(await refuseAll()).toBe(1);
  });

  it("are verified with cached keys for ten seconds", async () => {
    const { tokens, readings } = countingTokens();
    const { token: fresh } = await signInUser(service, { org, role: "viewer" });
    for (let turn = 0; turn < 10; turn++) {
      expect(await tokens.verify(fresh)).toMatchObject({ org });
      now += 999;
    }
    expect(readings()).toBe(1);
    now += 11;
    expect(await tokens.verify(fresh)).toMatchObject({ org });
    expect(readings()).toBe(2);
  });
});
