import { ago, NOTHING, when } from "./format.js";

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | undefined | ((event: Event) => void)>} Attributes */

/** States that need no attention; a failure is marked, and the others are in between. */
const GOOD_STATES = ["healthy", "active", "success", "completed", "current", "verified", "accepted"];
const BAD_STATES = ["unhealthy", "failed"];
/** States of what is over, which ask for nothing. */
const OVER_STATES = ["superseded", "past", "retracted", "revoked", "cancelled", "expired"];

const SVG = "http://www.w3.org/2000/svg";
/** A table with more columns scrolls in a narrow window instead of shrinking. */
const MANY = 4;

/**
 * Creates an HTML element. Attributes that are functions become listeners (`onclick`); those that are `false` or undefined are
 * omitted. Text children become text nodes, so nothing from the service is parsed as markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice("on".length), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/**
 * Returns an element that the page must contain. Throws an Error if it is missing.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/**
 * A table that scrolls horizontally, also by keyboard, if it is too wide.
 * @param {string} caption
 * @param {string[]} columns
 * @param {Child[][]} rows the first cell of each is its heading
 */
export function table(caption, columns, rows) {
  const head = columns.map((column) => h("th", { scope: "col" }, column));
  const body = rows.map(([first, ...rest]) =>
    h("tr", {}, h("th", { scope: "row" }, first), ...rest.map((cell) => h("td", {}, cell))),
  );
  return h(
    "div",
    { class: columns.length > MANY ? "scroll wide" : "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", {}, h("caption", {}, caption), h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body)),
  );
}

/**
 * A text by a user in a table cell; it may break anywhere, so that it does not widen the table.
 * @param {string} text
 */
export function ownWords(text) {
  return h("span", { class: "own-words", dir: "auto" }, text);
}

/**
 * A time relative to now, and the exact one on hover.
 * @param {string | null | undefined} at ISO
 */
export function timeAgo(at) {
  return at === null || at === undefined ? NOTHING : h("time", { datetime: at, title: when(at) }, ago(at));
}

/**
 * A name or an id that a user chose, isolated so that its direction does not turn the text around it.
 * @param {string} name
 */
export function ownName(name) {
  return h("bdi", {}, name);
}

/**
 * The values that are given, separated by dots.
 * @param {Child[]} values
 * @returns {Child[]}
 */
export function dotted(values) {
  const given = values.filter((value) => value !== undefined && value !== null && value !== false && value !== "");
  return given.flatMap((value, place) => (place === 0 ? [value] : [" · ", value]));
}

/**
 * A list of named values with optional notes.
 * @param {[name: string, value: Child, note?: string][]} figures
 */
export function figures(figures) {
  return h(
    "dl",
    { class: "figures" },
    ...figures.map(([name, value, note]) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, value, note !== undefined && h("small", {}, note))),
    ),
  );
}

/**
 * A state as text with a mark, whose shape and colour also show the state.
 * @param {string} state
 */
export function badge(state) {
  const [kind, mark] = markOf(state);
  return h("span", { class: `badge ${kind}` }, h("span", { "aria-hidden": "true" }, mark), ` ${state}`);
}

/** @param {string} state */
function markOf(state) {
  if (GOOD_STATES.includes(state)) return ["good", "●"];
  if (BAD_STATES.includes(state)) return ["bad", "■"];
  return OVER_STATES.includes(state) ? ["dim", "○"] : ["fair", "▲"];
}

/**
 * A field with its label.
 * @param {string} label
 * @param {Element} control with an id
 */
export function field(label, control) {
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control);
}

/**
 * A choice among a few values.
 * @param {string} id
 * @param {(string | number)[]} values
 * @param {string | number} chosen
 */
export function selectOf(id, values, chosen) {
  return h("select", { id }, ...values.map((value) => h("option", { selected: value === chosen }, value)));
}
