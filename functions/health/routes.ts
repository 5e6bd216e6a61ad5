import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.public.get("/health", "readHealth", {
  summary: "Check that the service runs",
  answer: schemas.Health,
  handler: (runtime) => service.readHealth(runtime),
});

routes.public.get("/ready", "readReadiness", {
  summary: "Check that every store accepts reads and writes; 503 if one does not",
  answer: schemas.Readiness,
  handler: (runtime) => service.readReadiness(runtime),
});

routes.get("/status", "readStatus", {
  summary: "Get the latency of each store and the length of each queue",
  permission: "any",
  answer: schemas.Status,
  handler: (ctx) => service.readStatus(ctx),
});
