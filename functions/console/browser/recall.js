import { addressOf } from "./address.js";
import { h, ownWords, table } from "./dom.js";
import { amount, beginning, percent, when } from "./format.js";
import { panel } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../recall/schemas.ts").Recalled>} Recalled */
/** @typedef {Recalled["items"][number]} Item */
/** @typedef {import("./memories.js").Memory} Memory */

const MAX_TOKENS = 300;
/** Number of found memories that are compared with the recall. */
const COMPARED = 20;
const LEFT_OUT = 10;
const SHOWN_LENGTH = 120;

const PATHS = {
  found: "The search found it.",
  context: "The next line of its session needs it.",
  successor: "It replaced a statement that the search found.",
  instruction: "It is an instruction of the user.",
};

/**
 * What a prompt would get for a query, why each line is there, and what was found but left out.
 * @param {import("./main.js").Page} page
 * @param {{ query: string, user_id: string }} wanted
 */
export function recallPanel({ api, signal, may }, { query, user_id }) {
  const { element } = panel({
    title: "Recall",
    signal,
    load: async (signal) => {
      const ofWhom = user_id === "" ? "*" : user_id;
      const body = { query, user_id: ofWhom, max_tokens: MAX_TOKENS, include: ["why"] };
      const [recalled, found] = await Promise.all([
        api.post("/recall", { body, signal }),
        api.get("/search", { query: { q: query, user_id, limit: COMPARED }, signal }),
      ]);
      return { recalled, found: found.results };
    },
    show: ({ recalled, found }) => recallBlock(recalled, found, may("memory:read")),
  });
  element.classList.add("recall");
  return element;
}

/**
 * @param {Recalled} answer
 * @param {Memory[]} found
 * @param {boolean} mayRead
 * @returns {(Node | string)[]}
 */
function recallBlock({ context, items, tokens, confident }, found, mayRead) {
  if (items.length === 0) return ["Nothing is known."];
  const known = confident ? "" : " Nothing that is known answers the query for sure.";
  const lowest = Math.min(...items.map(({ score }) => score));
  const used = new Set(items.map(({ memory_id }) => memory_id));
  const leftOut = found.filter(({ id }) => !used.has(id)).slice(0, LEFT_OUT);
  return [
    h("p", {}, `${tokens} of ${MAX_TOKENS} tokens.${known}`),
    h("pre", { tabindex: 0, dir: "auto" }, context),
    h("h3", {}, "Why each line is there"),
    h("ol", { class: "reasons" }, ...items.map((item) => h("li", {}, reasonOf(item, mayRead)))),
    h(
      "details",
      {},
      h("summary", {}, `Found, but not in the block: ${leftOut.length}`),
      leftOut.length === 0
        ? h("p", {}, "Every memory that the search found is in the block.")
        : table(
            "Found, but not in the block",
            ["Memory", "Score", "Why not"],
            leftOut.map((memory) => [
              ownWords(beginning(memory.content ?? "", SHOWN_LENGTH)),
              amount(memory.score),
              whyNot(memory, lowest),
            ]),
          ),
    ),
  ];
}

/**
 * @param {Item} item
 * @param {boolean} mayRead
 */
function reasonOf({ label, memory_id, content, score, why }, mayRead) {
  const { words, meaning, path, time } = why;
  const rows = [
    ["Words of the question in it", `${percent(Math.round(words * 100))} of what they tell`],
    ["Nearness in meaning", percent(Math.round(meaning * 100))],
    ["Said or happened", when(time)],
    ["How it was found", PATHS[path]],
    ["Score", amount(score)],
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

/**
 * @param {Memory} memory
 * @param {number} lowest the lowest score in the block
 */
function whyNot({ score = 0, superseded_by }, lowest) {
  if (superseded_by !== undefined) return "A newer statement replaced it.";
  if (score < lowest) return `Its score is below that of every line in the block (${amount(lowest)}).`;
  return "It repeats or adds too little to a line of the block, or the tokens were used up.";
}
