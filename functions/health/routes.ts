import { newGroup } from "../../shared/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.publicRoute(
  { method: "get", path: "/health", name: "readHealth", summary: "Whether the service runs", answer: schemas.Health },
  (home) => service.readHealth(home),
);

routes.publicRoute(
  {
    method: "get",
    path: "/ready",
    name: "readReadiness",
    summary: "Whether every store answers and takes writes; 503 when one does not",
    answer: schemas.Readiness,
    errors: ["SERVICE_UNAVAILABLE"],
  },
  (home) => service.readReadiness(home),
);

routes.route(
  {
    method: "get",
    path: "/status",
    name: "readStatus",
    summary: "How fast each store answers, and what waits in each queue",
    permission: "any",
    answer: schemas.Status,
  },
  (ctx) => service.readStatus(ctx),
);
