import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SecretName } from "../../shared/ports/secret-names.ts";
import type { Secrets } from "../../shared/ports/secrets.ts";
import { expectEventually } from "./eventually.ts";

/** Two clients of one store, as in two processes. */
export interface SecretsUnderTest {
  secrets: Secrets;
  other: Secrets;
  close(): Promise<void>;
}

export type OpenSecrets = () => Promise<SecretsUnderTest>;

/** The behaviour of every `Secrets`, tested with each adapter. */
export function describeSecrets(name: string, open: OpenSecrets): void {
  describe(`${name}: Secrets`, () => {
    let subject: SecretsUnderTest;

    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());

    it("returns undefined for an unknown name", async () => {
      expect(await subject.secrets.get(newName())).toBeUndefined();
    });

    it("stores a value once and then returns it to every client", async () => {
      const name = newName();
      const value = 'line one\nline two é😀 "quoted"';
      expect(await subject.secrets.putIfAbsent(name, value)).toBe(value);
      expect(await subject.secrets.putIfAbsent(name, "another")).toBe(value);
      expect(await subject.other.putIfAbsent(name, "a third")).toBe(value);
      expect(await subject.secrets.get(name)).toBe(value);
      expect(await subject.other.get(name)).toBe(value);
    });

    it("keeps names separate, also those with a meaning in JavaScript", async () => {
      const names = [newName(), newName()];
      await Promise.all(names.map((name) => subject.secrets.putIfAbsent(name, `value of ${name}`)));
      for (const name of names) expect(await subject.other.get(name)).toBe(`value of ${name}`);
      expect(await subject.secrets.get("signing/constructor")).toBeUndefined();
    });

    it("removes a value for every client, and succeeds if there is none", async () => {
      const [name, kept] = [newName(), newName()];
      await Promise.all([name, kept].map((each) => subject.secrets.putIfAbsent(each, `value of ${each}`)));
      await subject.other.remove(name);
      await subject.other.remove(name);
      await subject.secrets.remove(newName());
      await expectEventually(() => subject.secrets.get(name), undefined);
      expect(await subject.secrets.get(kept)).toBe(`value of ${kept}`);
    });

    it("returns one value to concurrent creators", async () => {
      const name = newName();
      const clients = [subject.secrets, subject.other];
      const attempts = Array.from({ length: 10 }, (_, index) =>
        clients[index % 2]!.putIfAbsent(name, `value ${index}`),
      );
      const held = new Set(await Promise.all(attempts));
      expect(held.size).toBe(1);
      expect(held).toContain(await subject.other.get(name));
    });
  });
}

function newName(): SecretName {
  return `signing/test-${randomUUID()}`;
}
