import type { GroupSamples } from "./sample.ts";

const memories = [{ content: "Ada prefers tea over coffee.", user_id: "ada", type: "preference" }];

export const transfers: GroupSamples = {
  things: { event: { path: "/imports", body: { memories }, idField: "event_id" } },
  routes: {
    importMemories: { body: { memories } },
    importFile: {},
    requestImportLink: { body: { filename: "conversations.zip" } },
    completeImport: { params: { event_id: "event" }, body: {} },
    listImportFailures: { params: { event_id: "event" }, query: "limit=1" },
    listSkippedRows: { params: { event_id: "event" }, query: "limit=1" },
    exportMemories: { body: { user_id: "ada", format: "json" } },
    getEvent: { params: { event_id: "event" } },
  },
  additions: [
    "POST /imports/upload",
    "POST /imports/upload-url",
    "POST /imports/{event_id}/complete",
    "GET /imports/{event_id}/failures",
    "GET /imports/{event_id}/skipped",
  ],
};
