import { expect, it } from "vitest";
import { openIdleHome } from "../../test/support/idle-home.ts";
import { sealSecret, secretsInForce } from "./secrets.ts";

it("opens for the webhook that it was sealed for, and copied to another one for nobody", async () => {
  const { home } = await openIdleHome({ clock: () => 0 });
  const sealed_secret = await sealSecret(home, "whk_1", "a secret of sixteen");
  expect(await secretsInForce(home, { id: "whk_1", sealed_secret })).toEqual(["a secret of sixteen"]);
  await expect(secretsInForce(home, { id: "whk_2", sealed_secret })).rejects.toThrow("whk_2/secret");
});
