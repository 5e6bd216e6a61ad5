import { describe, expect, it } from "vitest";
import { readPassage } from "../statements/passage.ts";
import { loadTagger } from "../statements/tagging.ts";
import { readFacts } from "./read-facts.ts";
import { loadLemmatizer } from "./verb-group.ts";

async function told(content: string): Promise<string[]> {
  const passage = await readPassage({ content, occurred_at: "2026-05-04T10:00:00Z", metadata: {} });
  const drafts = readFacts({ content, passage, tag: await loadTagger(), lemmaOf: await loadLemmatizer() });
  return drafts.map((draft) => {
    const { subject, attribute, value, act, valid_from = "", valid_to = "" } = draft;
    return [subject, attribute, value, act, valid_from, valid_to].join(" | ").replace(/[ |]+$/, "");
  });
}

describe("facts of German, French and Spanish", () => {
  it.each([
    ["Ich wohne in Köln und arbeite als Lehrerin an der Gesamtschule Nippes.", "user | lives_in | Köln | state"],
    [
      "Ich wohne in Köln und arbeite als Lehrerin an der Gesamtschule Nippes.",
      "user | works_at | Gesamtschule Nippes | state",
    ],
    ["Ich wohne in Köln und arbeite als Lehrerin an der Gesamtschule Nippes.", "user | works_as | Lehrerin | state"],
    ["Mein Sohn heißt Emil und ist sieben Jahre alt.", "user | child | Emil (Sohn) | state"],
    ["Mein Sohn heißt Emil und ist sieben Jahre alt.", "Emil | age | sieben | state"],
    ["Mein Lieblingsbuch ist Momo.", "user | lieblingsbuch | Momo | state"],
    ["Mein Zahnarzttermin ist jetzt am 10. Oktober.", "user | zahnarzttermin | 10. Oktober | state"],
    ["Wir ziehen im Juli nach Bonn um.", "user | lives_in | Bonn | state | 2026-07-01"],
    ["Ich bin letzte Woche nach Bonn gezogen.", "user | lives_in | Bonn | state | 2026-04-27"],
    ["Seit 2024 unterrichte ich am Beethoven-Gymnasium.", "user | works_at | Beethoven-Gymnasium | state | 2024-01-01"],
    ["Früher wohnte ich in Frankfurt am Main.", "user | lives_in | Frankfurt am Main | state |  | 2026-05-04"],
    ["Ich trinke am liebsten grünen Tee.", "user | likes | grünen Tee | state"],
    ["Ich mag keine Oliven.", "user | dislikes | Oliven | state"],
    ["Meine Schwester Lena wohnt in Kiel.", "Lena | lives_in | Kiel | state"],
    ["Bitte antworte mir immer auf Deutsch.", "user | instruction | Bitte antworte mir immer auf Deutsch | state"],
    ["J'ai déménagé à Nantes en mars.", "user | lives_in | Nantes | state | 2026-03-01"],
    ["Je n'habite plus à Paris.", "user | lives_in | Paris | end |  | 2026-05-04"],
    ["Mon fils s'appelle Emil.", "user | child | Emil (fils) | state"],
    ["Ma sœur Claire travaille chez Airbus depuis 2021.", "Claire | works_at | Airbus | state | 2021-01-01"],
    ["Réponds toujours en français, merci.", "user | instruction | Réponds toujours en français, merci | state"],
    ["Soy Carlos, vivo en Sevilla y trabajo de cocinero en el bar Azahar.", "user | works_at | bar Azahar | state"],
    ["Me mudé a Málaga el mes pasado.", "user | lives_in | Málaga | state | 2026-04-01"],
    ["Mi mujer se llama Inés y tenemos dos hijas, Lucía y Marta.", "user | partner | Inés (mujer) | state"],
    ["Mi mujer se llama Inés y tenemos dos hijas, Lucía y Marta.", "user | child | dos hijas, Lucía y Marta | state"],
    [
      "Die Proben sind jetzt donnerstags um acht, weil es passt.",
      "user | schedule_of probe | donnerstags um acht | state",
    ],
    ["Le cours est désormais le jeudi à 18h.", "user | schedule_of cours | le jeudi à 18h | state"],
    ["El ensayo es ahora los martes.", "user | schedule_of ensayo | los martes | state"],
    ["No me gustan las aceitunas.", "user | dislikes | aceitunas | state"],
  ])("reads %j as %j", async (content, expected) => {
    expect(await told(content)).toContain(expected);
  });

  it.each([
    ["what somebody else says", 'Mein Chef sagte: "Ich wohne in Rom."'],
    ["conditions", "Wenn ich in Rom wohne, lerne ich Italienisch."],
    ["wishes", "Ich möchte nach Rom ziehen."],
    ["any home", "Wir wohnen in einer Wohnung."],
    ["other people's homes", "Ihre Eltern wohnen in Linz."],
    ["love of somebody", "Ich liebe dich."],
    ["another language", "Ik woon in Utrecht."],
  ])("makes no slot of %s: %s", async (_what, content) => {
    expect((await told(content)).filter((line) => !line.startsWith("user |  | "))).toEqual([]);
  });

  it.each(["I live in La Paz.", "On Monday I went to Las Palmas.", "The die is cast, mein friend."])(
    "leaves %j to English",
    async (content) => {
      expect((await told(content)).join()).not.toMatch(/lives_in \| Las|likes/);
    },
  );
});
