import { expect, it } from "vitest";
import type { Mention } from "../../ports/fact-reader.ts";
import { readPassage } from "../statements/passage.ts";
import { draftsOfMentions } from "./mentions.ts";

const AT = "2026-05-04T10:00:00.000Z";

/** Reads marked values: `{value|slot,act|subject}`. */
async function draftsOf(marked: string, { before = "", user = "" } = {}) {
  const mentions: Mention[] = [];
  const unmarked = (text: string, part: Mention["part"]) => {
    let plain = "";
    let at = 0;
    for (const mark of text.matchAll(/\{([^|}]*)\|([a-z_]+)(?:,([a-z]+))?(?:\|([^}]*))?\}/g)) {
      const [whole, value = "", slot = "", act = "state", subject] = mark;
      plain += text.slice(at, mark.index);
      const start = plain.length;
      mentions.push({
        part,
        start,
        end: start + value.length,
        slot,
        act: act as Mention["act"],
        subject,
        confidence: 0.9,
      });
      plain += value;
      at = mark.index + whole.length;
    }
    return plain + text.slice(at);
  };
  const message = { before: unmarked(before, "before"), text: unmarked(marked, "text") };
  const passage = await readPassage({ content: message.text, metadata: {}, occurred_at: AT });
  const drafts = draftsOfMentions(mentions, { message, passage, day: AT.slice(0, 10), userNames: new Set([user]) });
  return drafts.filter(({ confidence }) => confidence === 0.9);
}

it.each([
  ["I moved to {Turin|lives_in}", "user lives_in state Turin"],
  ["my sister works at {Fiat|works_at|my sister}", "sister works_at state Fiat"],
  ["Mara lives in {Rome|lives_in|Mara}", "user lives_in state Rome"],
  ["our wifi password is {mango-42|property|wifi password}", "user password_of wifi state mango-42"],
  ["the port of geo-cache is {7300|property|port of geo-cache}", "geo-cache port_of geo-cache state 7300"],
  ["rent is {980 euros|property|rent}", "user rent state 980 euros"],
  ["Blood type: {A+|property|Blood type}", "user blood_type state A+"],
  ["I can't stand {YAML|likes,not}", "user dislikes state YAML"],
  ["I am not {married|relationship_status,not}", "user relationship_status end married"],
  ["quit {Acme|works_at,end} at last", "user works_at end Acme"],
])("%s is %s", async (text, line) => {
  const [draft] = await draftsOf(text, { user: "mara" });
  expect(`${draft?.subject} ${draft?.attribute} ${draft?.act} ${draft?.value}`).toBe(line);
});

it("takes the value that a short answer confirms from the question", async () => {
  const [draft] = await draftsOf("yep", { before: "Are you {vegetarian|diet}?" });
  expect(draft).toMatchObject({ attribute: "diet", value: "vegetarian", span: { start: 0, end: 3 } });
});

it("dates a value by the date beside it, and no present value by a date to come", async () => {
  const [moved, plan, now] = await draftsOf(
    "I moved to {Turin|lives_in} in March, in June we go to {Oslo|lives_in,plan}, and {Fiat|works_at} pays.",
  );
  expect(moved).toMatchObject({ valid_from: "2026-03-01" });
  expect(plan).toMatchObject({ act: "state", valid_from: "2026-06-01" });
  expect(now).not.toHaveProperty("valid_from");
  const [past] = await draftsOf("I used to live in {Lyon|lives_in,past}.");
  expect(past).toMatchObject({ act: "state", valid_to: "2026-05-04" });
});

it("lets an event be a plan before its day and past after it", async () => {
  const [next] = await draftsOf("{the hearing on 9 June|event} is in Oldenburg");
  expect(next).toMatchObject({ act: "plan", valid_from: "2026-06-09" });
  const [last] = await draftsOf("{surgery on 10 April|event} went well");
  expect(last).toMatchObject({ act: "state", valid_to: "2026-04-11" });
  const [undated] = await draftsOf("{a move|plan,plan} some day");
  expect(undated).toMatchObject({ act: "plan" });
  const [trip] = await draftsOf("We go to {Lisbon in June|plan}.");
  expect(trip).toMatchObject({ act: "plan", valid_from: "2026-06-01", valid_to: "2026-07-01" });
  const [off] = await draftsOf("{Lisbon|plan,end} is off.");
  expect(off).toMatchObject({ act: "cancel" });
});

it("leaves out the words of others and subjects without a name", async () => {
  expect(await draftsOf('Tom wrote: "I live in {Minsk|lives_in}."')).toEqual([]);
  expect(await draftsOf("it is {7300|property}")).toEqual([]);
});
