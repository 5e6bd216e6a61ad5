import { describe, expect, it } from "vitest";
import { MAX_PATTERNS } from "./procedures/patterns.ts";
import { findProcedures } from "./procedures.ts";

const inShort = async (text: string) =>
  (await findProcedures(text)).map(({ trigger, action }) => `${trigger} -> ${action.replaceAll("\n", " ")}`);

describe("procedures of a text", () => {
  it.each([
    [
      "Symptom: pods restart.\nFix: raised the limit and restarted them.",
      "pods restart -> Raise the limit and restart them",
    ],
    ["# How to print\n1. Open the lid.\n2. Press start.", "print -> 1. Open the lid. 2. Press start."],
    [
      "Customer: The lamp flickers.\nAgent: Replace the bulb.\nCustomer: It works, thanks.",
      "The lamp flickers -> Replace the bulb",
    ],
    ["Q: How do I pay?\nA: Open the wallet and press Pay.", "pay -> Open the wallet and press Pay"],
    ["At 09:00 the proxy was down. We restarted it and all was normal.", "the proxy was down -> Restart it"],
    [
      "The API returned 502. We restarted the gateway pods and the errors stopped.",
      "The API returned 502 -> Restart the gateway pods",
    ],
    [
      "The disk was full. We deleted the logs and restarted the database, so the alerts stopped.",
      "The disk was full -> Delete the logs and restart the database",
    ],
    [
      "user: pay bill 1\ntool: find(1)\ntool: pay(1)\nuser: pay bill 2\ntool: find(2)\ntool: pay(2)",
      "pay bill -> 1. Call find. 2. Call pay.",
    ],
    ["Wenn die Pumpe ausfällt, schalte den Strom ab.", "die Pumpe ausfällt -> Schalte den Strom ab"],
    ["如果服务器没有响应，请重启服务。", "服务器没有响应 -> 请重启服务"],
    ["エラーが出た場合は、再起動してください。", "エラーが出た -> 再起動してください"],
    ["Problem: no water. Cause: none. Fix: opened the valve. Owner: Kim.", "no water -> Open the valve"],
    [
      '{"tool_calls":[{"function":{"name":"find"}}]}\n{"tool_calls":[{"function":{"name":"pay"}}]}\n'.repeat(2),
      "find is called -> 1. Call find. 2. Call pay.",
    ],
    ["Если клиент просит возврат, проверьте номер заказа.", "клиент просит возврат -> Проверьте номер заказа"],
    ["Jeśli drukarka nie działa, otwórz klapę.", "drukarka nie działa -> Otwórz klapę"],
    ["Als de printer vastloopt, open de klep.", "de printer vastloopt -> Open de klep"],
  ])("are found in: %s", async (text, expected) => {
    expect(await inShort(text)).toEqual([expected]);
  });

  it.each([
    "If it rains tomorrow, we stay at home.",
    "If it rains, we will stay at home.",
    "If you like, we can go there again next week.",
    "When I am tired, I drink coffee.",
    "Wenn es morgen regnet, bleiben wir zu Hause.",
    "Si mañana hace sol, vamos a la playa.",
    "S'il pleut demain, nous restons à la maison.",
    "Se domani piove, restiamo a casa.",
    "Perfect, now it exports.",
    "Customer: The lamp flickers.\nAgent: Replace the bulb.\nCustomer: It still flickers.",
    "Customer: Hello.\nAgent: Have a nice day!",
    "tool: get(1)\ntool: put(1)",
    "# Ingredients\n- Flour\n- Butter\n- Two eggs",
    "Dear diary, the train was late and I lost my umbrella. We ordered pizza.",
    "The garden was full of people. We had a lovely day.",
    "Anna opened the door when the bell rang.",
  ])("are not found in small talk: %s", async (text) => {
    expect((await findProcedures(text)).filter(({ confidence }) => confidence >= 0.5)).toEqual([]);
  });

  it("are ordered by usefulness, without repetitions", async () => {
    const text = `Always lock the door. Symptom: no light.\nFix: change the bulb.\n# How to open\n1. Unlock the door.\n2. Push it.
      Unlock it when it rings. If it burns, run. If it burns, run.`;
    expect((await findProcedures(text)).map(({ trigger }) => trigger)).toEqual([
      "it burns",
      "open",
      "no light",
      "it rings",
      "lock the door",
    ]);
  });

  it("are bounded in number", async () => {
    const list = Array.from({ length: 60 }, (_, index) => `Problem: case ${index}\nFix: call ${index}`).join("\n");
    expect(await findProcedures(list)).toHaveLength(MAX_PATTERNS);
  });
});
