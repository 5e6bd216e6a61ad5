import { h, table } from "./dom.js";
import { amount } from "./format.js";

/** @typedef {import("./api.js").Answer<typeof import("../../recall/schemas.ts").Recalled>} Recalled */

const MAX_TOKENS = 300;

/**
 * Returns the context that a prompt would get for a query, or undefined if the query is empty.
 * @param {import("./api.js").Api} api
 * @param {{ query: string, user_id: string }} wanted
 * @param {AbortSignal} signal
 * @returns {Promise<Recalled | undefined>}
 */
export async function recall(api, { query, user_id }, signal) {
  if (query === "") return undefined;
  const body = { query, user_id: user_id === "" ? "*" : user_id, max_tokens: MAX_TOKENS, include: ["why"] };
  return api.post("/recall", { body, signal });
}

/**
 * @param {Recalled | undefined} answer
 * @returns {(Node | string)[]}
 */
export function recallBlock(answer) {
  if (answer === undefined) return [h("p", { class: "dim" }, "Search to see what a prompt would get.")];
  const { context, items, tokens, confident } = answer;
  if (items.length === 0) return ["Nothing is known."];
  const rows = items.map(({ label, why, score }) => [label, why.text, amount(score)]);
  const known = confident ? "" : " Nothing that is known answers the query for sure.";
  return [
    h("p", {}, `${tokens} of ${MAX_TOKENS} tokens.${known}`),
    h("pre", { tabindex: 0 }, context),
    table("Why each line is there", ["Line", "Why", "Score"], rows),
  ];
}
