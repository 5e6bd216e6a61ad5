/** The key as a variable of the shell. */
export const KEY_HEADER = '-H "X-API-Key: $API_KEY"';

/**
 * A request as a command for the shell.
 * @param {{ method: string, url: string | URL, parts: string[] }} request parts: further arguments, quoted
 */
export function curlOf({ method, url, parts }) {
  const usual = parts.some((each) => /^(-d|-F|--data)/.test(each)) ? "POST" : "GET";
  return ["curl", ...(method === usual ? [] : ["-X", method]), quoted(String(url)), ...parts].join(" ");
}

/**
 * The arguments that send JSON.
 * @param {string} json
 */
export function jsonParts(json) {
  return ['-H "Content-Type: application/json"', `-d ${quoted(json)}`];
}

/**
 * A word of the shell. A quote ends it, so it is closed, escaped and opened again.
 * @param {string} text
 */
export function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
