import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { findSecrets } from "../../../shared/language/secrets/find-secrets.ts";
import type { FoundSecret } from "../../../shared/language/secrets/found-secret.ts";
import type { Model } from "../../../shared/language/secrets/learned.ts";
import { codesWithoutSecrets, leakedMessages, ordinaryMessages, plantedMessages, unsaidMessages } from "./sets.ts";

/** A message with all of its secrets; an ordinary one has none. */
export interface Marked {
  text: string;
  secrets: string[];
}

const ordinary = (texts: readonly string[]): Marked[] => texts.map((text) => ({ text, secrets: [] }));
const leaked = (file: string) => (seed?: number) => leakedMessages(file, seed);
const unsaid = (file: string) => (seed?: number) => ordinary(unsaidMessages(file, seed));

/** The sets of this folder by writer; a set is made with the values of a seed. Nothing is fitted on those of `HELD`. */
export const WRITERS: Record<string, ((seed?: number) => Marked[])[]> = {
  first: [
    (seed) =>
      plantedMessages("planted.test-set.txt", seed).map(({ text, secret = "" }) => ({ text, secrets: [secret] })),
    leaked("leaks.set.txt"),
    leaked("leaks-later.set.txt"),
    leaked("said.set.txt"),
    unsaid("unsaid.set.txt"),
    () => ordinary(ordinaryMessages("ordinary.test-set.txt").map(({ text }) => text)),
    () => ordinary(codesWithoutSecrets("ordinary-codes.set.txt")),
  ],
  second: [leaked("said-later.set.txt"), unsaid("things.set.txt")],
};
export const HELD = [leaked("said.test-set.txt"), unsaid("things.test-set.txt")];

/**
 * Returns the messages of a folder: `*.jsonl` with `text` and, for planted ones, `secrets` on each line; and `*.txt` in the
 * format of the sets here, in which values are no secrets if the file's name begins with `ordinary`.
 */
export function messagesIn(folder: string): Marked[] {
  return globSync("**/*.{jsonl,txt}", { cwd: folder })
    .sort()
    .map((file) => path.resolve(folder, file))
    .flatMap((file) => {
      if (file.endsWith(".txt")) return path.basename(file).startsWith("ordinary") ? unsaid(file)() : leaked(file)();
      const lines = readFileSync(file, "utf8").trim().split("\n");
      return lines
        .map((line) => JSON.parse(line) as { text: string; secrets?: string[] })
        .map(({ text, secrets = [] }) => ({ text, secrets }));
    });
}

/** How many secrets are found completely, and how many ordinary messages have a false alarm. */
export interface Counts {
  found: number;
  secrets: number;
  alarms: number;
  ordinary: number;
}

export function countsOf(messages: readonly Marked[], model?: Model): Counts {
  const counts = { found: 0, secrets: 0, alarms: 0, ordinary: 0 };
  for (const { text, secrets } of messages) {
    const found = findSecrets(text, model && { model });
    counts.secrets += secrets.length;
    counts.found += secrets.filter((secret) => isFound(text, secret, found)).length;
    if (secrets.length > 0) continue;
    counts.ordinary += 1;
    if (found.length > 0) counts.alarms += 1;
  }
  return counts;
}

/** Whether nothing of a secret is left; its punctuation may be. */
function isFound(text: string, secret: string, found: readonly FoundSecret[]): boolean {
  const start = text.indexOf(secret);
  let covered = 0;
  for (let at = start; at < start + secret.length; at++)
    if (found.some((each) => each.start <= at && at < each.end)) covered += 1;
  return covered >= secret.length * 0.99;
}

export function described({ found, secrets, alarms, ordinary }: Counts): string {
  const parts = [
    ...(secrets > 0 ? [`${(found / secrets).toFixed(3)} of ${secrets} secrets`] : []),
    ...(ordinary > 0 ? [`${((100 * alarms) / ordinary).toFixed(2)} % of ${ordinary} ordinary messages`] : []),
  ];
  return parts.join(", ");
}
