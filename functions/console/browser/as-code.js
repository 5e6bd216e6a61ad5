import { ROOT } from "./address.js";
import { curlOf, jsonParts, KEY_HEADER } from "./curl.js";
import { h } from "./dom.js";

/** @typedef {Record<string, string | number | undefined>} Query */
/** @typedef {{ method: string, path: string, query?: Query | undefined, body?: object | undefined }} Sent a request of a view */
/** @typedef {{ call: string, positional?: string | undefined, named?: object | undefined, isList?: boolean }} Call of a client, and of MCP */

/**
 * A request as code: for curl, for both clients and as an MCP tool, with the key as a variable.
 * @param {Sent} sent
 */
export function asCode(sent) {
  const call = callOf(sent);
  const samples = [
    ["curl", curl(sent)],
    ...(call
      ? [
          ["TypeScript", typescript(call)],
          ["Python", python(call)],
        ]
      : []),
    ...(call && isTool(call) ? [["MCP", mcp(call)]] : []),
  ];
  return samples.flatMap(([language, code]) => [h("h4", {}, language), h("pre", { tabindex: 0 }, code)]);
}

/**
 * A button that shows the requests of a view as code.
 * @param {() => Sent[]} sentBy
 */
export function codeButton(sentBy) {
  const onclick = () => {
    const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
    const sent = sentBy().flatMap((each) => [h("h3", {}, `${each.method} ${each.path}`), ...asCode(each)]);
    const shown = sent.length === 0 ? [h("p", {}, "This view sends no request.")] : sent;
    const title = "This view as code";
    const dialog = h(
      "dialog",
      { "aria-label": title, class: "code", onclose: () => dialog.remove() },
      h("h2", {}, title),
      h("p", { class: "dim" }, "API_KEY is your key; memory is a client of the package."),
      ...shown,
      close,
    );
    button.after(dialog);
    dialog.showModal();
  };
  const button = h("button", { type: "button", "aria-haspopup": "dialog", onclick }, "Show as code");
  return button;
}

/**
 * The operation of the clients that a request is, if they have one.
 * @param {Sent} sent
 * @returns {Call | undefined}
 */
function callOf({ method, path, query = {}, body = {} }) {
  const [, group = "", id, more] = path.split("/");
  const positional = id === undefined ? undefined : decodeURIComponent(id);
  const {
    q,
    query: question,
    include,
    offset,
    cursor,
    ...named
  } = /** @type {Record<string, unknown>} */ ({ ...query, ...body });
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined && value !== ""));
  if (more !== undefined) return undefined;
  if (group === "recall" && method === "POST") return { call: "recall", positional: String(question), named: given };
  if (group === "search") return { call: "search", positional: String(q ?? question), named: given };
  if (group === "profiles" && positional !== undefined) return { call: "profile", positional };
  if (group === "memories" && positional?.startsWith("mem_")) return { call: "get", positional };
  if (group === "memories" && positional === undefined) return { call: "list", named: given, isList: true };
  if (group === "facts" && positional === undefined) return { call: "facts.list", named: given, isList: true };
  return undefined;
}

/** @param {Sent} sent */
function curl({ method, path, query = {}, body }) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const url = `${ROOT}${path.slice(1)}${given.length > 0 ? `?${search}` : ""}`;
  const { include, ...sent } = /** @type {Record<string, unknown>} */ (body ?? {});
  const parts = [KEY_HEADER, ...(body ? jsonParts(JSON.stringify(sent)) : [])];
  return curlOf({ method, url, parts });
}

/**
 * The fields as the clients take them: those of a search are grouped.
 * @param {Call} call
 */
function fieldsOf({ call, named = {} }) {
  if (call !== "search") return Object.entries(named);
  const { limit, ...filters } = /** @type {Record<string, unknown>} */ (named);
  const groups = { filters, options: limit === undefined ? {} : { limit } };
  return Object.entries(groups).filter(([, fields]) => Object.keys(fields).length > 0);
}

/** @param {Call} call */
function typescript({ call, positional, named, isList }) {
  const own = Object.fromEntries(fieldsOf({ call, named }));
  const fields = Object.keys(own).length > 0 ? JSON.stringify(own) : undefined;
  const given = [positional === undefined ? undefined : JSON.stringify(positional), fields].filter(Boolean).join(", ");
  if (isList) return `for await (const each of memory.${call}(${given})) console.log(each);`;
  return `const answer = await memory.${call}(${given});`;
}

/** @param {Call} call */
function python({ call, positional, named, isList }) {
  const fields = fieldsOf({ call, named }).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const given = [...(positional === undefined ? [] : [JSON.stringify(positional)]), ...fields].join(", ");
  return isList ? `for each in memory.${call}(${given}):\n    print(each)` : `answer = memory.${call}(${given})`;
}

/** What the tools take: first what is the first argument of the clients. */
const TOOLS = {
  recall: ["query", "user_id", "agent_id", "max_tokens", "as_of"],
  search: ["query", "user_id", "limit"],
  profile: ["user_id"],
  get: ["id"],
  list: ["", "user_id", "limit"],
};

/**
 * Whether there is a tool for the call that takes all its fields.
 * @param {Call} call
 */
function isTool({ call, named = {} }) {
  return call in TOOLS && Object.keys(named).every((name) => toolFields(call).includes(name));
}

/** @param {string} call */
function toolFields(call) {
  return TOOLS[/** @type {keyof typeof TOOLS} */ (call)];
}

/** @param {Call} call */
function mcp({ call, positional, named = {} }) {
  const [first = ""] = toolFields(call);
  const input = { ...(first !== "" && { [first]: positional }), ...named };
  return JSON.stringify({ method: "tools/call", params: { name: call, arguments: input } });
}
