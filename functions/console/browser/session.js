/** Name of the key in sessionStorage, which ends with the tab. */
const NAME = "memory-service-key";

/** @returns {string | undefined} */
export function keptKey() {
  return sessionStorage.getItem(NAME) ?? undefined;
}

/** @param {string} key */
export function keepKey(key) {
  sessionStorage.setItem(NAME, key);
}

export function forgetKey() {
  sessionStorage.removeItem(NAME);
}
