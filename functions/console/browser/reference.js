import { ROOT } from "./address.js";
import { curlOf, jsonParts, KEY_HEADER, quoted } from "./curl.js";
import { byId, dotted, field, h } from "./dom.js";
import { fieldsIn, limitsOf, resolve, typeOf } from "./schemas.js";

/**
 * @typedef {import("./schemas.js").Schema} Schema
 * @typedef {import("./schemas.js").Document} Document
 * @typedef {import("./dom.js").Child} Child
 * @typedef {{ schema?: Schema, example?: unknown }} Content
 * @typedef {{ $ref?: string, name: string, in: string, required?: boolean, description?: string, schema: Schema }} Parameter
 * @typedef {{ $ref?: string, description: string, "x-codes"?: string[], headers?: Record<string, object>, content?: Record<string, Content> }} Answer
 * @typedef {object} Operation
 * @property {string} operationId
 * @property {string} summary
 * @property {string} description
 * @property {string[]} tags
 * @property {object[]} security
 * @property {boolean} [deprecated]
 * @property {Parameter[]} parameters
 * @property {{ content: Record<string, Content> }} [requestBody]
 * @property {Record<string, Answer>} responses
 * @typedef {Operation & { method: string, path: string }} Listed
 * @typedef {{ listed: Listed, words: string, element: HTMLDetailsElement }} Shown
 */

const NOTICE_MS = 2000;
const JSON_TYPE = "application/json";

const response = await fetch(new URL("openapi.json", ROOT)).catch(() => undefined);
if (response?.ok) show(/** @type {Document} */ (await response.json()));
else byId("main").replaceChildren(h("p", { role: "alert" }, "The OpenAPI document did not load. Load the page again."));

/** @param {Document} api */
function show(api) {
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  const shown = operations.map((listed) => ({ listed, words: wordsOf(api, listed), element: entryOf(api, listed) }));
  const sections = api.tags.map(({ name, description }) => ({
    element: h(
      "section",
      { id: idOf(name), "aria-labelledby": `${idOf(name)}-title` },
      h("h2", { id: `${idOf(name)}-title` }, name),
      h("p", { class: "dim" }, ...prose(description)),
      ...shown.filter(({ listed }) => listed.tags[0] === name).map(({ element }) => element),
    ),
    own: shown.filter(({ listed }) => listed.tags[0] === name),
  }));
  const found = h("p", { class: "dim", role: "status" });
  const search = h("input", { id: "search", type: "search", autocomplete: "off", spellcheck: "false" });
  const filter = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { words, element } of shown) element.hidden = !wanted.every((word) => words.includes(word));
    for (const { element, own } of sections) element.hidden = own.every((each) => each.element.hidden);
    const count = shown.filter(({ element }) => !element.hidden).length;
    found.textContent = `${count} of ${shown.length} operations`;
  };
  search.addEventListener("input", filter);
  filter();
  byId("views").replaceChildren(...menuOf(api));
  byId("main").replaceChildren(
    h("h1", {}, api.info.title, " ", h("small", {}, api.info.version)),
    ...api.info.description.split("\n\n").map((text) => h("p", { class: "prose" }, ...prose(text))),
    h("div", { class: "search", role: "search" }, field("Search the operations", search), found),
    ...sections.map(({ element }) => element),
  );
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.hidden || target.closest("[hidden]")) {
      search.value = "";
      filter();
    }
    if (target instanceof HTMLDetailsElement) target.open = true;
    target.scrollIntoView();
    target.querySelector("summary")?.focus({ preventScroll: true });
    toggleMenu(false);
  };
  addEventListener("hashchange", reveal);
  byId("menu").addEventListener("click", () => toggleMenu(!byId("views").hasAttribute("data-open")));
  reveal();
}

/** @param {boolean} isOpen */
function toggleMenu(isOpen) {
  byId("views").toggleAttribute("data-open", isOpen);
  byId("menu").setAttribute("aria-expanded", String(isOpen));
}

/** @param {Document} api */
function menuOf(api) {
  return api["x-tagGroups"].flatMap(({ name, tags }) => [
    h("p", { class: "dim" }, name),
    h("ul", {}, ...tags.map((tag) => h("li", {}, h("a", { href: `#${idOf(tag)}` }, tag)))),
  ]);
}

/** The id of a group's section; those of operations are their names. @param {string} tag */
function idOf(tag) {
  return `group-${tag}`;
}

/**
 * What the search looks at, including the names of parameters and of fields sent.
 * @param {Document} api
 * @param {Listed} operation
 */
function wordsOf(api, { method, path, operationId, summary, description, tags, parameters, requestBody }) {
  const sent = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => fieldsIn(api, schema));
  const names = [...parameters.map((each) => resolve(api, each)), ...sent].map(({ name }) => name);
  return [method, path, operationId, summary, description, ...tags, ...names].join(" ").toLowerCase();
}

/**
 * An operation, whose details are made when it is first opened.
 * @param {Document} api
 * @param {Listed} operation
 */
function entryOf(api, operation) {
  const { method, path, operationId, summary, deprecated } = operation;
  const title = h(
    "summary",
    {},
    h("h3", {}, h("b", { class: `method ${method.toLowerCase()}` }, method), " ", h("code", {}, path)),
    h("span", {}, summary, deprecated && " (deprecated)"),
  );
  return lazy({ class: "operation", id: operationId }, title, () => detailsOf(api, operation));
}

/**
 * @param {import("./dom.js").Attributes} attributes
 * @param {HTMLElement} title
 * @param {() => Child[]} make
 */
function lazy(attributes, title, make) {
  let isMade = false;
  const body = h("div", { class: "whole" });
  const ontoggle = () => {
    if (!details.open || isMade) return;
    isMade = true;
    body.append(...make().filter((each) => each instanceof Node));
  };
  const details = h("details", { ...attributes, ontoggle }, title, body);
  return details;
}

/**
 * @param {Document} api
 * @param {Listed} operation
 * @returns {Child[]}
 */
function detailsOf(api, operation) {
  const { operationId, description, responses } = operation;
  const parameters = operation.parameters.map((each) => resolve(api, each));
  const answers = Object.entries(responses).map(([status, each]) => ({ status, ...resolve(api, each) }));
  const errors = answers.filter((each) => each["x-codes"]);
  const command = commandOf(operation, parameters);
  return [
    h("p", {}, ...prose(description)),
    h("p", {}, h("a", { href: `#${operationId}` }, `Link to ${operationId}`)),
    ...(parameters.length > 0
      ? [
          h("h4", {}, "Parameters"),
          h("ul", { class: "fields" }, ...parameters.map((each) => itemOf(api, each, `in ${each.in}`))),
        ]
      : []),
    ...Object.entries(operation.requestBody?.content ?? {}).flatMap(([type, content]) => [
      h("h4", {}, `Request body, ${type}`),
      ...contentOf(api, content, "Example of a request"),
    ]),
    ...answers
      .filter((each) => !each["x-codes"])
      .flatMap(({ status, content = {}, headers = {} }) => [
        h("h4", {}, dotted([`Response ${status}`, ...Object.keys(content)]).join("")),
        Object.keys(headers).length > 0 && h("p", { class: "dim" }, `Headers: ${Object.keys(headers).join(", ")}`),
        ...Object.values(content).flatMap((each) => contentOf(api, each, "Example of a response")),
      ]),
    ...(errors.length > 0
      ? [
          h("h4", {}, "Errors"),
          h(
            "ul",
            { class: "fields" },
            ...errors.map((each) => h("li", {}, `${each.status}: `, ...prose(each.description))),
          ),
        ]
      : []),
    h("h4", {}, "Try it"),
    h("pre", { tabindex: 0 }, command),
    navigator.clipboard && h("button", { type: "button", onclick: () => copy(command) }, "Copy the command"),
  ];
}

/**
 * The fields of a body, and an example.
 * @param {Document} api
 * @param {Content} content
 * @param {string} title
 * @returns {Child[]}
 */
function contentOf(api, { schema, example }, title) {
  const fields = fieldsIn(api, schema);
  const text = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  return [
    fields.length > 0 ? fieldsList(api, fields) : h("p", { class: "dim" }, typeOf(schema)),
    example !== undefined &&
      lazy({}, h("summary", {}, title), () => [h("pre", { tabindex: 0, "aria-label": title }, text)]),
  ];
}

/**
 * @param {Document} api
 * @param {ReturnType<typeof fieldsIn>} fields
 * @returns {HTMLElement}
 */
function fieldsList(api, fields) {
  return h("ul", { class: "fields" }, ...fields.map((each) => itemOf(api, each)));
}

/**
 * A field or a parameter; the fields in it are made when they are opened, because schemas may contain themselves.
 * @param {Document} api
 * @param {{ name: string, required?: boolean | undefined, description?: string | undefined, schema: Schema }} item
 * @param {string} [position]
 */
function itemOf(api, { name, required, description, schema }, position) {
  const inner = fieldsIn(api, schema);
  const about = description ?? resolve(api, schema).description;
  const notes = [typeOf(schema), position, required && "required", ...limitsOf(resolve(api, schema))];
  return h(
    "li",
    {},
    h("code", {}, name),
    h("span", { class: "dim" }, " ", notes.filter(Boolean).join(", ")),
    about !== undefined && h("p", {}, ...prose(about)),
    inner.length > 0 && lazy({}, h("summary", {}, `Fields of ${name}`), () => [fieldsList(api, inner)]),
  );
}

/**
 * The operation as a command, with the examples of the document.
 * @param {Listed} operation
 * @param {Parameter[]} parameters
 */
function commandOf({ method, path, security, requestBody }, parameters) {
  const exampleOf = (/** @type {Parameter} */ { name, schema }) => String(schema.examples?.[0] ?? name.toUpperCase());
  const url = new URL(
    path.slice(1).replaceAll(/\{(\w+)\}/g, (_, name) => name.toUpperCase()),
    ROOT,
  );
  for (const each of parameters)
    if (each.in === "query" && each.required) url.searchParams.set(each.name, exampleOf(each));
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const parts = [...(security.length > 0 ? [KEY_HEADER] : []), ...bodyParts(type, content?.example)];
  return curlOf({ method, url, parts });
}

/**
 * @param {string | undefined} type
 * @param {unknown} example
 */
function bodyParts(type, example) {
  if (type === undefined) return [];
  if (type === JSON_TYPE) return jsonParts(JSON.stringify(example ?? {}));
  const fields = Object.entries(/** @type {object} */ (example ?? {}));
  if (type !== "multipart/form-data")
    return fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  return fields.map(([name, value]) => `-F ${quoted(name === "file" ? "file=@FILE" : `${name}=${value}`)}`);
}

/** @param {string} text */
async function copy(text) {
  await navigator.clipboard.writeText(text);
  byId("status").textContent = "Copied.";
  setTimeout(() => byId("status").replaceChildren(), NOTICE_MS);
}

/**
 * Text with `code` in it.
 * @param {string} text
 */
function prose(text) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));
}
