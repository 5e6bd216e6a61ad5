import { setOf } from "../../kernel/strings.ts";
import { type Draft, draftOf } from "./draft.ts";
import { afterPreposition, changedObject } from "./phrases.ts";
import { slotOfThing } from "./properties.ts";
import { onwards } from "./validity.ts";
import type { Said } from "./verb-slots.ts";
import { textBetween, trimEdges, type Word, withoutDeterminer } from "./words.ts";

const RUNS = setOf("use run have be");
const UPGRADES = setOf("move upgrade switch migrate go update downgrade roll be jump bump");
/** Verbs whose object has versions: "we bumped React to 19". */
const RELEASES = setOf("upgrade update downgrade bump");
const VERSION = /^v?(\d{1,4}(?:\.\d+){0,3})$/u;
const NAME = /^\p{Lu}[\p{L}+#-]*(?:\.js)?(?: \p{Lu}[\p{L}+#-]*)?$/u;
const NAMED_VERSION = /^(\p{Lu}[\p{L}+#-]*(?:\.js)?(?: \p{Lu}[\p{L}+#-]*)?) v?(\d{1,4}(?:\.\d+){0,3})$/u;
const PLACES = setOf("ward unit room bay team floor desk shift line bus platform gate route level");
/** Words after a name that do not distinguish it: both "the orders service" and "the orders database" are "orders". */
const GENERAL = setOf("service database db server cluster environment env system app application backend");

/**
 * Reads which version of something is in use, and where: "staging now runs Postgres 16", "we use Python 3.11 for the
 * jobs", "we upgraded the orders database to Postgres 16". Versions in different places coexist.
 */
export function readVersion(said: Said): Draft | undefined {
  const { text, group, predicate, speaker, validity, subject } = said;
  if (group.isHypothetical || group.isWished || group.isNegated || group.tense === "future") return undefined;
  const isUpgrade = UPGRADES.has(group.lemma);
  const object = changedObject(predicate);
  const phrase = afterPreposition(predicate, isUpgrade && group.lemma !== "be" ? ["to"] : ["on"]);
  const value = phrase.length > 0 || !RUNS.has(group.lemma) ? phrase : predicate.words.slice(0, predicate.objectEnd);
  const found = NAMED_VERSION.exec(textBetween(text, trimEdges(value)));
  const [, name, version] = found ?? [];
  // "I'm back on Ward 4"
  if (name !== undefined && PLACES.has(name.toLowerCase())) return undefined;
  if (name === undefined || version === undefined)
    return (isUpgrade ? readUpgrade(said) : undefined) ?? readRelease(said);
  const where =
    [afterPreposition(predicate, ["in", "for"]), isUpgrade && phrase.length > 0 ? object : []].find(
      ({ length }) => length > 0,
    ) ?? [];
  const isOwn = subject === speaker.name;
  const scope = where.length > 0 ? scopeOf(where, text) : isOwn || !said.mayBeThing ? "" : subject;
  const thing = [scope, name].filter((part) => part !== "").join(" ");
  const act = group.isOver ? "end" : "state";
  return draftOf({ ...slotOfThing("version", thing, speaker), value: version, act, validity: onwards(validity) });
}

/** Reads an upgrade: "We upgraded Postgres to 16", "we upgraded from Postgres 15 to 16". */
function readUpgrade({ text, group, predicate, speaker, validity }: Said): Draft | undefined {
  const [, version] = VERSION.exec(textBetween(text, trimEdges(afterPreposition(predicate, ["to"])))) ?? [];
  const object = changedObject(predicate);
  if (version === undefined || (object.length > 0 && !RELEASES.has(group.lemma))) return undefined;
  const former = textBetween(text, trimEdges(afterPreposition(predicate, ["from"])));
  const name = object.length > 0 ? textBetween(text, object) : NAMED_VERSION.exec(former)?.[1];
  if (name === undefined || !NAME.test(name)) return undefined;
  const slot = slotOfThing("version", name, speaker);
  return draftOf({ ...slot, value: version, act: "state", validity: onwards(validity) });
}

const IS_LIVE = /^(?:live|out|deployed|installed|running|in production)\b/u;

/** Reads a release: "Airflow 2.10 is live since last night", "Postgres 16 went live". */
function readRelease({ text, subject, group, predicate, speaker, validity }: Said): Draft | undefined {
  const [, name, version] = NAMED_VERSION.exec(subject) ?? [];
  const isBeOrGo = (group.lemma === "be" || group.lemma === "go") && !group.isOver;
  if (name === undefined || version === undefined || !isBeOrGo) return undefined;
  if (!IS_LIVE.test(textBetween(text, trimEdges(predicate.words)))) return undefined;
  const slot = slotOfThing("version", name, speaker);
  return draftOf({ ...slot, value: version, act: "state", validity: onwards(validity) });
}

function scopeOf(words: Word[], text: string): string {
  const phrase = withoutDeterminer(words);
  const end = phrase.findLastIndex(({ normal }) => !GENERAL.has(normal));
  return textBetween(text, phrase.slice(0, end + 1));
}
