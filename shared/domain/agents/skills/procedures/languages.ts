import { sentenceCase } from "../../../../kernel/strings.ts";
import { type Pattern, sentencesOf } from "./patterns.ts";

/** How a language states rules, and what excludes a sentence. */
interface Language {
  /** "if X, do Y" with the groups `trigger` and `action`. */
  rules: RegExp[];
  /** Words for a specific day or the speaker: a sentence with one is a plan or a habit, not a rule. */
  personal: RegExp;
  /** Matches an action that is a statement, not an instruction, by its first words. */
  stated: RegExp;
}

const CONFIDENCE = 0.75;
/** Confidence if the action is a statement, not an instruction. */
const STATED_CONFIDENCE = 0.4;

/** After a word: a space, or its final apostrophe. */
const BOUNDARY = "(?:\\s|(?<=['’]))";

/** Returns patterns of rules that begin with a conjunction, or with a preposition and, later, a comma or "please". */
function rulesOf(conjunctions: string, then: string, prepositions: string, please: string): RegExp[] {
  return [
    new RegExp(`^(?:${conjunctions})${BOUNDARY}(?<trigger>\\S.*?),\\s*(?:(?:${then})\\s+)?(?<action>\\S.*)$`, "iu"),
    new RegExp(
      `^(?:${prepositions})${BOUNDARY}(?<trigger>[^,]+?)(?:,\\s*|\\s+(?=(?:${please})\\s))(?<action>\\S.*)$`,
      "iu",
    ),
  ];
}

/** Matches one of the words anywhere. */
const word = (alternatives: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, "iu");
/** Matches one of the words at the start. */
const opening = (alternatives: string): RegExp => new RegExp(`^(?:${alternatives})(?![\\p{L}\\p{N}])`, "iu");

const LANGUAGES: Language[] = [
  {
    rules: rulesOf(
      "wenn|falls|sobald|sofern|immer wenn",
      "dann|so",
      "bei|im falle?(?: von| eines| einer)?|vor|nach|bevor|nachdem",
      "bitte|immer|stets|sofort|zuerst",
    ),
    personal: word("ich|wir|mir|mich|uns|morgen|heute|gestern|übermorgen"),
    stated: opening(
      "(?:wird|werden|ist|sind|hat|haben|war|kann|können|mag|geht|kommt|freut)|\\p{L}+\\s(?:er|sie|es|man|der|die|das)\\s\\p{L}+$",
    ),
  },
  {
    rules: rulesOf(
      "si|s'|quand|lorsque|lorsqu'|dès que|dès qu'|chaque fois que",
      "alors",
      "en cas d'|en cas de|avant d'|avant de|après",
      "veuillez|toujours|merci de",
    ),
    personal: word("je|nous|on|moi|demain|hier|aujourd'hui|ce soir"),
    stated: opening("il|elle|ils|elles|ça|ce|c'|le|la|les|l'|un|une|des"),
  },
  {
    rules: rulesOf(
      "si|cuando|en cuanto|siempre que|apenas",
      "entonces",
      "en caso de|antes de|después de",
      "por favor|siempre",
    ),
    personal: word("yo|nosotros|nosotras|me|nos|mañana|ayer|hoy|esta noche|\\p{L}+(?:amos|emos|imos)"),
    stated: opening("el|la|los|las|un|una|es|son|está|están|era|hay|él|ella"),
  },
  {
    rules: rulesOf(
      "se|quando|appena|non appena|qualora|ogni volta che",
      "allora",
      "in caso di|prima di|prima della|dopo",
      "si prega di|sempre|per favore",
    ),
    personal: word("io|noi|mi|ci|domani|ieri|oggi|stasera|\\p{L}+iamo"),
    stated: opening("il|lo|la|i|gli|le|l'|un|una|è|sono|era|c'è|lui|lei"),
  },
  {
    rules: rulesOf("se|quando|assim que|sempre que|caso", "então", "em caso de|antes de|depois de", "por favor|sempre"),
    personal: word("eu|nós|a gente|me|amanhã|ontem|hoje|\\p{L}+(?:amos|emos|imos)"),
    stated: opening("o|a|os|as|um|uma|é|são|está|estão|era|há|ele|ela"),
  },
  {
    rules: rulesOf("als|wanneer|zodra|indien", "dan", "bij|in geval van|voor|na|voordat", "altijd|graag|meteen"),
    personal: word("ik|wij|we|mij|ons|morgen|gisteren|vandaag"),
    stated: opening("is|zijn|was|wordt|worden|heeft|hebben|kan|gaat"),
  },
  {
    rules: rulesOf("если|когда|как только", "то|тогда", "в случае|при|перед|после", "пожалуйста|всегда|сразу"),
    personal: word("я|мы|мне|меня|нас|нам|завтра|вчера|сегодня"),
    stated: opening("он|она|оно|они|это|есть|был|была|было|были"),
  },
  {
    rules: rulesOf("jeśli|jeżeli|gdy|kiedy|jak tylko", "to|wtedy", "w razie|w przypadku|przed|po", "proszę|zawsze"),
    personal: word("ja|my|mnie|mi|nas|nam|jutro|wczoraj|dzisiaj|dziś"),
    stated: opening("on|ona|ono|oni|jest|są|był|była|było|były"),
  },
  {
    rules: [
      /^(?:如果|若|一旦|当)(?<trigger>[^，,]+?)(?:的话|时|的时候)?[，,]\s*(?<action>(?:请|就|应|要|必须|需|先|立即).+)$/u,
    ],
    personal: /我|明天|昨天|今天/u,
    stated: /^(?:他|她|它)/u,
  },
  {
    rules: [
      /^(?<trigger>[^、,，]+?)(?:場合は?|ときは|時は|たら)[、,，]\s*(?<action>.+(?:ください|下さい|すること|せよ))$/u,
    ],
    personal: /私|明日|昨日|今日/u,
    stated: /^(?:彼|彼女)/u,
  },
];

/** The rules in sentences of other languages than English. */
export function findForeignRules(text: string): Pattern[] {
  return [...sentencesOf(text)].flatMap((sentence) => readForeign(sentence) ?? []);
}

/**
 * Returns the rule in a sentence. Languages share conjunctions ("si", "se"), so a sentence may match several of them:
 * if it is personal in one, it is no rule.
 */
function readForeign(sentence: string): Pattern | undefined {
  const readings = LANGUAGES.flatMap(({ rules, ...language }) => {
    const groups = rules.map((rule) => rule.exec(sentence)?.groups).find((found) => found !== undefined);
    return groups === undefined ? [] : [{ ...language, trigger: groups.trigger ?? "", action: groups.action ?? "" }];
  });
  const [first] = readings;
  if (first === undefined || readings.some(({ personal }) => personal.test(sentence))) return undefined;
  const { trigger, action } = first;
  const isStated = readings.some(({ stated }) => stated.test(action));
  return {
    trigger,
    action: sentenceCase(action),
    confidence: isStated ? STATED_CONFIDENCE : CONFIDENCE,
    source: sentence,
  };
}
