import { newGroup } from "../../shared/http/group.ts";
import { MAX_FILE_BYTES } from "../../shared/transfers/export.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "post",
    path: "/imports",
    name: "importMemories",
    summary: "Take in up to 10,000 memories in the background, each by itself; an export's files are taken as they are",
    permission: "memory:write",
    admitsAgents: false,
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
      "Take in a file of at most 4.5 MB in the background: rows as JSON, JSON Lines or CSV, a page of mem0, or the conversations that ChatGPT or Claude exports",
    permission: "memory:write",
    admitsAgents: false,
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
    summary: "Get a link to send a larger file to; POST /imports/{event_id}/complete then imports it",
    permission: "memory:write",
    admitsAgents: false,
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
    summary: "Import the file that was sent to its link, in the background",
    permission: "memory:write",
    admitsAgents: false,
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
    summary: "List the rows of an import that did not become memories, by their places",
    permission: "memory:read",
    admitsAgents: false,
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
    summary: "Write all memories, or those of a user, a category or a type, to files",
    permission: "memory:read",
    admitsAgents: false,
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
    summary: "Read how far something has come that was asked for; of an export, links to its files",
    permission: "memory:read",
    answer: schemas.Event,
    bare: true,
    errors: ["EVENT_NOT_FOUND"],
  },
  (ctx, { params }) => service.getEvent(ctx, params.event_id),
);
