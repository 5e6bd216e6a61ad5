import { Hono } from "hono";
import { handle } from "hono/aws-lambda";

/** The least a Hono handler can be: what `npm run bench -- handlers` compares the service's handlers with. */
export const handler = handle(new Hono().get("/", (context) => context.json({ ok: true })));
