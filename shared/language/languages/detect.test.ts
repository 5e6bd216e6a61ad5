import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { detectLanguage, languageOf, languageOfPart } from "./detect.ts";

describe("the language of a short text", () => {
  it.each([
    ["My gym is Fit4U.", "en"],
    ["We moved CI to Woodpecker.", "en"],
    ["Ich wohne in Graz.", "de"],
    ["Mi nueva editora es Claire Duval.", "es"],
    ["J'habite à Lyon depuis mai.", "fr"],
    ["Mia sorella lavora in banca.", "it"],
    ["A minha irmã mora em Braga.", "pt"],
    ["We spreken morgen om 8 uur af.", "nl"],
    ["Jag bor i Malmö och har två katter.", "sv"],
    ["Mieszkam w Gdańsku od roku.", "pl"],
    ["Kız kardeşim İzmir'de yaşıyor.", "tr"],
    ["Моя сестра живёт в Казани.", "ru"],
    ["妹は大阪に住んでいます。", "ja"],
    ["我妹妹住在成都。", "zh"],
  ])("%s is %s", (text, language) => {
    expect(detectLanguage(text).language).toBe(language);
  });

  it("is unknown if no word tells", () => {
    expect(detectLanguage("7731").language).toBeUndefined();
    expect(detectLanguage("Szia, holnap megyek a boltba kenyérért, tejért").isCertain).toBe(false);
    expect(languageOf("kubernetes")).toBe("en");
  });

  it("is the whole text's for a part that does not tell", () => {
    expect(languageOfPart("Termin: Dienstag 14 Uhr", "de")).toBe("de");
    expect(languageOfPart("OK", "de")).toBe("de");
    expect(languageOfPart("I will see the doctor on Tuesday", "de")).toBe("en");
  });
});

/** Minimum share of the messages of voices that nobody read while choosing the words of the packs. */
const MIN_RIGHT = 0.95;
const TEST_VOICES = "models/reader/corpus/test";

describe("the first sentences of messages in seven languages", () => {
  it(`are detected in ${MIN_RIGHT * 100} % of cases`, () => {
    const sentences = readdirSync(TEST_VOICES).flatMap((file) =>
      sentencesOf(readFileSync(`${TEST_VOICES}/${file}`, "utf8")),
    );
    const right = sentences.filter(({ text, language }) => detectLanguage(text).language === language);
    expect(sentences.length).toBeGreaterThan(600);
    expect(right.length / sentences.length).toBeGreaterThanOrEqual(MIN_RIGHT);
  });
});

describe("short sentences in twelve languages", () => {
  const sentences = readFileSync("test/fixtures/short-sentences.txt", "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(" | "));

  it(`are detected in ${MIN_RIGHT * 100} % of cases`, () => {
    const right = sentences.filter(([language, text = ""]) => detectLanguage(text).language === language);
    expect(new Set(sentences.map(([language]) => language)).size).toBe(12);
    expect(sentences.length).toBeGreaterThanOrEqual(200);
    expect(right.length / sentences.length).toBeGreaterThanOrEqual(MIN_RIGHT);
  });
});

/** Returns the first sentence of each message with three words or six characters of Chinese or Japanese. */
function sentencesOf(voice: string): { text: string; language: string }[] {
  const language = /lang: (\w\w)/.exec(voice)?.[1] ?? "";
  return voice
    .split("\n")
    .filter((line) => line.startsWith("> "))
    .map((line) => ({ text: firstSentence(line.slice(2).replace(/\{([^|{}]*)\|[^{}]*\}/g, "$1")), language }))
    .filter(
      ({ text }) =>
        (text.match(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/gu) ?? []).length >= 6 ||
        (text.match(/[\p{L}]+/gu) ?? []).length >= 3,
    );
}

function firstSentence(text: string): string {
  return text.split(/(?<=[.!?。！？])\s*/)[0] ?? "";
}
