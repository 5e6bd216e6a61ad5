import type { Patch } from "./patch.ts";

export const PATCHES: readonly Patch[] = [
  {
    name: "api key: revoked",
    kind: "credential",
    file: "shared/identity/authenticate.ts",
    find: `if (key?.status !== "active" || hasExpired) return undefined;`,
    replace: `if (key === undefined || hasExpired) return undefined;`,
    tests: ["shared/identity/authenticate.test.ts"],
  },
];
