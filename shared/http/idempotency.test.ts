import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { openService } from "../../test/support/service.ts";

const KEY = { "idempotency-key": "k1" };
const FIELDS = { name: "a key", permissions: ["memory:read"] };

it("keeps no answer that can be read without the credential", async () => {
  const { home, request, adminKey, close } = await openService();
  const { body } = await request("POST", "/api-keys", { body: FIELDS, headers: KEY });
  const [{ id: me }] = (await request("GET", "/api-keys")).body.data.api_keys.slice(-1);
  const { items } = await home.ports.records.query({ pk: `org_operator#idempotency#${me}`, limit: 10 });
  expect(items).toHaveLength(1);
  const answer = Buffer.from(String(items[0]?.answer), "base64");
  expect(() => gunzipSync(answer)).toThrow();
  expect(JSON.stringify(items)).not.toContain(body.data.key);

  const asBearer = { ...KEY, authorization: `Bearer ${adminKey}` };
  const again = await request("POST", "/api-keys", { body: FIELDS, headers: asBearer, key: null });
  expect(again.body.data.key).toBe(body.data.key);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  await close();
});
