import { h } from "./dom.js";
import { notice } from "./panel.js";

/**
 * A form in the page, which sends one request at a time and shows why one failed.
 * @param {object} options
 * @param {Node[]} options.fields
 * @param {string} options.action
 * @param {AbortSignal} options.signal
 * @param {() => Promise<void>} options.send
 */
export function saveForm({ fields, action, signal, send }) {
  const problem = h("div", {});
  const button = h("button", { type: "submit", class: "main" }, action);
  const onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await send();
      problem.replaceChildren();
    } catch (error) {
      if (!signal.aborted) problem.replaceChildren(notice(error));
    } finally {
      button.disabled = false;
    }
  };
  return h("form", { class: "settings", onsubmit }, ...fields, problem, h("div", {}, button));
}
