import { MAX_FILE_BYTES } from "../../shared/domain/integration/transfers/export.ts";
import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(
  group,
  { bare: true, permission: "memory:write", allowsAgentKeys: false },
  { get: { permission: "memory:read" } },
);

routes.post("/imports", "importMemories", {
  summary: "Import up to 10,000 memories in the background; accepts the files of an export",
  body: schemas.ImportMemories,
  maxBodyBytes: MAX_FILE_BYTES,
  answer: schemas.ImportBegun,
  status: 202,
  handler: (ctx, { body }) => service.importMemories(ctx, body),
});

routes.upload("/imports/upload", "importFile", {
  summary:
    "Import a file of at most 4.5 MB in the background: JSON, JSON Lines, CSV, a mem0 page, or a conversation export of ChatGPT or Claude",
  form: schemas.ImportFile,
  answer: schemas.ImportBegun,
  status: 202,
  handler: (ctx, { fields, file }) => service.importFile(ctx, fields, file),
});

routes.post("/imports/upload-url", "requestImportLink", {
  summary: "Get an upload URL for a larger file; POST /imports/{event_id}/complete then imports it",
  body: schemas.RequestImportLink,
  answer: schemas.ImportLink,
  status: 201,
  handler: (ctx) => service.requestImportLink(ctx),
});

routes.post("/imports/{event_id}/complete", "completeImport", {
  summary: "Import an uploaded file in the background",
  body: schemas.CompleteImport,
  answer: schemas.ImportBegun,
  status: 202,
  errors: ["IMPORT_NOT_FOUND"],
  handler: (ctx, { params, body }) => service.completeImport(ctx, params.event_id, body),
});

routes.get("/imports/{event_id}/failures", "listImportFailures", {
  summary: "List the rows that an import rejected, in file order",
  query: schemas.ListFailures,
  answer: schemas.FailureList,
  errors: ["IMPORT_NOT_FOUND"],
  handler: (ctx, { params, query }) => service.listImportFailures(ctx, params.event_id, query),
});

routes.get("/imports/{event_id}/skipped", "listSkippedRows", {
  summary: "List what an import skipped without a failure, with the reason, in file order",
  query: schemas.ListFailures,
  answer: schemas.SkippedList,
  errors: ["IMPORT_NOT_FOUND"],
  handler: (ctx, { params, query }) => service.listSkippedRows(ctx, params.event_id, query),
});

routes.post("/exports", "exportMemories", {
  summary: "Export all memories or those of a user, a category or a type",
  permission: "memory:read",
  body: schemas.ExportMemories,
  answer: schemas.Exported,
  handler: (ctx, { body }) => service.exportMemories(ctx, body),
});

routes.get("/events/{event_id}", "getEvent", {
  summary: "Get the status of a background job; a finished export includes links to its files",
  allowsAgentKeys: true,
  answer: schemas.Event,
  errors: ["EVENT_NOT_FOUND"],
  handler: (ctx, { params }) => service.getEvent(ctx, params.event_id),
});
