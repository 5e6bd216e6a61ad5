import { describe, expect, it } from "vitest";
import { askedEventOf } from "./asked-event.ts";
import { Query } from "./query.ts";

/** Returns "side subject attributes effect [names]" of a question; an empty string if it names no event. */
function read(question: string): string {
  const event = askedEventOf(new Query(question));
  if (event === undefined) return "";
  const { side, subject, attributes, effect, names } = event;
  return [side, subject, attributes.join("+"), effect, ...names].join(" ");
}

const WORK = "works_at+works_as+employer+job";
const PARTNER = "partner+relationship_status";
const NAMED = "lives_in+location+works_at+studies_at+partner";

describe("the event by which a question says its time", () => {
  it.each([
    ["Which doctor did I have before the move?", "before user lives_in start"],
    ["What did I do in the evenings before I moved to Kiel?", "before user lives_in start kiel"],
    ["Before I moved to Kiel where did I work?", "before user lives_in start kiel"],
    ["Before moving to Kiel, who cut my hair?", "before user lives_in start kiel"],
    ["What have I learned since I changed jobs?", `since user ${WORK} change`],
    ["What did I eat for lunch before my new job?", `before user ${WORK} change`],
    ["Who did I meet since I joined Acme?", "since user works_at start acm"],
    ["What did I do after I left Larkwire?", "after user works_at+lives_in+location end larkwir"],
    ["What did I do after I quit my job?", `after user ${WORK} end`],
    ["How did I sleep until the divorce?", `until user ${PARTNER} change`],
    ["Where did we go before the wedding?", `before user ${PARTNER} change`],
    ["Which roads did I take before I got the new car?", "before user drives change"],
    ["What have I cooked since I became vegan?", "since user diet start"],
    ["Where did I live before Kiel?", "before user lives_in state kiel"],
    ["What was my hobby after Larkwire?", `after user ${NAMED} state larkwir`],
    ["Which bus did I take after the move from Hamburg?", "after user lives_in end hamburg"],
    ["Where did we meet before Anna moved to Rome?", "before Anna lives_in start rome"],
    ["What was I afraid of before Anna's move?", "before Anna lives_in start"],
    ["Wohin ging ich tanzen, bevor ich nach Kiel gezogen bin?", "before user lives_in start kiel"],
    ["Was habe ich seit dem Umzug gelernt?", "since user lives_in change"],
    ["Wo habe ich vor Kiel gewohnt?", "before user lives_in state kiel"],
    ["Qu'est-ce que je lisais avant le déménagement ?", "before user lives_in change"],
    ["¿Qué comía antes de la mudanza?", "before user lives_in change"],
    ["¿Qué he aprendido desde que me mudé a Lima?", "since user lives_in start lima"],
  ])("%s", (question, expected) => expect(read(question)).toBe(expected));

  it.each([
    "Where did I live before?",
    "What did I do before breakfast?",
    "What have I eaten since I like tea?",
    "What did I do before I joined the gym?",
    "Where did I go after I started yoga?",
    "Wann bin ich nach Kiel gezogen?",
    "What was published by Acme?",
    "When did I move to Kiel?",
    `${"I went home. ".repeat(40)}What did I do before the move?`,
  ])("names none: %s", (question) => expect(read(question)).toBe(""));
});
