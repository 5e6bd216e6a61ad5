import { ROOT } from "./address.js";
import { Api } from "./api.js";

/**
 * What requests authenticate with: an API key or a user's tokens, which only this page's memory has, or the session of the
 * browser, whose cookie no script can read.
 * @typedef {{ key: string } | { access_token: string, refresh_token: string } | "session"} Credential
 */

/**
 * The session of the browser, if the page was asked for with its cookie: the service marks the page then.
 * @returns {Credential | undefined}
 */
export function credentialOfPage() {
  return document.documentElement.dataset.session === "open" ? "session" : undefined;
}

/**
 * Opens a session of the browser for a user's tokens. Where the browser refuses the cookie, as over plain HTTP, the tokens
 * remain the credential, until the page is left.
 * @param {{ access_token: string, refresh_token: string }} tokens
 * @returns {Promise<Credential>}
 */
export async function openSession(tokens) {
  await new Api(tokens, () => {}).post("/auth/session", { body: {} });
  try {
    await new Api("session", () => {}).get("/auth/session");
    return "session";
  } catch {
    return tokens;
  }
}

/**
 * Ends what a sign-in with a password has opened.
 * @param {Api} api
 * @param {Credential | undefined} credential
 */
export async function endSession(api, credential) {
  if (credential === "session") await api.delete("/auth/session", { body: {} });
  else if (credential !== undefined && "access_token" in credential) await api.post("/auth/logout", { body: {} });
}

/** @typedef {"signed-in" | "signed-out"} Turn of the browser's session, which all tabs share */

/**
 * Tells the other tabs of this browser when the session begins or ends, and calls `onTurn` when another tab says so.
 * @param {(turn: Turn) => void} onTurn
 * @returns {(turn: Turn) => void}
 */
export function shareSession(onTurn) {
  const channel = new BroadcastChannel(`console of ${ROOT.pathname}`);
  channel.onmessage = ({ data }) => onTurn(data);
  return (turn) => channel.postMessage(turn);
}
