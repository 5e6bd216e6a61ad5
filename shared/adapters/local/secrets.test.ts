import { execFile } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import { LocalSecrets } from "./secrets.ts";

const MODULE = fileURLToPath(new URL("./secrets.ts", import.meta.url));

describe("LocalSecrets", () => {
  it("keeps them in a file that its owner alone may read", async () => {
    const file = path.join(temporaryFolder(), "secrets.json");
    const secrets = new LocalSecrets(file);
    await secrets.putIfAbsent("sealing/first", "1");
    await secrets.putIfAbsent("sealing/second", "2");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await new LocalSecrets(file).get("sealing/first")).toBe("1");
  });

  it("keeps the secrets of concurrent processes consistent", async () => {
    const file = path.join(temporaryFolder(), "secrets.json");
    const script = `
      const { LocalSecrets } = await import(${JSON.stringify(MODULE)});
      const secrets = new LocalSecrets(${JSON.stringify(file)});
      const shared = await secrets.putIfAbsent("sealing/shared", String(process.pid));
      for (let n = 0; n < 10; n++) await secrets.putIfAbsent("sealing/" + process.pid + "-" + n, "own");
      console.log(JSON.stringify({ pid: process.pid, shared }));`;
    const run = () => promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    const outputs = (await Promise.all([run(), run(), run()])).map(({ stdout }) => JSON.parse(stdout));
    const secrets = new LocalSecrets(file);
    expect(new Set(outputs.map(({ shared }) => shared)).size).toBe(1);
    expect(await secrets.get("sealing/shared")).toBe(outputs[0].shared);
    for (const { pid } of outputs) {
      for (let n = 0; n < 10; n++) expect(await secrets.get(`sealing/${pid}-${n}`)).toBe("own");
    }
  });

  it("works after a crash left an unfinished file", async () => {
    const file = path.join(temporaryFolder(), "secrets.json");
    writeFileSync(`${file}.unfinished`, "{ half");
    expect(await new LocalSecrets(file).putIfAbsent("sealing/name", "value")).toBe("value");
    expect(await new LocalSecrets(file).get("sealing/name")).toBe("value");
  });
});
