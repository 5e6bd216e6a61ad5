import { h } from "./dom.js";
import { sendBy } from "./panel.js";

/**
 * A form in the page, which sends one request at a time and shows why one failed.
 * @param {object} options
 * @param {Node[]} options.fields
 * @param {string} options.action
 * @param {() => Promise<void>} options.send
 */
export function saveForm({ fields, action, send }) {
  const problem = h("div", {});
  const button = h("button", { type: "submit", class: "main" }, action);
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void sendBy(button, problem, send);
  };
  return h("form", { class: "settings", onsubmit }, ...fields, problem, h("div", {}, button));
}
