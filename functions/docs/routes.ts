import { newGroup } from "../../shared/runtime/http/group.ts";
import { ASSET_HEADERS, respondWith, rootFrom } from "../../shared/runtime/http/page.ts";
import { group } from "./group.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.public.get("/", "openConsole", {
  summary: "Redirect to the console",
  answer: "raw",
  redirects: true,
  handler: async () => new Response(null, { status: 303, headers: { Location: "./console" } }),
});

routes.public.get("/openapi.json", "readOpenApi", {
  summary: "Get this API as an OpenAPI 3.1 document",
  answer: "raw",
  produces: "application/json",
  headers: ASSET_HEADERS,
  handler: async (_runtime, { headers }) => respondWith(await service.readDocument(), headers),
});

routes.public.get("/docs", "readReference", {
  summary: "Get the API reference as a page",
  answer: "raw",
  produces: "text/html",
  headers: ASSET_HEADERS,
  handler: async ({ request }, { headers }) => respondWith(service.readPage(rootFrom(request)), headers),
});
