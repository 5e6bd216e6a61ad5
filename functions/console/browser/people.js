import { addressOf } from "./address.js";
import { field, h, ownName, table, timeAgo } from "./dom.js";
import { count } from "./format.js";
import { pager } from "./pager.js";
import { panel } from "./panel.js";
import { person } from "./person.js";

/** @typedef {import("./api.js").Answer<typeof import("../../memories/schemas.ts").MemoryUserList>} UserList */
/** @typedef {import("./main.js").Page} Page */

/** Facts of a user are counted up to this number. */
const MOST_FACTS = 1000;
const PAGE = 20;

/** @type {import("./main.js").View} */
export const people = {
  id: "people",
  title: "People",
  group: "Memory",
  changes: false,
  isFor: ({ permissions, agent_id }) => permissions.includes("memory:read") && agent_id === undefined,
  open: (page) => {
    const id = page.params.get("id") ?? "";
    return id === "" ? [userList(page)] : person(page, id);
  },
};

/** @param {Page} page */
function userList({ api, signal, params, go }) {
  const q = params.get("q") ?? "";
  const offset = Number(params.get("from") ?? 0) || 0;
  const start = h("input", { id: "start", type: "search", autocomplete: "off", value: q });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    go({ q: start.value.trim() });
  };
  const form = h(
    "form",
    { class: "bar-form", role: "search", onsubmit },
    field("Id starts with", start),
    h("button", { type: "submit" }, "Show"),
  );
  const { element } = panel({
    title: "Users",
    signal,
    load: (signal) =>
      /** @type {Promise<UserList>} */ (api.get("/users", { query: { q, limit: PAGE, offset }, signal })),
    show: ({ users, pagination }) => {
      if (users.length === 0) {
        const what =
          q === "" ? "No memory is stored under a user yet." : "No memory is stored under a user with such an id.";
        return [h("p", {}, what)];
      }
      const rows = users.map(({ id, memories, facts, last_seen }) => [
        h("a", { href: addressOf("people", { id }) }, ownName(id)),
        count(memories),
        facts < MOST_FACTS ? count(facts) : `${count(MOST_FACTS)} or more`,
        timeAgo(last_seen),
      ]);
      return [
        table("Users that memories are stored under", ["User", "Memories", "Facts", "Last seen"], rows),
        pager(pagination, (from) => go({ q, from })),
      ];
    },
  });
  element.prepend(form);
  return element;
}
