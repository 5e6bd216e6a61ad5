import { addressOf } from "./address.js";
import { formDialog } from "./dialog.js";
import { badge, field, h, ownName, ownWords, table } from "./dom.js";
import { amount, count, day, when } from "./format.js";
import { pager } from "./pager.js";
import { notice, panel } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../memories/schemas.ts").MemoryUserList>} UserList */
/** @typedef {import("./api.js").Answer<typeof import("../../recall/schemas.ts").UserProfile>} UserProfile */
/** @typedef {import("./api.js").Answer<typeof import("../../facts/schemas.ts").FactList>} FactList */
/** @typedef {FactList["facts"][number]} Fact */
/** @typedef {import("./main.js").Page} Page */

const PAGE = 20;
const MAX_FACTS = 100;

/** @type {import("./main.js").View} */
export const people = {
  id: "people",
  title: "People",
  group: "Memory",
  changes: false,
  isFor: ({ permissions, agent_id }) => permissions.includes("memory:read") && agent_id === undefined,
  open: (page) => {
    const id = page.params.get("id") ?? "";
    return id === "" ? [userList(page)] : person(page, id);
  },
};

/** @param {Page} page */
function userList({ api, signal, params, go }) {
  const q = params.get("q") ?? "";
  const offset = Number(params.get("from") ?? 0) || 0;
  const start = h("input", { id: "start", type: "search", autocomplete: "off", value: q });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    go({ q: start.value.trim() });
  };
  const form = h(
    "form",
    { class: "bar-form", role: "search", onsubmit },
    field("Id starts with", start),
    h("button", { type: "submit" }, "Show"),
  );
  const { element } = panel({
    title: "Users",
    signal,
    load: (signal) =>
      /** @type {Promise<UserList>} */ (api.get("/users", { query: { q, limit: PAGE, offset }, signal })),
    show: ({ users, pagination }) => {
      if (users.length === 0) return [h("p", {}, "No memory is stored under a user with such an id.")];
      const rows = users.map(({ id, memories, facts, last_seen }) => [
        h("a", { href: addressOf("people", { id }) }, ownName(id)),
        count(memories),
        count(facts),
        when(last_seen),
      ]);
      return [
        table("Users that memories are stored under", ["User", "Memories", "Facts", "Last seen"], rows),
        pager(pagination, (from) => go({ q, from })),
      ];
    },
  });
  element.prepend(form);
  return element;
}

/**
 * @param {Page} page
 * @param {string} id
 */
function person(page, id) {
  const { api, signal, params, go } = page;
  const asOf = params.get("on") ?? "";
  const profile = panel({
    title: "Profile",
    signal,
    load: (signal) => /** @type {Promise<UserProfile>} */ (api.get(`/profiles/${encodeURIComponent(id)}`, { signal })),
    show: ({ sections }) => {
      if (sections.length === 0) return ["Nothing is known about this user."];
      return sections.flatMap(({ name, lines }) => [
        h("h3", {}, name),
        h("ul", {}, ...lines.map(({ text }) => h("li", { dir: "auto" }, text))),
      ]);
    },
  });
  /** @returns {Promise<void>} */
  const reload = async () => {
    await Promise.all([profile.reload(), timeline.reload()]);
  };
  const timeline = panel({
    title: asOf === "" ? "Facts over time" : `Facts that held on ${day(asOf)}`,
    signal,
    load: (signal) => {
      const query = { user_id: id, limit: MAX_FACTS, as_of: asOf };
      return /** @type {Promise<FactList>} */ (api.get("/facts", { query, signal }));
    },
    show: ({ facts, pagination }) => {
      if (facts.length === 0) return ["No facts."];
      const rows = facts.map((fact) => factRow(fact, page, reload));
      const columns = ["Fact", "Value", "From", "Until", "State", "Said", "Confidence", "Change"];
      const more = pagination.has_next && h("p", {}, `The first ${MAX_FACTS} of ${count(pagination.total)} facts.`);
      return [table("Facts by property, in the order of time", columns, rows), ...(more ? [more] : [])];
    },
  });
  const on = h("input", { id: "on", type: "date", value: asOf });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    go({ id, on: on.value });
  };
  timeline.element.prepend(
    h(
      "form",
      { class: "bar-form", onsubmit },
      field("What held on this day (all, when empty)", on),
      h("button", { type: "submit" }, "Show facts"),
    ),
  );
  return [
    h(
      "p",
      {},
      h("a", { href: "#people" }, "All people"),
      " · ",
      h("strong", {}, ownName(id)),
      " · ",
      h("a", { href: addressOf("graph", { user: id }) }, "Graph"),
      " · ",
      h("a", { href: addressOf("memories", { user: id }) }, "Memories"),
      " · ",
      h("a", { href: addressOf("sessions", { user: id }) }, "Sessions"),
    ),
    profile.element,
    timeline.element,
  ];
}

/**
 * @param {Fact} fact
 * @param {Page} page
 * @param {() => Promise<void>} reload
 */
function factRow(fact, page, reload) {
  const { subject, attribute, value, valid_from, valid_to, status, observed_at, confidence, memory_id } = fact;
  const name = subject === "user" ? attribute : `${subject}: ${attribute}`;
  return [
    ownWords(name),
    status === "retracted" ? h("s", {}, ownWords(value)) : ownWords(value),
    day(valid_from),
    day(valid_to),
    badge(status),
    h(
      "a",
      { href: addressOf("memories", { open: memory_id }), "aria-label": `Memory of ${attribute}` },
      day(observed_at),
    ),
    amount(confidence),
    page.may("memory:write") ? changes(fact, page, reload) : "",
  ];
}

/**
 * @param {Fact} fact
 * @param {Page} page
 * @param {() => Promise<void>} reload
 */
function changes({ id, attribute, value, status }, { api, signal, announce }, reload) {
  const path = `/facts/${encodeURIComponent(id)}`;
  const problem = h("div", {});
  const decide = async (/** @type {"retract" | "restore"} */ action, /** @type {string} */ done) => {
    try {
      await api.post(`${path}/${action}`, { signal });
      announce(done);
      await reload();
    } catch (error) {
      if (!signal.aborted) problem.replaceChildren(notice(error));
    }
  };
  const of = `${attribute}, ${value}`;
  const restore = () => decide("restore", "The fact holds again.");
  const retract = () => decide("retract", "The fact is retracted: it was never true.");
  const correct = formDialog({
    open: "Correct",
    label: `Correct ${of}`,
    title: `Correct ${attribute}`,
    action: "Save",
    build: () => {
      const corrected = h("input", { id: "corrected", required: true, autocomplete: "off", value, dir: "auto" });
      const from = h("input", { id: "corrected-from", type: "date" });
      const until = h("input", { id: "corrected-until", type: "date" });
      const send = async () => {
        const body = {
          value: corrected.value.trim(),
          ...(from.value !== "" && { valid_from: from.value }),
          ...(until.value !== "" && { valid_to: until.value }),
        };
        await api.put(path, { body, signal });
        announce("The fact is corrected.");
        await reload();
      };
      const fields = [
        field("Value", corrected),
        field("Valid from (unchanged, when empty)", from),
        field("Valid until (unchanged, when empty)", until),
      ];
      return { fields, send };
    },
  });
  const button = (/** @type {string} */ action, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", "aria-label": `${action} ${of}`, onclick }, action);
  const isOver = status === "retracted" || status === "superseded";
  return h(
    "div",
    { class: "changes" },
    correct,
    isOver ? button("Restore", restore) : button("Retract", retract),
    problem,
  );
}
