import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(
  group,
  { permission: "admin:all", limit: "admin_maintenance" },
  { get: { limit: "admin_monitoring" } },
);

routes.post("/admin/cleanup", "cleanUp", {
  summary: "Delete orphaned data or only count it; operators only",
  body: schemas.Cleanup,
  answer: schemas.CleanupAnswer,
  errors: ["FORBIDDEN"],
  handler: (ctx, { body }) => service.cleanUp(ctx, body),
});

routes.post("/admin/sync", "sync", {
  summary: "Reconcile the search index, blobs and unfinished jobs with the records; operators only",
  body: schemas.Sync,
  answer: schemas.Job,
  status: 202,
  errors: ["FORBIDDEN", "CONFLICT"],
  handler: (ctx, { body }) => service.sync(ctx, body),
});

routes.post("/admin/secrets/scan", "scanSecrets", {
  summary: "Apply the organization's policies for secrets to stored memories or only count them",
  body: schemas.SecretScan,
  answer: schemas.Job,
  status: 202,
  handler: (ctx, { body }) => service.scanSecrets(ctx, body),
});

routes.get("/admin/jobs", "listMaintenanceJobs", {
  summary:
    "List erasures and scans for secrets, and the operator's jobs for operators, with progress and results, newest first",
  query: schemas.ListJobs,
  answer: schemas.JobList,
  errors: ["FORBIDDEN"],
  handler: (ctx, { query }) => service.listJobs(ctx, query),
});

routes.get("/admin/quarantine", "listQuarantine", {
  summary: "List quarantined jobs that a crash interrupted; operators only",
  answer: schemas.Quarantine,
  errors: ["FORBIDDEN"],
  handler: (ctx) => service.listQuarantine(ctx),
});

routes.post("/admin/quarantine/run", "runQuarantined", {
  summary: "Run quarantined jobs again; operators only",
  body: schemas.RunQuarantined,
  answer: schemas.QuarantinedWork,
  status: 202,
  errors: ["FORBIDDEN", "QUARANTINED_WORK_NOT_FOUND"],
  handler: (ctx, { body }) => service.runQuarantined(ctx, body),
});
