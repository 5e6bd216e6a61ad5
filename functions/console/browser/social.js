import { addressOf, ROOT, readAddress } from "./address.js";
import { Api } from "./api.js";
import { h } from "./dom.js";
import { notice } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../auth/schemas.ts").FinishedSocialSignIn>} Finished */
/** @typedef {{ provider: string, state: string, address: string }} Pending a sign-in that a provider is asked for */

/** Name of the pending sign-in in the session storage; it is no credential. */
const PENDING = "pending-sign-in";
/** The view that a provider sends the browser back to. */
const RETURN = "signin";
/** @type {Record<string, string>} */
const TITLES = { google: "Google", github: "GitHub" };

/**
 * A button for each provider that the service is configured for.
 * @param {HTMLElement} problem
 */
export function providerButtons(problem) {
  const api = new Api(undefined, () => {});
  const start = async (/** @type {string} */ provider) => {
    const state = newState();
    const address = location.href;
    try {
      const query = { redirect_uri: `${ROOT}console/${RETURN}`, state };
      const { authorization_url } = await api.get(`/auth/${provider}`, { query });
      sessionStorage.setItem(PENDING, JSON.stringify({ provider, state, address }));
      location.assign(authorization_url);
    } catch (error) {
      problem.replaceChildren(notice(error));
    }
  };
  const buttons = h("div", { class: "changes" });
  api.get("/auth/providers").then(
    ({ providers }) => {
      const shown = providers.map((/** @type {string} */ provider) =>
        h("button", { type: "button", onclick: () => start(provider) }, `Sign in with ${TITLES[provider]}`),
      );
      buttons.replaceChildren(...shown);
    },
    () => {},
  );
  return buttons;
}

/** Whether a provider has sent the browser back. */
export function isReturning() {
  return readAddress().id === RETURN;
}

/**
 * Completes the sign-in that this tab began, and returns to the view that it began in. The answer must have the tab's state,
 * so that another site cannot sign the browser in with an account of its own.
 * @returns {Promise<Finished | undefined>} undefined if this tab began none
 */
export async function finishSocialSignIn() {
  const { params } = readAddress();
  /** @type {Pending | null} */
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? "null");
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, "", pending?.address ?? addressOf("home"));
  if (pending === null) return undefined;
  const query = Object.fromEntries(params);
  const finished = await new Api(undefined, () => {}).get(`/auth/callback/${pending.provider}`, { query });
  return finished.state === pending.state ? finished : undefined;
}

function newState() {
  return crypto
    .getRandomValues(new Uint8Array(16))
    .reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), "");
}
