import { expect, it } from "vitest";
import { openIdleRuntime } from "../../../../test/support/idle-runtime.ts";
import type { Connection } from "./connection.ts";
import { openSecrets, sealSecrets } from "./secrets.ts";

it("can be opened only for the connection that they were sealed for", async () => {
  const { runtime } = await openIdleRuntime({ clock: () => 0 });
  const place = { org: "org_1", id: "conn_1" };
  const sealed = await sealSecrets(runtime, place, { access_token: "a token" });
  const open = (other: object) => openSecrets(runtime, { ...place, ...sealed, ...other } as Connection);
  expect(await open({})).toEqual({ access_token: "a token" });
  await expect(open({ id: "conn_2" })).rejects.toThrow("org_1/conn_2/config");
  await expect(open({ org: "org_2" })).rejects.toThrow("org_2/conn_1/config");
});
