import { MAX_FILE_BYTES } from "../../shared/domain/integration/transfers/export.ts";
import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "post",
    path: "/imports",
    name: "importMemories",
    summary: "Import up to 10,000 memories in the background; accepts the files of an export",
    permission: "memory:write",
    allowsAgentKeys: false,
    body: schemas.ImportMemories,
    maxBodyBytes: MAX_FILE_BYTES,
    answer: schemas.ImportBegun,
    status: 202,
    bare: true,
  },
  (ctx, { body }) => service.importMemories(ctx, body),
);

routes.uploadRoute(
  {
    path: "/imports/upload",
    name: "importFile",
    summary:
      "Import a file of at most 4.5 MB in the background: JSON, JSON Lines, CSV, a mem0 page, or a conversation export of ChatGPT or Claude",
    permission: "memory:write",
    allowsAgentKeys: false,
    form: schemas.ImportFile,
    answer: schemas.ImportBegun,
    status: 202,
    bare: true,
  },
  (ctx, { fields, file }) => service.importFile(ctx, fields, file),
);

routes.route(
  {
    method: "post",
    path: "/imports/upload-url",
    name: "requestImportLink",
    summary: "Get an upload URL for a larger file; POST /imports/{event_id}/complete then imports it",
    permission: "memory:write",
    allowsAgentKeys: false,
    body: schemas.RequestImportLink,
    answer: schemas.ImportLink,
    status: 201,
    bare: true,
  },
  (ctx) => service.requestImportLink(ctx),
);

routes.route(
  {
    method: "post",
    path: "/imports/{event_id}/complete",
    name: "completeImport",
    summary: "Import an uploaded file in the background",
    permission: "memory:write",
    allowsAgentKeys: false,
    body: schemas.CompleteImport,
    answer: schemas.ImportBegun,
    status: 202,
    bare: true,
    errors: ["IMPORT_NOT_FOUND", "PAYLOAD_TOO_LARGE"],
  },
  (ctx, { params, body }) => service.completeImport(ctx, params.event_id, body),
);

routes.route(
  {
    method: "get",
    path: "/imports/{event_id}/failures",
    name: "listImportFailures",
    summary: "List the rows that an import rejected, in file order",
    permission: "memory:read",
    allowsAgentKeys: false,
    query: schemas.ListFailures,
    answer: schemas.FailureList,
    bare: true,
    errors: ["IMPORT_NOT_FOUND"],
  },
  (ctx, { params, query }) => service.listImportFailures(ctx, params.event_id, query),
);

routes.route(
  {
    method: "post",
    path: "/exports",
    name: "exportMemories",
    summary: "Export all memories or those of a user, a category or a type",
    permission: "memory:read",
    allowsAgentKeys: false,
    body: schemas.ExportMemories,
    answer: schemas.Exported,
    bare: true,
  },
  (ctx, { body }) => service.exportMemories(ctx, body),
);

routes.route(
  {
    method: "get",
    path: "/events/{event_id}",
    name: "getEvent",
    summary: "Get the status of a background job; a finished export includes links to its files",
    permission: "memory:read",
    answer: schemas.Event,
    bare: true,
    errors: ["EVENT_NOT_FOUND"],
  },
  (ctx, { params }) => service.getEvent(ctx, params.event_id),
);
