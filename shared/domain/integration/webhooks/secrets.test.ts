import { expect, it } from "vitest";
import { openIdleRuntime } from "../../../../test/support/idle-runtime.ts";
import { sealSecret, secretsInForce } from "./secrets.ts";

it("can be decrypted only in the webhook that it was encrypted for", async () => {
  const { runtime } = await openIdleRuntime({ clock: () => 0 });
  const sealed_secret = await sealSecret(runtime, "whk_1", "a secret of sixteen");
  expect(await secretsInForce(runtime, { id: "whk_1", sealed_secret })).toEqual(["a secret of sixteen"]);
  await expect(secretsInForce(runtime, { id: "whk_2", sealed_secret })).rejects.toThrow("whk_2/secret");
});
