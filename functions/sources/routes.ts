import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(
  group,
  { bare: true, permission: "memory:write" },
  { get: { permission: "memory:read" } },
);

routes.post("/sources/ingest", "ingestSource", {
  summary: "Create a source from a text or a URL; long texts are processed in the background",
  body: schemas.IngestSource,
  answer: schemas.Ingested,
  status: 201,
  errors: ["CONFLICT", "URL_NOT_ALLOWED", "FETCH_FAILED", "SOURCE_UNREADABLE"],
  handler: (ctx, { body }) => service.ingestSource(ctx, body),
});

routes.upload("/sources/upload", "uploadSource", {
  summary: "Create a source from a file of at most 4.5 MB",
  form: schemas.UploadSource,
  answer: schemas.Ingested,
  status: 201,
  errors: ["CONFLICT"],
  handler: (ctx, { fields, file }) => service.uploadSource(ctx, fields, file),
});

routes.post("/sources/upload-url", "requestUploadLink", {
  summary: "Get an upload URL for a larger file; POST /sources/{source_id}/complete then creates the source",
  body: schemas.RequestUploadLink,
  answer: schemas.UploadLink,
  status: 201,
  errors: ["CONFLICT"],
  handler: (ctx, { body }) => service.requestUploadLink(ctx, body),
});

routes.get("/sources", "listSources", {
  summary: "List sources, newest first",
  query: schemas.ListSources,
  answer: schemas.SourceList,
  handler: (ctx, { query }) => service.listSources(ctx, query),
});

routes.get("/sources/{source_id}", "getSource", {
  summary: "Get a source with its progress, its chunk ids and a link to its file",
  query: schemas.ReadSource,
  answer: schemas.SourceDetails,
  errors: ["SOURCE_NOT_FOUND"],
  handler: (ctx, { params, query }) => service.getSource(ctx, params.source_id, query),
});

routes.post("/sources/{source_id}/complete", "completeUpload", {
  summary: "Confirm an upload; the file is processed in the background",
  answer: schemas.Ingested,
  status: 202,
  errors: ["SOURCE_NOT_FOUND", "CONFLICT"],
  handler: (ctx, { params }) => service.completeUpload(ctx, params.source_id),
});

routes.delete("/sources/{source_id}", "deleteSource", {
  summary: "Delete a source with its memory, chunks and file",
  permission: "memory:delete",
  answer: schemas.SourceDeleted,
  errors: ["SOURCE_NOT_FOUND", "CONFLICT"],
  handler: (ctx, { params }) => service.deleteSource(ctx, params.source_id),
});
