import { promisify } from "node:util";
import { gzip } from "node:zlib";
import registerReference from "@scalar/fastify-api-reference";

interface Route {
  url: string;
  handler(request: undefined, reply: Reply): void;
}

interface Reply {
  header(): Reply;
  send(body: string): void;
}

/** Scalar's browser script, compressed. The bundle for Lambda contains the result instead of this module. */
export const compressedScript = await promisify(gzip)(readScript());

/** The package has its script only in a route of its Fastify plugin, so the plugin registers its routes here. */
function readScript(): string {
  const scripts: string[] = [];
  const reply: Reply = { header: () => reply, send: (body) => scripts.push(body) };
  const fastify = {
    route: ({ url, handler }: Route) => url.endsWith(".js") && handler(undefined, reply),
  };
  registerReference(fastify as never, { configuration: { url: "/openapi.json" } }, () => {});
  const [script] = scripts;
  if (script === undefined) throw new Error("@scalar/fastify-api-reference has no route for its script");
  return script;
}
