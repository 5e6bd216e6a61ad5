import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import { RELEASE } from "../../ports/formats.ts";
import { beginUpgrade, DataManifestError } from "./data-manifest.ts";

const folderWith = (manifest: string | object) => {
  const folder = temporaryFolder();
  const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  writeFileSync(path.join(folder, "data.json"), text);
  return folder;
};
const manifestOf = (folder: string) => JSON.parse(readFileSync(path.join(folder, "data.json"), "utf8"));

it("is written before the first step and after the last, and then requires none", () => {
  const folder = temporaryFolder();
  const formats = { records: 2 };
  const upgrade = beginUpgrade(folder, formats);
  expect(upgrade.isDue).toBe(true);
  expect(manifestOf(folder)).toEqual({ release: RELEASE, formats, unfinished: true });
  expect(beginUpgrade(folder, formats).isDue).toBe(true);
  upgrade.finish();
  expect(manifestOf(folder)).toEqual({ release: RELEASE, formats });
  expect(beginUpgrade(folder, formats).isDue).toBe(false);
});

it("requires steps if any format is older, but not if only the release is", () => {
  const formats = { records: 2, queues: 1 };
  expect(beginUpgrade(folderWith({ release: "0.0.1", formats: { records: 1, queues: 1 } }), formats).isDue).toBe(true);
  expect(beginUpgrade(folderWith({ release: "0.0.1", formats: { records: 2 } }), formats).isDue).toBe(true);
  const folder = folderWith({ release: "0.0.1", formats });
  const upgrade = beginUpgrade(folder, formats);
  expect(upgrade.isDue).toBe(false);
  upgrade.finish();
  expect(manifestOf(folder)).toEqual({ release: RELEASE, formats });
});

it.each(["", "{", "[]", '{"release":1}', '{"release":"1.0.0","formats":{"records":"x"}}'])(
  "names the file where nobody can understand it: %s",
  (text) => {
    const folder = folderWith(text);
    expect(() => beginUpgrade(folder)).toThrow(DataManifestError);
    expect(() => beginUpgrade(folder)).toThrow(path.join(folder, "data.json"));
    expect(readFileSync(path.join(folder, "data.json"), "utf8")).toBe(text);
  },
);
