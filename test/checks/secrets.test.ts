import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import linter from "../../biome.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Code that runs in the service; the pages run in browsers. */
const SOURCES = globSync("{shared,functions,infra/local}/**/*.ts", { cwd: ROOT })
  .filter((file) => !file.endsWith(".test.ts") && !file.startsWith("functions/console/browser/"))
  .filter((file) => file !== "functions/consent/pages.ts")
  .map((file) => ({ file, code: withoutComments(readFileSync(`${ROOT}/${file}`, "utf8")) }));

function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
}

const filesWith = (pattern: RegExp) =>
  SOURCES.filter(({ code }) => pattern.test(code))
    .map(({ file }) => file)
    .sort();

/** Ways to put a secret into a request, and the only files that may do so: each declares it with `carry`. */
const WAYS: [way: string, pattern: RegExp, files: string[]][] = [
  [
    "a header that holds credentials",
    /\b(Bearer|Basic) \$\{|\b(authorization|cookie)\]?["']?\s*[:=]\s*["'`]|["'](authorization|x-api-key|api-key)["']\s*[:,\]]/i,
    [
      "shared/domain/knowledge/connections/authorization.ts",
      "shared/domain/knowledge/connections/own-client.ts",
      "shared/domain/models/openai-http.ts",
    ],
  ],
  [
    "a client's secret or a token in a body",
    /\b(client_secret|clientSecret|refresh_token)\b[^;]*\bURLSearchParams|URLSearchParams\([^)]*\b(client_secret|refresh_token)/,
    ["shared/domain/knowledge/connections/authorization.ts"],
  ],
  [
    "signatures of messages",
    /\bsignatureHeaders\([^)]*,\s/,
    ["shared/domain/integration/webhooks/sending.ts", "shared/domain/integration/webhooks/signing.ts"],
  ],
];

/** Clients that send requests themselves. Except for AWS's, they receive a fetch that declares secrets. */
const CLIENTS = [
  "shared/domain/knowledge/connections/providers/notion.ts",
  "shared/domain/knowledge/connections/providers/slack.ts",
];

describe("a secret in a request", () => {
  it.each(WAYS)("as %s is made in the files that declare it, and nowhere else", (_way, pattern, files) => {
    expect(filesWith(pattern)).toEqual(files);
  });

  it("is declared by all that make one", () => {
    const makers = new Set(WAYS.flatMap(([, , files]) => files).filter((file) => !file.endsWith("/signing.ts")));
    const declaring = filesWith(/\bcarry\(/);
    for (const file of makers) expect(declaring).toContain(file);
  });

  it("is never given to a client that sends requests by itself", () => {
    const files = filesWith(/new \w*Client\(/).filter((file) => !file.startsWith("shared/adapters/aws/"));
    expect(files).toEqual(CLIENTS);
    for (const { file, code } of SOURCES.filter((each) => CLIENTS.includes(each.file))) {
      expect(code, file).toMatch(/fetch: (asFetch|toSlackFetch)\((jsonOnly\()?tools\.fetch\)/);
      expect(code, file).not.toMatch(/\bauth:|\btoken\b\s*[:,(]|access_token/);
    }
  });

  it("leaves by the two fetches alone", () => {
    // The server, the counter of AWS client sockets and the client of Lambda's own API send nothing to others.
    const others = ["infra/local/endpoint.ts", "shared/entry/lambda/shutdown.ts", "shared/adapters/aws/sockets.ts"];
    const sending = filesWith(/globalThis\W*fetch\W*\(|(import\(|import [^t].* from )"(node:)?https?"|"undici"/);
    expect(sending.filter((file) => !others.includes(file))).toEqual(["shared/runtime/fetching/fetch-public.ts"]);
    expect(filesWith(/\b(request|get)\b.* from "(node:)?https?"|\bhttps?\.(request|get)\(/)).toEqual([
      "shared/entry/lambda/shutdown.ts",
    ]);
    // The linter distinguishes the global from a parameter with that name.
    const rules = linter.overrides.filter(({ linter }) => "noRestrictedGlobals" in (linter.rules.style ?? {}));
    expect(rules.map(({ includes }) => includes)).toEqual([
      [
        "functions/**",
        "shared/**",
        "infra/local/**",
        "!shared/runtime/fetching/fetch-configured.ts",
        "!functions/console/browser/**",
        "!**/*.test.ts",
      ],
    ]);
    expect(rules[0]?.linter.rules.style).toMatchObject({
      noRestrictedGlobals: { level: "error", options: { deniedGlobals: { fetch: expect.any(String) } } },
    });
  });
});

it("looks at all sources of the service", () => expect(SOURCES.length).toBeGreaterThan(400));
