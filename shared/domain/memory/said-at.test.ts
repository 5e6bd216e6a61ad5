import { beforeEach, describe, expect, it } from "vitest";
import { openIdleRuntime } from "../../../test/support/idle-runtime.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import { newUser } from "../identity/registration.ts";
import { putUser, writeUser } from "../identity/users.ts";
import { withOffset } from "./said-at.ts";

const MOMENT = "2026-01-01T02:00:00.000Z";
const IN_UTC = "2026-01-01T02:00:00.000+00:00";
const IN_NEW_YORK = "2025-12-31T21:00:00.000-05:00";

let runtime: OrgRuntime;

beforeEach(async () => {
  runtime = { ...(await openIdleRuntime()).runtime, org: "org_1" };
});

async function userIn(timezone: string): Promise<string> {
  const given = { org: runtime.org, email: `${crypto.randomUUID()}@example.com`, name: "Ada", role: "user" } as const;
  const user = newUser(runtime, given);
  await writeUser(runtime.ports.records, ...putUser({ ...user, preferences: { ...user.preferences, timezone } }));
  return user.id;
}

describe("a moment without an offset", () => {
  it("gets the offset of the user that the text is about, otherwise of the caller", async () => {
    const [ann, bob] = [await userIn("America/New_York"), await userIn("Asia/Tokyo")];
    expect(await withOffset(runtime, { user_id: ann }, MOMENT)).toBe(IN_NEW_YORK);
    expect(await withOffset(runtime, { user_id: ann, created_by: bob }, MOMENT)).toBe(IN_NEW_YORK);
    expect(await withOffset(runtime, { user_id: "a client's own name", created_by: ann }, MOMENT)).toBe(IN_NEW_YORK);
    expect(await withOffset({ ...runtime, org: "org_2" }, { user_id: ann }, MOMENT)).toBe(IN_UTC);
  });

  const unknown = [{}, { user_id: "ann" }, { user_id: "user_gone" }, { created_by: "ak_1" }];
  it.each(unknown)("gets the offset of UTC if no user is known: %j", async (author) => {
    expect(await withOffset(runtime, author, MOMENT)).toBe(IN_UTC);
  });
});

it("a given offset is kept, in any time zone of the user", async () => {
  const user_id = await userIn("America/New_York");
  for (const moment of ["2026-01-01T02:00:00.000+09:00", IN_UTC]) {
    expect(await withOffset(runtime, { user_id }, moment)).toBe(moment);
  }
});
