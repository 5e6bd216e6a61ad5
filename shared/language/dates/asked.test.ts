import { describe, expect, test } from "vitest";
import { Query } from "../questions/query.ts";
import { askedRanges } from "./asked.ts";

/** Asked on Friday, 20 November 2026, 09:00 UTC. Days are inclusive; `…` is an open end, `|` separates the readings. */
const NOW = new Date("2026-11-20T09:00:00Z");

/** Cases that were known when the rules were written. */
const KNOWN = `
What did I do last week? -> 2026-11-09/2026-11-15
What happened in March? -> 2026-03-01/2026-03-31
What did I do last week on Tuesday at work? -> 2026-11-10/2026-11-10
What ceremony did Gerald take part in the week before last? -> 2026-11-02/2026-11-08
Which vaccinations did I get in the first week of November 2026? -> 2026-11-01/2026-11-07
What happened between two of my friends on Friday of last week? -> 2026-11-13/2026-11-13
Where was I in spring 2025? -> 2025-03-01/2025-05-31
Who visited me on 3 May? -> 2026-05-03/2026-05-03
What did we discuss two weeks ago? -> 2026-11-03/2026-11-09
What did I eat yesterday? -> 2026-11-19/2026-11-19
Where did I work before 2020? -> …/2019-12-31
What changed since January? -> 2026-01-01/2026-11-20
What am I doing tomorrow? -> 2026-11-21/2026-11-21
When did I give a talk in Sweden? ->
Who is June married to? ->
What may I eat? ->
How often do I swim every Tuesday? ->
Was ist im März passiert? -> 2026-03-01/2026-03-31
Wen habe ich vor zwei Wochen getroffen? -> 2026-11-03/2026-11-09
Was habe ich am vorletzten Samstag gemacht? -> 2026-11-07/2026-11-07
Que s'est-il passé en mars ? -> 2026-03-01/2026-03-31 | 2027-03-01/2027-03-31
¿A qué celebración fui el primer sábado de noviembre de 2026? -> 2026-11-07/2026-11-07
O que eu fiz na semana passada? -> 2026-11-09/2026-11-15
昨日何を食べましたか？ -> 2026-11-19/2026-11-19
三月发生了什么？ -> 2026-03-01/2026-03-31
`;

/** Cases that were written after the rules, to evaluate them. */
const KEPT_APART = `
What did I tell you on Monday? -> 2026-11-16/2026-11-16
Which films did we watch last month? -> 2026-10-01/2026-10-31
What did I buy in the last three days? -> 2026-11-17/2026-11-20
Who came to the party on 31 December 2025? -> 2025-12-31/2025-12-31
What did I plant in the summer of 2024? -> 2024-06-01/2024-08-31
Which books did I read between June and August? -> 2026-06-01/2026-08-31
What did my doctor say after 10 October? -> 2026-10-11/2026-11-20
What will I do next weekend? -> 2026-11-28/2026-11-29
What did the plumber fix on the last Friday in October? -> 2026-10-30/2026-10-30
When was my sister born? ->
How long did the trip take? ->
Where does April live? ->
Wo war ich letztes Jahr? -> 2025-01-01/2025-12-31
Was habe ich am 3. Oktober gemacht? -> 2026-10-03/2026-10-03
Mit wem habe ich vorgestern telefoniert? -> 2026-11-18/2026-11-18
Wer war vor 2015 mein Chef? -> …/2014-12-31
Qu'avons-nous mangé avant-hier ? -> 2026-11-18/2026-11-18
Où ai-je travaillé depuis 2022 ? -> 2022-01-01/2026-11-20
Que faisais-je l'été dernier ? -> 2026-06-01/2026-08-31
¿Qué leí el mes pasado? -> 2026-10-01/2026-10-31
¿Con quién cené hace dos semanas? -> 2026-11-03/2026-11-09
Onde eu estava em julho de 2024? -> 2024-07-01/2024-07-31
Cosa ho comprato due giorni fa? -> 2026-11-18/2026-11-18
Wat deed ik eergisteren? -> 2026-11-18/2026-11-18
Waar was ik afgelopen zomer? -> 2026-06-01/2026-08-31
去年の夏、どこへ行きましたか？ -> 2025-06-01/2025-08-31
我昨天见了谁？ -> 2026-11-19/2026-11-19
`;

function read(list: string): [question: string, expected: string][] {
  const rows = list.trim().split("\n");
  return rows.map((row) => {
    const [question = "", expected = ""] = row.split("->").map((part) => part.trim());
    return [question, expected];
  });
}

function shown(question: string, zone?: string): string {
  const day = (moment: number) => (Number.isFinite(moment) ? new Date(moment).toISOString().slice(0, 10) : "…");
  const ranges = askedRanges(new Query(question), { instant: NOW, zone });
  return ranges.map(({ from, to }) => `${day(from)}/${day(to)}`).join(" | ");
}

describe("the time that a question asks about", () => {
  test.each(read(KNOWN))("%s", (question, expected) => expect(shown(question)).toBe(expected));

  test.each(read(KEPT_APART))("%s", (question, expected) => expect(shown(question)).toBe(expected));

  test("counts days in the anchor's zone", () => {
    const [day] = askedRanges(new Query("What did I eat yesterday?"), { instant: NOW, zone: "Pacific/Auckland" });
    expect(day).toEqual({ from: Date.parse("2026-11-18T11:00:00Z"), to: Date.parse("2026-11-19T11:00:00Z") - 1 });
  });

  test("is not read from long texts", () => {
    expect(askedRanges(new Query(`${"I went home. ".repeat(40)}What did I do last week?`), { instant: NOW })).toEqual(
      [],
    );
  });
});
