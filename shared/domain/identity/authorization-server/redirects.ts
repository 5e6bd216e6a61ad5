/** A loopback address (RFC 8252, 7.3) in its parts without the port, which a client chooses anew each time. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(\/[^#]*)?$/;
/** The schemes of installed clients are their own names; these have a meaning in browsers. */
const BROWSER_SCHEMES = /^(?:about|blob|data|file|filesystem|ftp|http|javascript|vbscript|view-source|wss?):/i;
const OWN_SCHEME = /^[a-z][a-z0-9+.-]*:\/\/[^\s]/i;
/** Texts that parsers read differently: white space, backslashes and characters beyond ASCII. */
const UNCLEAR = /[^\x21-\x7e]|\\/;

/** Whether a client may be registered with a redirect URI: HTTPS, a loopback address, or the scheme of an app. */
export function isRedirectUri(uri: string): boolean {
  const url = URL.parse(uri);
  if (url === null || UNCLEAR.test(uri) || uri.includes("#") || url.username !== "" || url.password !== "")
    return false;
  if (url.protocol === "https:") return url.hostname !== "";
  return LOOPBACK.test(uri) || (OWN_SCHEME.test(uri) && !BROWSER_SCHEMES.test(uri));
}

/** Whether a redirect URI is one of the registered: the same text, or the same loopback address with any port. */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  const loopback = withoutPort(uri);
  return registered.some((each) => each === uri || (loopback !== undefined && withoutPort(each) === loopback));
}

function withoutPort(uri: string): string | undefined {
  const [, host, rest = ""] = LOOPBACK.exec(uri) ?? [];
  return host === undefined ? undefined : host + rest;
}

/** The redirect URI with parameters added to its query. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return `${uri}${uri.includes("?") ? "&" : "?"}${query}`;
}
