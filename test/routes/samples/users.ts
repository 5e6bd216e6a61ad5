import { randomUUID } from "node:crypto";
import type { GroupSamples } from "./sample.ts";

const password = "a password of the samples";

/** An address belongs to one user of the whole deployment. */
const person = () => ({ email: `${randomUUID()}@example.com`, name: "Sample", role: "viewer" });

export const users: GroupSamples = {
  things: {
    user: { path: "/admin/users", body: () => ({ ...person(), password }), idField: "user.id" },
    invite: { path: "/admin/invites", body: () => ({ ...person(), permissions: [], send_email: false }) },
  },
  routes: {
    createUser: { body: { email: "created@example.com", name: "Sample", role: "viewer", password } },
    listUsers: { query: "limit=1" },
    getUser: { params: { id: "user" } },
    updateUser: { params: { id: "user" }, body: { department: "Samples" } },
    deleteUser: { params: { id: "user" }, body: { reason: "sample" } },
    suspendUser: { params: { id: "user" }, body: { reason: "sample", notify_user: false } },
    activateUser: { params: { id: "user" }, body: {} },
    createInvite: {
      body: { email: "invited@example.com", name: "Sample", role: "viewer", permissions: [], send_email: false },
    },
    listInvites: { query: "limit=1" },
    getInvite: { params: { id: "invite" } },
    readInvitationPage: { params: { id: "invite" } },
    acceptInvite: { params: { id: "invite" }, body: { password, accept_terms: true } },
    cancelInvite: { params: { id: "invite" }, body: {} },
    listOrganizations: { query: "limit=1" },
    setPlan: { body: { organization_id: "org_operator", plan: "enterprise" } },
    eraseOrganization: { body: { organization_id: "org_none", confirm: true, reason: "sample" } },
  },
  additions: [
    "GET /admin/invites/{id}/accept",
    "GET /admin/organizations",
    "PUT /admin/organizations",
    "DELETE /admin/organizations",
  ],
};
