import { type FormPage, FormPageQuery, passwordField, showForm } from "../../shared/domain/identity/form-page.ts";
import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as invites from "./invites.ts";
import * as organizations from "./organizations.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

const ACCEPT: FormPage = {
  title: "You are invited",
  fields: `${passwordField("password", "Choose a password")}
<p><label><input name="accept_terms" type="checkbox" required> I accept the terms of use</label></p>`,
  action: "Join",
  done: "Welcome. Sign in with your e-mail address and this password.",
  console: "../../../console",
};

export const routes = newGroup(group, { permission: "admin:all", limit: "admin_users" });

routes.post("/admin/users", "createUser", {
  summary: "Create a user with a temporary password that expires after 7 days",
  body: schemas.CreateUser,
  answer: schemas.NewUser,
  status: 201,
  errors: ["EMAIL_EXISTS", "FORBIDDEN", "LIMIT_REACHED"],
  handler: (ctx, { body }) => service.createUser(ctx, body),
});

routes.get("/admin/users", "listUsers", {
  summary: "List users, newest first; status=deleted lists deleted users",
  query: schemas.ListUsers,
  answer: schemas.UserList,
  handler: (ctx, { query }) => service.listUsers(ctx, query),
});

routes.get("/admin/users/{id}", "getUser", {
  summary: "Get a user with their activity",
  answer: schemas.User,
  handler: (ctx, { params }) => service.readUser(ctx, params.id),
});

routes.put("/admin/users/{id}", "updateUser", {
  summary: "Update a user; a new role without permissions sets the role's permissions",
  body: schemas.UpdateUser,
  answer: schemas.User,
  errors: ["CONFLICT", "FORBIDDEN"],
  handler: (ctx, { params, body }) => service.updateUser(ctx, params.id, body),
});

routes.delete("/admin/users/{id}", "deleteUser", {
  summary: "Delete a user and optionally transfer what they own to another user",
  body: schemas.DeleteUser,
  answer: schemas.DeletedUser,
  errors: ["FORBIDDEN"],
  handler: (ctx, { params, body }) => service.deleteUser(ctx, params.id, body),
});

routes.post("/admin/users/{id}/suspend", "suspendUser", {
  summary: "Suspend a user; all their credentials stop working",
  body: schemas.SuspendUser,
  answer: schemas.User,
  errors: ["CONFLICT", "FORBIDDEN"],
  handler: (ctx, { params, body }) => service.suspendUser(ctx, params.id, body),
});

routes.post("/admin/users/{id}/activate", "activateUser", {
  summary: "Reactivate a suspended user",
  body: schemas.ActivateUser,
  answer: schemas.User,
  errors: ["CONFLICT"],
  handler: (ctx, { params, body }) => service.activateUser(ctx, params.id, body),
});

routes.post("/admin/invites", "createInvite", {
  summary: "Create an invitation; only this response contains its link",
  body: schemas.CreateInvite,
  answer: schemas.NewInvite,
  status: 201,
  errors: ["EMAIL_EXISTS", "FORBIDDEN", "LIMIT_REACHED"],
  handler: (ctx, { body }) => invites.createInvite(ctx, body),
});

routes.get("/admin/invites", "listInvites", {
  summary: "List invitations, newest first",
  query: schemas.ListInvites,
  answer: schemas.InviteList,
  handler: (ctx, { query }) => invites.listInvites(ctx, query),
});

routes.get("/admin/invites/{id}", "getInvite", {
  summary: "Get an invitation",
  answer: schemas.Invite,
  handler: (ctx, { params }) => invites.readInvite(ctx, params.id),
});

routes.public.get("/admin/invites/{id}/accept", "readInvitationPage", {
  summary: "Get the page for accepting an invitation; viewing it does not accept it",
  query: FormPageQuery,
  answer: "raw",
  produces: "text/html",
  handler: async () => showForm(ACCEPT),
});

routes.public.post("/admin/invites/{id}/accept", "acceptInvite", {
  summary: "Accept an invitation",
  query: schemas.AcceptInviteQuery,
  body: schemas.AcceptInvite,
  answer: schemas.AcceptedInvite,
  errors: [
    "EMAIL_EXISTS",
    "FORBIDDEN",
    "INVITE_CLOSED",
    "INVITE_NOT_FOUND",
    "PERMISSION_DENIED",
    "UNAUTHORIZED",
    "LIMIT_REACHED",
  ],
  handler: (runtime, { params, query, body }) =>
    invites.acceptInvite(runtime, params.id, { token: query.token, ...body }),
});

routes.delete("/admin/invites/{id}", "cancelInvite", {
  summary: "Cancel a pending invitation",
  body: schemas.CancelInvite,
  answer: schemas.Invite,
  errors: ["INVITE_CLOSED"],
  handler: (ctx, { params, body }) => invites.cancelInvite(ctx, params.id, body),
});

routes.get("/admin/organizations", "listOrganizations", {
  summary: "List the deployment's organizations with their plans, newest first; operators only",
  query: schemas.ListOrganizations,
  answer: schemas.OrganizationList,
  errors: ["FORBIDDEN"],
  handler: (ctx, { query }) => organizations.listOrganizations(ctx, query),
});

routes.put("/admin/organizations", "setPlan", {
  summary: "Set the plan of an organization; operators only",
  body: schemas.SetPlan,
  answer: schemas.Organization,
  errors: ["FORBIDDEN", "ORGANIZATION_NOT_FOUND"],
  handler: (ctx, { body }) => organizations.setPlan(ctx, body),
});

routes.delete("/admin/organizations", "eraseOrganization", {
  summary: "Delete an organization and erase all its data in the background; operators only",
  body: schemas.EraseOrganization,
  answer: schemas.OrganizationErasure,
  status: 202,
  errors: ["FORBIDDEN", "ORGANIZATION_NOT_FOUND"],
  handler: (ctx, { body }) => organizations.eraseOrganization(ctx, body),
});
