import type { LambdaEvent } from "hono/aws-lambda";
import { expect, it } from "vitest";
import event from "../../../events/docs.json" with { type: "json" };
import { withEscapedPath } from "./paths.ts";

/** Returns the path that a handler receives for a path that an HTTP API decoded. */
function read(rawPath: string): string {
  const given = withEscapedPath({ ...event, rawPath } as unknown as LambdaEvent) as { rawPath: string };
  return new URL(`https://api.example.com${given.rawPath}?limit=1`).pathname;
}

it.each([
  ["a question mark", "/entities/user/who?/memories", "/entities/user/who%3F/memories"],
  ["a hash", "/entities/user/c#", "/entities/user/c%23"],
  ["a space at the end", "/sessions/ ", "/sessions/%20"],
  ["line breaks and tabs", "/sessions/a\n\tb", "/sessions/a%0A%09b"],
  ["a backslash", "/sessions/a\\b", "/sessions/a%5Cb"],
  ["letters beyond ASCII", "/entities/user/Émile 緑", "/entities/user/%C3%89mile%20%E7%B7%91"],
  ["half a character", "/sessions/\ud83d", "/sessions/%EF%BF%BD"],
  ["a percent sign, which the API leaves escaped", "/sessions/100%25", "/sessions/100%25"],
  ["a percent sign by itself", "/sessions/100%", "/sessions/100%25"],
  ["what needs no escape", "/v1/entities/user/a-b_c.d~e@f:g,h/", "/v1/entities/user/a-b_c.d~e@f:g,h/"],
])("escapes %s", (_what, decoded, path) => {
  expect(read(decoded)).toBe(path);
});

it("leaves events of other kinds alone", () => {
  const { rawPath: _, ...other } = event;
  expect(withEscapedPath(other as unknown as LambdaEvent)).toEqual(other);
});
