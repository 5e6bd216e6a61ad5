import { addressOf } from "./address.js";
import { h, ownName, table, timeAgo } from "./dom.js";
import { count } from "./format.js";
import { pager } from "./pager.js";
import { panel } from "./panel.js";
import { reasonList } from "./recall.js";

/** @typedef {import("./api.js").Answer<typeof import("../../recall/schemas.ts").RecallList>} RecallList */
/** @typedef {import("./api.js").Answer<typeof import("../../recall/schemas.ts").Explained>} Explained */
/** @typedef {import("./main.js").Page} Page */

const PAGE = 20;

/** @type {import("./main.js").View} */
export const recalls = {
  id: "recalls",
  title: "Recalls",
  group: "Memory",
  changes: true,
  isFor: ({ permissions }) => permissions.includes("search:read"),
  open: (page) => {
    const id = page.params.get("id") ?? "";
    return id === "" ? [recallList(page)] : explanation(page, id);
  },
};

/** @param {Page} page */
function recallList({ api, signal, params, go }) {
  const offset = Number(params.get("from") ?? 0) || 0;
  return panel({
    title: "Your recalls of the last 24 hours",
    signal,
    load: (signal) =>
      /** @type {Promise<RecallList>} */ (api.get("/recalls", { query: { limit: PAGE, offset }, signal })),
    show: ({ recalls, pagination }) => {
      if (recalls.length === 0) return [h("p", {}, "This key or account has recalled nothing within a day.")];
      const rows = recalls.map(({ recall_id, user_id = "", created_at, tokens, max_tokens, lines, confident }) => [
        h("a", { href: addressOf("recalls", { id: recall_id }) }, timeAgo(created_at)),
        user_id === "*" ? "everybody" : ownName(user_id),
        count(lines),
        `${count(tokens)} of ${count(max_tokens)}`,
        confident ? "yes" : "no",
      ]);
      const columns = ["Made", "User", "Lines", "Tokens", "Answers the question"];
      return [table("Recalls, newest first", columns, rows), pager(pagination, (from) => go({ from }))];
    },
  }).element;
}

/**
 * @param {Page} page
 * @param {string} id
 */
function explanation(page, id) {
  const { api, signal } = page;
  const { element } = panel({
    title: "Why each line was there",
    signal,
    load: (signal) => /** @type {Promise<Explained>} */ (api.get(`/recall/${encodeURIComponent(id)}`, { signal })),
    show: ({ items, created_at, tokens, max_tokens, missing }) => [
      h(
        "p",
        {},
        "Made ",
        timeAgo(created_at),
        `, ${count(tokens)} of ${count(max_tokens)} tokens. Texts are those of now.`,
      ),
      reasonList(items, page, ""),
      ...(missing > 0 ? [h("p", {}, `${count(missing)} lines can no longer be read.`)] : []),
    ],
  });
  return [h("p", {}, h("a", { href: addressOf("recalls") }, "All recalls")), element];
}
