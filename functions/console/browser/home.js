import { addressOf } from "./address.js";
import { addMemory } from "./change-memory.js";
import { field, figures, h, ownName } from "./dom.js";
import { count } from "./format.js";
import { panel } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../memories/schemas.ts").Stats>} Stats */
/** @typedef {import("./main.js").Page} Page */

const LISTED = 8;

/** @type {import("./main.js").View} */
export const home = {
  id: "home",
  title: "Home",
  group: "Memory",
  changes: false,
  isFor: () => true,
  open: (page) => {
    if (!page.may("memory:read")) return steps(page, () => {});
    const overview = panel({
      title: "What is known",
      signal: page.signal,
      load: (signal) => /** @type {Promise<Stats>} */ (page.api.get("/memories/stats", { signal })),
      show: (stats) => (stats.total_count === 0 ? steps(page, () => overview.reload()) : known(page, stats)),
    });
    return [overview.element];
  },
};

/**
 * @param {Page} page
 * @param {Stats} stats
 */
function known(page, { total_count, by_user, by_category }) {
  const users = Object.entries(by_user).sort(([, a], [, b]) => b - a);
  const links = users
    .slice(0, LISTED)
    .map(([user, memories]) =>
      h("li", {}, h("a", { href: addressOf("memories", { user }) }, ownName(user)), ` ${count(memories)}`),
    );
  return [
    ...ask(page),
    figures([
      ["Memories", count(total_count)],
      ["Users", count(users.length)],
      ["Categories", count(Object.keys(by_category).length)],
    ]),
    h("h3", {}, "Users with the most memories"),
    h("ul", {}, ...links),
  ];
}

/**
 * What a new account does first.
 * @param {Page} page
 * @param {() => void} onAdded
 */
function steps(page, onAdded) {
  const { may } = page;
  const root = new URL("../", import.meta.url).href;
  const curl = `curl ${root}recall -H "X-API-Key: $KEY" -H "Content-Type: application/json" -d '{"query": "Where does Ada live?", "user_id": "ada"}'`;
  const steps = [
    may("memory:write") && step("Remember a sentence", addMemory(page, "ada", onAdded)),
    may("search:read") && step("Ask a question", ...ask(page)),
    step(
      "Connect your agent",
      h("p", {}, "Send requests with your key as the header X-API-Key, or let an agent use the memory as MCP tools:"),
      h(
        "pre",
        { tabindex: 0 },
        `${curl}\n\nclaude mcp add --transport http memory ${root}mcp --header "X-API-Key: $KEY"`,
      ),
      h("p", {}, h("a", { href: `${root}docs` }, "The reference of the API")),
    ),
  ];
  return [h("ol", { class: "steps" }, ...steps.filter((each) => each !== false))];
}

/**
 * @param {string} title
 * @param {Node[]} content
 */
function step(title, ...content) {
  return h("li", {}, h("h3", {}, title), ...content);
}

/** @param {Page} page */
function ask({ may }) {
  if (!may("search:read")) return [];
  const query = h("input", { id: "query", type: "search", required: true, autocomplete: "off", maxlength: 1000 });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    location.hash = addressOf("memories", { q: query.value.trim() });
  };
  return [
    h(
      "form",
      { class: "bar-form", role: "search", onsubmit },
      field("Ask", query),
      h("button", { type: "submit" }, "Ask"),
    ),
  ];
}
