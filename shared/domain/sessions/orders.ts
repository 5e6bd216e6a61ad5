import { setOf, trimmedEnd } from "../../kernel/strings.ts";
import type { Sentence } from "../memory/extraction/passage.ts";
import { inThirdPerson } from "../memory/extraction/rewriting.ts";
import { THE_ASSISTANT, UNNAMED_SPEAKER } from "../memory/extraction/speakers.ts";
import { hasTag, type Tagger, type Token } from "../memory/extraction/tagging.ts";
import { isFiller, isVocative } from "../memory/extraction/vocatives.ts";

/** Verbs of orders to an assistant. Other verbs without a subject may omit "I": "Live in Rome." */
const ORDERED = setOf(
  `add address advise answer arrange ask avoid book bring calculate call cancel change check choose compare compose compute confirm
   contact correct create delete describe design draft email explain extend find fix forget forward generate give help ignore
   include inform invite keep leave list mail make mark message move note notify order postpone prepare print proofread put quiz
   recommend refund remember remind remove rename rephrase replace reply reschedule reserve respond restart return rewrite ring save
   schedule search select send set share ship shorten show skip sort speak spell stop store suggest summarise summarize switch talk
   tell text translate turn update upload verify write`,
);
/** Verbs that form an order only if the assistant says them, as advice. */
const ADVISED = setOf("add contact go install open read restart run see start take try use visit wait");
/** A verb without a subject is an order if one of these words follows it. */
const MARKS = setOf("me it that this them us");
const POLITE = setOf("please kindly");
const ADVERBS = setOf("also just now then");
/** Verbs that request no action: "Can you believe it?" */
const IDLE = setOf("be believe guess hear imagine let like mind see think understand wonder");

type Spoken = Pick<Sentence, "text" | "speaker" | "isEnglish">;

/** "(and) can you …?" */
const REQUEST =
  /(?:^|[,;:–—-]\s|\b(?:and|so|but|then)\s+)(?:can|could|would|will) you (?:please |kindly |maybe |also )*([^;?]{2,300})\?$/iu;

/** Returns the request to the assistant in a user's English sentence, such as "to send them the bill", or undefined. */
export function requestIn({ text, speaker, isEnglish }: Spoken, tag: Tagger): string | undefined {
  if (!isEnglish || speaker === THE_ASSISTANT) return undefined;
  const [, asked] = REQUEST.exec(text.trimEnd()) ?? [];
  if (asked === undefined) return orderIn({ text, speaker, isEnglish }, tag);
  const tokens = tag({ text: asked });
  const [verb] = tokens;
  // The tagger reads "quiz" as a noun at the beginning of a text.
  const isVerb = verb !== undefined && (ORDERED.has(verb.normal) || hasTag(verb, "Infinitive"));
  return isVerb && !IDLE.has(verb.normal) ? `to ${inReportedSpeech(tokens, speaker)}` : undefined;
}

/** Returns the order or advice in an English sentence, such as "not to ring them at night", or undefined. */
export function orderIn({ text, speaker, isEnglish }: Spoken, tag: Tagger): string | undefined {
  if (!isEnglish || (speaker !== THE_ASSISTANT && speaker !== UNNAMED_SPEAKER)) return undefined;
  const tokens = tag({ text });
  let start = 0;
  const isOpening = (token: Token) => POLITE.has(token.normal) || ADVERBS.has(token.normal);
  for (const [index, token] of tokens.entries()) {
    if (!isOpening(token) && !isFiller(tokens, index) && !isVocative(tokens, index)) break;
    start = index + 1;
  }
  const isFromNowOn =
    tokens
      .slice(start, start + 3)
      .map(({ normal }) => normal)
      .join(" ") === "from now on";
  if (isFromNowOn) start += 3;
  const lead = leadOf(tokens.slice(start));
  const order = tokens.slice(start + lead.words);
  const isPolite = tokens.some(({ normal }) => POLITE.has(normal));
  if (!isOrdered(order, speaker, isPolite || isFromNowOn || lead.words > 0)) return undefined;
  return `${lead.text}to ${inReportedSpeech(order, speaker)}${isFromNowOn ? " from now on" : ""}`;
}

function leadOf([first, second]: Token[]): { text: string; words: number } {
  if (first?.normal === "do" && second?.normal === "not") return { text: "not ", words: 2 };
  if (first?.normal === "never" || first?.normal === "always") return { text: `${first.normal} `, words: 1 };
  return { text: "", words: 0 };
}

function isOrdered([verb, next]: Token[], speaker: string, isMarked: boolean): boolean {
  if (verb === undefined || next === undefined || !hasTag(verb, "Infinitive") || IDLE.has(verb.normal)) return false;
  if (/[,;:.!?]/.test(verb.after)) return false;
  const isKnown = ORDERED.has(verb.normal) || (speaker === THE_ASSISTANT && ADVISED.has(verb.normal));
  return isKnown || isMarked || MARKS.has(next.normal);
}

/** Rewrites an order in the third person for both speaker and listener, without "please". */
function inReportedSpeech(tokens: Token[], speaker: string): string {
  const polite = tokens.findIndex(({ normal }) => POLITE.has(normal));
  const words = tokens.filter((_token, index) => index !== polite);
  const listener = speaker === THE_ASSISTANT ? UNNAMED_SPEAKER : THE_ASSISTANT;
  const text = inThirdPerson(words, { speaker, addressee: listener, subjectStart: 0, elided: false, named: true });
  const short = text.replaceAll(`${listener}'s`, speaker === THE_ASSISTANT ? "their" : "its");
  return trimmedEnd(short.charAt(0).toLowerCase() + short.slice(1), /[\s,;:.!?]/);
}
