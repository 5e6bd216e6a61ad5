import { addressOf, goTo } from "./address.js";
import { h } from "./dom.js";
import { beginning, count } from "./format.js";
import { destination } from "./graph.js";

/** @typedef {{ title: string, kind: string, href: string }} Found */
/** @typedef {import("./api.js").Answer<typeof import("../../memories/schemas.ts").MemoryUserList>} UserList */
/** @typedef {import("./api.js").Api} Api */

const LISTED = 5;
const PAUSE_MS = 150;
const SHOWN_LENGTH = 90;

/**
 * A dialog that goes to a view, a person or a memory by what is typed.
 * @param {object} options
 * @param {Api} options.api
 * @param {import("./main.js").Principal} options.who
 * @param {import("./main.js").View[]} options.views
 */
export function openPalette({ api, who, views }) {
  if (document.querySelector("dialog[open]")) return;
  /** @type {Found[]} */
  let found = [];
  let current = 0;
  let asking = new AbortController();
  const list = h("ul", { id: "found", role: "listbox", "aria-label": "Found" });
  const input = h("input", {
    id: "find-input",
    type: "search",
    role: "combobox",
    autocomplete: "off",
    maxlength: 200,
    "aria-label": "View, person or memory",
    "aria-controls": "found",
    "aria-expanded": "true",
    placeholder: "View, person or memory",
  });
  const go = (/** @type {Found | undefined} */ to) => {
    if (!to) return;
    dialog.close();
    goTo(to.href);
  };
  const mark = (/** @type {number} */ place) => {
    current = place;
    for (const [each, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(each === place));
    }
    input.setAttribute("aria-activedescendant", found.length > 0 ? `found-${place}` : "");
    list.children[place]?.scrollIntoView({ block: "nearest" });
  };
  const show = (/** @type {Found[]} */ shown) => {
    found = shown;
    const options = found.map((each, place) =>
      h(
        "li",
        { id: `found-${place}`, role: "option", onclick: () => go(each) },
        h("span", { dir: "auto" }, each.title),
        h("small", {}, each.kind),
      ),
    );
    list.replaceChildren(...options);
    mark(0);
  };
  const find = async () => {
    const typed = input.value.trim();
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const own = viewsNamed(views, typed);
    show(own);
    if (typed === "") return;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    if (signal.aborted) return;
    const others = await Promise.allSettled([people(api, who, typed, signal), memories(api, who, typed, signal)]);
    if (signal.aborted) return;
    show([...own, ...others.flatMap((each) => (each.status === "fulfilled" ? each.value : []))]);
  };
  const onkeydown = (/** @type {Event} */ event) => {
    if (!(event instanceof KeyboardEvent)) return;
    if (event.key === "Enter") go(found[current]);
    const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp";
    if (!isArrow || found.length === 0) return;
    event.preventDefault();
    mark(destination(event.key, current, found.length) ?? current);
  };
  input.addEventListener("input", () => void find());
  input.addEventListener("keydown", onkeydown);
  const onclose = () => {
    asking.abort();
    dialog.remove();
  };
  const dialog = h("dialog", { class: "palette", "aria-label": "Go to", onclose }, input, list);
  document.body.append(dialog);
  dialog.showModal();
  show(viewsNamed(views, ""));
}

/**
 * @param {import("./main.js").View[]} views
 * @param {string} typed
 * @returns {Found[]}
 */
function viewsNamed(views, typed) {
  const named = views.filter(({ title }) => title.toLowerCase().includes(typed.toLowerCase()));
  return named.map(({ id, title, group }) => ({ title, kind: group, href: addressOf(id) }));
}

/**
 * @param {Api} api
 * @param {import("./main.js").Principal} who
 * @param {string} q
 * @param {AbortSignal} signal
 * @returns {Promise<Found[]>}
 */
async function people(api, { permissions, agent_id }, q, signal) {
  if (!permissions.includes("memory:read") || agent_id !== undefined) return [];
  /** @type {UserList} */
  const { users } = await api.get("/users", { query: { q, limit: LISTED }, signal });
  return users.map(({ id, memories }) => ({
    title: id,
    kind: `person, ${count(memories)} memories`,
    href: addressOf("people", { id }),
  }));
}

/**
 * @param {Api} api
 * @param {import("./main.js").Principal} who
 * @param {string} q
 * @param {AbortSignal} signal
 * @returns {Promise<Found[]>}
 */
async function memories(api, { permissions }, q, signal) {
  if (!["memory:read", "search:read"].every((needed) => permissions.includes(/** @type {never} */ (needed)))) return [];
  const { results } = await api.get("/search", { query: { q, limit: LISTED }, signal });
  return results.map((/** @type {{ id: string, content?: string }} */ { id, content = "" }) => ({
    title: beginning(content, SHOWN_LENGTH),
    kind: "memory",
    href: addressOf("memories", { open: id }),
  }));
}
