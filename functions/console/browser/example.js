import { actionButton } from "./panel.js";

/** @typedef {import("./main.js").Page} Page */

/** The user that the example is stored under. */
export const EXAMPLE_USER = "example-ada";

/** What somebody said within a year: the days before today, and the words. */
const SAID = /** @type {const} */ ([
  [365, "My name is Ada. I live in Berlin and work as a nurse at the Charité."],
  [341, "I am allergic to peanuts, so please never suggest satay."],
  [320, "My sister Mia lives in Porto."],
  [301, "My favourite tea is Assam, without sugar."],
  [274, "Always answer me in short sentences."],
  [240, "I am learning Portuguese for my visits to Mia."],
  [203, "I signed a contract with the children's hospital in Zurich."],
  [170, "I moved to Zurich. The flat is above a bakery."],
  [161, "I started as a nurse at the children's hospital in Zurich."],
  [118, "My favourite tea is now Darjeeling."],
  [75, "I play the cello in an amateur orchestra."],
  [33, "My colleague Jonas lent me his bicycle."],
  [12, "My sister Mia visited me in Zurich last weekend."],
]);
const DAY_MS = 86_400_000;

/**
 * @param {Page} page
 * @param {() => unknown} reload
 */
export function loadExample(page, reload) {
  const send = () => {
    const memories = SAID.map(([daysAgo, content]) => ({
      content,
      user_id: EXAMPLE_USER,
      occurred_at: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
    }));
    return page.api.post("/memories/batch", { body: { memories }, signal: page.signal });
  };
  return actionButton(page, { action: "Load an example person", done: "A year of Ada is loaded.", send, reload });
}

/**
 * @param {Page} page
 * @param {() => unknown} reload
 */
export function removeExample(page, reload) {
  const body = { filters: { user_id: EXAMPLE_USER }, confirm: true };
  const send = () => page.api.delete("/memories/bulk-delete", { body, signal: page.signal });
  return actionButton(page, { action: "Remove the example person", done: "The example is removed.", send, reload });
}
