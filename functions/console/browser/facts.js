import { MIN_CONFIDENCE } from "../../../shared/domain/retrieval/profiles/confidence.ts";
import { addressOf } from "./address.js";
import { factDetails, factHeading } from "./change-fact.js";
import { badge, dotted, field, h, ownName } from "./dom.js";
import { count, day } from "./format.js";
import { lazyEntry, readLinked, withLinked } from "./lazy-entry.js";
import { cursorPager } from "./pager.js";
import { panel } from "./panel.js";
import { personLinks } from "./person-links.js";
import { attributeOf, spanOf } from "./truth.js";
import { userField } from "./user-field.js";

/** @typedef {import("./api.js").Answer<typeof import("../../facts/schemas.ts").FactList>} FactList */
/** @typedef {import("./api.js").Answer<typeof import("../../facts/schemas.ts").FactWithHistory>} FactWithHistory */
/** @typedef {import("./truth.js").Fact} Fact */
/** @typedef {import("./main.js").Page} Page */
/** @typedef {{ user: string, slot: string, status: string, on: string, memory: string }} Wanted */

const PAGE = 20;

/** @type {Record<Fact["status"], string>} */
const STATES = {
  current: "current",
  planned: "planned",
  past: "past",
  superseded: "superseded",
  retracted: "retracted",
};

/** @type {import("./main.js").View} */
export const facts = {
  id: "facts",
  title: "Facts",
  group: "Memory",
  changes: true,
  isFor: ({ permissions }) => permissions.includes("memory:read"),
  open: (page) => {
    const { params, go, keep, signal, who } = page;
    const given = (/** @type {string} */ name) => params.get(name) ?? "";
    const wanted = {
      user: given("user"),
      slot: given("slot"),
      status: given("status"),
      on: given("on"),
      memory: given("memory"),
    };
    const after = given("after");
    let opened = given("open");
    /** @returns {Promise<void>} */
    const reload = () => list.reload();
    const list = panel({
      title: "Facts by property, in the order of time",
      signal,
      load: (signal) => load(page, { ...wanted, after, opened }, signal),
      show: ({ listed, linked }) => {
        const shown = withLinked(linked, listed.facts);
        const isAll = Object.values(wanted).every((value) => value === "");
        if (shown.length === 0) return [h("p", {}, isAll ? "No fact is known yet." : "No fact matches.")];
        const onOpen = (/** @type {string} */ id) => {
          opened = id;
          keep({ ...wanted, after, open: opened });
        };
        const goAfter = (/** @type {string} */ cursor) => go({ ...wanted, after: cursor });
        return [
          cursorPager(listed.pagination, { shown: listed.facts.length, after }, goAfter),
          h("ul", { class: "memories" }, ...shown.map((fact) => factEntry(fact, { ...page, opened, onOpen, reload }))),
        ];
      },
    });
    return [
      ...(wanted.user !== "" && who.agent_id === undefined ? [personLinks(wanted.user, "facts")] : []),
      filterForm(page, wanted),
      ...(wanted.memory === "" ? [] : [ofMemory(wanted)]),
      list.element,
    ];
  },
};

/**
 * A page of facts, and the one that the address opens, which may be on another page.
 * @param {Page} page
 * @param {Wanted & { after: string, opened: string }} wanted
 * @param {AbortSignal} signal
 */
async function load({ api }, { user, slot, status, on, memory, after, opened }, signal) {
  const query = {
    user_id: user,
    attribute: attributeOf(slot),
    status,
    as_of: on,
    memory_id: memory,
    cursor: after,
    limit: PAGE,
  };
  /** @type {[FactList, Fact | undefined]} */
  const [listed, linked] = await Promise.all([
    api.get("/facts", { query, signal }),
    readLinked(api, "/facts", opened, signal),
  ]);
  return { listed, linked };
}

/**
 * @param {Page} page
 * @param {Wanted} wanted
 */
function filterForm(page, wanted) {
  const { input: user, fields } = userField(page, { id: "user", label: "User (all, when empty)", value: wanted.user });
  const slot = h("input", { id: "slot", autocomplete: "off", value: wanted.slot, placeholder: "lives in" });
  const on = h("input", { id: "on", type: "date", value: wanted.on });
  const states = Object.keys(STATES).map((state) =>
    h("option", { value: state, selected: state === wanted.status }, state),
  );
  const status = h("select", { id: "state" }, h("option", { value: "" }, "any"), ...states);
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const given = { user: user.value.trim(), slot: slot.value.trim(), status: status.value, on: on.value };
    page.go({ ...given, memory: wanted.memory });
  };
  return h(
    "form",
    { class: "bar-form", role: "search", onsubmit },
    ...fields,
    field("Property", slot),
    field("State", status),
    field("True on", on),
    h("button", { type: "submit" }, "Show"),
  );
}

/** @param {Wanted} wanted */
function ofMemory({ memory, ...others }) {
  return h(
    "p",
    {},
    "Only what one memory states. ",
    h("a", { href: addressOf("memories", { open: memory }) }, "Open the memory"),
    " · ",
    h("a", { href: addressOf("facts", others) }, "Show all facts"),
  );
}

/**
 * @param {Fact} fact
 * @param {Page & { opened: string, onOpen: (id: string) => void, reload: () => Promise<void> }} options
 */
function factEntry(fact, options) {
  const { id, user_id, observed_at, confidence } = fact;
  const { api, signal, opened, onOpen } = options;
  const about = h(
    "small",
    {},
    ...dotted([user_id !== undefined && ownName(user_id), spanOf(fact), `said ${day(observed_at)}`]),
  );
  const isUnsure = confidence < MIN_CONFIDENCE;
  return lazyEntry({
    summary: [h("span", {}, ...factHeading(fact), ...(isUnsure ? [" ", badge("unsure")] : [])), about],
    isOpen: opened === id,
    signal,
    load: async () => {
      /** @type {FactWithHistory} */
      const whole = await api.get(`/facts/${encodeURIComponent(id)}`, { signal });
      return wholeFact(whole, options);
    },
    onToggle: (isOpen) => onOpen(isOpen ? id : ""),
  });
}

/**
 * @param {FactWithHistory} fact
 * @param {Page & { reload: () => Promise<void> }} options
 */
function wholeFact(fact, options) {
  const { id, user_id, history, decisions } = fact;
  const hasTimeline = user_id !== undefined && options.who.agent_id === undefined;
  return [
    ...factDetails(fact, history, options),
    h(
      "p",
      {},
      ...dotted([
        hasTimeline && h("a", { href: addressOf("people", { id: user_id, fact: id }) }, "Show on the timeline"),
        history.length > 1 && `${count(history.length)} statements of this property`,
        decisions.length > 0 && `changed by people ${count(decisions.length)} times`,
      ]),
    ),
  ];
}
