/**
 * The part of the URL that names a view and its parameters: `#memories?q=tea&open=mem_1`. It is in the fragment, so that the
 * page works at any address and no server sees what is searched for.
 * @returns {{ id: string, params: URLSearchParams }}
 */
export function readAddress() {
  const [id = "", query = ""] = location.hash.slice(1).split("?", 2);
  return { id, params: new URLSearchParams(query) };
}

/**
 * @param {string} id
 * @param {Record<string, string | number | undefined>} [params] empty ones are left out
 */
export function addressOf(id, params = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== "" && value !== 0);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === "" ? `#${id}` : `#${id}?${query}`;
}
