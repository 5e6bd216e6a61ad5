import { wordSet, words } from "../../../kernel/text/text.ts";
import { annotateDates } from "../../../language/dates/annotate.ts";
import { languageOf } from "../../../language/languages/detect.ts";
import { PACKS } from "../../../language/languages/packs.ts";
import type { AskedValue } from "../../../language/questions/asked-value.ts";
import { capitalizedIn } from "../ranking/names.ts";
import { readingOpening } from "../ranking/opening.ts";

/** Characters of a text that are searched for values. */
const READ_LENGTH = 1000;
/** Relative dates are found with any anchor. */
const ANCHOR = { instant: new Date(0) };

const NUMBERS =
  wordSet(`one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand half dozen once
  twice zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend halb deux trois quatre cinq six sept huit neuf
  dix douze vingt cent mille dos tres cuatro cinco seis siete ocho nueve diez doce veinte cien mil due tre quattro cinque sei sette
  otto nove dieci dodici dois duas três quatro sete oito nove dez twee drie vijf zes zeven negen tien dwa dwie trzy cztery pięć
  sześć два две три четыре пять шесть семь восемь девять десять iki üç dört beş altı yedi sekiz dokuz on`);
const COLOURS =
  wordSet(`red blue green yellow black white grey gray brown orange purple pink silver gold beige turquoise ginger rot rote roter
  blau blaue blauer grün grüne grüner gelb gelbe schwarz schwarze schwarzer weiß weiße weißer grau graue grauer braun braune lila
  rosa silber rouge bleu bleue vert verte jaune noir noire blanc blanche gris grise brun brune violet rose roux rousse rojo roja
  azul verde amarillo amarilla negro negra blanco blanca marrón gris rosso rossa blu giallo gialla nero nera bianco bianca grigio
  grigia vermelho vermelha amarelo preto preta branco branca cinzento cinza rood rode blauw blauwe groen groene geel zwart zwarte
  wit witte grijs grijze czerwony czerwona niebieski zielony żółty czarny czarna biały biała szary красный красная синий синяя
  зелёный чёрный чёрная белый белая серый серая kırmızı mavi yeşil sarı siyah beyaz gri`);
const AGES =
  wordSet(`year years old aged age turned turns born birthday jahr jahre jahren alt geboren geburtstag ans an âge née né año años
  cumple nació anni anno ano anos jaar oud lat lata rok лет год года исполнилось yaş yaşında yaşına`);
/** Text without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const UNSPACED_NUMBER = /[一二三四五六七八九十百千万两]/u;
const UNSPACED_AGE = /[歳岁才]/u;
const UNSPACED_NAME = /叫|名字|名前|という|さん|先生|氏|姓|[A-Za-z]/u;
const UNSPACED_COLOUR = /[白黒黑赤红青蓝绿緑黄灰紫茶]|ピンク|オレンジ/u;
/** German words before a name: other nouns have a capital too. */
const GERMAN_NAMING = /^(?:heisst|heissen|namens|herr|herrn|frau|dr|doktor|firma|marke)$/;
const CAPITAL = /^\p{Lu}/u;
const DIGIT = /\p{Nd}/u;
const YEAR = /^(?:19|20)\d\d$/;
/** What separates the two names of a person. */
const NAME_GAP = /^[ .]{1,2}$/;

/** What a text holds that may be the value that a question asks for; words are folded. */
interface Values {
  /** Words with digits; codes are no years and no parts of dates. */
  numbers: string[];
  codes: string[];
  hasDate: boolean;
  hasNumberWord: boolean;
  hasAge: boolean;
  hasColour: boolean;
  names: string[];
  /** Capitalized words with the next one, if that is capitalized too. */
  pairs: [string, string][];
  /** False for texts in scripts or by writers without capital letters: which words are names is unknown. */
  hasCapitals: boolean;
  /** Whether it may name somebody in a script without capitals. */
  hasUnspacedName: boolean;
}

const readValues = readingOpening(READ_LENGTH, (text): Values => {
  const all = words(text);
  const dates = annotateDates(text, ANCHOR);
  const ofDates = new Set(
    all
      .filter(({ start }) => dates.some((date) => date.start <= start && start < date.end))
      .map(({ folded }) => folded),
  );
  const folded = all.map((word) => word.folded);
  const numbers = folded.filter((word) => DIGIT.test(word));
  const isCapital = all.map(({ start, end }) => CAPITAL.test(text.slice(start, end)));
  const pairs = all.flatMap(({ end, folded: one }, index): [string, string][] => {
    const next = all[index + 1];
    const isPair = next && isCapital[index] && isCapital[index + 1] && NAME_GAP.test(text.slice(end, next.start));
    return isPair ? [[one, next.folded]] : [];
  });
  const afterNaming = () => folded.filter((_, index) => GERMAN_NAMING.test(folded[index - 1] ?? ""));
  const isGerman = PACKS[languageOf(text)].capitalNouns === true;
  const names = isGerman ? [...pairs.flat(), ...afterNaming()] : [...capitalizedIn(text)];
  const isUnspaced = UNSPACED.test(text);
  return {
    numbers,
    codes: numbers.filter((word) => !ofDates.has(word) && !YEAR.test(word)),
    hasDate: dates.length > 0,
    hasNumberWord: folded.some((word) => NUMBERS.has(word)) || (isUnspaced && UNSPACED_NUMBER.test(text)),
    hasAge: folded.some((word) => AGES.has(word)) || UNSPACED_AGE.test(text),
    hasColour: folded.some((word) => COLOURS.has(word)) || (isUnspaced && UNSPACED_COLOUR.test(text)),
    names: names.filter((name) => !ofDates.has(name)),
    pairs,
    hasCapitals: isCapital.some(Boolean),
    hasUnspacedName: isUnspaced && UNSPACED_NAME.test(text),
  };
});

/** Whether a text holds a value of a kind. Words of the question, folded, are no value. */
export function holdsValue(content: string, kind: AskedValue, asked: ReadonlySet<string>): boolean {
  const values = readValues(content);
  const isNew = (word: string) => !asked.has(word);
  return {
    age: () => values.hasAge && (values.numbers.length > 0 || values.hasNumberWord || values.hasDate),
    amount: () => values.numbers.some(isNew) || values.hasNumberWord,
    code: () => values.codes.some(isNew),
    colour: () => values.hasColour,
    name: () => (values.hasCapitals ? values.names.some(isNew) : values.hasUnspacedName || !UNSPACED.test(content)),
    otherName: () => values.hasUnspacedName || values.pairs.some((pair) => pair.some(isNew) && !pair.every(isNew)),
  }[kind]();
}
