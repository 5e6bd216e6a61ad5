import { readFileSync } from "node:fs";
import { OWN } from "../../support/own-texts.ts";
import { LEAKS, NO_SECRETS } from "./leak-values.ts";
import { filled, LOOKALIKES, SECRETS, Values } from "./values.ts";

/** A message, and the value of the secret in it, if it has one. */
export interface Message {
  text: string;
  secret?: string;
}

const ORDINARY = 500;

function linesOf(file: string): string[] {
  const lines = readFileSync(new URL(file, import.meta.url), "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}

/** Lines of a set; a line that ends with a colon continues on the next one. */
function messagesOf(file: string): string[] {
  const messages: string[] = [];
  for (const line of linesOf(file)) {
    const before = messages.at(-1);
    if (before?.endsWith(":") && line.startsWith("{")) messages[messages.length - 1] = `${before}\n${line}`;
    else messages.push(line);
  }
  return messages;
}

/** The messages of the set with a secret each. */
export function plantedMessages(file: string): Message[] {
  return messagesOf(file).map((line, index) => {
    const { text, made } = filled(line, SECRETS, new Values(1000 + index));
    return { text, secret: made.join(" ") };
  });
}

/** Ordinary messages: those that resemble secrets, then texts of other tests of the project. */
export function ordinaryMessages(file: string): Message[] {
  const alike = messagesOf(file).map((line, index) => filled(line, LOOKALIKES, new Values(5000 + index)).text);
  const dated = linesOf("../../fixtures/dated-texts.txt").flatMap((line) => line.split(" | ")[1]?.trim() || []);
  const others = [...OWN.map(([message]) => message), ...dated];
  return [...alike, ...others].slice(0, ORDINARY).map((text) => ({ text }));
}

/** The messages of the set of leaks, with all secrets of each. */
export function leakedMessages(file: string): { text: string; secrets: string[] }[] {
  return messagesOf(file).map((line, index) => {
    const values = new Values(9000 + index);
    const plain = line.replace(/\{(\w+)\}/g, (mark, name: string) => NO_SECRETS[name]?.(values) ?? mark);
    const { text, made } = filled(plain, LEAKS, values);
    return { text, secrets: made };
  });
}

/** Messages that resemble leaks and have none. */
export const codesWithoutSecrets = messagesOf;
