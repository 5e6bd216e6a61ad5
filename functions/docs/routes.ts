import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.publicRoute(
  {
    method: "get",
    path: "/",
    name: "openConsole",
    summary: "Redirect to the console",
    answer: "raw",
    redirects: true,
  },
  async () => new Response(null, { status: 303, headers: { Location: "/console" } }),
);

routes.publicRoute(
  {
    method: "get",
    path: "/openapi.json",
    name: "readOpenApi",
    summary: "Get this API as an OpenAPI 3.1 document",
    answer: "raw",
    produces: "application/json",
  },
  async () => Response.json(await service.readDocument(), { headers: { "Cache-Control": "public, max-age=300" } }),
);

routes.publicRoute(
  {
    method: "get",
    path: "/docs",
    name: "readReference",
    summary: "Get the API reference as a page",
    answer: "raw",
    produces: "text/html",
  },
  async () =>
    new Response(await service.readPage(), {
      headers: {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": service.POLICY,
        // The page names the script of its deployment.
        "Cache-Control": "no-cache",
        "Referrer-Policy": "no-referrer",
      },
    }),
);

routes.publicRoute(
  {
    method: "get",
    path: "/docs/{file}",
    name: "readReferenceFile",
    summary: "Get the script of the API reference",
    answer: "raw",
    produces: "text/javascript",
    errors: ["NOT_FOUND"],
  },
  async (_runtime, { params }) => {
    const { gzip } = await service.readScript(params.file);
    return new Response(gzip, {
      headers: {
        "Content-Type": "text/javascript; charset=utf-8",
        "Content-Encoding": "gzip",
        // The name changes with the content.
        "Cache-Control": "public, max-age=31536000, immutable",
        "Cross-Origin-Resource-Policy": "same-origin",
      },
    });
  },
);
