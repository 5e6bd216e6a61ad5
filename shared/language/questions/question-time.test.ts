import { expect, it } from "vitest";
import { Query } from "./query.ts";
import { isAboutPast, questionTimeOf } from "./question-time.ts";

it.each([
  ["Where did I live before Berlin?", "before"],
  ["Wo habe ich früher gewohnt?", "before"],
  ["¿Dónde vivía antes?", "before"],
  ["Où est-ce que j'habitais avant ?", "before"],
  ["Why did I leave Berlin?", "change"],
  ["How come I left?", "change"],
  ["¿Por qué me fui?", "change"],
  ["Did the trip to Lisbon take place?", "change"],
  ["Where did I live in May?", "past"],
  ["Where do I live nowadays?", "now"],
  ["Who is my dentist these days?", "now"],
  ["Wann ist jetzt Probe?", "now"],
  ["¿Dónde vive ahora?", "now"],
  ["Where do I live?", "open"],
  ["Wo wohne ich?", "open"],
] as const)("says of %j that it asks about %s", (query, time) => {
  expect(questionTimeOf(new Query(query))).toBe(time);
  expect(isAboutPast(new Query(query))).toBe(time === "before" || time === "change" || time === "past");
});
