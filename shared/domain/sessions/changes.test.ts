import { expect, it } from "vitest";
import { VERB_SLOTS } from "../../language/slots/slots.ts";
import { describeChange } from "./changes.ts";

const CURRENT = { subject: "user", content: "", status: "current", valid_from: "2026-11-23T00:00:00.000Z" } as const;
const former = { value: "Berlin", content: "answer in long sentences" };

it.each([
  ["The user now lives in Hamburg, formerly Berlin.", { ...CURRENT, attribute: "lives_in", value: "Hamburg" }],
  ["The user's phone is now 040 1, formerly Berlin.", { ...CURRENT, attribute: "phone", value: "040 1" }],
  [
    "The user's dose of ramipril is now 5 mg, formerly Berlin.",
    { ...CURRENT, attribute: "dose_of ramipril", value: "5 mg" },
  ],
  ["The user is now allergic to nuts, formerly Berlin.", { ...CURRENT, attribute: "allergic_to", value: "nuts" }],
  ["The user now does not eat pork, formerly Berlin.", { ...CURRENT, attribute: "does_not_eat", value: "pork" }],
  ["Carla now works at Acme, formerly Berlin.", { ...CURRENT, subject: "Carla", attribute: "works_at", value: "Acme" }],
  [
    "The user works at Acme from 2026-11-23 on, until then Berlin.",
    { ...CURRENT, attribute: "works_at", value: "Acme", status: "planned" as const },
  ],
  [
    'Now "answer in \'short\' sentences" holds instead of "answer in long sentences".',
    { ...CURRENT, attribute: "instruction", value: "", content: 'answer in "short" sentences' },
  ],
])("describes a change as a sentence: %s", (sentence, fact) => {
  expect(describeChange(fact, former)).toBe(sentence);
});

it("names every slot that a verb fills by the verb, unless the slot is a noun", () => {
  const sentences = VERB_SLOTS.map(({ slot }) =>
    describeChange({ ...CURRENT, attribute: slot, value: "it" }, undefined),
  );
  for (const sentence of sentences)
    expect(sentence).toMatch(/^The user(?: now \w+s(?: \w+)? it|'s \w+(?<!s) is now it)\.$/);
});
