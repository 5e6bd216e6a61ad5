import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalService, openService } from "../../test/support/service.ts";
import { OPERATOR_ORG } from "./bootstrap.ts";
import { type AccessClaims, TokenIssuer } from "./tokens.ts";

const CLAIMS: AccessClaims = {
  sub: "user_1",
  org: OPERATOR_ORG,
  permissions: ["memory:read"],
  epoch: 1,
  session: "session_1",
};

let service: LocalService;
let token: string;

beforeAll(async () => {
  service = await openService();
  token = (await new TokenIssuer(service.host.home).issue(CLAIMS)).access_token;
});

afterAll(() => service.close());

function statusWith(bearer: string, path = "/memories"): Promise<number> {
  const headers = { authorization: `Bearer ${bearer}` };
  return service.request("GET", path, { key: null, headers }).then(({ status }) => status);
}

function signed(change: (jwt: SignJWT) => SignJWT = (jwt) => jwt, header: object = {}) {
  const jwt = new SignJWT({ org: OPERATOR_ORG, permissions: ["admin:all"], epoch: 1, sid: "session_1" })
    .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", ...header })
    .setSubject("user_1")
    .setIssuer("memory-service")
    .setAudience("memory-service-api")
    .setExpirationTime("15m");
  return change(jwt);
}

describe("access tokens", () => {
  it("let their bearer do what the claims say and no more", async () => {
    expect(await statusWith(token)).toBe(200);
    expect(await statusWith(token, "/search?q=tea")).toBe(403);
  });

  it("are refused when any part of them was changed", async () => {
    const [header, payload, signature] = token.split(".");
    const raised = Buffer.from(JSON.stringify({ sub: "user_1", org: OPERATOR_ORG, permissions: ["admin:all"] }));
    expect(await statusWith(`${header}.${raised.toString("base64url")}.${signature}`)).toBe(401);
    expect(await statusWith(`${header}.${payload}.${"A".repeat(86)}`)).toBe(401);
  });

  it("are refused when they are not signed, or by another key", async () => {
    const claims = { sub: "user_1", org: OPERATOR_ORG, permissions: ["admin:all"] };
    expect(await statusWith(new UnsecuredJWT(claims).encode())).toBe(401);
    const { privateKey } = await generateKeyPair("EdDSA");
    expect(await statusWith(await signed().sign(privateKey))).toBe(401);
    expect(await statusWith(await signed((jwt) => jwt, { kid: "unknown" }).sign(privateKey))).toBe(401);
  });

  it("are refused when the public key served as an HMAC secret", async () => {
    const record = await service.host.home.ports.records.get({ pk: "verification_keys", sk: "verification_keys" });
    const [{ x, kid }] = record!.keys as [{ x: string; kid: string }];
    const secret = Buffer.from(x, "base64url");
    expect(await statusWith(await signed((jwt) => jwt, { alg: "HS256", kid }).sign(secret))).toBe(401);
  });

  it("end after 15 minutes", async () => {
    const { home } = service.host;
    const early = { ...home, clock: () => home.clock() - 16 * 60_000 };
    const old = await new TokenIssuer(early).issue(CLAIMS);
    expect(await statusWith(old.access_token)).toBe(401);
  });
});
