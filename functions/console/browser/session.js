/** Name of the credential in sessionStorage, which ends with the tab. */
const NAME = "memory-service-session";

/** @typedef {{ key: string } | { access_token: string, refresh_token: string }} Credential an API key, or a user's tokens */

/** @returns {Credential | undefined} */
export function keptCredential() {
  const kept = sessionStorage.getItem(NAME);
  return kept === null ? undefined : JSON.parse(kept);
}

/** @param {Credential} credential */
export function keepCredential(credential) {
  sessionStorage.setItem(NAME, JSON.stringify(credential));
}

export function forgetCredential() {
  sessionStorage.removeItem(NAME);
}
