import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group, { permission: "admin:all", limit: "admin_maintenance" });

routes.post("/admin/backup", "createBackup", {
  summary: "Start a backup of the whole deployment; operators only",
  body: schemas.CreateBackup,
  answer: schemas.Backup,
  status: 202,
  errors: ["FORBIDDEN"],
  handler: (ctx, { body }) => service.createBackup(ctx, body),
});

routes.get("/admin/backup/latest", "downloadLatestBackup", {
  summary: "Download the latest completed backup; operators only",
  answer: "raw",
  produces: ["application/gzip", "application/octet-stream"],
  redirects: true,
  errors: ["FORBIDDEN", "BACKUP_NOT_FOUND"],
  handler: (ctx) => service.downloadLatest(ctx),
});

routes.get("/admin/backups", "listBackups", {
  summary: "List backups, newest first; operators only",
  query: schemas.ListBackups,
  answer: schemas.BackupList,
  errors: ["FORBIDDEN"],
  handler: (ctx, { query }) => service.listBackups(ctx, query),
});
