/** The address of the service, which a proxy may serve under a prefix. */
export const ROOT = new URL("../", import.meta.url);
const PAGE = `${ROOT.pathname}console`;

/**
 * The view and the parameters in the address of the page: `/console/memories?q=tea&open=mem_1`.
 * @returns {{ id: string, params: URLSearchParams }}
 */
export function readAddress() {
  const id = location.pathname.slice(PAGE.length).replaceAll(/^\/|\/$/g, "");
  return { id, params: new URLSearchParams(location.search) };
}

/**
 * @param {string} id
 * @param {Record<string, string | number | undefined>} [params] empty ones are left out
 */
export function addressOf(id, params = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== "" && value !== 0);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === "" ? `${PAGE}/${id}` : `${PAGE}/${id}?${query}`;
}

/**
 * Opens an address of the console without loading the page again.
 * @param {string} href
 */
export function goTo(href) {
  history.pushState(null, "", href);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Replaces an address of before, which had the view in the fragment: `/console#memories?q=tea`. */
export function replaceFragment() {
  const [id = "", query = ""] = location.hash.slice(1).split("?", 2);
  if (/^[a-z]+$/.test(id))
    history.replaceState(null, "", addressOf(id, Object.fromEntries(new URLSearchParams(query))));
}

/**
 * Whether a click on a link opens another view in this tab.
 * @param {MouseEvent} event
 * @param {HTMLAnchorElement} link
 */
export function opensView(event, { href }) {
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  return isPlain && !event.defaultPrevented && href.startsWith(`${ROOT.origin}${PAGE}/`);
}
