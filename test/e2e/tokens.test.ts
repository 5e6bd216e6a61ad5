import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../shared/kernel/durations.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { listAudit } from "../../shared/runtime/audit/records.ts";
import { Person, registered, signIn } from "../support/people.ts";
import type { Answered, TestedService } from "../support/service.ts";
import { Caller, eventually, onceAllKnow, openTestedService } from "../support/target.ts";

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
let service: TestedService;
let nobody: Person;
let operator: Caller;

beforeAll(async () => {
  service = await openTestedService();
  nobody = new Person(service);
  operator = new Caller(service, service.adminKey);
});

afterAll(() => service.close());

interface Somebody {
  self: Person;
  refreshToken: string;
}

let before: Somebody;

async function somebody(): Promise<Somebody> {
  const { email } = await registered(nobody);
  const { access_token, refresh_token } = await signIn(nobody, email);
  return { self: nobody.as(access_token), refreshToken: refresh_token };
}

const kidOf = ({ token = "" }: Person) =>
  JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;
const rotate = (body = {}): Promise<Answered> => operator.post("/admin/signing-keys/rotate", body);
const statesIn = ({ body }: Answered) => body.data.signing_keys.map(({ status }: { status: string }) => status);

beforeEach(async () => {
  before = await somebody();
});

describe("rotating the signing key", () => {
  it("publishes the next key before it signs, and ends no session", async () => {
    const answer = await rotate();
    expect(answer.status).toBe(200);
    expect(statesIn(answer)).toEqual(["signing", "next"]);
    const [signing, next] = answer.body.data.signing_keys;
    expect(signing).toEqual({
      kid: kidOf(before.self),
      status: "signing",
      created_at: ISO,
      signs_from: ISO,
      verifies_until: ISO,
    });
    expect(next).toMatchObject({ verifies_until: null });
    expect(Date.parse(next.signs_from) - Date.parse(next.created_at)).toBe(MINUTE_MS);
    const after = await somebody();
    expect(kidOf(after.self)).toBe(signing.kid);
    for (const { self } of [before, after]) expect((await self.get("/auth/me")).status).toBe(200);
    expect((await rotate()).body.data).toEqual(answer.body.data);
  });

  it("of a compromised key rejects its tokens, and refresh tokens continue the sessions", async () => {
    const answer = await rotate({ compromised: true });
    expect(statesIn(answer)).toEqual(["signing"]);
    await onceAllKnow(async () => expect((await before.self.get("/auth/me")).status).toBe(401));
    const { access_token } = await nobody.done("/auth/refresh", { refresh_token: before.refreshToken });
    expect((await nobody.as(access_token).get("/auth/me")).status).toBe(200);
    expect(kidOf(nobody.as(access_token))).toBe(answer.body.data.signing_keys[0].kid);
  });

  it("returns no private half, and the audit log names who did it", async () => {
    const answer = await rotate({ compromised: true });
    expect(JSON.stringify(answer.body)).not.toMatch(/"d"/);
    const [{ kid }] = answer.body.data.signing_keys;
    await eventually(async () => {
      const scope = { org: OPERATOR_ORG };
      const page = { limit: 100, offset: 0 };
      const { entries } = await listAudit(service.runtime.ports.records, scope, { service: "signing_key" }, page);
      const made = { action: "signing_key.made", actor: { kind: "api_key" } };
      expect(entries.find(({ target }) => target === kid)).toMatchObject(made);
      expect(entries.find(({ actor }) => actor.kind === "system")).toBeDefined();
    });
  });

  it("requires an admin of the operator's organization", async () => {
    const { status, body } = await before.self.post("/admin/signing-keys/rotate");
    expect([status, body.error?.code]).toEqual([403, "FORBIDDEN"]);
    const made = await operator.post("/api-keys", { name: "k", permissions: ["agents:manage"] });
    const refused = await operator.as(made.body.data.key).post("/admin/signing-keys/rotate", {});
    expect([refused.status, refused.body.error?.code]).toEqual([403, "PERMISSION_DENIED"]);
    expect((await before.self.get("/auth/me")).status).toBe(200);
  });
});
