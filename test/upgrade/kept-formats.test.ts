import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { FOLDER_FORMATS } from "../../shared/adapters/local/data-manifest.ts";
import { RELEASE } from "../../shared/ports/formats.ts";
import { type KeptFormat, keptFormats } from "./kept-formats.ts";

type Formats = Record<string, KeptFormat>;

const SNAPSHOT = fileURLToPath(new URL("kept-formats.json", import.meta.url));

const WHERE = "docs/upgrading.md, 'Changing a kept format', tells where its steps and its version are";

/** Returns the problem of a format that differs from the snapshot's; undefined if it is new or has a higher version. */
function faultOf(name: string, before: KeptFormat | undefined, today: KeptFormat | undefined): string | undefined {
  if (before === undefined || isDeepStrictEqual(before, today)) return undefined;
  if (today === undefined) return `${name} are kept no more: add a step that takes them over, then remove them here`;
  if (today.version > before.version) return undefined;
  return `${name} changed, and have version ${today.version} as before: add a step that brings data of version ${before.version} to this form, and raise the version. ${WHERE}.`;
}

const faultsOf = (before: Formats, today: Formats): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(today)])].flatMap(
    (name) => faultOf(name, before[name], today[name]) ?? [],
  );

it("keeps data in the formats of the snapshot, or has steps from them", async () => {
  const before: Formats = JSON.parse(readFileSync(SNAPSHOT, "utf8")).formats;
  const today: Formats = JSON.parse(JSON.stringify(await keptFormats()));
  const isWriting = process.env.WRITE_FORMATS !== undefined;
  if (!isWriting) expect.soft(today, "run `npm run formats`, and commit what it writes").toEqual(before);
  expect(faultsOf(before, today), "a kept format changed without a step").toEqual([]);
  if (isWriting) writeFileSync(SNAPSHOT, `${JSON.stringify({ release: RELEASE, formats: today }, undefined, 2)}\n`);
});

it("knows every format of the data folder", async () => {
  const { formats } = JSON.parse(readFileSync(SNAPSHOT, "utf8"));
  for (const [name, version] of Object.entries(FOLDER_FORMATS)) expect(formats[name]?.version, name).toBe(version);
});

describe("the check of formats", () => {
  const before = { notes: { version: 1, shape: { columns: ["text"] } } };
  const changed = { columns: ["text", "day"] };

  it("asks for a step where a shape changes and its version does not", () => {
    expect(faultsOf(before, { notes: { version: 1, shape: changed } })).toEqual([
      expect.stringMatching(/^notes changed, and have version 1 as before: add a step .* raise the version/),
    ]);
  });

  it("takes a change with a version of its own, and a format that is new", () => {
    expect(faultsOf(before, { notes: { version: 2, shape: changed }, more: { version: 1, shape: [] } })).toEqual([]);
  });

  it("refuses a format that is gone, and a version that is lower", () => {
    expect(faultsOf(before, {})).toEqual([expect.stringContaining("notes are kept no more")]);
    expect(faultsOf({ notes: { version: 2, shape: [] } }, before)).toHaveLength(1);
  });
});
