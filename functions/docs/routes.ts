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
  async () => {
    const document = await service.readDocument();
    return Response.json(document, { headers: { "Cache-Control": service.CACHED } });
  },
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
  async () => {
    const { html, policy } = await service.readReference();
    return new Response(html, {
      headers: {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": policy,
        "Cache-Control": service.CACHED,
        "Referrer-Policy": "no-referrer",
      },
    });
  },
);
