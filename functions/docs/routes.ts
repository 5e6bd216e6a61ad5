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
  handler: async ({ request }, { headers }) => respondWith(await service.readPage(rootFrom(request)), headers),
});

routes.public.get("/docs/{file}", "readReferenceFile", {
  summary: "Get the script of the API reference",
  answer: "raw",
  produces: "text/javascript",
  errors: ["NOT_FOUND"],
  handler: async (_runtime, { params }) => {
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
});
