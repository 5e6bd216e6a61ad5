import { Hono } from "hono";
import { handle, type LambdaEvent } from "hono/aws-lambda";
import { expect, it } from "vitest";
import event from "../../../events/docs.json" with { type: "json" };
import { withoutUnreadBody } from "./bodies.ts";

function eventOf(method: string, body: string | null): LambdaEvent {
  const requestContext = { ...event.requestContext, http: { ...event.requestContext.http, method } };
  return { ...event, requestContext, body } as unknown as LambdaEvent;
}

/** Returns the content length and the body that a handler receives. */
async function read(given: LambdaEvent): Promise<unknown> {
  const app = new Hono().all("*", async ({ req, json }) =>
    json([req.header("content-length") ?? null, await req.text()]),
  );
  return JSON.parse((await handle(app)(withoutUnreadBody(given))).body);
}

it("tells the length of what a GET brought, and leaves other bodies", async () => {
  expect(await read(eventOf("GET", '{"a":1}'))).toEqual(["7", ""]);
  expect(await read(eventOf("POST", '{"a":1}'))).toEqual(["7", '{"a":1}']);
});

it("leaves a GET without a body unchanged", () => {
  const given = eventOf("GET", null);
  expect(withoutUnreadBody(given)).toBe(given);
});
