import { ApiError, STALE } from "./api.js";
import { h } from "./dom.js";

/** Statuses that depend on the request, so that a retry would not help. */
const ASKED_FOR = [403, 404, 409, 412];

/**
 * A section of a view that loads its content. It also shows that it is loading, that loading failed, or that the key lacks a
 * permission.
 * @template Answer
 * @param {object} options
 * @param {string} options.title
 * @param {AbortSignal} options.signal aborted when the view is left
 * @param {(signal: AbortSignal) => Promise<Answer>} options.load
 * @param {(answer: Answer) => (Node | string)[]} options.show
 */
export function panel({ title, signal, load, show }) {
  const body = h("div", {}, h("p", { class: "dim" }, "Loading …"));
  const heading = h("h2", { tabindex: -1 }, title);
  const element = h("section", { class: "panel" }, heading, body);
  let current = new AbortController();
  const reload = async () => {
    // An answer that is late must not replace a newer one.
    current.abort();
    current = new AbortController();
    const own = AbortSignal.any([signal, current.signal]);
    own.addEventListener(STALE, () => own.aborted || void reload(), { once: true });
    body.setAttribute("aria-busy", "true");
    const shown = await outcome(own);
    if (own.aborted) return;
    const focused = body.contains(document.activeElement) ? document.activeElement : null;
    body.replaceChildren(...shown);
    body.removeAttribute("aria-busy");
    if (focused) (sameAs(focused, body) ?? heading).focus();
  };
  const outcome = async (/** @type {AbortSignal} */ own) => {
    try {
      return show(await load(own));
    } catch (error) {
      return own.aborted ? [] : [notice(error, reload)];
    }
  };
  void reload();
  return { element, reload };
}

/**
 * A panel that shows what a path returns.
 * @template Answer
 * @param {import("./main.js").Page} page
 * @param {string} title
 * @param {string} path
 * @param {(answer: Answer) => (Node | string)[]} show
 */
export function panelOf({ api, signal }, title, path, show) {
  return panel({ title, signal, load: (signal) => api.get(path, { signal }), show }).element;
}

/**
 * Sends what a button is for, and disables it meanwhile. Returns whether that succeeded; a failure is shown.
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} problem where a failure is shown, until it is sent again
 * @param {() => Promise<unknown>} send
 */
export async function sendBy(button, problem, send) {
  button.disabled = true;
  problem.replaceChildren();
  try {
    await send();
    return true;
  } catch (error) {
    // What was aborted has been left by its reader.
    if (problem.isConnected) problem.replaceChildren(notice(error));
    return false;
  } finally {
    button.disabled = false;
  }
}

/**
 * A button that sends one request, says what is done and reloads; a failure is shown beside it.
 * @param {Pick<import("./main.js").Page, "signal" | "announce">} page
 * @param {object} options
 * @param {string} options.action
 * @param {string} [options.label] what it is about, for a button that is one of many
 * @param {string} options.done
 * @param {() => Promise<unknown>} options.send
 * @param {() => unknown} options.reload
 */
export function actionButton({ announce }, { action, label, done, send, reload }) {
  const problem = h("div", {});
  const onclick = () =>
    sendBy(button, problem, async () => {
      await send();
      announce(done);
      await reload();
    });
  const button = h("button", { type: "button", "aria-label": label, onclick }, action);
  return h("div", { class: "action" }, button, problem);
}

/**
 * Returns the enabled button of the new content with the same label, so that keyboard users keep their place.
 * @param {Element} control
 * @param {HTMLElement} content
 */
function sameAs(control, content) {
  const buttons = [...content.querySelectorAll("button")];
  return buttons.find((each) => each.textContent === control.textContent && !each.disabled);
}

/**
 * A message that explains why something cannot be shown, with a retry button if a retry may help.
 * @param {unknown} error
 * @param {() => void} [retry]
 */
export function notice(error, retry) {
  if (!(error instanceof ApiError)) reportError(error);
  const [heading, ...lines] = explain(error);
  const isRefusal = error instanceof ApiError && ASKED_FOR.includes(error.status);
  return h(
    "div",
    { class: isRefusal ? "notice" : "notice bad", role: isRefusal ? "note" : "alert" },
    h("p", {}, h("strong", {}, heading)),
    ...lines.map((line) => h("p", {}, line)),
    !isRefusal && retry && h("button", { type: "button", onclick: retry }, "Try again"),
  );
}

/**
 * @param {unknown} error
 * @returns {[string, ...string[]]}
 */
function explain(error) {
  if (!(error instanceof ApiError)) return ["This cannot be shown: the service sent an unexpected response."];
  const { status, code, message, details, requestId } = error;
  if (code === "PERMISSION_DENIED") {
    const needed = typeof details.required === "string" ? details.required : "another permission";
    return ["Not for this key.", `This part needs the permission ${needed}, which the key does not hold.`];
  }
  if (status === 401) return [code === "UNAUTHORIZED" ? "The service does not know this key." : message];
  if (status === 403) return ["Not for this key.", message];
  if (ASKED_FOR.includes(status)) return [message];
  return requestId === undefined ? [message] : [message, `${code}, request ${requestId}`];
}
