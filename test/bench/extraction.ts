import { extractTurn, measureEntities, readTurns } from "./entity-quality.ts";

/** The first readings compile the code, the best of them is what the machine can do. */
const READINGS = 4;

/** Built-in extraction of a conversation's turns, one after the other on one core. */
async function turnsPerSecond(name: string): Promise<number | undefined> {
  const turns = readTurns(name);
  if (turns === undefined) return undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < READINGS; reading++) {
    const startedAt = performance.now();
    for (const turn of turns) await extractTurn(turn);
    least = Math.min(least, performance.now() - startedAt);
  }
  return (turns.length * 1000) / least;
}

const speed = await turnsPerSecond("26");
const quality = await measureEntities();
if (speed === undefined || quality === undefined) {
  console.log("skipped: no LoCoMo data beside the project");
} else {
  console.log(`built-in extraction: ${Math.round(speed)} turns a second`);
  console.log(
    `entities of ${quality.labelled} labelled: recall ${quality.recall.toFixed(3)}, precision ${quality.precision.toFixed(3)}`,
  );
  console.log(`missed: ${quality.missed.join(", ")}`);
  console.log(`wrong: ${quality.wrong.join(", ")}`);
}
