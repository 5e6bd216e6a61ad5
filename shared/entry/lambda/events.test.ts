import { Hono } from "hono";
import { handle, type LambdaEvent } from "hono/aws-lambda";
import { expect, it } from "vitest";
import event from "../../../events/docs.json" with { type: "json" };
import { withEmptyHeaders, withEscapedPath, withoutUnreadBody } from "./events.ts";

/** Returns the path that a handler receives for a path that an HTTP API decoded. */
function pathOf(rawPath: string): string {
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
  ["characters that need no escape", "/v1/entities/user/a-b_c.d~e@f:g,h/", "/v1/entities/user/a-b_c.d~e@f:g,h/"],
])("escapes %s", (_what, decoded, path) => {
  expect(pathOf(decoded)).toBe(path);
});

/** Returns the headers that a handler receives. */
async function headersOf(headers: Record<string, string>): Promise<Record<string, string>> {
  const app = new Hono().all("*", ({ req, json }) => json(Object.fromEntries(req.raw.headers)));
  const { body } = await handle(app)(withEmptyHeaders({ ...event, headers } as unknown as LambdaEvent));
  return JSON.parse(body);
}

it("keeps empty headers, and others as they are", async () => {
  const sent = { "idempotency-key": "", "x-api-key": "a key", accept: "*/*" };
  expect(await headersOf(sent)).toEqual(sent);
});

it.each([withEscapedPath, withEmptyHeaders])("does not change events of other kinds: %o", (change) => {
  const { rawPath: _, ...other } = { ...event, headers: { accept: "" } };
  expect(change(other as unknown as LambdaEvent)).toEqual(other);
});

function eventOf(method: string, body: string | null): LambdaEvent {
  const requestContext = { ...event.requestContext, http: { ...event.requestContext.http, method } };
  return { ...event, requestContext, body } as unknown as LambdaEvent;
}

/** Returns the content length and the body that a handler receives. */
async function bodyOf(given: LambdaEvent): Promise<unknown> {
  const app = new Hono().all("*", async ({ req, json }) =>
    json([req.header("content-length") ?? null, await req.text()]),
  );
  return JSON.parse((await handle(app)(withoutUnreadBody(given))).body);
}

it("keeps the content length of a GET without its body, and other bodies", async () => {
  expect(await bodyOf(eventOf("GET", '{"a":1}'))).toEqual(["7", ""]);
  expect(await bodyOf(eventOf("POST", '{"a":1}'))).toEqual(["7", '{"a":1}']);
});

it("leaves a GET without a body unchanged", () => {
  const given = eventOf("GET", null);
  expect(withoutUnreadBody(given)).toBe(given);
});
