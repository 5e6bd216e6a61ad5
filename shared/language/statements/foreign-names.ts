import type { EntityType, ExtractedEntity } from "./schemas.ts";

const CAPITALIZED = String.raw`\p{Lu}[\p{L}\p{M}'’-]{1,30}(?: (?:de |da |do |di |del |van |von )?\p{Lu}[\p{L}\p{M}'’-]{1,30}){0,3}`;
/** Returns a pattern for words, also capitalized. Ignoring case would make every word after them match as a name. */
function anyOf(words: string): string {
  const all = words.split(/\s*,\s*/).map((word) => {
    const [first = ""] = word;
    return `[${first}${first.toUpperCase()}]${word.slice(first.length)}`;
  });
  return `(?<![\\p{L}])(?:${all.join("|")})`;
}

const RELATIVE = anyOf(
  `tochter, sohn, frau, mann, schwester, bruder, mutter, vater, freund, freundin, chef, chefin, kollege, kollegin, nachbar,
  nachbarin, enkel, enkelin, fille, fils, femme, mari, sœur, frère, mère, père, ami, amie, patron, collègue, hija, hijo, esposa,
  esposo, marido, hermana, hermano, madre, padre, amigo, amiga, jefe, jefa, filha, filho, irmã, irmão, mãe, pai, figlia, figlio,
  moglie, marito, sorella, fratello, amico, amica, dochter, zoon, vrouw, zus, broer, moeder, vader, vriend, vriendin`,
);
const CALLED = "(?: (?:heißt|s'appelle|se llama|se chama|si chiama|heet))?,?";
const OWN_NAME = anyOf("heiße, je m'appelle, me llamo, me chamo, mi chiamo, ik heet, меня зовут");
const AT_WORK = anyOf(
  `bei, chez, presso, bij, работаю в, trabajo en, trabalho na, trabalho no, lavoro in, lavoro alla, travaille à,
  entrevista con`,
);
const IN_PLACE = anyOf(
  `nach, aus, à, naar, uit, живу в, vivo en, vivo a, vivo in, abito a, moro em, wohne in, woon in, lebe in,
  von(?= \\S+ nach )`,
);

/** Patterns before or after a name in common languages, each with its type. */
const PATTERNS: readonly (readonly [RegExp, EntityType])[] = [
  [new RegExp(`${RELATIVE}${CALLED} (?<name>${CAPITALIZED})`, "gu"), "person"],
  [new RegExp(`${OWN_NAME} (?<name>${CAPITALIZED})`, "gu"), "person"],
  [new RegExp(`${AT_WORK} (?<name>${CAPITALIZED})`, "gu"), "organization"],
  [new RegExp(`${IN_PLACE} (?<name>${CAPITALIZED})`, "gu"), "place"],
  [
    /(?:我叫|名叫|叫做|(?:妻子|丈夫|女儿|儿子|老公|老婆|妹妹|姐姐|哥哥|弟弟|朋友|同事)叫?)(?<name>\p{sc=Han}{2,3})(?=[，。,.、！]|$)/gu,
    "person",
  ],
  [/(?:住在|来自|搬到|搬去|出生于|去过)(?<name>\p{sc=Han}{2,4})(?=[，。,.、！]|$)/gu, "place"],
  [/在(?<name>\p{sc=Han}{2,6}?)(?=工作|上班|实习)/gu, "organization"],
  [/(?<name>[\p{sc=Han}\p{sc=Katakana}ー]{2,8})に(?=住)/gu, "place"],
  [/(?<name>[\p{sc=Han}\p{sc=Katakana}ー]{2,10})(?:で(?=働)|に(?=勤め))/gu, "organization"],
  [/(?<name>[\p{sc=Han}\p{sc=Katakana}ー]{1,8})(?=と申します|といいます|さん|ちゃん)/gu, "person"],
  [/(?<name>\p{sc=Hangul}{2,6})에 (?=살)/gu, "place"],
  [/(?<name>\p{sc=Hangul}{2,10})(?:에서 (?=일)|에 (?=다니))/gu, "organization"],
  [
    /(?:딸|아들|아내|남편|친구|동생|언니|오빠|누나|형) (?<name>\p{sc=Hangul}{2,4}?)(?=은 |는 |이 |가 |와 |과 |이랑 )/gu,
    "person",
  ],
  [/이름은 (?<name>\p{sc=Hangul}{2,4}?)(?=이에요|예요|입니다)/gu, "person"],
  [/(?<name>[\p{sc=Devanagari}]{2,20}) में (?=रह)/gu, "place"],
  [/(?<name>[\p{sc=Devanagari}]{2,20}) में (?=काम)/gu, "organization"],
  [/नाम (?<name>[\p{sc=Devanagari}]{2,20}) (?=है|हूँ)/gu, "person"],
];

/** Returns the names that their context reveals; the sentence must have a bounded length. */
export function foreignNamesIn(text: string): Pick<ExtractedEntity, "name" | "type">[] {
  return PATTERNS.flatMap(([pattern, type]) =>
    Array.from(text.matchAll(pattern), ({ groups }) => ({ name: groups?.name ?? "", type })).filter(
      ({ name }) => /^[\p{Lu}\p{Lo}]/u.test(name) && !NO_NAMES.test(name),
    ),
  );
}

/** Capitalized German words that follow the same prepositions but are not names. */
const NO_NAMES =
  /^(?:Hause|Haus|Ordnung|Urlaub|Rente|Regen|Schnee|Arbeit|Zukunft|Frage|Anfang|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Weihnachten|Ostern|Gelegenheit|Bedarf|Holz|Angst)\b/;
