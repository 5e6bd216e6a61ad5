import { account } from "./account.js";
import { activation } from "./activation.js";
import { addressOf, goTo, opensView, readAddress, replaceFragment } from "./address.js";
import { agents } from "./agents.js";
import { Api, STALE } from "./api.js";
import { codeButton } from "./as-code.js";
import { byId, h } from "./dom.js";
import { facts } from "./facts.js";
import { health } from "./health.js";
import { home } from "./home.js";
import { keys } from "./keys.js";
import { memories } from "./memories.js";
import { operate } from "./operate.js";
import { organization } from "./organization.js";
import { openPalette } from "./palette.js";
import { notice } from "./panel.js";
import { people } from "./people.js";
import { personGraph } from "./person-graph.js";
import { recalls } from "./recalls.js";
import { searchSettings } from "./search-settings.js";
import { credentialOfPage, endSession, shareSession } from "./session.js";
import { sessions } from "./sessions.js";
import { signInForm } from "./sign-in.js";
import { skills } from "./skills.js";
import { sources } from "./sources.js";
import { team } from "./team.js";
import { tiers } from "./tiers.js";
import { traffic } from "./traffic.js";
import { usage } from "./usage.js";
import { webhooks } from "./webhooks.js";

/** @typedef {import("./api.js").Answer<typeof import("../../api-keys/schemas.ts").Principal>} Principal */
/** @typedef {Principal["permissions"][number]} Permission */
/**
 * What a view receives when it opens.
 * @typedef {object} Page
 * @property {Api} api
 * @property {AbortSignal} signal aborted when the view is left
 * @property {(message: string, action?: Node) => void} announce shows a message in the status line
 * @property {(message: string) => void} signOut ends the session in the page, after the service has ended it
 * @property {Principal} who the signed-in key or user
 * @property {(permission: Permission) => boolean} may whether it holds the permission: what it may not do is not offered
 * @property {URLSearchParams} params the parameters in the address
 * @property {(params: Record<string, string | number | undefined>) => void} go opens this view with other parameters
 * @property {(params: Record<string, string | number | undefined>) => void} keep remembers parameters without opening it anew
 */
/**
 * @typedef {object} View
 * @property {string} id the name in the address
 * @property {string} title
 * @property {string} group the heading of the menu
 * @property {boolean} changes whether its data changes by itself: it then has a refresh button
 * @property {(who: Principal) => boolean} isFor whether it has anything for the signed-in key or user
 * @property {(page: Page) => Node[]} open
 */

/** @type {[View, ...View[]]} */
const VIEWS = [
  home,
  memories,
  facts,
  recalls,
  people,
  personGraph,
  sessions,
  sources,
  activation,
  agents,
  skills,
  usage,
  traffic,
  tiers,
  webhooks,
  operate,
  health,
  keys,
  team,
  organization,
  searchSettings,
  account,
];

const main = byId("main");
const menu = byId("views");
let leaving = new AbortController();
let credential = credentialOfPage();
const tellTabs = shareSession((turn) => {
  // A key belongs to its tab.
  if (credential !== undefined && credential !== "session") return;
  if (turn === "signed-out") {
    if (credential !== undefined) signOut("You signed out in another tab.");
    return;
  }
  credential = "session";
  session = undefined;
  void show({ isMove: false });
});
// The address of the icon is relative to that of the page, which changes with the view.
const icon = document.querySelector("link[rel=icon]");
if (icon instanceof HTMLLinkElement) icon.href = new URL(icon.href).href;
/** @type {{ api: Api, who: Principal } | undefined} */
let session;

/** Aborts the requests of the previous view, closes its dialog, sets the page's title and clears the status line. */
function leave(/** @type {string} */ title) {
  leaving.abort();
  leaving = new AbortController();
  document.querySelector("dialog")?.close();
  document.title = `${title} – Memory Service console`;
  announce("");
}

/**
 * @param {string} message
 * @param {Node} [action]
 */
function announce(message, action) {
  byId("status").replaceChildren(...[message, action].filter((part) => part !== undefined));
}

/** @param {Principal} who */
const viewsFor = (who) => VIEWS.filter(({ isFor }) => isFor(who));

/** Shows the view of the address, or asks for a credential. */
async function show({ isMove = true, isReturn = false } = {}) {
  replaceFragment();
  if (credential === undefined) return askForCredential();
  if (session === undefined) {
    const api = new Api(credential, () => signOut("The key or sign-in is not valid any more. Sign in again."));
    try {
      session = { api, who: await api.get("/whoami") };
    } catch (error) {
      if (credential !== undefined) main.replaceChildren(notice(error, () => show({ isMove })));
      return;
    }
    byId("account").hidden = false;
    byId("views").hidden = false;
    byId("menu").hidden = false;
    byId("who").textContent = session.who.name;
  }
  const { id } = readAddress();
  const views = viewsFor(session.who);
  const view = views.find((each) => each.id === id) ?? views[0] ?? home;
  openView(view, { ...session, isReturn });
  if (id !== "" && id !== view.id) announce("There is no view at this address, or you may not use it.");
  if (isMove) focusHeading();
}

/**
 * @param {View} view
 * @param {{ api: Api, who: Principal, isReturn: boolean }} session
 */
function openView(view, { api, who, isReturn }) {
  leave(view.title);
  menu.replaceChildren(...linksWith(view, who));
  menu.removeAttribute("data-open");
  byId("menu").setAttribute("aria-expanded", "false");
  const body = h("div", {});
  const { id, params } = readAddress();
  /** @param {Record<string, string | number | undefined>} to */
  const go = (to) => {
    history.pushState(null, "", addressOf(view.id, to));
    void show({ isMove: false });
  };
  /** @param {Record<string, string | number | undefined>} to */
  const keep = (to) => history.replaceState(null, "", addressOf(view.id, to));
  const may = (/** @type {Permission} */ permission) => who.permissions.includes(permission);
  const own = id === view.id ? params : new URLSearchParams();
  const fill = () => {
    // Answers to requests of the view itself; panels and entries reload on their own.
    leaving.signal.addEventListener(STALE, refresh, { once: true });
    body.replaceChildren(
      ...view.open({ api, who, may, params: own, go, keep, signal: leaving.signal, announce, signOut: leaveSession }),
    );
  };
  const refresh = () => {
    leave(view.title);
    api.enter(false);
    fill();
  };
  const button = view.changes && h("button", { type: "button", onclick: refresh }, "Refresh");
  const buttons = h(
    "div",
    { class: "changes" },
    button,
    codeButton(() => api.sent),
  );
  api.enter(isReturn);
  main.replaceChildren(h("div", { class: "heading" }, h("h1", { tabindex: -1 }, view.title), buttons), body);
  fill();
}

/**
 * @param {View} current
 * @param {Principal} who
 */
function linksWith(current, who) {
  const groups = Map.groupBy(viewsFor(who), ({ group }) => group);
  return [...groups].map(([group, views]) => {
    const links = views.map((view) =>
      h("li", {}, h("a", { href: addressOf(view.id), "aria-current": view === current && "page" }, view.title)),
    );
    return h("div", {}, h("p", { class: "dim" }, group), h("ul", {}, ...links));
  });
}

/** @param {string} [message] */
function askForCredential(message) {
  leave("Sign in");
  const onCredential = (/** @type {import("./session.js").Credential} */ accepted) => {
    credential = accepted;
    if (accepted === "session") tellTabs("signed-in");
    void show();
  };
  main.replaceChildren(signInForm({ message, onCredential }));
  byId("api-key").focus();
}

/** @param {string} [message] */
function signOut(message) {
  credential = undefined;
  session = undefined;
  for (const id of ["account", "views", "menu"]) byId(id).hidden = true;
  menu.replaceChildren();
  byId("who").textContent = "";
  askForCredential(message);
}

/** @param {string} [message] */
function leaveSession(message) {
  const used = credential;
  signOut(message);
  if (used === "session") tellTabs("signed-out");
}

function focusHeading() {
  main.querySelector("h1")?.focus();
}

byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
byId("menu").addEventListener("click", () => {
  const isOpen = menu.toggleAttribute("data-open");
  byId("menu").setAttribute("aria-expanded", String(isOpen));
});
const find = () => session && openPalette({ ...session, views: viewsFor(session.who) });
byId("find").addEventListener("click", find);
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k" || session === undefined) return;
  event.preventDefault();
  find();
});
byId("sign-out").addEventListener("click", async () => {
  const [api, used] = [session?.api, credential];
  leaveSession();
  try {
    if (api) await endSession(api, used);
  } catch (error) {
    main.prepend(notice(error));
  }
});
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || !opensView(event, link)) return;
  event.preventDefault();
  goTo(link.href);
});
// A link dispatches the event itself: only Back and Forward are trusted.
addEventListener("popstate", ({ isTrusted }) => show({ isReturn: isTrusted }));
void show({ isMove: false });
