import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "post",
    path: "/admin/cleanup",
    name: "cleanUp",
    summary: "Delete orphaned data or only count it; operators only",
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
    summary: "Reconcile the search index, blobs and unfinished jobs with the records; operators only",
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
    summary: "List cleanups and syncs with progress and results, newest first; operators only",
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
    summary: "List quarantined jobs that a crash interrupted; operators only",
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
    summary: "Run quarantined jobs again; operators only",
    permission: "admin:all",
    limit: "admin_maintenance",
    body: schemas.RunQuarantined,
    answer: schemas.QuarantinedWork,
    status: 202,
    errors: ["FORBIDDEN", "QUARANTINED_WORK_NOT_FOUND"],
  },
  (ctx, { body }) => service.runQuarantined(ctx, body),
);
