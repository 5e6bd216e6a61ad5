import { ApiError } from "./api.js";
import { h } from "./dom.js";

/**
 * A part of a view that shows what it loads, and says so where that takes time, fails, or is not for this key.
 * @template Answer
 * @param {object} options
 * @param {string} options.title
 * @param {AbortSignal} options.signal ends with the view
 * @param {(signal: AbortSignal) => Promise<Answer>} options.load
 * @param {(answer: Answer) => (Node | string)[]} options.show
 */
export function panel({ title, signal, load, show }) {
  const body = h("div", {}, h("p", { class: "dim" }, "Loading …"));
  const element = h("section", { class: "panel" }, h("h2", {}, title), body);
  const reload = async () => {
    body.setAttribute("aria-busy", "true");
    const shown = await outcome();
    if (signal.aborted) return;
    body.replaceChildren(...shown);
    body.removeAttribute("aria-busy");
  };
  const outcome = async () => {
    try {
      return show(await load(signal));
    } catch (error) {
      return signal.aborted ? [] : [notice(error, reload)];
    }
  };
  void reload();
  return { element, reload };
}

/**
 * Why something cannot be shown, and what to do about it.
 * @param {unknown} error
 * @param {() => void} [retry]
 */
export function notice(error, retry) {
  if (!(error instanceof ApiError)) reportError(error);
  const [heading, ...lines] = explain(error);
  const isRefusal = error instanceof ApiError && error.status === 403;
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
  if (!(error instanceof ApiError)) return ["This cannot be shown: the answer was not what it should be."];
  const { status, code, message, details, requestId } = error;
  if (code === "PERMISSION_DENIED") {
    const needed = typeof details.required === "string" ? details.required : "another permission";
    return ["Not for this key.", `This part needs the permission ${needed}, which the key does not hold.`];
  }
  if (status === 403) return ["Not for this key.", message];
  return requestId === undefined ? [message] : [message, `${code}, request ${requestId}`];
}
