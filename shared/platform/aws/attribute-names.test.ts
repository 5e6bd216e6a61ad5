import fc from "fast-check";
import { expect, it } from "vitest";
import { escapeNames, unescapeNames } from "./attribute-names.ts";

it("leaves no empty name and takes back what it did", () => {
  const names = fc.constantFrom("", "\0", "\0\0", "a", "\0a");
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(1, "", null, true),
      fc.array(tie("json")),
      fc.dictionary(names, tie("json")),
    ),
  }));
  fc.assert(
    fc.property(json, (value) => {
      const stored = escapeNames(value);
      expect(JSON.stringify(stored)).not.toContain('"":');
      expect(unescapeNames(stored)).toEqual(value);
    }),
  );
});
