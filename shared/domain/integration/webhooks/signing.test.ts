import { Webhook as Verifier } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { newWebhookSecret } from "./secrets.ts";
import { previousHeaderOf, problemOfHeader, type SignedMessage, signatureHeaders, signatureOf } from "./signing.ts";

const config = { signature_header: "X-Webhook-Signature" };
const PAYLOAD = '{"id":"evt_1","memory":{"content":"Zürich – 東京 🍵"}}';

function messageOf(payload = PAYLOAD): SignedMessage {
  return { id: "evt_1", at: Date.now(), payload };
}

/** The headers that a receiver verifies. */
function standardHeaders(secrets: [string, string?], message: SignedMessage): Record<string, string> {
  const { headers } = signatureHeaders(config, secrets, message);
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(Math.floor(message.at / 1000)),
    "webhook-signature": headers["webhook-signature"] ?? "",
  };
}

describe("the contract's signature", () => {
  it("is the hex HMAC-SHA256 of the bytes, keyed with the secret (RFC 4231, test case 2)", () => {
    expect(signatureOf("Jefe", "what do ya want for nothing?")).toBe(
      "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });

  it("has the header name that the webhook chose", () => {
    const { headers, signature } = signatureHeaders(
      { signature_header: "X-Tea" },
      ["secret-of-the-house"],
      messageOf(),
    );
    expect(headers["X-Tea"]).toBe(signature);
    expect(signature).toBe(signatureOf("secret-of-the-house", PAYLOAD));
    expect(Object.keys(headers).sort()).toEqual(["X-Tea", "webhook-signature"]);
  });
});

describe("the signature of Standard Webhooks", () => {
  it("is verified by its own package, for a secret in its form", () => {
    const secret = newWebhookSecret();
    const headers = standardHeaders([secret], messageOf());
    expect(new Verifier(secret).verify(PAYLOAD, headers)).toEqual(JSON.parse(PAYLOAD));
  });

  it.each(["secret-of-the-house", "whsec_not base64 at all!", "whsec_", "schlüssel-für-den-tee"])(
    "is verified with the bytes of any other secret: %s",
    (secret) => {
      const headers = standardHeaders([secret], messageOf());
      const key = new Uint8Array(Buffer.from(secret));
      expect(() => new Verifier(key, { format: "raw" }).verify(PAYLOAD, headers)).not.toThrow();
    },
  );

  it("is refused for another body and with another secret", () => {
    const headers = standardHeaders(["secret-of-the-house"], messageOf());
    const verifier = new Verifier("secret-of-the-house", { format: "raw" });
    expect(() => verifier.verify(`${PAYLOAD} `, headers)).toThrow();
    expect(() => new Verifier("secret-of-the-stable", { format: "raw" }).verify(PAYLOAD, headers)).toThrow();
  });

  it("is sent twice while two secrets are valid, as is the contract's", () => {
    const [current, previous] = [newWebhookSecret(), newWebhookSecret()];
    const message = messageOf();
    const headers = standardHeaders([current, previous], message);
    for (const secret of [current, previous]) {
      expect(() => new Verifier(secret).verify(PAYLOAD, headers)).not.toThrow();
    }
    const own = signatureHeaders(config, [current, previous], message).headers;
    expect(own[config.signature_header]).toBe(signatureOf(current, PAYLOAD));
    expect(own[previousHeaderOf(config.signature_header)]).toBe(signatureOf(previous, PAYLOAD));
  });
});

describe("the name of the signature's header", () => {
  it.each(["X-Webhook-Signature", "x-hub-signature-256", "tea", "X_Tea.1~"])("may be %s", (name) => {
    expect(problemOfHeader(name)).toBeUndefined();
  });

  it.each(["", "X Tea", "X-Tée", "Ⅹ-Tea", "X-Tea:", "X-Tea\r\nHost", "x".repeat(65)])("cannot be %j", (name) => {
    expect(problemOfHeader(name)).toMatch(/name of a header/);
  });

  it.each([
    "Content-Type",
    "host",
    "Webhook-Signature",
    "webhook-id",
    "X-Webhook-Event",
    "Transfer-Encoding",
    "Cookie",
  ])("cannot be %s, which has another meaning", (name) => {
    expect(problemOfHeader(name)).toMatch(/another meaning/);
  });
});
