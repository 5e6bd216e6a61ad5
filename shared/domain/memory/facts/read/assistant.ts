import { setOf } from "../../../../kernel/strings.ts";
import { hasTag } from "../../extraction/tagging.ts";
import { ASSISTANT } from "../fact.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { textBetween, type Word } from "./words.ts";

const ADVICE = setOf("recommend suggest advise try");
const PROMISES = new Set(["will", "have"]);

/** Returns what the assistant recommends, promises or says it has done; its other sentences yield no drafts. */
export function readAssistant(text: string, words: Word[]): Draft[] {
  const place = words.findIndex(({ normal }, at) => normal === "i" && hasTag(words[at + 1], "Verb", "Modal"));
  if (place === -1) return [];
  const helper = words[place + 1]?.normal ?? "";
  const verb = words.slice(place + 1, place + 4).find(({ normal }) => ADVICE.has(normal));
  const isPromise = PROMISES.has(helper) && hasTag(words[place + 2], "Verb", "Negative", "Adverb");
  const attribute = verb !== undefined ? "recommended" : isPromise ? "promised" : undefined;
  if (attribute === undefined) return [];
  const value = textBetween(text, words.slice(verb === undefined ? place + 1 : words.indexOf(verb) + 1));
  return value === ""
    ? []
    : [
        draftOf({
          subject: ASSISTANT,
          attribute,
          value,
          act: "state",
          cardinality: "open",
          confidence: CONFIDENCE.open,
        }),
      ];
}
