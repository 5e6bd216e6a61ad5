import { describe, expect, it } from "vitest";
import type { RecordKey, RecordStore, StoredRecord } from "../platform/ports.ts";
import { hashSecret } from "./api-keys.ts";
import { Authenticator } from "./authenticate.ts";
import { type ApiKey, putApiKey, putOrganization } from "./records.ts";
import { AccessTokens } from "./tokens.ts";

const SECRET = "ak_live_secret-of-a-test";
const AT = "2026-01-01T00:00:00.000Z";
const KEY: ApiKey = {
  id: "ak_1",
  org: "org_1",
  name: "a key",
  prefix: "ak_live_secr",
  hash: hashSecret(SECRET),
  permissions: ["memory:read"],
  metadata: {},
  status: "active",
  created_at: AT,
  created_by: "org_1",
};

/** Records of one organization and the key as `key()` tells it; `onOrganization` runs when the organization is read. */
function recordsWith(key: () => ApiKey, onOrganization: () => void): RecordStore {
  const organization = { id: "org_1", label: "One", plan: "free", operator: false, created_at: AT } as const;
  const get = async ({ sk }: RecordKey): Promise<StoredRecord | undefined> => {
    if (sk === "organization") onOrganization();
    const writes = sk === "organization" ? [putOrganization(organization)] : putApiKey(key());
    return writes.flatMap((write) => ("put" in write && write.put.sk === sk ? [write.put] : []))[0];
  };
  return { get } as RecordStore;
}

describe("the authenticator", () => {
  it("does not remember a key that was revoked while it was being read", async () => {
    let key = KEY;
    const revoke = () => {
      key = { ...KEY, status: "revoked" };
      authenticator.forget(KEY.id);
    };
    const clock = () => Date.parse(AT);
    const records = recordsWith(() => key, revoke);
    const authenticator = new Authenticator(records, clock, new AccessTokens(records, clock));
    const headers = new Headers({ "X-API-Key": SECRET });
    expect(await authenticator.authenticate(headers)).toMatchObject({ id: KEY.id, org: "org_1" });
    await expect(authenticator.authenticate(headers)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});
