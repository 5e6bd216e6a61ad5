import { newGroup } from "../../shared/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "post",
    path: "/admin/cleanup",
    name: "cleanUp",
    summary: "Remove what nothing leads to any more, or only count it; for the operator",
    permission: "admin:all",
    limit: "admin_maintenance",
    body: schemas.Cleanup,
    answer: schemas.CleanupAnswer,
    errors: ["FORBIDDEN"],
  },
  (ctx, { body }) => service.cleanUp(ctx, body),
);

routes.route(
  {
    method: "post",
    path: "/admin/sync",
    name: "sync",
    summary:
      "Have workers bring the search index, blobs and unfinished work into line with the records; for the operator",
    permission: "admin:all",
    limit: "admin_maintenance",
    body: schemas.Sync,
    answer: schemas.Job,
    status: 202,
    errors: ["FORBIDDEN", "CONFLICT"],
  },
  (ctx, { body }) => service.sync(ctx, body),
);

routes.route(
  {
    method: "get",
    path: "/admin/jobs",
    name: "listMaintenanceJobs",
    summary: "List clean-ups and syncs with how far each is and what it did, newest first; for the operator",
    permission: "admin:all",
    limit: "admin_monitoring",
    query: schemas.ListJobs,
    answer: schemas.JobList,
    errors: ["FORBIDDEN"],
  },
  (ctx, { query }) => service.listJobs(ctx, query),
);

routes.route(
  {
    method: "get",
    path: "/admin/quarantine",
    name: "listQuarantine",
    summary:
      "List work that was under way when the process died, which runs again only when asked for; for the operator",
    permission: "admin:all",
    limit: "admin_monitoring",
    answer: schemas.Quarantine,
    errors: ["FORBIDDEN"],
  },
  (ctx) => service.listQuarantine(ctx),
);

routes.route(
  {
    method: "post",
    path: "/admin/quarantine/run",
    name: "runQuarantined",
    summary: "Run quarantined work again; for the operator",
    permission: "admin:all",
    limit: "admin_maintenance",
    body: schemas.RunQuarantined,
    answer: schemas.QuarantinedWork,
    status: 202,
    errors: ["FORBIDDEN", "QUARANTINED_WORK_NOT_FOUND"],
  },
  (ctx, { body }) => service.runQuarantined(ctx, body),
);
