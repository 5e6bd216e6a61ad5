import { LRUCache } from "lru-cache";
import { setOf } from "../../kernel/strings.ts";
import { hasTag } from "../statements/tagging.ts";
import { isRegularDay, type Word } from "./words.ts";

/** What the verbs of a clause say together. */
export interface VerbGroup {
  /** Lemma of the main verb, with its particle: "live", "give up". */
  lemma: string;
  tense: "past" | "present" | "future";
  isPerfect: boolean;
  isProgressive: boolean;
  isPassive: boolean;
  isNegated: boolean;
  /** "no longer", "any more", "used to". */
  isOver: boolean;
  /** "want to", "hope to", "would like to": intended, not decided. */
  isWished: boolean;
  /** "got married": the result has begun to hold. */
  isBecoming: boolean;
  /** "is getting married": the result is yet to come. */
  isAhead: boolean;
  /** "had to": done, although nobody wanted it. */
  isForced: boolean;
  /** "might", "could", "should": neither done nor intended. */
  isHypothetical: boolean;
  /** Index after its last word. */
  end: number;
}

/** Returns the infinitive of a verb form. */
export type Lemmatizer = (word: string, tense: "PastTense" | "PresentTense" | "Gerund" | "Participle") => string;

const MAX_CACHED_LEMMAS = 10_000;
let loading: Promise<Lemmatizer> | undefined;

/** Loads the tagger's own verb tables. */
export function loadLemmatizer(): Promise<Lemmatizer> {
  loading ??= import("compromise/two").then(({ default: nlp }) => {
    const { toInfinitive } = (nlp.methods() as unknown as Methods).two.transform.verb;
    const model = nlp.model();
    const cache = new LRUCache<string, string, { word: string; tense: string }>({
      max: MAX_CACHED_LEMMAS,
      memoMethod: (_key, _stale, { context: { word, tense } }) => toInfinitive(word, model, tense),
    });
    return (word, tense) => cache.memo(`${tense} ${word}`, { context: { word, tense } });
  });
  return loading;
}

/** What the library's types omit. */
interface Methods {
  two: { transform: { verb: { toInfinitive(word: string, model: object, tense: string): string } } };
}

const BE = setOf("am is are was were be been being 's 're 'm");
const HAVE = setOf("have has had having");
const DO = setOf("do does did");
const GET = setOf("get gets got getting gotten");
/** Verbs whose participle is their infinitive. */
const UNCHANGED = setOf("put cut set hit shut split let");
/** More verbs whose past is written as their infinitive. */
const SAME_IN_PAST = setOf("read cost hurt quit spread bet beat burst");
const FUTURE = setOf("will shall gonna wont");
const HYPOTHETICAL = setOf("would could might should may can must");
/** Verbs of intention, before "to" and another verb. */
const WISHES = setOf("want plan hope intend decide like love aim need");
/** Those that say nothing about today in the past: "I wanted to learn the piano". */
const PASSING_WISHES = setOf("want hope intend like love need");
const PAST_FORMS = setOf("was were had did");
const NEGATIONS = setOf("not never no n't");
const PARTICLES = setOf("up off out down away back over on in");
const MAX_WORDS = 8;

/** Returns the verb group that begins at index `start` of a clause. */
export function verbGroupAt(words: Word[], start: number, lemmaOf: Lemmatizer): VerbGroup {
  const group: VerbGroup = {
    lemma: "",
    tense: "present",
    isPerfect: false,
    isProgressive: false,
    isPassive: false,
    isNegated: words.slice(Math.max(0, start - 2), start).some(({ normal }) => normal === "never" || normal === "not"),
    isOver: saysOver(words, start),
    isWished: false,
    isBecoming: false,
    isAhead: false,
    isForced: false,
    isHypothetical: ALMOST.has(words[start - 1]?.normal ?? ""),
    end: start + 1,
  };
  let helper = "";
  for (let index = start; index < words.length && index < start + MAX_WORDS; index++) {
    const word = words[index];
    if (word === undefined) break;
    const { normal } = word;
    if (NEGATIONS.has(normal) || hasTag(word, "Negative")) group.isNegated = !isNoLonger(words, index);
    else if (index > start && isAdverbBeforeVerb(word, words[index + 1])) continue;
    else {
      const auxiliary = takeAuxiliary(group, words, index, helper);
      if (auxiliary !== undefined) {
        helper = auxiliary.helper;
        index += auxiliary.more;
      } else if (
        (hasTag(word, "Verb", "Copula") || (helper === "be" && isParticiple(word))) &&
        (helper !== "" || index === start || group.lemma === "")
      ) {
        const isWish = setMainVerb(group, words, index, helper, lemmaOf);
        group.end = index + 1;
        if (group.lemma === "be" && hasTag(words[group.end], "Negative")) {
          group.isNegated = !isNoLonger(words, group.end);
          group.end++;
        }
        if (!isWish) break;
        helper = "to";
        index++;
      } else break;
    }
    group.end = index + 1;
  }
  // "The kitchen is to be sage green"
  if (group.lemma === "be" && words[group.end]?.normal === "to" && words[group.end + 1]?.normal === "be") {
    group.tense = "future";
    group.end += 2;
  }
  takeParticle(group, words);
  return group;
}

/** Reads an auxiliary at a position; returns it with the number of words that belong to it besides, if there is one. */
function takeAuxiliary(
  group: VerbGroup,
  words: Word[],
  index: number,
  helper: string,
): { helper: string; more: number } | undefined {
  const normal = words[index]?.normal ?? "";
  const isBeforeTo = words[index + 1]?.normal === "to";
  const isFirst = group.lemma === "" && helper === "";
  if (normal === "going" && isBeforeTo && hasTag(words[index + 2], "Infinitive")) {
    group.isHypothetical = group.tense === "past";
    group.tense = "future";
    return { helper: "to", more: 1 };
  }
  if (normal === "used" && isBeforeTo && helper === "") {
    group.tense = "past";
    group.isOver = true;
    return { helper: "to", more: 1 };
  }
  if (FUTURE.has(normal)) {
    group.tense = "future";
    return { helper: "modal", more: 0 };
  }
  if (HYPOTHETICAL.has(normal)) {
    group.isHypothetical = true;
    return { helper: "modal", more: 0 };
  }
  if (BE.has(normal) && isFollowedByVerb(words, index)) {
    if (isFirst && PAST_FORMS.has(normal)) group.tense = "past";
    return { helper: "be", more: 0 };
  }
  if ((HAVE.has(normal) || DO.has(normal)) && isFollowedByVerb(words, index)) {
    if (DO.has(normal) && PAST_FORMS.has(normal)) group.tense = "past";
    // "Had been removed" was over even then, as in the simple past.
    if (normal === "had") group.tense = "past";
    else if (HAVE.has(normal)) group.isPerfect = true;
    return { helper: DO.has(normal) ? "do" : "have", more: 0 };
  }
  if (!GET.has(normal) || !isParticiple(words[index + 1])) return undefined;
  if (isFirst && normal === "got") group.tense = "past";
  group.isBecoming = true;
  group.isAhead = normal === "getting" && group.tense === "present";
  return { helper: "be", more: 0 };
}

/** Sets the main verb. Returns true for a verb like "want to", because the main verb follows it. */
function setMainVerb(group: VerbGroup, words: Word[], index: number, helper: string, lemmaOf: Lemmatizer): boolean {
  const word = words[index];
  if (word === undefined) return false;
  const lemma = lemmaAt(word, lemmaOf);
  if (words[index + 1]?.normal === "to" && hasTag(words[index + 2], "Infinitive") && isWish(lemma, group)) {
    const isPast = PASSING_WISHES.has(lemma) && (group.tense === "past" || hasTag(word, "PastTense"));
    group.isWished = true;
    group.isHypothetical = isPast;
    group.tense = isPast ? "past" : "future";
    return true;
  }
  if (lemma === "have" && words[index + 1]?.normal === "to" && hasTag(words[index + 2], "Verb", "Copula")) {
    if (word.normal === "had") {
      group.isForced = true;
      group.tense = "past";
      return true;
    }
    group.isHypothetical = true;
  }
  group.lemma = lemma;
  if (word.normal === "went") group.tense = "past";
  const isPast = isParticiple(word);
  if (helper === "be") {
    group.isProgressive = hasTag(word, "Gerund");
    group.isPassive = !group.isProgressive && isPast;
  } else if (
    helper === "" &&
    ((hasTag(word, "PastTense", "Participle") && !hasTag(word, "Copula") && !isHabit(word, words)) ||
      PAST_FORMS.has(word.normal) ||
      ((UNCHANGED.has(word.normal) || SAME_IN_PAST.has(word.normal)) && isAfterSingular(words, index)))
  ) {
    group.tense = "past";
  }
  return false;
}

/** "We shut on Tuesdays": the form is the same in the present. */
function isHabit({ normal }: Word, words: Word[]): boolean {
  return SAME_IN_PAST.has(normal) && words.some(isRegularDay);
}

/** Whether the subject before an unchanged form is one person or thing: the present would have an "s" ("she put"). */
function isAfterSingular(words: Word[], verb: number): boolean {
  const subject = words[verb - 1];
  if (SINGULAR_PRONOUNS.has(subject?.normal ?? "")) return true;
  const isSingular = hasTag(subject, "Singular", "Person") && !hasTag(subject, "Plural", "Pronoun");
  return isSingular && !words.slice(0, verb).some(({ normal }) => normal === "and");
}

const SINGULAR_PRONOUNS = setOf("he she it");

function isParticiple(word: Word | undefined): boolean {
  return hasTag(word, "PastTense", "Participle") || UNCHANGED.has(word?.normal ?? "");
}

function isWish(lemma: string, { isHypothetical }: VerbGroup): boolean {
  return WISHES.has(lemma) && (isHypothetical || (lemma !== "like" && lemma !== "love"));
}

function lemmaAt(word: Word, lemmaOf: Lemmatizer): string {
  const { normal } = word;
  if (UNCHANGED.has(normal)) return normal;
  if (normal === "went") return "go";
  if (hasTag(word, "Copula") || BE.has(normal)) return "be";
  if (HAVE.has(normal)) return "have";
  if (DO.has(normal)) return "do";
  if (hasTag(word, "Gerund")) return lemmaOf(normal, "Gerund");
  if (hasTag(word, "Participle")) return lemmaOf(normal, "Participle");
  if (hasTag(word, "PastTense")) return lemmaOf(normal, "PastTense");
  return hasTag(word, "Infinitive") ? normal : lemmaOf(normal, "PresentTense");
}

function takeParticle(group: VerbGroup, words: Word[]): void {
  const next = words[group.end];
  if (next === undefined || group.lemma === "" || group.lemma === "be") return;
  if (!PARTICLES.has(next.normal) || !hasTag(next, "Particle", "PhrasalVerb")) return;
  // "Quit back in June": a time.
  if (next.normal === "back" && words[group.end + 1]?.normal === "in" && words[group.end + 2]?.isDate) return;
  group.lemma = `${group.lemma} ${next.normal}`;
  group.end++;
}

function isAdverbBeforeVerb(word: Word, next: Word | undefined): boolean {
  return hasTag(word, "Adverb") && hasTag(next, "Verb", "Adverb", "Negative", "Copula");
}

function isFollowedByVerb(words: Word[], index: number): boolean {
  for (let next = index + 1; next < words.length && next < index + 4; next++) {
    const word = words[next];
    if (hasTag(word, "Negative", "Adverb") && !hasTag(word, "Verb")) continue;
    if (BE.has(words[index]?.normal ?? "") && !hasTag(word, "Gerund") && !isParticiple(word))
      return BE.has(word?.normal ?? "");
    return hasTag(word, "Verb", "Copula") && !hasTag(word, "Adjective", "Particle");
  }
  return false;
}

function isNoLonger(words: Word[], index: number): boolean {
  return words[index]?.normal === "no" && words[index + 1]?.normal === "longer";
}

/** Whether a clause says that something has ended: "no longer" near the verb, "anymore" anywhere. */
function saysOver(words: Word[], verb: number): boolean {
  return words.some(
    ({ normal }, index) =>
      normal === "anymore" ||
      (Math.abs(index - verb) < MAX_WORDS && isNoLonger(words, index)) ||
      (normal === "any" &&
        ["more", "longer"].includes(words[index + 1]?.normal ?? "") &&
        words[index + 2] === undefined),
  );
}

const ALMOST = new Set(["nearly", "almost"]);
