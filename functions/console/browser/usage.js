import { addressOf } from "./address.js";
import { field, figures, h, ownWords, selectOf, table } from "./dom.js";
import { count, dateOnly } from "./format.js";
import { panel } from "./panel.js";
import { DAYS, timePlot } from "./plot.js";

/** @typedef {import("./api.js").Answer<typeof import("../../api-keys/schemas.ts").Usage>} Usage */
/** @typedef {Usage["users"][number]} Holder */
/** @typedef {import("./main.js").Page} Page */
/** @typedef {{ to: string, days: number, user: string, key: string }} Wanted */

const RANGES = [7, 14, 30];

/** @type {import("./main.js").View} */
export const usage = {
  id: "usage",
  title: "Usage",
  group: "Operate",
  changes: true,
  isFor: () => true,
  open: (page) => {
    const { params, go } = page;
    /** @type {Wanted} */
    const wanted = {
      to: params.get("to") ?? "",
      days: Number(params.get("days")) || DAYS.length,
      user: params.get("user") ?? "",
      key: params.get("key") ?? "",
    };
    const to = h("input", { id: "to", type: "date", value: wanted.to, max: dateOnly(Date.now()) });
    const days = selectOf("days", RANGES, wanted.days);
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      go({ ...wanted, to: to.value, days: Number(days.value) });
    };
    const form = h(
      "form",
      { class: "bar-form", onsubmit },
      field("Last day (today, when empty)", to),
      field("Days", days),
      h("button", { type: "submit" }, "Show"),
    );
    return [form, usagePanel(page, wanted)];
  },
};

/**
 * @param {Page} page
 * @param {Wanted} wanted
 */
function usagePanel({ api, signal, may }, wanted) {
  const last = wanted.to === "" ? dateOnly(Date.now()) : wanted.to;
  const from = dateOnly(Date.parse(last) - (wanted.days - 1) * DAYS.stepMs);
  const query = { from, to: last, user_id: wanted.user, api_key_id: wanted.key };
  const whose = may("admin:all") ? "Usage of this organization" : "Your usage";
  const isOne = wanted.user !== "" || wanted.key !== "";
  return panel({
    title: isOne ? "Usage of one" : whose,
    signal,
    load: (signal) => /** @type {Promise<Usage>} */ (api.get("/usage", { query, signal })),
    show: (answer) => (isOne ? partsOfOne(answer, wanted) : parts(answer, wanted)),
  }).element;
}

/**
 * @param {Usage} answer
 * @param {Wanted} wanted
 */
function partsOfOne(answer, wanted) {
  const { id, name } = [...answer.users, ...answer.api_keys][0] ?? { id: wanted.user || wanted.key, name: null };
  const back = h("a", { href: addressOf("usage", { ...wanted, user: "", key: "" }) }, "Back to all");
  return [h("p", {}, ownWords(name ?? id), " · ", back), ...total(answer, wanted)];
}

/**
 * @param {Usage} answer
 * @param {Wanted} wanted
 */
function parts(answer, wanted) {
  const { users, api_keys, left_out, is_partial } = answer;
  return [
    ...total(answer, wanted),
    ...(is_partial ? [h("p", { class: "dim" }, "The tables leave out a part: there are too many counters.")] : []),
    holders("Users, with what their keys did", users, left_out.users, (user) =>
      addressOf("usage", { ...wanted, user }),
    ),
    holders("API keys", api_keys, left_out.api_keys, (key) => addressOf("usage", { ...wanted, key })),
  ];
}

/**
 * @param {Usage} answer
 * @param {Wanted} wanted
 */
function total({ total, days, to }, wanted) {
  const points = days.map(({ day, ...use }) => ({ at: `${day}T00:00:00.000Z`, ...use }));
  const slots = { ...DAYS, length: wanted.days, now: Date.parse(to) };
  return [
    figures([
      ["Requests", count(total.api_calls)],
      ["Failed", count(total.failed_calls), "4xx and 5xx"],
      ["Memories stored", count(total.memories_created)],
      ["Searches and recalls", count(total.searches_performed)],
      ["Sessions begun", count(total.sessions_started)],
    ]),
    h(
      "div",
      { class: "plots" },
      timePlot({ title: "Requests a day", kind: "bars", unit: "requests" }, points, slots, {
        answered: (point) => point.api_calls - point.failed_calls,
        failed: (point) => point.failed_calls,
      }),
      timePlot({ title: "Memories and searches a day", kind: "bars", unit: "" }, points, slots, {
        "memories stored": (point) => point.memories_created,
        "searches and recalls": (point) => point.searches_performed,
      }),
    ),
  ];
}

/**
 * @param {string} title
 * @param {Holder[]} entries
 * @param {number} leftOut
 * @param {(id: string) => string} addressFor
 */
function holders(title, entries, leftOut, addressFor) {
  if (entries.length === 0) return h("p", {}, `${title}: none was active.`);
  const rows = entries.map(({ id, name, ...use }) => [
    h("a", { href: addressFor(id) }, ownWords(name ?? id)),
    count(use.api_calls),
    count(use.failed_calls),
    count(use.memories_created),
    count(use.searches_performed),
    count(use.sessions_started),
  ]);
  const more = leftOut > 0 ? h("p", { class: "dim" }, `and ${count(leftOut)} more with fewer requests`) : undefined;
  const columns = ["Name", "Requests", "Failed", "Memories stored", "Searches", "Sessions"];
  return h("div", {}, table(title, columns, rows), ...(more ? [more] : []));
}
