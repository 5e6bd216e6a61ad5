import { addressOf } from "./address.js";
import { addMemory, deleteButton } from "./change-memory.js";
import { dotted, field, h, ownName, timeAgo } from "./dom.js";
import { amount, beginning, when } from "./format.js";
import { lazyEntry, readLinked, withLinked } from "./lazy-entry.js";
import { pager } from "./pager.js";
import { panel } from "./panel.js";
import { personLinks } from "./person-links.js";
import { recallPanels, settingsIn, settingsParams } from "./recall.js";
import { userField } from "./user-field.js";

/** @typedef {import("./api.js").Answer<typeof import("../../memories/schemas.ts").IndexedMemory>} WholeMemory */
/** @typedef {Partial<WholeMemory> & { id: string, created_at: string, score?: number, superseded_by?: string }} Memory a listed or found one */
/** @typedef {{ query: string, user_id: string, category: string, offset: number }} Wanted */
/** @typedef {{ memories: Memory[], pagination: import("./pager.js").Pagination }} Listed */

const PAGE = 20;
const SHOWN_LENGTH = 160;

/** @type {import("./main.js").View} */
export const memories = {
  id: "memories",
  title: "Memories",
  group: "Memory",
  changes: false,
  isFor: ({ permissions }) => permissions.includes("memory:read") || permissions.includes("search:read"),
  open: (page) => {
    const { params, go, keep, may, signal } = page;
    /** @type {Wanted} */
    const wanted = {
      query: params.get("q") ?? "",
      user_id: params.get("user") ?? "",
      category: params.get("category") ?? "",
      offset: Number(params.get("from") ?? 0) || 0,
    };
    const recalled = settingsIn(params, "");
    const second = params.has("tokens2") ? settingsIn(params, "2") : undefined;
    let opened = params.get("open") ?? "";
    const listInAddress = () => ({
      q: wanted.query,
      user: wanted.user_id,
      category: wanted.category,
      from: wanted.offset,
      open: opened,
    });
    const inAddress = () => ({
      ...listInAddress(),
      ...settingsParams(recalled, ""),
      ...settingsParams(second, "2"),
    });
    const onOpen = (/** @type {string} */ id) => {
      opened = id;
      keep(inAddress());
    };
    const search = (/** @type {{ query: string, user_id: string, category: string }} */ fields) =>
      go({ q: fields.query, user: fields.user_id, category: fields.category });
    const mayList = may("memory:read") || wanted.query !== "";
    if (!mayList) return [searchForm(page, wanted, search), h("p", {}, "Search to see what is known.")];
    const list = panel({
      title: wanted.query === "" ? "Newest first" : "Found, best first",
      signal,
      load: async (signal) => ({
        ...(await find(page, wanted, signal)),
        linked: await readLinked(page.api, "/memories", may("memory:read") ? opened : "", signal),
      }),
      show: ({ memories, pagination, linked }) => {
        const shown = withLinked(linked, memories);
        const options = { ...page, opened, onOpen, reload: () => list.reload() };
        const isAll = wanted.query === "" && wanted.user_id === "" && wanted.category === "";
        if (shown.length === 0) return [h("p", {}, isAll ? "No memory is stored yet." : "No memory matches.")];
        return [
          pager(pagination, (offset) => go({ ...inAddress(), from: offset, open: "" })),
          h("ul", { class: "memories" }, ...shown.map((memory) => memoryEntry(memory, options))),
        ];
      },
    });
    return [
      ...(wanted.user_id !== "" && may("memory:read") && page.who.agent_id === undefined
        ? [personLinks(wanted.user_id, "memories")]
        : []),
      searchForm(page, wanted, search),
      ...(may("memory:write") ? [addMemory(page, wanted.user_id, () => list.reload())] : []),
      ...(wanted.query !== "" && may("search:read")
        ? [
            recallPanels(
              page,
              { query: wanted.query, user_id: wanted.user_id, ...recalled, second },
              ({ second, ...first }) =>
                go({ ...listInAddress(), ...settingsParams(first, ""), ...settingsParams(second, "2") }),
            ),
          ]
        : []),
      list.element,
    ];
  },
};

/**
 * A page of memories: newest first or, with a query, best first.
 * @param {import("./main.js").Page} page
 * @param {Wanted} wanted
 * @param {AbortSignal} signal
 * @returns {Promise<Listed>}
 */
async function find({ api, may }, { query, ...filter }, signal) {
  const page = { ...filter, limit: PAGE };
  if (query === "" || !may("search:read")) return api.get("/memories", { query: page, signal });
  const { results, pagination } = await api.get("/search", { query: { ...page, q: query }, signal });
  return { memories: results, pagination };
}

/**
 * @param {import("./main.js").Page} page
 * @param {Wanted} wanted
 * @param {(fields: { query: string, user_id: string, category: string }) => void} search
 */
function searchForm(page, wanted, search) {
  const { may } = page;
  const maySearch = may("search:read");
  const query = h("input", { id: "query", type: "search", autocomplete: "off", maxlength: 1000, value: wanted.query });
  const { input: user, fields } = userField(page, { id: "user", label: "User", value: wanted.user_id });
  const category = h("input", { id: "category", autocomplete: "off", value: wanted.category });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    search({ query: query.value.trim(), user_id: user.value.trim(), category: category.value.trim() });
  };
  const hint = may("memory:read") ? "Search for (all, newest first, when empty)" : "Search for";
  return h(
    "form",
    { class: "bar-form", role: "search", onsubmit },
    maySearch && field(hint, query),
    ...fields,
    field("Category", category),
    h("button", { type: "submit" }, "Show"),
  );
}

/**
 * @param {Memory} memory
 * @param {import("./main.js").Page & { opened: string, onOpen: (id: string) => void, reload: () => void }} options
 */
function memoryEntry(memory, options) {
  const { id, content = "", user_id, category, type, tier, score } = memory;
  const { api, signal, may, opened, onOpen } = options;
  const about = h(
    "small",
    {},
    ...dotted([
      ...timesOf(memory),
      user_id && ownName(user_id),
      category && ownName(category),
      type && ownName(type),
      tier && `${tier} tier`,
      score !== undefined && `score ${amount(score)}`,
      memory.superseded_by !== undefined && h("strong", {}, "superseded"),
    ]),
  );
  const words = h("span", { dir: "auto" }, beginning(content, SHOWN_LENGTH));
  if (!may("memory:read")) return h("li", {}, h("div", {}, words, about));
  return lazyEntry({
    summary: [words, about],
    isOpen: opened === id,
    signal,
    load: async () => {
      const whole = await api.get(`/memories/${encodeURIComponent(id)}`, { signal });
      return wholeMemory(whole, memory, options);
    },
    onToggle: (isOpen) => onOpen(isOpen ? id : ""),
  });
}

/** @param {Memory} memory */
function timesOf({ occurred_at, created_at, planned }) {
  if (occurred_at === undefined || occurred_at === created_at) return [timeAgo(created_at)];
  return [
    `${planned ? "planned for" : "happened"} ${when(occurred_at)}`,
    h("span", {}, "stored ", timeAgo(created_at)),
  ];
}

/**
 * @param {WholeMemory} memory
 * @param {Memory} listed
 * @param {import("./main.js").Page & { onOpen: (id: string) => void, reload: () => void }} options
 */
function wholeMemory(memory, { superseded_by }, options) {
  const { id, content, metadata, entities, facts, compression, version, updated_at } = memory;
  const named = entities.map(({ name, type }) => h("li", {}, ownName(name), h("small", {}, ` ${type}`)));
  const stated = facts.map(({ content, confidence }) =>
    h("li", {}, h("span", { dir: "auto" }, content), h("small", {}, ` ${amount(confidence)}`)),
  );
  const { original_tokens, compressed_tokens } = compression;
  return [
    h("p", { class: "content", dir: "auto" }, content),
    h("p", { class: "dim" }, h("bdi", {}, h("code", {}, id)), ` · version ${version}, changed ${when(updated_at)}`),
    h("p", { class: "dim" }, `${original_tokens} tokens, ${compressed_tokens} compressed`),
    ...(superseded_by === undefined
      ? []
      : [h("p", {}, "Replaced by ", h("a", { href: addressOf("memories", { open: superseded_by }) }, superseded_by))]),
    ...part("Entities", named),
    ...part("Facts", stated),
    ...(facts.length > 0 ? [h("a", { href: addressOf("facts", { memory: id }) }, "Show these facts")] : []),
    ...(Object.keys(metadata).length > 0
      ? [h("h3", {}, "Metadata"), h("pre", { tabindex: 0 }, JSON.stringify(metadata, null, 2))]
      : []),
    ...(options.may("memory:delete") ? [deleteButton(memory, options)] : []),
  ];
}

/**
 * @param {string} title
 * @param {HTMLLIElement[]} items
 */
function part(title, items) {
  return items.length === 0 ? [] : [h("h3", {}, title), h("ul", {}, ...items)];
}
