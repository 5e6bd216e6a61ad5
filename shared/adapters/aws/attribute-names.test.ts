import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import fc from "fast-check";
import { expect, it } from "vitest";
import { escapeNames, unescapeNames } from "./attribute-names.ts";

it("converts attribute names to ones that the SDK can store, and back", () => {
  const names = fc.constantFrom("", "\0", "\0\0", "a", "\0a", "constructor", "constructor\0", "__proto__", "toString");
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
      const stored = unmarshall(marshall({ value: escapeNames(value) })).value;
      expect(JSON.stringify(stored)).not.toContain('"":');
      expect(JSON.stringify(unescapeNames(stored))).toBe(JSON.stringify(value));
    }),
  );
});
