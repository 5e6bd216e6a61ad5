import { addressOf } from "./address.js";
import { badge, field, h, ownName, ownWords, table, timeAgo } from "./dom.js";
import { count, when } from "./format.js";
import { pager } from "./pager.js";
import { panel } from "./panel.js";
import { personLinks } from "./person-links.js";

/** @typedef {import("./api.js").Answer<typeof import("../../sessions/schemas.ts").SessionList>} SessionList */
/** @typedef {import("./api.js").Answer<typeof import("../../sessions/schemas.ts").MessageList>} MessageList */
/** @typedef {import("./main.js").Page} Page */

const PAGE = 20;

/** @type {import("./main.js").View} */
export const sessions = {
  id: "sessions",
  title: "Sessions",
  group: "Memory",
  changes: true,
  isFor: ({ permissions }) => permissions.includes("memory:read"),
  open: (page) => {
    const id = page.params.get("id") ?? "";
    return id === "" ? sessionList(page) : messageList(page, id);
  },
};

/** @param {Page} page */
function sessionList({ api, signal, params, go }) {
  const user_id = params.get("user") ?? "";
  const offset = Number(params.get("from") ?? 0) || 0;
  const user = h("input", { id: "user", type: "search", autocomplete: "off", value: user_id });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    go({ user: user.value.trim() });
  };
  const form = h(
    "form",
    { class: "bar-form", role: "search", onsubmit },
    field("User (all, when empty)", user),
    h("button", { type: "submit" }, "Show"),
  );
  const { element } = panel({
    title: "Conversations",
    signal,
    load: (signal) =>
      /** @type {Promise<SessionList>} */ (api.get("/sessions", { query: { user_id, limit: PAGE, offset }, signal })),
    show: ({ sessions, pagination }) => {
      if (sessions.length === 0) return [h("p", {}, "No conversation is stored.")];
      const rows = sessions.map(({ id, title, user_id, status, message_count, total_tokens, updated_at }) => [
        h("a", { href: addressOf("sessions", { id }) }, ownWords(title ?? id)),
        ownName(user_id ?? ""),
        badge(status),
        count(message_count),
        count(total_tokens),
        timeAgo(updated_at),
      ]);
      const columns = ["Title", "User", "State", "Messages", "Tokens", "Last message"];
      return [table("Sessions, newest first", columns, rows), pager(pagination, (from) => go({ user: user_id, from }))];
    },
  });
  return user_id === "" ? [form, element] : [personLinks(user_id, "sessions"), form, element];
}

/**
 * @param {Page} page
 * @param {string} id
 */
function messageList({ api, signal, params, go }, id) {
  const offset = Number(params.get("from") ?? 0) || 0;
  const { element } = panel({
    title: "Messages",
    signal,
    load: (signal) => {
      const path = `/sessions/${encodeURIComponent(id)}/messages`;
      return /** @type {Promise<MessageList>} */ (api.get(path, { query: { limit: PAGE, offset }, signal }));
    },
    show: ({ messages, pagination }) => {
      const items = messages.map(({ role, content, occurred_at }) =>
        h(
          "li",
          {},
          h("small", {}, `${role} · ${when(occurred_at)}`),
          h("p", { class: "content", dir: "auto" }, content),
        ),
      );
      return [h("ol", { class: "messages" }, ...items), pager(pagination, (from) => go({ id, from }))];
    },
  });
  return [h("p", {}, h("a", { href: addressOf("sessions") }, "All sessions")), element];
}
