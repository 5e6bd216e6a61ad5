import { field, h } from "./dom.js";
import { amount, beginning, when } from "./format.js";
import { pager } from "./pager.js";
import { notice, panel } from "./panel.js";
import { recall, recallBlock } from "./recall.js";

/** @typedef {import("./api.js").Answer<typeof import("../../memories/schemas.ts").IndexedMemory>} WholeMemory */
/** @typedef {Partial<WholeMemory> & { id: string, created_at: string, score?: number }} Memory a listed or found one */
/** @typedef {{ query: string, user_id: string, category: string, offset: number }} Wanted */
/** @typedef {{ memories: Memory[], pagination: import("./pager.js").Pagination }} Listed */

const PAGE = 20;
const SHOWN_LENGTH = 160;

/** @type {import("./main.js").View} */
export const memories = {
  id: "memories",
  title: "Memories",
  changes: false,
  open: ({ api, signal }) => {
    /** @type {Wanted} */
    let wanted = { query: "", user_id: "", category: "", offset: 0 };
    const go = (/** @type {Partial<Wanted>} */ change) => {
      wanted = { ...wanted, ...change };
      void list.reload();
      if (change.offset === 0) void recalled.reload();
    };
    const list = panel({
      title: "Found",
      signal,
      load: (signal) => find(api, wanted, signal),
      show: ({ memories, pagination }) =>
        [
          pager(pagination, (offset) => go({ offset })),
          h("ul", { class: "memories" }, ...memories.map((memory) => memoryEntry(memory, api, signal))),
          memories.length === 0 && "No memory matches.",
        ].filter((part) => part !== false),
    });
    const recalled = panel({
      title: "Recall",
      signal,
      load: (signal) => recall(api, wanted, signal),
      show: recallBlock,
    });
    return [searchForm((fields) => go({ ...fields, offset: 0 })), list.element, recalled.element];
  },
};

/**
 * A page of memories: newest first or, with a query, best first.
 * @param {import("./api.js").Api} api
 * @param {Wanted} wanted
 * @param {AbortSignal} signal
 * @returns {Promise<Listed>}
 */
async function find(api, { query, ...filter }, signal) {
  const page = { ...filter, limit: PAGE };
  if (query === "") return api.get("/memories", { query: page, signal });
  const { results, pagination } = await api.get("/search", { query: { ...page, q: query }, signal });
  return { memories: results, pagination };
}

/** @param {(fields: { query: string, user_id: string, category: string }) => void} go */
function searchForm(go) {
  const query = h("input", { id: "query", type: "search", autocomplete: "off", maxlength: 1000 });
  const user = h("input", { id: "user", autocomplete: "off" });
  const category = h("input", { id: "category", autocomplete: "off" });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    go({ query: query.value.trim(), user_id: user.value.trim(), category: category.value.trim() });
  };
  return h(
    "form",
    { class: "bar-form", role: "search", onsubmit },
    field("Search for (all, newest first, when empty)", query),
    field("User", user),
    field("Category", category),
    h("button", { type: "submit" }, "Show"),
  );
}

/**
 * @param {Memory} memory
 * @param {import("./api.js").Api} api
 * @param {AbortSignal} signal
 */
function memoryEntry(memory, api, signal) {
  const { id, content = "", user_id, category, type, tier, score, created_at } = memory;
  const facts = [user_id, category, type, tier && `${tier} tier`, score !== undefined && `score ${amount(score)}`];
  const body = h("div", { class: "whole" });
  const onceOpened = async () => {
    if (!entry.open || body.hasChildNodes()) return;
    body.replaceChildren("Loading …");
    try {
      body.replaceChildren(...wholeMemory(await api.get(`/memories/${encodeURIComponent(id)}`, { signal })));
    } catch (error) {
      if (!signal.aborted) body.replaceChildren(notice(error));
    }
  };
  const entry = h(
    "details",
    { ontoggle: onceOpened },
    h(
      "summary",
      {},
      beginning(content, SHOWN_LENGTH),
      h("small", {}, [when(created_at), ...facts].filter(Boolean).join(" · ")),
    ),
    body,
  );
  return h("li", {}, entry);
}

/** @param {WholeMemory} memory */
function wholeMemory({ id, content, metadata, entities, facts, compression, version, updated_at }) {
  const named = entities.map(({ name, type }) => h("li", {}, name, h("small", {}, ` ${type}`)));
  const stated = facts.map(({ content, confidence }) => h("li", {}, content, h("small", {}, ` ${amount(confidence)}`)));
  const { original_tokens, compressed_tokens } = compression;
  return [
    h("p", { class: "content" }, content),
    h("p", { class: "dim" }, h("code", {}, id), ` · version ${version}, changed ${when(updated_at)}`),
    h("p", { class: "dim" }, `${original_tokens} tokens, ${compressed_tokens} compressed`),
    ...part("Entities", named),
    ...part("Facts", stated),
    ...(Object.keys(metadata).length > 0
      ? [h("h3", {}, "Metadata"), h("pre", { tabindex: 0 }, JSON.stringify(metadata, null, 2))]
      : []),
  ];
}

/**
 * @param {string} title
 * @param {HTMLLIElement[]} items
 */
function part(title, items) {
  return items.length === 0 ? [] : [h("h3", {}, title), h("ul", {}, ...items)];
}
