import { sessionSecretIn } from "../../shared/domain/identity/browser-sessions.ts";
import type { RequestOrigin } from "../../shared/runtime/context.ts";
import { newGroup } from "../../shared/runtime/http/group.ts";
import { ASSET_HEADERS, respondWith, rootFrom } from "../../shared/runtime/http/page.ts";
import { group } from "./group.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

const HEADERS = [...ASSET_HEADERS, "cookie"] as const;

routes.public.get("/console", "readConsole", {
  summary: "Get the console page",
  ignoresUnknownParameters: true,
  answer: "raw",
  produces: "text/html",
  headers: HEADERS,
  handler: async ({ request }, { headers }) => showPage(request, headers),
});

routes.public.get("/console/{file}", "readConsoleFile", {
  summary: "Get the console page at a view, or a style sheet, an icon or a script of it",
  ignoresUnknownParameters: true,
  answer: "raw",
  produces: ["text/html", "text/javascript", "text/css", "image/svg+xml"],
  headers: HEADERS,
  errors: ["NOT_FOUND"],
  handler: async ({ request }, { params, headers }) =>
    service.isView(params.file)
      ? showPage(request, headers)
      : respondWith(await service.readAsset(params.file), headers),
});

routes.public.get("/console/{section}/{view}", "readConsoleView", {
  summary: "Get the console page at a view of a section",
  ignoresUnknownParameters: true,
  answer: "raw",
  produces: "text/html",
  headers: HEADERS,
  errors: ["NOT_FOUND"],
  handler: async ({ request }, { params, headers }) => {
    if (!service.isView(params.section, params.view)) throw service.noSuchFile();
    return showPage(request, headers);
  },
});

async function showPage(request: RequestOrigin | undefined, headers: Record<string, string>): Promise<Response> {
  const hasSession = sessionSecretIn(new Headers(headers)) !== undefined;
  return respondWith(await service.readPage({ root: rootFrom(request), hasSession }), headers);
}
