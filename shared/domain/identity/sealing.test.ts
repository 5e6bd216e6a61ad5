import { describe, expect, it } from "vitest";
import type { Runtime } from "../../runtime/context.ts";
import { seal, unseal } from "./sealing.ts";

/** A runtime with a secret store that fails the first `failures` reads. */
function runtimeWith(kept: Map<string, string>, failures = 0): Pick<Runtime, "ports"> {
  const secrets = {
    get: async (name: string) => {
      if (failures-- > 0) throw new Error("down");
      return kept.get(name);
    },
    putIfAbsent: async (name: string, value: string) => {
      if (!kept.has(name)) kept.set(name, value);
      return kept.get(name) ?? value;
    },
  };
  return { ports: { secrets } as unknown as Runtime["ports"] };
}

describe("a sealed secret", () => {
  it("can be decrypted, in another process too, and never encrypts to the same text twice", async () => {
    const kept = new Map<string, string>();
    const [one, other] = [runtimeWith(kept), runtimeWith(kept)];
    const sealed = await seal(one, "user_1/totp", "Grüße");
    expect(sealed).toMatch(/^v1\.[\w-]+$/);
    expect(await unseal(other, "user_1/totp", sealed)).toBe("Grüße");
    expect(await seal(one, "user_1/totp", "Grüße")).not.toBe(sealed);
    expect([...kept.keys()]).toEqual(["sealing/data-key"]);
  });

  it("cannot be decrypted with another key, in another record or after a change", async () => {
    const runtime = runtimeWith(new Map());
    const sealed = await seal(runtime, "user_1/totp", "secret");
    const changed = sealed.slice(0, 20) + (sealed[20] === "A" ? "B" : "A") + sealed.slice(21);
    await expect(unseal(runtime, "user_2/totp", sealed)).rejects.toThrow("user_2/totp");
    await expect(unseal(runtimeWith(new Map()), "user_1/totp", sealed)).rejects.toThrow("does not open");
    for (const bad of [changed, "", "v1.", "secret", sealed.slice(0, 20)]) {
      await expect(unseal(runtime, "user_1/totp", bad)).rejects.toThrow("does not open");
    }
  });

  it("can be created again after the store of the key recovers", async () => {
    const runtime = runtimeWith(new Map(), 1);
    await expect(seal(runtime, "a", "b")).rejects.toThrow("down");
    expect(await unseal(runtime, "a", await seal(runtime, "a", "b"))).toBe("b");
  });
});
