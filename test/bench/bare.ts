import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Hono } from "hono";
import { inParallel } from "../../shared/kernel/parallel.ts";

/** A request to the bare server to deliver: a body, a number of times, to each of some URLs. */
export interface Deliveries {
  urls: string[];
  body: object;
  count: number;
  atOnce: number;
}

/**
 * A minimal server as a baseline: a route that answers the given JSON, one that writes the rows of a body in one
 * durable transaction, and one that posts a body to other servers as fast as `fetch` can.
 */
export function bareApp(answer: unknown, folder: string): Hono {
  const database = new DatabaseSync(path.join(folder, "bare.db"));
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (number INTEGER PRIMARY KEY, content TEXT)",
  );
  const insert = database.prepare("INSERT INTO rows (content) VALUES (?)");
  return new Hono()
    .get("/memories/:id", (context) => context.json(answer))
    .post("/rows", async (context) => {
      const { rows } = await context.req.json<{ rows: unknown[] }>();
      database.exec("BEGIN");
      for (const row of rows) insert.run(JSON.stringify(row));
      database.exec("COMMIT");
      return context.json({ written: rows.length }, 201);
    })
    .post("/deliveries", async (context) => {
      const { urls, body, count, atOnce } = await context.req.json<Deliveries>();
      const all = Array.from({ length: count }).flatMap((_none, number) => urls.map((url) => ({ url, number })));
      await inParallel(all, atOnce, ({ url, number }) => deliver(url, { ...body, id: number }));
      return context.json({ delivered: all.length });
    });
}

async function deliver(url: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  await answer.arrayBuffer();
}
