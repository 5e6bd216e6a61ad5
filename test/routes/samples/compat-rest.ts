import type { GroupSamples } from "./sample.ts";

/** Requests of mem0 clients other than those for single memories. */
export const compatRest: GroupSamples = {
  things: {
    subject: {
      path: "/memories",
      body: ({ name }) => ({ content: `Ships call at ${name}.`, user_id: name }),
      idField: "user_id",
    },
    ownOrganization: {
      path: "/memories",
      body: ({ name }) => ({ content: `Ships call at ${name}.` }),
      found: { path: "/v1/ping", idField: "org_id" },
    },
  },
  routes: {
    pingCompat: {},
    listCompatSubjects: { query: "page_size=1" },
    deleteCompatSubject: { kinds: { entity_type: "user" }, params: { entity_name: "subject" } },
    deleteCompatSubjectV1: { kinds: { entity_type: "user" }, params: { entity_name: "subject" } },
    updateCompatBatch: {
      body: { memories: [{ memory_id: "mem_01JNZ3V5C0E8X2R7T4Y6W9QABC", text: "Ada prefers coffee." }] },
    },
    deleteCompatBatch: { body: { memories: [{ memory_id: "mem_01JNZ3V5C0E8X2R7T4Y6W9QABC" }] } },
    giveCompatFeedback: { body: { memory_id: "mem_01JNZ3V5C0E8X2R7T4Y6W9QABC", feedback: "POSITIVE" } },
    getCompatEvent: { params: { event_id: "event" } },
    listCompatEvents: { query: "page_size=1" },
    createCompatExport: { body: { schema: {}, filters: { user_id: "ada" } } },
    getCompatExport: { body: { filters: { user_id: "ada" } } },
    getCompatProject: { params: { org_id: "ownOrganization" }, kinds: { project_id: "default" } },
    changeCompatProject: {
      params: { org_id: "ownOrganization" },
      kinds: { project_id: "default" },
      body: { multilingual: true },
    },
    listCompatWebhooks: { kinds: { project_id: "default" } },
    createCompatWebhook: {
      kinds: { project_id: "default" },
      body: { name: "told", url: "https://example.com/hook", event_types: ["memory_add"] },
    },
    changeCompatWebhook: { params: { webhook_id: "webhook" }, body: { name: "renamed" } },
    deleteCompatWebhook: { params: { webhook_id: "webhook" } },
  },
  additions: [
    "GET /v1/ping",
    "GET /v1/entities",
    "DELETE /v1/entities/{entity_type}/{entity_name}",
    "DELETE /v2/entities/{entity_type}/{entity_name}",
    "PUT /v1/batch",
    "DELETE /v1/batch",
    "POST /v1/feedback",
    "GET /v1/event/{event_id}",
    "GET /v1/events",
    "POST /v1/exports",
    "POST /v1/exports/get",
    "GET /api/v1/orgs/organizations/{org_id}/projects/{project_id}",
    "PATCH /api/v1/orgs/organizations/{org_id}/projects/{project_id}",
    "GET /api/v1/webhooks/projects/{project_id}",
    "POST /api/v1/webhooks/projects/{project_id}",
    "PUT /api/v1/webhooks/{webhook_id}",
    "DELETE /api/v1/webhooks/{webhook_id}",
  ],
};
