/**
 * `npm run bench:replay`: stores the recorded conversations with the recorded answers of two language models,
 * a capable and a sloppy one, and prints which share of the facts is right and which share of the expected ones is listed.
 * With RECORD=1 it writes the prompts anew, which the answers must then fit.
 */
import { writeFileSync } from "node:fs";
import { CONVERSATIONS, type Judged, openReplay, RECORDINGS, replay } from "../support/model-conversations.ts";

for (const name of RECORDINGS) {
  const { service, key, prompts, close } = await openReplay(name);
  const judged: Judged[] = [];
  for (const conversation of CONVERSATIONS) {
    const result = await replay(service, key, conversation);
    judged.push(result);
    for (const mistake of result.mistakes) process.stdout.write(`${name} ${conversation.number}: ${mistake}\n`);
  }
  await close();
  const sum = (field: "listed" | "right" | "wanted" | "read") => judged.reduce((total, each) => total + each[field], 0);
  const right = (sum("right") / sum("listed")).toFixed(3);
  const read = (sum("read") / sum("wanted")).toFixed(3);
  process.stdout.write(
    `${name}: ${sum("listed")} facts, right ${right}; of ${sum("wanted")} expected, listed ${read}\n`,
  );
  if (process.env.RECORD === "1" && name === "capable") {
    const recorded = prompts.map((prompt, index) => `######## ${index + 1}\n${prompt}\n`);
    writeFileSync(new URL("../fixtures/model-conversations/prompts.txt", import.meta.url), recorded.join(""));
  }
}
