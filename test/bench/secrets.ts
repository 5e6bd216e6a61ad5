/**
 * Measures the detector of secrets on its test set: planted secrets that it finds, ordinary messages in which it finds
 * one, and its processor time for a message beside that of storing it.
 */
import { findSecrets } from "../../shared/language/secrets/find-secrets.ts";
import { report } from "./report.ts";
import { codesWithoutSecrets, leakedMessages, ordinaryMessages, plantedMessages } from "./secrets/sets.ts";

const MIN_FOUND = 0.98;
const MAX_FALSE_ALARMS = 0.5;
const ROUNDS = 20;

const planted = plantedMessages("planted.test-set.txt");
const ordinary = ordinaryMessages("ordinary.test-set.txt");

/** Whether nothing of the secret is left once what was found is replaced. */
function isFound({ text, secret = "" }: { text: string; secret?: string }): boolean {
  return findSecrets(text).some(({ start, end }) => text.slice(start, end).includes(secret));
}

/** Whether all secrets of a message are found. */
function isStopped({ text, secrets }: { text: string; secrets: string[] }): boolean {
  const found = findSecrets(text).map(({ start, end }) => text.slice(start, end));
  return secrets.every((secret) => found.some((part) => part.includes(secret)));
}

const leaked = [...leakedMessages("leaks.set.txt"), ...leakedMessages("leaks-later.set.txt")];
const codes = codesWithoutSecrets("ordinary-codes.set.txt");
const found = planted.filter(isFound);
const alarmed = ordinary.filter(({ text }) => findSecrets(text).length > 0);
const before = process.cpuUsage();
for (let round = 0; round < ROUNDS; round++) for (const { text } of [...planted, ...ordinary]) findSecrets(text);
const { user, system } = process.cpuUsage(before);
const perMessage = (user + system) / 1000 / (ROUNDS * (planted.length + ordinary.length));

report([
  {
    what: `secrets found of ${planted.length} planted`,
    value: found.length / planted.length,
    unit: "",
    limit: { atLeast: MIN_FOUND },
  },
  {
    what: `ordinary messages of ${ordinary.length} with a false alarm`,
    value: (100 * alarmed.length) / ordinary.length,
    unit: "%",
    limit: { atMost: MAX_FALSE_ALARMS },
  },
  {
    what: `messages whose secrets are all found, of ${leaked.length} in the styles of leaks`,
    value: leaked.filter(isStopped).length / leaked.length,
    unit: "",
    limit: { atLeast: MIN_FOUND },
  },
  {
    what: `messages of ${codes.length} about codes and logins with a false alarm`,
    value: (100 * codes.filter((text) => findSecrets(text).length > 0).length) / codes.length,
    unit: "%",
    limit: { atMost: MAX_FALSE_ALARMS },
  },
  { what: "processor time of the detector for a message", value: perMessage, unit: "ms" },
]);
