import type { GroupSamples } from "./sample.ts";

export const sources: GroupSamples = {
  things: {
    source: {
      path: "/sources/ingest",
      body: ({ name }) => ({ type: "text", content: `Ships call at ${name}.`, title: name, external_id: name }),
      idField: "source_id",
    },
  },
  routes: {
    ingestSource: { body: { type: "text", content: "Ships call at Zurich." } },
    uploadSource: {},
    requestUploadLink: { body: { filename: "harbour.txt" } },
    listSources: { query: "limit=1" },
    getSource: { params: { source_id: "source" } },
    completeUpload: { params: { source_id: "source" } },
    deleteSource: { params: { source_id: "source" } },
  },
  additions: ["POST /sources/upload-url", "POST /sources/{source_id}/complete"],
};
