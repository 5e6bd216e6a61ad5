import { addressOf } from "./address.js";
import { asCode } from "./as-code.js";
import { field, h, ownWords, selectOf, svg, table } from "./dom.js";
import { amount, beginning, count, NOTHING, percent, when } from "./format.js";
import { notice, panel } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../recall/schemas.ts").Recalled>} Recalled */
/** @typedef {Recalled["items"][number]} Item */
/** @typedef {NonNullable<Recalled["left_out"]>[number]} LeftOut */
/** @typedef {NonNullable<Recalled["baseline"]>} Baseline */
/** @typedef {Baseline["score"]} Spread */
/** @typedef {{ tokens: number, on: string, session: string, agent: string }} Settings */
/** @typedef {{ query: string, user_id: string } & Settings} Wanted */

export const DEFAULT_TOKENS = 300;
const COMPARED_TOKENS = 1000;
const BUDGETS = [120, DEFAULT_TOKENS, COMPARED_TOKENS, 4000];
const SHOWN_LENGTH = 120;
/** Shorter words of a query are not marked. */
const MIN_STEM = 3;
const WORDS = /[\p{L}\p{N}]+/gu;
const THUMB = "M2 7h3v7H2zM5 8l3-6c2 0 2 1 2 2L9 6h4q2 0 1 2l-1 5q0 1-2 1H5";
const SPLIT = /([\p{L}\p{N}]+)/u;

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
 * Settings of a recall in the address: `tokens=1000&on=2024-04-14`.
 * @param {URLSearchParams} params
 * @param {"" | "2"} number of the recall, of two side by side
 * @returns {Settings}
 */
export function settingsIn(params, number) {
  const given = (/** @type {string} */ name) => params.get(`${name}${number}`) ?? "";
  const tokens = Number(given("tokens")) || DEFAULT_TOKENS;
  return { tokens, on: given("on"), session: given("session"), agent: given("agent") };
}

/**
 * The same as parameters. Those of a second recall say that there is one.
 * @param {Settings | undefined} settings
 * @param {"" | "2"} number
 */
export function settingsParams(settings, number) {
  if (settings === undefined) return {};
  const { tokens, ...others } = settings;
  const given = { tokens: tokens === DEFAULT_TOKENS && number === "" ? "" : tokens, ...others };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [`${name}${number}`, value]));
}

/**
 * What a prompt would get for a query, why each line is there, and what was found but left out; with `second`, the same with
 * other settings beside it.
 * @param {import("./main.js").Page} page
 * @param {Wanted & { second: Settings | undefined }} wanted
 * @param {(settings: Settings & { second: Settings | undefined }) => void} onSettings
 */
export function recallPanels(page, { second, ...wanted }, onSettings) {
  const { query, user_id, ...first } = wanted;
  const compare = () => onSettings({ ...first, second: { ...first, tokens: COMPARED_TOKENS } });
  if (second === undefined) {
    const button = h("button", { type: "button", onclick: compare }, "Compare with other settings");
    return recallPanel(page, wanted, { onSettings: (to) => onSettings({ ...to, second }), button, id: "recall" });
  }
  const stop = () => onSettings({ ...first, second: undefined });
  return h(
    "div",
    { class: "compared" },
    recallPanel(page, wanted, { onSettings: (to) => onSettings({ ...to, second }), id: "recall" }),
    recallPanel(
      page,
      { ...wanted, ...second },
      {
        onSettings: (to) => onSettings({ ...first, second: to }),
        button: h("button", { type: "button", onclick: stop }, "Stop comparing"),
        id: "second",
      },
    ),
  );
}

/**
 * @param {import("./main.js").Page} page
 * @param {Wanted} wanted
 * @param {{ onSettings: (settings: Settings) => void, button?: Node, id: string }} options
 */
function recallPanel(page, wanted, { onSettings, button, id }) {
  const { api, signal } = page;
  const { query, user_id, tokens, on, session, agent } = wanted;
  const isScoped = session !== "" || agent !== "";
  const body = {
    query,
    ...(user_id !== "" ? { user_id } : !isScoped && { user_id: "*" }),
    ...(session !== "" && { session_id: session }),
    ...(agent !== "" && { agent_id: agent }),
    max_tokens: tokens,
    ...(on !== "" && { as_of: on }),
  };
  const { element } = panel({
    title: id === "second" ? "Recall with other settings" : "Recall",
    signal,
    load: (signal) => {
      const explained = { ...body, include: ["why", "tokens", "left_out", "baseline"] };
      return /** @type {Promise<Recalled>} */ (api.post("/recall", { body: explained, signal }));
    },
    show: (recalled) => recallBlock(recalled, body, page),
  });
  element.classList.add("recall");
  element.append(settingsForm(wanted, { onSettings, button, id }));
  return element;
}

/**
 * @param {Settings} wanted
 * @param {{ onSettings: (settings: Settings) => void, button?: Node | undefined, id: string }} options
 */
function settingsForm(wanted, { onSettings, button, id }) {
  const tokens = selectOf(`${id}-tokens`, BUDGETS, wanted.tokens);
  const on = h("input", { id: `${id}-on`, type: "date", value: wanted.on });
  const session = h("input", { id: `${id}-session`, autocomplete: "off", value: wanted.session });
  const agent = h("input", { id: `${id}-agent`, autocomplete: "off", value: wanted.agent });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    onSettings({
      tokens: Number(tokens.value),
      on: on.value,
      session: session.value.trim(),
      agent: agent.value.trim(),
    });
  };
  return h(
    "form",
    { class: "bar-form", onsubmit },
    field("Maximum tokens", tokens),
    field("What held on this day (now, when empty)", on),
    field("Session id (all, when empty)", session),
    field("Agent id (all, when empty)", agent),
    h("button", { type: "submit" }, "Recall again"),
    button,
  );
}

/**
 * @param {Recalled} answer
 * @param {{ query: string, max_tokens: number }} body
 * @param {import("./main.js").Page} page
 * @returns {(Node | string)[]}
 */
function recallBlock({ context, items, tokens, confident, recall_id, left_out = [], baseline }, body, page) {
  const code = h("details", {}, h("summary", {}, "As code"), ...asCode({ method: "POST", path: "/recall", body }));
  if (items.length === 0) return ["Nothing is known.", code];
  const known = confident ? "" : " Nothing that is known answers the query for sure.";
  return [
    h("p", {}, `${tokens} of ${body.max_tokens} tokens.${known}`),
    h("pre", { tabindex: 0, dir: "auto" }, context),
    h("h3", {}, "Why each line is there"),
    reasonList(items, page, body.query, { leftOut: left_out, baseline }),
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
 * @param {import("./main.js").Page} page
 * @param {string} query whose words are marked
 * @param {{ leftOut?: LeftOut[], baseline?: Baseline | undefined }} [others] what the search found, but is not in the block; what
 * random memories get
 */
export function reasonList(items, page, query, { leftOut = [], baseline } = {}) {
  const marks = marksOf(query);
  const beaten = bestLeftOut(leftOut);
  const entries = items.map((item) =>
    h("li", {}, reasonOf(item, page, { marks, beaten, baseline }), page.may("memory:write") && thumbs(item, page)),
  );
  return h("ol", { class: "reasons" }, ...entries);
}

/**
 * Finds the words of a query in a text, in forms that begin the same.
 * @param {string} query
 */
function marksOf(query) {
  const words = query.toLowerCase().match(WORDS) ?? [];
  const stems = words
    .filter(({ length }) => length >= MIN_STEM)
    .map((word) => word.slice(0, Math.max(MIN_STEM, word.length - 2)));
  return (/** @type {string} */ text) =>
    text.split(SPLIT).map((part) => {
      const word = part.toLowerCase();
      return stems.some((stem) => word.startsWith(stem)) ? h("mark", {}, part) : part;
    });
}

/**
 * Ratings of a line: they change how its memory is ranked.
 * @param {Item} item
 * @param {import("./main.js").Page} page
 */
function thumbs({ label, memory_id }, { api, signal, announce }) {
  const path = `/memories/${encodeURIComponent(memory_id)}/feedback`;
  const problem = h("div", {});
  const rate = async (/** @type {number} */ rating) => {
    try {
      const { id } = await api.post(path, { body: { rating }, signal });
      const undo = async () => {
        await api.delete(`${path}/${encodeURIComponent(id)}`);
        announce("The rating is removed.");
      };
      announce("Rated. ", h("button", { type: "button", onclick: () => void undo() }, "Undo"));
    } catch (error) {
      if (!signal.aborted) problem.replaceChildren(notice(error));
    }
  };
  const button = (/** @type {string} */ meaning, /** @type {number} */ rating) =>
    h(
      "button",
      { type: "button", "aria-label": `${label} is ${meaning}`, onclick: () => void rate(rating) },
      thumb(rating > 1 ? "up" : "down"),
    );
  return h("div", { class: "thumbs" }, button("useful", 5), button("useless", 1), problem);
}

/** @param {"up" | "down"} direction */
function thumb(direction) {
  const path = svg("path", { d: THUMB });
  return svg(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, class: `thumb ${direction}`, "aria-hidden": "true" },
    path,
  );
}

/**
 * The best of those that competed for a line: the others are left out whatever their score is.
 * @param {LeftOut[]} leftOut
 */
function bestLeftOut(leftOut) {
  const [best] = leftOut
    .filter(({ reason }) => reason === "no_room" || reason === "weak")
    .sort((a, b) => b.score - a.score);
  return best;
}

/**
 * @param {LeftOut} beaten
 * @returns {[string, import("./dom.js").Child[]]}
 */
function beats({ score, content }) {
  return ["Best that it beat", [ownWords(`${amount(score)}: ${beginning(content, SHOWN_LENGTH)}`)]];
}

/**
 * @param {Item} item
 * @param {import("./main.js").Page} page
 * @param {{ marks: (text: string) => (Node | string)[], beaten: LeftOut | undefined, baseline: Baseline | undefined }} among
 */
function reasonOf({ label, memory_id, content, score, tokens, ratings, why }, { may }, { marks, beaten, baseline }) {
  const { words, meaning, path, time } = why;
  const beside = (/** @type {number} */ value, /** @type {Spread | undefined} */ random) => [
    amount(value),
    random &&
      h("small", {}, ` random memories: half at most ${amount(random.median)}, the best ${amount(random.highest)}`),
  ];
  const weighted = h("small", {}, " rare words count more");
  // A line that the search did not find is there for another reason.
  const isCompared = path === "found" || words > 0 || meaning > 0;
  /** @type {[string, import("./dom.js").Child[]][]} */
  const rows = [
    ["Words of the question in it", isCompared ? [percent(Math.round(words * 100)), weighted] : [NOTHING]],
    ["Similarity in meaning, 0 to 1", isCompared ? beside(meaning, baseline?.meaning) : [NOTHING]],
    ["Said or happened", [when(time)]],
    ["Ratings", [ratings === undefined ? "none" : `${amount(ratings.mean)} of 5, ${count(ratings.count)} in all`]],
    ["How it was found", [PATHS[path]]],
    ["Score, 0 to 1", beside(score, baseline?.score)],
    ...(beaten !== undefined && beaten.score < score ? [beats(beaten)] : []),
    ["In words", [why.text ?? ""]],
  ];
  const link = may("memory:read") && h("a", { href: addressOf("memories", { open: memory_id }) }, "Open the memory");
  return h(
    "details",
    {},
    h(
      "summary",
      {},
      `${label} `,
      h("span", { dir: "auto" }, ...marks(beginning(content, SHOWN_LENGTH))),
      tokens !== undefined && h("small", { class: "tokens" }, ` ${count(tokens)} tokens`),
    ),
    table(
      `Why ${label} is there`,
      ["Reason", "Value"],
      rows.map(([reason, value]) => [reason, h("span", {}, ...value)]),
    ),
    link,
  );
}
