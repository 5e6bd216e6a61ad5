import { ApiError } from "./api.js";
import { h } from "./dom.js";
import { notice } from "./panel.js";

/** The status of an entry that does not exist, or not any more. */
const NOT_FOUND = 404;

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

/**
 * The entry that the address opens, which may be on another page of its list; undefined if there is none any more.
 * @param {import("./api.js").Api} api
 * @param {string} collection its path
 * @param {string} id none, when empty
 * @param {AbortSignal} signal
 */
export async function readLinked(api, collection, id, signal) {
  if (id === "") return undefined;
  try {
    return await api.get(`${collection}/${encodeURIComponent(id)}`, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === NOT_FOUND) return undefined;
    throw error;
  }
}

/**
 * A page of entries, after the one that the address opens if it is on another page.
 * @template {{ id: string }} Entry
 * @param {Entry | undefined} linked
 * @param {Entry[]} entries
 */
export function withLinked(linked, entries) {
  return linked === undefined || entries.some(({ id }) => id === linked.id) ? entries : [linked, ...entries];
}
