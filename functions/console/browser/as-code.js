import { h } from "./dom.js";

/**
 * A request as code: for curl and for both clients, with the key as a variable.
 * @param {string} root the address of the service
 * @param {{ query: string, user_id: string } & Record<string, string | number>} body of `POST /recall`
 */
export function asCode(root, body) {
  const { query, ...scope } = body;
  const samples = [
    ["curl", curl(root, body)],
    ["TypeScript", `const { context } = await memory.recall(${JSON.stringify(query)}, ${JSON.stringify(scope)});`],
    ["Python", `context = memory.recall(${JSON.stringify(query)}, ${keywords(scope)}).context`],
  ];
  const shown = samples.flatMap(([language, code]) => [h("h3", {}, language), h("pre", { tabindex: 0 }, code)]);
  return h("details", {}, h("summary", {}, "As code"), ...shown);
}

/**
 * @param {string} root
 * @param {object} body
 */
function curl(root, body) {
  // A quote ends a word of the shell, so it is closed, escaped and opened again.
  const data = JSON.stringify(body).replaceAll("'", `'\\''`);
  return `curl ${root}recall -H "X-API-Key: $API_KEY" -H "Content-Type: application/json" -d '${data}'`;
}

/** @param {Record<string, string | number>} fields */
function keywords(fields) {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(", ");
}
