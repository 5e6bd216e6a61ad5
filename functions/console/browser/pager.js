import { h } from "./dom.js";
import { count } from "./format.js";

/** @typedef {import("./api.js").Answer<typeof import("../../../shared/runtime/schemas/fields.ts").Pagination>} Pagination */

/**
 * The position in a list with buttons for the previous and the next page.
 * @param {Pagination} page
 * @param {(offset: number) => void} go
 */
export function pager({ total, limit, offset, has_next }, go) {
  const last = Math.min(offset + limit, total);
  const position = total === 0 ? "none" : `${count(offset + 1)} to ${count(last)} of ${count(total)}`;
  const previous = () => go(Math.max(0, offset - limit));
  return h(
    "div",
    { class: "pager", role: "group", "aria-label": "Pages" },
    h("button", { type: "button", disabled: offset === 0, onclick: previous }, "Previous"),
    h("span", { role: "status" }, position),
    h("button", { type: "button", disabled: !has_next, onclick: () => go(offset + limit) }, "Next"),
  );
}

/**
 * The size of a list that is read on from a cursor, with buttons for its first and its next page.
 * @param {Pagination} page
 * @param {{ shown: number, after: string }} position
 * @param {(after: string) => void} go
 */
export function cursorPager({ total, next_cursor }, { shown, after }, go) {
  return h(
    "div",
    { class: "pager", role: "group", "aria-label": "Pages" },
    h("button", { type: "button", disabled: after === "", onclick: () => go("") }, "First page"),
    h("span", { role: "status" }, `${count(shown)} of ${count(total)}`),
    h("button", { type: "button", disabled: next_cursor === undefined, onclick: () => go(next_cursor ?? "") }, "Next"),
  );
}
