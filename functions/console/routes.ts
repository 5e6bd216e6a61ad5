import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.public.get("/console", "readConsole", {
  summary: "Get the console page, which asks for an API key",
  answer: "raw",
  produces: "text/html",
  handler: async () => respond(await service.readAsset("page.html")),
});

routes.public.get("/console/{file}", "readConsoleFile", {
  summary: "Get a style sheet, an icon or a script of the console",
  answer: "raw",
  produces: ["text/javascript", "text/css", "image/svg+xml", "text/html"],
  errors: ["NOT_FOUND"],
  handler: async (_runtime, { params }) => respond(await service.readAsset(params.file)),
});

function respond({ body, headers }: service.Asset): Response {
  return new Response(body, { headers });
}
