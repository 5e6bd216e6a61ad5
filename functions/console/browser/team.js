import { formDialog } from "./dialog.js";
import { badge, field, h, ownName, ownWords, selectOf, table, timeAgo } from "./dom.js";
import { count } from "./format.js";
import { limitNote } from "./limits.js";
import { pager } from "./pager.js";
import { actionButton, panel } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../users/schemas.ts").UserList>} UserList */
/** @typedef {import("./api.js").Answer<typeof import("../../users/schemas.ts").InviteList>} InviteList */
/** @typedef {import("./api.js").Answer<typeof import("../../users/schemas.ts").NewInvite>} NewInvite */
/** @typedef {import("./main.js").Page} Page */

const PAGE = 20;
const ROLES = ["viewer", "user", "editor", "agent", "admin"];

/** @type {import("./main.js").View} */
export const team = {
  id: "team",
  title: "Team",
  group: "Settings",
  changes: false,
  isFor: ({ permissions, agent_id }) => permissions.includes("admin:all") && agent_id === undefined,
  open: (page) => {
    const invited = h("div", {});
    const invites = inviteList(page);
    return [invite(page, invited, invites.reload), invited, userList(page), invites.element];
  },
};

/** @param {Page} page */
function userList({ api, signal, params, go }) {
  const offset = Number(params.get("from") ?? 0) || 0;
  return panel({
    title: "Members",
    signal,
    load: (signal) =>
      /** @type {Promise<UserList>} */ (api.get("/admin/users", { query: { limit: PAGE, offset }, signal })),
    show: ({ users, pagination }) => {
      if (users.length === 0) return [h("p", {}, "Nobody signs in with a password yet.")];
      const rows = users.map(({ name, email, role, status, last_login, usage_stats: use }) => [
        ownWords(name),
        ownName(email),
        role,
        badge(status),
        timeAgo(last_login),
        count(use?.api_calls),
        count(use?.memories_created),
        count(use?.searches_performed),
      ]);
      const columns = ["Name", "E-mail", "Role", "State", "Last sign-in", "Requests", "Memories stored", "Searches"];
      return [table("Members and their use", columns, rows), pager(pagination, (from) => go({ from }))];
    },
  }).element;
}

/** @param {Page} page */
function inviteList(page) {
  const { api, signal } = page;
  const list = panel({
    title: "Invitations",
    signal,
    load: (signal) => /** @type {Promise<InviteList>} */ (api.get("/admin/invites", { signal })),
    show: ({ invites }) => {
      if (invites.length === 0) return [h("p", {}, "Nobody is invited.")];
      const rows = invites.map(({ id, email, role, status, expires_at }) => {
        const cancel = () => api.delete(`/admin/invites/${encodeURIComponent(id)}`, { signal });
        const button = actionButton(page, {
          action: "Cancel",
          label: `Cancel the invitation of ${email}`,
          done: `The invitation of ${email} is cancelled.`,
          send: cancel,
          reload: list.reload,
        });
        return [ownName(email), role, badge(status), timeAgo(expires_at), status === "pending" ? button : ""];
      });
      return [table("Invitations, newest first", ["E-mail", "Role", "State", "Open until", "Change"], rows)];
    },
  });
  return list;
}

/**
 * @param {Page} page
 * @param {HTMLElement} invited where the link is shown
 * @param {() => Promise<void>} reload
 */
function invite({ api, signal, who }, invited, reload) {
  return formDialog({
    open: "Invite a colleague",
    title: "Invite a colleague",
    action: "Invite",
    build: () => {
      const name = h("input", { id: "invited-name", required: true, maxlength: 200, autocomplete: "off" });
      const email = h("input", { id: "invited-email", type: "email", required: true, autocomplete: "off" });
      const role = selectOf("invited-role", ROLES, "user");
      const send = async () => {
        const body = { name: name.value.trim(), email: email.value.trim(), role: role.value, permissions: [] };
        /** @type {NewInvite} */
        const { invitation_url } = await api.post("/admin/invites", { body, signal });
        const link = h("input", { id: "invitation", class: "secret", readonly: true, value: invitation_url });
        invited.replaceChildren(
          h(
            "div",
            { class: "notice" },
            field("A mail is on its way. It has this link, which is shown only now.", link),
          ),
        );
        await reload();
      };
      const limit = limitNote(who, "users", "invitations");
      return { fields: [field("Name", name), field("E-mail address", email), field("Role", role), limit], send };
    },
  });
}
