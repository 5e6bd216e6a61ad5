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
export function plantedMessages(file: string, seed = 1000): Message[] {
  return messagesOf(file).map((line, index) => {
    const { text, made } = filled(line, SECRETS, new Values(seed + index));
    return { text, secret: secretIn(made.join(" ")) };
  });
}

/** The secret itself, where a value has words around it. */
function secretIn(made: string): string {
  const inner =
    /(?:secret_access_key = |SK|Key=|Password=|:\/\/\w+:|Bearer |_API_KEY=|client_secret": ")([^\s;"@]+)/.exec(made);
  return inner?.[1] ?? made;
}

/** Ordinary messages: those that resemble secrets, then texts of other tests of the project. */
export function ordinaryMessages(file: string): Message[] {
  const alike = messagesOf(file).map((line, index) => filled(line, LOOKALIKES, new Values(5000 + index)).text);
  const dated = linesOf("../../fixtures/dated-texts.txt").flatMap((line) => line.split(" | ")[1]?.trim() || []);
  const others = [...OWN.map(([message]) => message), ...dated];
  return [...alike, ...others].slice(0, ORDINARY).map((text) => ({ text }));
}

/** The messages of the set of leaks, with all secrets of each: their values, and what follows each `¦` of the line. */
export function leakedMessages(file: string, seed = 9000): { text: string; secrets: string[] }[] {
  return messagesOf(file).map((line, index) => {
    const values = new Values(seed + index);
    const [said = "", ...words] = line.replaceAll("\\n", "\n").split(" ¦ ");
    const plain = said.replace(/\{(\w+)\}/g, (mark, name: string) => NO_SECRETS[name]?.(values) ?? mark);
    const { text, made } = filled(plain, LEAKS, values);
    return { text, secrets: [...made, ...words] };
  });
}

/** Ordinary messages with values that are no secrets there. */
export function unsaidMessages(file: string, seed = 7000): string[] {
  const makers = { ...LEAKS, ...LOOKALIKES, ...NO_SECRETS };
  return messagesOf(file).map((line, index) => {
    const text = line.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
    return filled(text, makers, new Values(seed + index)).text;
  });
}

/** Messages that resemble leaks and have none. */
export const codesWithoutSecrets = messagesOf;
