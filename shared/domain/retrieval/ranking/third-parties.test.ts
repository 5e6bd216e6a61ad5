import { expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../../test/fixtures/blank-document.ts";
import type { SearchSource } from "../../../ports/search-index.ts";
import { ThirdParties } from "./third-parties.ts";

let count = 0;

function said(speaker: string | number | null, rest: Partial<SearchSource> = {}): SearchSource {
  const metadata = { speaker };
  return {
    ...BLANK_DOCUMENT,
    org: "org_1",
    id: `mem_${count++}`,
    content: "My cat sleeps.",
    metadata,
    session_id: "s",
    ...rest,
  };
}

const tells = (memory: SearchSource, others: SearchSource[] = [], asked: string[] = ["cat"]) =>
  new ThirdParties([memory, ...others]).include(memory, new Set(asked));

it.each([
  ["in a session", said("Tim"), [said("Ann")]],
  ["alone", said("Tim", { session_id: undefined }), []],
  ["whatever their profession", said(null, { metadata: { speaker: "Tim", role: "engineer" } }), []],
  ["beside another session of the user", said("Tim"), [said("user", { session_id: "t" })]],
  ["beside a session of the same id of another user", said("Tim"), [said("user", { user_id: "other" })]],
  ["beside memories of the user without a session", said("Tim"), [said("user", { session_id: undefined })]],
])("includes what people say among themselves, %s", (_, memory, others) => {
  expect(tells(memory, others)).toBe(true);
});

it.each([
  ["the user", said("user"), [said("Tim")]],
  ["the assistant, in any spelling", said("Assistant"), []],
  ["the user by name", said(null, { metadata: { speaker: "Tim", role: "user" } }), []],
  ["nobody that is named, but a role", said(null, { metadata: { role: "tool" } }), []],
  ["nobody that is noted", said(null), []],
  ["what is no name", said(7), []],
  ["punctuation", said("…"), []],
  ["a heading before a colon", said(null, { content: "Address: 12 Mill Lane" }), []],
  ["somebody with whom the user talks", said("Tim"), [said("user")]],
  ["somebody whom the assistant hears", said("Tim"), [said("Ann"), said("assistant")]],
  ["somebody in a session with an unattributed memory", said("Tim"), [said(null)]],
  ["the user by the name in the user id", said("Tim", { user_id: "tim_042" }), [said("Ann", { user_id: "tim_042" })]],
  ["somebody whom that user answers", said("Ann", { user_id: "tim_042" }), [said("Tim", { user_id: "tim_042" })]],
])("does not include what is said by %s", (_, memory, others) => {
  expect(tells(memory, others)).toBe(false);
});

it("does not include who the query names", () => {
  expect(tells(said("Tim Reed"), [], ["what", "does", "tim", "say"])).toBe(false);
});
