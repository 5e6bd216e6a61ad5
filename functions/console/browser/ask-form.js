import { addressOf, goTo } from "./address.js";
import { field, h } from "./dom.js";

/**
 * A question that leads to its recall; nothing for those who may not search.
 * @param {import("./main.js").Page} page
 */
export function askForm({ may }) {
  if (!may("search:read")) return [];
  const query = h("input", { id: "query", type: "search", required: true, autocomplete: "off", maxlength: 1000 });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    goTo(addressOf("memories", { q: query.value.trim() }));
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
