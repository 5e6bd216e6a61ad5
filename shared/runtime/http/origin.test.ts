import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../kernel/digest.ts";
import { addressOf, isFromProxy, ORIGIN_SECRET_HEADER } from "./origin.ts";

/** Returns the address of a request with this X-Forwarded-For header, with the peer of Node or API Gateway. */
async function addressFor(trusted: number, forwarded: string | undefined, environment: object = {}): Promise<string> {
  const app = new Hono().get("/", (http) => http.text(String(addressOf(http, trusted))));
  const headers = forwarded === undefined ? undefined : { "x-forwarded-for": forwarded };
  return (await app.request("/", { headers }, environment)).text();
}

const node = { incoming: { socket: { remoteAddress: "10.0.0.1" } } };
const gateway = { requestContext: { http: { sourceIp: "198.51.100.7" } } };

describe("the address of a request's sender", () => {
  it.each([
    ["Node's peer", 0, undefined, node, "10.0.0.1"],
    ["the gateway's peer", 0, undefined, gateway, "198.51.100.7"],
    ["undefined without a network", 0, "203.0.113.9", {}, "undefined"],
    ["never taken from an untrusted header", 0, "203.0.113.9", node, "10.0.0.1"],
    ["what a trusted proxy saw", 1, "203.0.113.9", node, "203.0.113.9"],
    ["not a forged entry before it", 1, "192.0.2.66, 203.0.113.9", node, "203.0.113.9"],
    ["what the outermost of two saw", 2, "192.0.2.66, 203.0.113.9, 10.0.0.2", node, "203.0.113.9"],
    ["what a proxy before the gateway saw", 1, "192.0.2.66, 203.0.113.9, 198.51.100.7", gateway, "203.0.113.9"],
    ["the farthest one if there are fewer", 5, "203.0.113.9", node, "203.0.113.9"],
    ["the peer if the header is missing", 1, undefined, node, "10.0.0.1"],
    ["the gateway's peer if it is missing", 1, undefined, gateway, "198.51.100.7"],
  ])("is %s", async (_what, trusted, forwarded, environment, expected) => {
    expect(await addressFor(trusted, forwarded, environment)).toBe(expected);
  });
});

describe("a forwarded request", () => {
  const [one, other] = ["of this proxy", "of another"];

  async function isKnown(secret: string | undefined, hashes: string[]): Promise<string> {
    const app = new Hono().get("/", (http) => http.text(String(isFromProxy(http, hashes))));
    const headers = secret === undefined ? undefined : { [ORIGIN_SECRET_HEADER]: secret };
    return (await app.request("/", { headers })).text();
  }

  it.each([
    ["the secret", one, [one], "true"],
    ["any of several", other, [one, other], "true"],
    ["no other secret", other, [one], "false"],
    ["no hash of a secret", sha256(one), [one], "false"],
    ["no missing secret", undefined, ["", one], "false"],
    ["no secret if none is configured", one, [], "false"],
  ])("is recognized by %s", async (_what, secret, known, expected) => {
    const hashes = known.map((each) => sha256(each));
    expect(await isKnown(secret, hashes)).toBe(expected);
  });
});
