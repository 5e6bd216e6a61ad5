import { h } from "./dom.js";
import { notice } from "./panel.js";

/**
 * An entry of a list whose content is loaded when it is opened.
 * @param {object} options
 * @param {Node[]} options.summary
 * @param {boolean} options.isOpen
 * @param {AbortSignal} options.signal
 * @param {() => Promise<(Node | string)[]>} options.load
 * @param {(isOpen: boolean) => void} options.onToggle
 */
export function lazyEntry({ summary, isOpen, signal, load, onToggle }) {
  const body = h("div", { class: "whole" });
  const fill = async () => {
    body.replaceChildren("Loading …");
    try {
      body.replaceChildren(...(await load()));
    } catch (error) {
      if (!signal.aborted) body.replaceChildren(notice(error));
    }
  };
  const entry = h("details", { open: isOpen }, h("summary", {}, ...summary), body);
  const toggle = () => {
    onToggle(entry.open);
    if (entry.open && !body.hasChildNodes()) void fill();
  };
  if (isOpen) void fill();
  // Only from the next turn on: an entry that is created open is toggled, too.
  setTimeout(() => entry.addEventListener("toggle", toggle));
  return h("li", {}, entry);
}
