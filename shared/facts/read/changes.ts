import { hasTag } from "../../memory/extraction/tagging.ts";
import { CONFIDENCE, type Draft, draftOf, type Told } from "./draft.ts";
import { behindPreposition, objectOf } from "./phrases.ts";
import { owning, propertyOf, type Subject } from "./subjects.ts";
import type { Said } from "./verb-slots.ts";
import { textBetween, trimEdges, withoutDeterminer } from "./words.ts";

const CHANGES = new Set(
  `go move switch change bump raise increase reduce lower cut drop pass transfer rename migrate shift set push bring update
   replace swap convert`.split(/\s+/),
);
const CANCELS = new Set(["cancel", "call off", "scrap", "abandon", "axe", "shelve", "drop"]);
const STOPS = new Set(["stop", "quit", "give up", "cease"]);
const DEATHS = new Set(["die", "pass away"]);
const SPLITS = new Set(["break up", "split up", "separate", "divorce"]);
const IS_OFF =
  /^(?:off|cancelled|canceled|dead|called off|not happening|not going ahead|scrapped|gone|over)(?=$| (?:because|since|for|due|until|again|now|after|as|then)\b)/;

/** What a clause says to have changed, ended or been called off; empty where it says nothing of the kind. */
export function readChange(said: Said, subject: Subject): Draft[] {
  const { lemma, isUnreal } = said.group;
  if (isUnreal) return [];
  if (CANCELS.has(lemma)) return cancelled(said);
  if (STOPS.has(lemma)) return stopped(said);
  if (DEATHS.has(lemma)) return died(said);
  if (SPLITS.has(lemma)) return split(said);
  if (lemma === "be") return isOff(said, subject);
  return CHANGES.has(lemma) ? changed(said, subject) : [];
}

/** "Ownership of X went from A to B", "the timeout goes from 1500 ms to 400", "we switched from A to B". */
function changed(said: Said, subject: Subject): Draft[] {
  const { text, predicate, validity, speaker, group } = said;
  if (group.isNegated || group.isWished) return [];
  const object = objectOf(predicate);
  const from = textBetween(text, behindPreposition(predicate, ["from"], { dates: true }));
  const to = textBetween(text, behindPreposition(predicate, ["to", "into", "for"], { dates: true }));
  const of = subject.property === undefined ? propertyOf(object, text, speaker) : subject;
  const began = { ...validity, to: undefined };
  if (of?.property !== undefined && to !== "") {
    const slot = { subject: of.name, attribute: of.property };
    const isDate = behindPreposition(predicate, ["to", "into", "for"]).length === 0;
    const own = isDate ? { isOpenEnded: false } : began;
    return [
      ...ended(slot, from, isDate ? own : validity),
      draftOf({ ...slot, value: to, act: "state", validity: own }),
    ];
  }
  if (from === "" || to === "" || hasNoName(from, to, said)) return [];
  const slot = { subject: subject.name, attribute: group.lemma === "move" && said.isPerson ? "lives_in" : "uses" };
  return [...ended(slot, from, validity), draftOf({ ...slot, value: to, act: "state", validity: began })];
}

function hasNoName(from: string, to: string, { isPerson, group }: Said): boolean {
  return !(
    isPerson &&
    (group.lemma === "switch" || group.lemma === "migrate" || (/^\p{Lu}/u.test(from) && /^\p{Lu}/u.test(to)))
  );
}

function ended(slot: Pick<Told, "subject" | "attribute">, value: string, validity: Told["validity"]): Draft[] {
  return value === "" ? [] : [draftOf({ ...slot, value, act: "end", ...(validity !== undefined && { validity }) })];
}

/** "The Tokyo trip is cancelled", "I cancelled the gym". */
function cancelled(said: Said): Draft[] {
  const { text, group, predicate, subject } = said;
  if (group.isNegated || group.tense === "future") return [];
  const what = group.isPassive ? subject : textBetween(text, withoutDeterminer(objectOf(predicate)));
  return what === "" || said.speaker.name === what ? [] : off(said, what, "cancelled");
}

function isOff(said: Said, subject: Subject): Draft[] {
  const comma = said.predicate.words.findIndex(({ after }) => after.includes(","));
  const words = comma === -1 ? said.predicate.words : said.predicate.words.slice(0, comma + 1);
  const value = trimEdges(words)
    .map(({ normal }) => normal)
    .join(" ");
  const state = (said.group.isNegated ? `not ${value}` : value).match(IS_OFF)?.[0];
  if (state === undefined || subject.name === said.speaker.name || said.group.tense === "past") return [];
  if (subject.isPerson) return state === "dead" ? died(said) : [];
  return off(said, subject.name, state);
}

function off({ speaker, validity }: Said, what: string, state: string): Draft[] {
  const subject = owning(what, speaker);
  const confidence = state.startsWith("cancel") ? CONFIDENCE.slot : CONFIDENCE.unsure;
  return [
    draftOf({ subject: speaker.name, attribute: "plan", value: what, act: "cancel", confidence }),
    draftOf({
      subject,
      attribute: `status_of ${what}`,
      value: state,
      act: "state",
      validity: { ...validity, to: undefined },
    }),
  ];
}

/** "I stopped running", "I've given up coffee". */
function stopped(said: Said): Draft[] {
  const { text, subject, group, predicate, validity } = said;
  if (group.isNegated || group.isWished) return [];
  const object = objectOf(predicate);
  const [first] = object;
  if (first === undefined) return [];
  const isDoing = hasTag(first, "Gerund") && first.normal.endsWith("ing");
  const value = textBetween(text, isDoing && object.length > 1 ? object.slice(1) : object);
  const attribute = isDoing && object.length > 1 ? said.lemmaOf(first.normal, "Gerund") : "does";
  return [
    draftOf({ subject, attribute, value, act: "end", validity, cardinality: "open", confidence: CONFIDENCE.unsure }),
    draftOf({
      subject,
      attribute: group.lemma,
      value: textBetween(text, object),
      act: "state",
      validity: { ...validity, to: undefined },
      cardinality: "open",
      confidence: CONFIDENCE.open,
    }),
  ];
}

function died({ subject, validity, group, isPerson, speaker }: Said): Draft[] {
  if (group.isNegated || group.isOver || subject === speaker.name) return [];
  const began = { ...validity, to: undefined };
  const status = draftOf({
    subject,
    attribute: isPerson ? "status" : `status_of ${subject}`,
    value: "dead",
    act: "state",
    validity: began,
  });
  return isPerson
    ? [
        status,
        ...["lives_in", "location", "works_at"].map((attribute) =>
          draftOf({ subject, attribute, value: "", act: "end", validity }),
        ),
        draftOf({ subject: speaker.name, attribute: "pet", value: subject, act: "end", validity }),
      ]
    : [status];
}

/** "Nadia and Piotr broke up", "I broke up with Sam". */
function split(said: Said): Draft[] {
  const { text, subject, predicate, validity, group, verb } = said;
  if (group.isNegated || group.tense === "future") return [];
  const other = group.lemma === "divorce" ? objectOf(predicate) : behindPreposition(predicate, ["with", "from"]);
  const pair = subject.split(/ and | & /);
  const [one = subject, partner = textBetween(text, other)] = pair;
  const began = { ...validity, to: undefined };
  const both =
    pair.length > 1
      ? [
          [one, partner],
          [partner, one],
        ]
      : [[one, partner]];
  return both.flatMap(([name = "", mate = ""]) => [
    draftOf({ subject: name, attribute: "partner", value: mate, act: "end", validity }),
    draftOf({
      subject: name,
      attribute: "relationship_status",
      value: mate === "" ? verb : `${verb} with ${mate}`,
      act: "state",
      validity: began,
    }),
  ]);
}
