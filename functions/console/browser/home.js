import { addressOf, ROOT } from "./address.js";
import { askForm } from "./ask-form.js";
import { field, figures, h, ownName } from "./dom.js";
import { EXAMPLE_USER, loadExample, removeExample } from "./example.js";
import { count } from "./format.js";
import { notice, panel, sendBy } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../memories/schemas.ts").Stats>} Stats */
/** @typedef {import("./api.js").Answer<typeof import("../../recall/schemas.ts").Recalled>} Recalled */
/** @typedef {import("./main.js").Page} Page */

const LISTED = 8;
/** The statistics name at most so many users. */
const MOST_USERS = 100;
const FIRST_USER = "ada";
/** What an agent needs that remembers and recalls. */
const AGENT_PERMISSIONS = ["memory:read", "memory:write", "search:read"];

/** @type {import("./main.js").View} */
export const home = {
  id: "home",
  title: "Home",
  group: "Memory",
  changes: false,
  isFor: () => true,
  open: (page) => {
    if (!page.may("memory:read")) return steps(page, () => {});
    /** @returns {Promise<void>} */
    const reload = () => overview.reload();
    const overview = panel({
      title: "Overview",
      signal: page.signal,
      load: (signal) => /** @type {Promise<Stats>} */ (page.api.get("/memories/stats", { signal })),
      show: (stats) => (stats.total_count === 0 ? steps(page, reload) : known(page, stats, reload)),
    });
    return [overview.element];
  },
};

/**
 * @param {Page} page
 * @param {Stats} stats
 * @param {() => unknown} reload
 */
function known(page, { total_count, by_user, by_category }, reload) {
  const users = Object.entries(by_user).sort(([, a], [, b]) => b - a);
  const view = page.who.agent_id === undefined ? "people" : "memories";
  const links = users.slice(0, LISTED).map(([user, memories]) => {
    const to = view === "people" ? { id: user } : { user };
    return h("li", {}, h("a", { href: addressOf(view, to) }, ownName(user)), ` ${count(memories)}`);
  });
  return [
    ...askForm(page),
    figures([
      ["Memories", count(total_count)],
      ["Users", users.length < MOST_USERS ? count(users.length) : `${MOST_USERS} or more`],
      ["Categories", count(Object.keys(by_category).length)],
    ]),
    h("h3", {}, "Users with the most memories"),
    h("ul", {}, ...links),
    ...(EXAMPLE_USER in by_user && page.may("memory:delete") ? [removeExample(page, reload)] : []),
  ];
}

/**
 * What a new account does first: each step shows its answer at once.
 * @param {Page} page
 * @param {() => unknown} reload
 */
function steps(page, reload) {
  const { may } = page;
  const example = [
    h("p", {}, "Or look around first: a person with a year of memories, which one click removes."),
    loadExample(page, reload),
  ];
  return [
    h(
      "ol",
      { class: "steps" },
      may("memory:write") && rememberStep(page),
      may("search:read") && askStep(page),
      connectStep(page),
    ),
    ...(may("memory:write") && may("memory:delete") ? example : []),
  ];
}

/**
 * A form whose answer is shown below it.
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.label of its only field
 * @param {string} options.suggested
 * @param {string} options.action
 * @param {(text: string) => Promise<{ shown: Node[], isDone: boolean }>} options.send
 */
function formStep({ title, label, suggested, action, send }) {
  const input = h("input", {
    id: `step-${action}`,
    required: true,
    maxlength: 1000,
    autocomplete: "off",
    value: suggested,
  });
  const button = h("button", { type: "submit", class: "main" }, action);
  const answer = h("div", { role: "status" });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void sendBy(button, answer, async () => {
      const { shown, isDone } = await send(input.value.trim());
      answer.replaceChildren(...shown);
      step.classList.toggle("done", isDone);
    });
  };
  const form = h("form", { class: "bar-form", onsubmit }, field(label, input), button);
  const step = h("li", {}, h("h3", {}, title), form, answer);
  return step;
}

/** @param {Page} page */
function rememberStep(page) {
  const { api, signal } = page;
  return formStep({
    title: "Remember a sentence",
    label: `What ${FIRST_USER} says`,
    suggested: "I live in Lisbon and my favourite tea is Assam.",
    action: "Remember",
    send: async (content) => {
      const { facts } = await api.post("/memories", { body: { content, user_id: FIRST_USER }, signal });
      const stated = facts.map((/** @type {{ content: string }} */ { content }) => h("li", { dir: "auto" }, content));
      const link = h("a", { href: addressOf("people", { id: FIRST_USER }) }, "Show the person");
      const shown = [h("p", {}, "Remembered. It states:"), h("ul", {}, ...stated)];
      return { shown: page.may("memory:read") ? [...shown, link] : shown, isDone: true };
    },
  });
}

/** @param {Page} page */
function askStep(page) {
  const { api, signal } = page;
  return formStep({
    title: "Ask a question",
    label: `A question about ${FIRST_USER}`,
    suggested: "Where do I live?",
    action: "Ask",
    send: async (query) => {
      const body = { query, user_id: FIRST_USER, max_tokens: 300 };
      /** @type {Recalled} */
      const { context, tokens } = await api.post("/recall", { body, signal });
      if (context === "") {
        return { shown: [h("p", {}, "Nothing is known yet. Remember a sentence first.")], isDone: false };
      }
      const told = h("p", {}, `A prompt would get these ${count(tokens)} tokens:`);
      return { shown: [told, h("pre", { tabindex: 0 }, context)], isDone: true };
    },
  });
}

/** @param {Page} page */
function connectStep({ api, signal, may, who }) {
  const code = h("pre", { tabindex: 0 }, connecting("$KEY"));
  const problem = h("div", {});
  const permissions = AGENT_PERMISSIONS.filter((needed) => may(/** @type {never} */ (needed)));
  const onclick = async () => {
    try {
      const { key } = await api.post("/api-keys", { body: { name: "My agent", permissions }, signal });
      code.textContent = connecting(key);
      problem.replaceChildren(h("p", {}, "The key is shown only now: copy it."));
    } catch (error) {
      if (!signal.aborted) problem.replaceChildren(notice(error));
    }
  };
  const mayCreate = may("agents:manage") && who.agent_id === undefined && permissions.length > 0;
  return h(
    "li",
    {},
    h("h3", {}, "Connect your agent"),
    h("p", {}, "Send requests with a key as the header X-API-Key, or let an agent use the memory as MCP tools:"),
    code,
    mayCreate && h("button", { type: "button", onclick }, "Fill in a new key"),
    problem,
    h("p", {}, h("a", { href: `${ROOT}docs` }, "The reference of the API")),
  );
}

/** @param {string} key */
function connecting(key) {
  const body = `{"query": "Where do I live?", "user_id": "${FIRST_USER}"}`;
  return `curl ${ROOT}recall -H "X-API-Key: ${key}" -H "Content-Type: application/json" -d '${body}'

claude mcp add --transport http memory ${ROOT}mcp --header "X-API-Key: ${key}"`;
}
