import { newGroup } from "../../shared/http/group.ts";
import { group } from "./group.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.publicRoute(
  {
    method: "get",
    path: "/console",
    name: "readConsole",
    summary: "A page for operators, which asks for an API key and holds no data itself",
    answer: "raw",
    produces: "text/html",
  },
  async () => respond(await service.readPage()),
);

routes.publicRoute(
  {
    method: "get",
    path: "/console/{file}",
    name: "readConsoleFile",
    summary: "The style, an icon or a script of the console",
    answer: "raw",
    produces: ["text/javascript", "text/css", "image/svg+xml", "text/html"],
    errors: ["NOT_FOUND"],
  },
  async (_home, { params }) => respond(await service.readAsset(params.file)),
);

function respond({ body, headers }: service.Asset): Response {
  return new Response(body, { headers });
}
