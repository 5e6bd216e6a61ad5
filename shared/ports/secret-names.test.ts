import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/fixtures/temporary-folder.ts";
import { LocalSecrets } from "../adapters/local/secrets.ts";
import { currentSecretName, PURPOSES, purposeOf } from "./secret-names.ts";

/** Every secret name of versions without purposes, with its current name. */
const RENAMED = {
  "first-admin-key": "bootstrap/first-admin-key",
  "data-key": "sealing/data-key",
  "backup-key": "backups/backup-key",
  "blob-links": "blobs/link-key",
  "signing-key-12": "signing/signing-key-12",
  "google-client-secret": "providers/google-client-secret",
  "github-client-secret": "providers/github-client-secret",
  "notion-client-secret": "providers/notion-client-secret",
  "slack-client-secret": "providers/slack-client-secret",
} as const;

describe("names of secrets", () => {
  it("begin with a purpose", () => {
    for (const name of Object.values(RENAMED)) {
      expect(PURPOSES).toContain(purposeOf(name));
      expect(currentSecretName(name)).toBe(name);
    }
  });

  it("without a purpose are only those of earlier versions", () => {
    for (const [former, name] of Object.entries(RENAMED)) expect(currentSecretName(former)).toBe(name);
    for (const unknown of ["key", "signing", "other/key", "signing-key-", ""]) {
      expect(() => currentSecretName(unknown), unknown).toThrow("without a purpose");
    }
  });

  it("are the current ones in a data folder of an earlier version", async () => {
    const file = path.join(temporaryFolder(), "secrets.json");
    writeFileSync(file, JSON.stringify(Object.fromEntries(Object.keys(RENAMED).map((name) => [name, `of ${name}`]))));
    const secrets = new LocalSecrets(file);
    for (const [former, name] of Object.entries(RENAMED)) {
      expect(await secrets.putIfAbsent(name, "another")).toBe(`of ${former}`);
    }
    await secrets.remove("signing/signing-key-12");
    expect(await new LocalSecrets(file).get("signing/signing-key-12")).toBeUndefined();
    expect(await new LocalSecrets(file).get("sealing/data-key")).toBe("of data-key");
  });
});
