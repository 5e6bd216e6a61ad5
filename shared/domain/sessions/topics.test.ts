import { expect, test } from "vitest";
import { topicsOf } from "./topics.ts";

const user = (content: string) => ({ role: "user" as const, content });
const names = async (messages: Parameters<typeof topicsOf>[0], options = { most: 5 }) =>
  (await topicsOf(messages, options)).map(({ name }) => name);

test("are noun phrases, the most frequent first", async () => {
  const messages = [
    user("My billing address changed. The billing address on the invoice is wrong."),
    { role: "assistant" as const, content: "I will update your billing address." },
  ];
  expect((await names(messages))[0]).toBe("billing address");
});

test("count the last word of a phrase for the phrase", async () => {
  const [topic, ...rest] = await topicsOf([user("I lost my parking permit. Is the permit expensive?")], { most: 5 });
  expect(topic?.name).toBe("parking permit");
  expect(rest.map(({ name }) => name)).not.toContain("permit");
});

test("decay with later messages if requested", async () => {
  const messages = [user("The violin, the violin!"), user("Fine."), user("Hm."), user("And now the oven.")];
  expect((await names(messages))[0]).toBe("violin");
  expect((await topicsOf(messages, { most: 5, decay: 0.5 }))[0]?.name).toBe("oven");
});

test("exclude system messages and empty words", async () => {
  expect(await names([{ role: "system", content: "You are a travel agent." }, user("Thanks, by the way!")])).toEqual(
    [],
  );
});

test("are content words in other languages", async () => {
  expect((await names([user("Meine Rechnung fehlt noch immer. Wo bleibt die Rechnung?")]))[0]).toBe("Rechnung");
  expect((await names([user("発票が届いていません。発票を送ってください。")])).length).toBeGreaterThan(0);
  expect(await names([user("42 !!! 17")])).toEqual([]);
  expect(await names([user("Wir müssen dringend die Rechnung bezahlen, sagte meine Tochter.")])).toEqual([
    "Rechnung",
    "Tochter",
  ]);
  expect(await names([user("Tenemos que pagar la factura urgentemente, dijo mi hermana.")])).toContain("factura");
});
