import { newGroup } from "../../shared/runtime/http/group.ts";
import { ASSET_HEADERS, respondWith, rootFrom } from "../../shared/runtime/http/page.ts";
import { group } from "./group.ts";
import { readIndex, readPageOfDocs } from "./pages.ts";
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

routes.public.get("/docs/{file}", "readDocsPage", {
  summary: "Get a page of the documentation as Markdown",
  answer: "raw",
  produces: "text/markdown",
  headers: ASSET_HEADERS,
  errors: ["NOT_FOUND"],
  handler: async (_runtime, { params, headers }) => respondWith(await readPageOfDocs(params.file), headers),
});

routes.public.get("/llms.txt", "readLlmsTxt", {
  summary: "List the pages of the documentation for language models",
  answer: "raw",
  produces: "text/plain",
  headers: ASSET_HEADERS,
  handler: async (_runtime, { headers }) => respondWith(await readIndex(), headers),
});
