import { addressOf } from "./address.js";
import { h, ownName } from "./dom.js";

/**
 * Links to all that is known about a person.
 * @param {string} id
 * @param {string} current the view that shows them
 */
export function personLinks(id, current) {
  /** @type {[view: string, title: string, to: Record<string, string>][]} */
  const views = [
    ["people", "Timeline", { id }],
    ["graph", "Graph", { user: id }],
    ["memories", "Memories", { user: id }],
    ["facts", "Facts", { user: id }],
    ["sessions", "Sessions", { user: id }],
  ];
  const links = views.map(([view, title, to]) =>
    h("li", {}, h("a", { href: addressOf(view, to), "aria-current": view === current && "true" }, title)),
  );
  return h(
    "nav",
    { class: "tabs", "aria-label": "This person" },
    h("a", { href: addressOf("people") }, "All people"),
    h("strong", {}, ownName(id)),
    h("ul", {}, ...links),
  );
}
