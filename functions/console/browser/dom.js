/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | undefined | ((event: Event) => void)>} Attributes */

const SVG = "http://www.w3.org/2000/svg";
/** More columns than these are not squeezed into a narrow window. */
const MANY = 4;

/**
 * An element. Attributes that are functions are listeners (`onclick`), `false` and undefined leave one out. Children that
 * are text become text nodes: nothing that the service answers is ever read as markup.
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
 * An element that the page is known to have.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/**
 * A table that scrolls sideways where it is too wide, also by keyboard.
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
 * Words of somebody's own in a table, broken anywhere where they would make it too wide.
 * @param {string} text
 */
export function ownWords(text) {
  return h("span", { class: "own-words" }, text);
}

/**
 * Figures that stand by themselves, each with what it is.
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
 * A state in words, with a mark whose shape and colour say the same.
 * @param {string} state
 */
export function badge(state) {
  const good = ["healthy", "active", "success"].includes(state);
  const bad = ["unhealthy", "failed"].includes(state);
  const [kind, mark] = good ? ["good", "●"] : bad ? ["bad", "■"] : ["fair", "▲"];
  return h("span", { class: `badge ${kind}` }, h("span", { "aria-hidden": "true" }, mark), ` ${state}`);
}

/**
 * A field with its label.
 * @param {string} label
 * @param {Element} control with an id
 */
export function field(label, control) {
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control);
}
