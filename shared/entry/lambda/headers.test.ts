import { Hono } from "hono";
import { handle, type LambdaEvent } from "hono/aws-lambda";
import { expect, it } from "vitest";
import event from "../../../events/docs.json" with { type: "json" };
import { withEmptyHeaders } from "./headers.ts";

/** Returns the headers that a handler receives. */
async function read(headers: Record<string, string>): Promise<Record<string, string>> {
  const app = new Hono().all("*", ({ req, json }) => json(Object.fromEntries(req.raw.headers)));
  const { body } = await handle(app)(withEmptyHeaders({ ...event, headers } as unknown as LambdaEvent));
  return JSON.parse(body);
}

it("keeps empty headers, and others as they are", async () => {
  const sent = { "idempotency-key": "", "x-api-key": "a key", accept: "*/*" };
  expect(await read(sent)).toEqual(sent);
});

it("leaves events of other kinds alone", () => {
  const { rawPath: _, ...other } = { ...event, headers: { accept: "" } };
  expect(withEmptyHeaders(other as unknown as LambdaEvent)).toEqual(other);
});
