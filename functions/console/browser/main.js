import { activation } from "./activation.js";
import { Api } from "./api.js";
import { byId, h } from "./dom.js";
import { health } from "./health.js";
import { memories } from "./memories.js";
import { forgetKey, keepKey, keptKey } from "./session.js";
import { signInForm } from "./sign-in.js";
import { tiers } from "./tiers.js";
import { traffic } from "./traffic.js";
import { webhooks } from "./webhooks.js";

/**
 * What a view receives when it opens.
 * @typedef {object} Page
 * @property {Api} api
 * @property {AbortSignal} signal aborted when the view is left
 * @property {(message: string) => void} announce shows a message in the status line
 */
/**
 * @typedef {object} View
 * @property {string} id the URL's fragment
 * @property {string} title
 * @property {boolean} changes whether its data changes by itself: it then has a refresh button
 * @property {(page: Page) => Node[]} open
 */

/** Number of leading characters of a key that identify it and are not secret. */
const PREFIX_LENGTH = 12;

/** @type {[View, ...View[]]} */
const VIEWS = [health, traffic, tiers, webhooks, memories, activation];

const main = byId("main");
let leaving = new AbortController();

/** Aborts the requests of the previous view, sets the page's title and clears the status line. */
function leave(/** @type {string} */ title) {
  leaving.abort();
  leaving = new AbortController();
  document.title = `${title} – Memory Service console`;
  announce("");
}

function announce(/** @type {string} */ message) {
  byId("status").textContent = message;
}

function viewInAddress() {
  return VIEWS.find(({ id }) => `#${id}` === location.hash) ?? VIEWS[0];
}

/** Shows the view of the URL, or asks for a key. */
function show({ isMove = true } = {}) {
  const key = keptKey();
  byId("account").hidden = key === undefined;
  byId("views").hidden = key === undefined;
  if (key === undefined) return askForKey();
  byId("key").textContent = `${key.slice(0, PREFIX_LENGTH)}…`;
  openView(viewInAddress(), new Api(key, () => signOut("The key is not valid any more. Sign in again.")));
  if (isMove) focusHeading();
}

/**
 * @param {View} view
 * @param {Api} api
 */
function openView(view, api) {
  leave(view.title);
  byId("views").replaceChildren(linksWith(view));
  const body = h("div", {});
  const fill = () => body.replaceChildren(...view.open({ api, signal: leaving.signal, announce }));
  const refresh = () => {
    leave(view.title);
    fill();
  };
  const button = view.changes && h("button", { type: "button", onclick: refresh }, "Refresh");
  main.replaceChildren(h("div", { class: "heading" }, h("h1", { tabindex: -1 }, view.title), button), body);
  fill();
}

/** @param {View} current */
function linksWith(current) {
  const links = VIEWS.map((view) =>
    h("li", {}, h("a", { href: `#${view.id}`, "aria-current": view === current && "page" }, view.title)),
  );
  return h("ul", {}, ...links);
}

/** @param {string} [message] */
function askForKey(message) {
  leave("Sign in");
  const onKey = (/** @type {string} */ key) => {
    keepKey(key);
    show();
  };
  main.replaceChildren(signInForm({ message, onKey }));
  byId("api-key").focus();
}

/** @param {string} [message] */
function signOut(message) {
  forgetKey();
  byId("account").hidden = true;
  byId("views").hidden = true;
  byId("views").replaceChildren();
  byId("key").textContent = "";
  askForKey(message);
}

function focusHeading() {
  main.querySelector("h1")?.focus();
}

byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
byId("sign-out").addEventListener("click", () => signOut());
addEventListener("hashchange", () => show());
show({ isMove: false });
