import { newGroup } from "../../shared/runtime/http/group.ts";
import { ASSET_HEADERS, respondWith, rootFrom } from "../../shared/runtime/http/page.ts";
import { group } from "./group.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.public.get("/console", "readConsole", {
  summary: "Get the console page",
  answer: "raw",
  produces: "text/html",
  headers: ASSET_HEADERS,
  handler: async ({ request }, { headers }) => respondWith(await service.readPage(rootFrom(request)), headers),
});

routes.public.get("/console/{file}", "readConsoleFile", {
  summary: "Get a style sheet, an icon or a script of the console",
  answer: "raw",
  produces: ["text/javascript", "text/css", "image/svg+xml"],
  headers: ASSET_HEADERS,
  errors: ["NOT_FOUND"],
  handler: async (_runtime, { params, headers }) => respondWith(await service.readAsset(params.file), headers),
});
