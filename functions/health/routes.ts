import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.publicRoute(
  {
    method: "get",
    path: "/health",
    name: "readHealth",
    summary: "Check that the service runs",
    answer: schemas.Health,
  },
  (runtime) => service.readHealth(runtime),
);

routes.publicRoute(
  {
    method: "get",
    path: "/ready",
    name: "readReadiness",
    summary: "Check that every store accepts reads and writes; 503 if one does not",
    answer: schemas.Readiness,
    errors: ["SERVICE_UNAVAILABLE"],
  },
  (runtime) => service.readReadiness(runtime),
);

routes.route(
  {
    method: "get",
    path: "/status",
    name: "readStatus",
    summary: "Get the latency of each store and the length of each queue",
    permission: "any",
    answer: schemas.Status,
  },
  (ctx) => service.readStatus(ctx),
);
