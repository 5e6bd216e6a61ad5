import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { JOBS } from "../../../../functions/workers/sweep/jobs.ts";
import { recordKindOf } from "../../../runtime/jobs/stored-form.ts";
import { componentOf, isKnownKind, separateSecrets } from "./components.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** If fewer kinds are found, the search below no longer works. */
const MIN_KINDS = 70;

/** Where code creates a record: with toItem, with the constant of its kind, or directly in a write. */
const MADE = [
  /\btoItem(?:<[^>]*>)?\(\s*(?:[^(),]|\([^()]*(?:\([^()]*\)[^()]*)*\))*,\s*"(\w+)"/g,
  /\b(?:[A-Z]+_)?KIND = "(\w+)"/g,
  /\b(?:put|set|claim)\b[^;"]*?\bkind: "(\w+)"/g,
  /\bput: \{[^;]*?\bkind: "(\w+)"/g,
];

function kindsInCode(): Map<string, string> {
  const kinds = new Map<string, string>();
  for (const file of globSync(["shared/**/*.ts", "functions/**/*.ts"], { cwd: ROOT })) {
    if (file.endsWith(".test.ts")) continue;
    const code = readFileSync(ROOT + file, "utf8");
    for (const pattern of MADE) for (const [, kind = ""] of code.matchAll(pattern)) kinds.set(kind, file);
  }
  return kinds;
}

it("knows every kind of record that the service stores", () => {
  const kinds = kindsInCode();
  for (const { kind } of JOBS) kinds.set(recordKindOf(kind), `the job ${kind}`);
  expect([...kinds].filter(([kind]) => !isKnownKind(kind))).toEqual([]);
  expect(kinds.size).toBeGreaterThanOrEqual(MIN_KINDS);
});

it("archives unknown kinds with the configuration, encrypted", () => {
  const record = { pk: "org_1#new", sk: "new", kind: "something_new", value: "nobody can tell" };
  expect(componentOf(record)).toBe("config");
  expect(separateSecrets(record)).toEqual({ secret: record });
});

it("archives counts with what they count", () => {
  expect(componentOf({ kind: "count", pk: "org_1#skills#count" })).toBe("skills");
  expect(componentOf({ kind: "count", pk: "org_1#other#count" })).toBe("config");
});

it("excludes earlier backups", () => {
  for (const kind of ["backup", "restoration"]) expect(componentOf({ kind, pk: "org_1#x" })).toBeUndefined();
});

it.each(["api_key", "credential", "sign_in", "one_time_token", "invite_link", "oauth_state", "idempotency"])(
  "encrypts a record of kind %s completely",
  (kind) => {
    const record = { pk: "key", sk: kind, kind, hash: "a hash" };
    expect(separateSecrets(record)).toEqual({ secret: record });
  },
);

it("leaves a user readable, except credentials", () => {
  const user = { pk: "org_1#user_1", sk: "user", kind: "user", name: "Ada" };
  const secret = { password_hash: "$argon2id$", two_factor: { secret: "sealed", recovery_codes: ["a hash"] } };
  expect(separateSecrets({ ...user, ...secret })).toEqual({ open: user, secret });
});
