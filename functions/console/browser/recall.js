import { addressOf } from "./address.js";
import { asCode } from "./as-code.js";
import { field, h, ownWords, selectOf, table } from "./dom.js";
import { amount, beginning, count, percent, when } from "./format.js";
import { panel } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../recall/schemas.ts").Recalled>} Recalled */
/** @typedef {Recalled["items"][number]} Item */
/** @typedef {NonNullable<Recalled["left_out"]>[number]} LeftOut */
/** @typedef {{ query: string, user_id: string, tokens: number, on: string }} Wanted */

export const DEFAULT_TOKENS = 300;
const BUDGETS = [120, 300, 1000, 4000];
const SHOWN_LENGTH = 120;

const PATHS = {
  found: "The search found it.",
  context: "The next line of its session needs it.",
  successor: "It replaced a statement that the search found.",
  instruction: "It is an instruction of the user.",
};

/** @type {Record<LeftOut["reason"], string>} */
const REASONS = {
  superseded: "It no longer holds: a newer statement replaced it.",
  later: "It was said after the day.",
  repeated: "A line of the block says the same.",
  no_room: "The tokens were used up.",
  weak: "It has too little to do with the question.",
};

/**
 * What a prompt would get for a query, why each line is there, and what was found but left out.
 * @param {import("./main.js").Page} page
 * @param {Wanted} wanted
 * @param {(settings: { tokens: number, on: string }) => void} onSettings
 */
export function recallPanel({ api, signal, may }, wanted, onSettings) {
  const { query, user_id, tokens, on } = wanted;
  const body = {
    query,
    user_id: user_id === "" ? "*" : user_id,
    max_tokens: tokens,
    ...(on !== "" && { as_of: on }),
  };
  const { element } = panel({
    title: "Recall",
    signal,
    load: (signal) => {
      const explained = { ...body, include: ["why", "tokens", "left_out"] };
      return /** @type {Promise<Recalled>} */ (api.post("/recall", { body: explained, signal }));
    },
    show: (recalled) => recallBlock(recalled, body, may("memory:read")),
  });
  element.classList.add("recall");
  element.append(settingsForm(wanted, onSettings));
  return element;
}

/**
 * @param {Wanted} wanted
 * @param {(settings: { tokens: number, on: string }) => void} onSettings
 */
function settingsForm(wanted, onSettings) {
  const tokens = selectOf("tokens", BUDGETS, wanted.tokens);
  const on = h("input", { id: "recall-on", type: "date", value: wanted.on });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    onSettings({ tokens: Number(tokens.value), on: on.value });
  };
  return h(
    "form",
    { class: "bar-form", onsubmit },
    field("Most tokens", tokens),
    field("What held on this day (now, when empty)", on),
    h("button", { type: "submit" }, "Recall again"),
  );
}

/**
 * @param {Recalled} answer
 * @param {{ query: string, user_id: string, max_tokens: number }} body
 * @param {boolean} mayRead
 * @returns {(Node | string)[]}
 */
function recallBlock({ context, items, tokens, confident, recall_id, left_out = [] }, body, mayRead) {
  const code = asCode(new URL("../", import.meta.url).href, body);
  if (items.length === 0) return ["Nothing is known.", code];
  const known = confident ? "" : " Nothing that is known answers the query for sure.";
  return [
    h("p", {}, `${tokens} of ${body.max_tokens} tokens.${known}`),
    h("pre", { tabindex: 0, dir: "auto" }, context),
    h("h3", {}, "Why each line is there"),
    reasonList(items, mayRead),
    h(
      "details",
      {},
      h("summary", {}, `Found, but not in the block: ${left_out.length}`),
      left_out.length === 0
        ? h("p", {}, "Every memory that the search found is in the block.")
        : table("Found, but not in the block", ["Memory", "Score", "Why not"], left_out.map(leftOutRow)),
    ),
    code,
    ...(recall_id === undefined
      ? []
      : [h("p", {}, h("a", { href: addressOf("recalls", { id: recall_id }) }, "Link to this recall, for a day"))]),
  ];
}

/** @param {LeftOut} memory */
function leftOutRow({ content, score, reason }) {
  return [ownWords(beginning(content, SHOWN_LENGTH)), amount(score), REASONS[reason]];
}

/**
 * @param {Item[]} items
 * @param {boolean} mayRead
 */
export function reasonList(items, mayRead) {
  return h("ol", { class: "reasons" }, ...items.map((item) => h("li", {}, reasonOf(item, mayRead))));
}

/**
 * @param {Item} item
 * @param {boolean} mayRead
 */
function reasonOf({ label, memory_id, content, score, tokens, why }, mayRead) {
  const { words, meaning, path, time } = why;
  const rows = [
    ["Words of the question in it", `${percent(Math.round(words * 100))} of what they tell`],
    ["Nearness in meaning", percent(Math.round(meaning * 100))],
    ["Said or happened", when(time)],
    ["How it was found", PATHS[path]],
    ["Score", amount(score)],
    ["Tokens", count(tokens)],
    ["In words", why.text ?? ""],
  ];
  const link = mayRead && h("a", { href: addressOf("memories", { open: memory_id }) }, "Open the memory");
  return h(
    "details",
    {},
    h("summary", {}, `${label} `, h("span", { dir: "auto" }, beginning(content, SHOWN_LENGTH))),
    table(`Why ${label} is there`, ["Reason", "Value"], rows),
    link,
  );
}
