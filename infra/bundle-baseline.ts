import { Hono } from "hono";
import { handle } from "hono/aws-lambda";

/** The smallest possible Hono handler, with which `npm run bench -- handlers` compares the service's handlers. */
export const handler = handle(new Hono().get("/", (context) => context.json({ ok: true })));
