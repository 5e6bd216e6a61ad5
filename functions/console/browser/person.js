import { addressOf } from "./address.js";
import { factDetails, factHeading } from "./change-fact.js";
import { badge, field, h, ownWords, selectOf, table } from "./dom.js";
import { count, dateOnly, day, percent } from "./format.js";
import { panel } from "./panel.js";
import { personLinks } from "./person-links.js";
import { timeline } from "./timeline.js";
import { heldOn, propertyOf, sentenceOf } from "./truth.js";

/** @typedef {import("./api.js").Answer<typeof import("../../recall/schemas.ts").UserProfile>} UserProfile */
/** @typedef {import("./api.js").Answer<typeof import("../../facts/schemas.ts").FactList>} FactList */
/** @typedef {import("./truth.js").Fact} Fact */
/** @typedef {import("./main.js").Page} Page */
/** @typedef {{ facts: Fact[], total: number, profile: UserProfile }} Known */

const PAGE = 100;
/** The timeline and the list hold so many facts; the API has the others. */
const MAX_FACTS = 1000;
/** A longer list is closed at first. */
const OPEN_FACTS = 40;
const ABOUT = ["the person", "everybody named"];
const COLUMNS = ["Property", "Value", "From", "Until", "State", "Said", "Confidence"];

/**
 * A user: the profile of today or of a day, and facts over time.
 * @param {Page} page
 * @param {string} id
 */
export function person(page, id) {
  const { params, go, keep, signal } = page;
  const today = dateOnly(Date.now());
  const place = { on: params.get("on") || today, fact: params.get("fact") ?? "" };
  const about = params.get("about") ?? "";
  const inAddress = () => ({ id, about, on: place.on === today ? "" : place.on, fact: place.fact });
  const { element, reload } = panel({
    title: "Facts over time",
    signal,
    load: (signal) => loadKnown(page, id, about === "" ? "user" : "", signal),
    show: (known) => {
      if (known.facts.length === 0) return [h("p", {}, "No statement about this person is known. ", addressTo(id))];
      const nameFact = known.facts.find(({ subject, attribute, status }) => {
        return subject === "user" && attribute === "name" && status === "current";
      });
      const name = nameFact?.value ?? id;
      const beside = h("div", { class: "beside", role: "status" });
      const details = h("div", { class: "fact-details", tabindex: -1, role: "group", "aria-label": "The chosen fact" });
      const on = h("input", { id: "on", type: "date", value: place.on, required: true });
      const tell = () => {
        const held = heldOn(known.facts, place.on);
        beside.replaceChildren(
          h("p", { class: "told", dir: "auto" }, sentenceOf(name, place.on, held, today)),
          ...(place.on === today ? profileOf(known.profile) : heldList(held, known.facts, today)),
        );
      };
      const select = (/** @type {Fact} */ fact) => {
        place.fact = fact.id;
        keep(inAddress());
        const shown = factDetails(fact, known.facts, { ...page, reload });
        details.replaceChildren(h("h3", {}, ...factHeading(fact)), ...shown);
      };
      const moveTo = (/** @type {string} */ to) => {
        place.on = to;
        on.value = to;
        tell();
      };
      // Browsers refuse to change the address in each frame.
      const onRest = () => keep(inAddress());
      const drawn = timeline({
        facts: known.facts,
        on: place.on,
        onDay: moveTo,
        onRest,
        chosen: place.fact,
        onSelect: select,
      });
      const jump = (/** @type {string} */ to) => {
        if (to === "") return;
        moveTo(to);
        onRest();
        drawn.move(to);
      };
      on.addEventListener("change", () => jump(on.value));
      const choose = (/** @type {Fact} */ fact) => {
        select(fact);
        details.focus();
      };
      tell();
      const chosen = known.facts.find((fact) => fact.id === place.fact);
      if (chosen) select(chosen);
      else details.append(h("p", { class: "dim" }, "Choose a fact to see its sentence, and to correct or retract it."));
      const whom = selectOf("about", ABOUT, about === "" ? "the person" : "everybody named");
      whom.addEventListener("change", () => go({ ...inAddress(), about: whom.value === ABOUT[0] ? "" : "all" }));
      return [
        h(
          "div",
          { class: "bar-form days" },
          field("What held on this day", on),
          h("button", { type: "button", onclick: () => jump(today) }, "Today"),
          field("Facts about", whom),
        ),
        known.total > known.facts.length &&
          h("p", { class: "dim" }, `The first ${known.facts.length} of ${count(known.total)} facts, by property.`),
        h("div", { class: "truth" }, h("div", {}, drawn.element, details), beside),
        factTable(known, choose),
      ].filter((part) => part !== false);
    },
  });
  return [personLinks(id, "people"), element];
}

/** @param {string} id */
function addressTo(id) {
  return h("a", { href: addressOf("memories", { user: id }) }, "Show the memories");
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {string} subject all, when empty
 * @param {AbortSignal} signal
 * @returns {Promise<Known>}
 */
async function loadKnown({ api }, id, subject, signal) {
  const read = (/** @type {number} */ offset) => {
    const query = { user_id: id, subject, limit: PAGE, offset };
    return /** @type {Promise<FactList>} */ (api.get("/facts", { query, signal }));
  };
  /** @type {[UserProfile, FactList]} */
  const [profile, first] = await Promise.all([api.get(`/profiles/${encodeURIComponent(id)}`, { signal }), read(0)]);
  const { total } = first.pagination;
  const pages = Math.ceil(Math.min(total, MAX_FACTS) / PAGE);
  const others = await Promise.all(
    Array.from({ length: Math.max(0, pages - 1) }, (_, page) => read((page + 1) * PAGE)),
  );
  return { facts: [first, ...others].flatMap(({ facts }) => facts), total, profile };
}

/** @param {UserProfile} profile */
function profileOf({ sections }) {
  return sections.flatMap(({ name, lines }) => [
    h("h3", {}, name),
    h("ul", {}, ...lines.map(({ text }) => h("li", { dir: "auto" }, text))),
  ]);
}

/**
 * The profile of a day, with the value of today where it is another.
 * @param {Fact[]} held
 * @param {Fact[]} facts
 * @param {string} today
 */
function heldList(held, facts, today) {
  const now = heldOn(facts, today);
  const values = Map.groupBy(held, propertyOf);
  const items = [...values].map(([property, own]) => {
    const later = now.filter((fact) => propertyOf(fact) === property).map(({ value }) => value);
    const then = [...new Set(own.map(({ value }) => value))];
    const isSame = then.every((value) => later.includes(value));
    const note = isSame ? "" : later.length === 0 ? " (no longer)" : ` (today: ${[...new Set(later)].join(", ")})`;
    return h("li", { dir: "auto" }, `${property}: ${then.join(", ")}`, h("small", {}, note));
  });
  return [h("ul", {}, ...items)];
}

/**
 * @param {Known} known
 * @param {(fact: Fact) => void} choose
 */
function factTable({ facts }, choose) {
  const rows = facts.map((fact) => {
    const { value, valid_from, valid_to, status, observed_at, confidence } = fact;
    const words = status === "retracted" ? h("s", {}, ownWords(value)) : ownWords(value);
    const label = `Choose ${propertyOf(fact)}, ${value}`;
    return [
      ownWords(propertyOf(fact)),
      h("button", { type: "button", class: "plain", "aria-label": label, onclick: () => choose(fact) }, words),
      day(valid_from),
      day(valid_to),
      badge(status),
      day(observed_at),
      percent(Math.round(confidence * 100)),
    ];
  });
  return h(
    "details",
    { open: facts.length <= OPEN_FACTS },
    h("summary", {}, "The same as a list"),
    table("Facts by property, in the order of time", COLUMNS, rows),
  );
}
