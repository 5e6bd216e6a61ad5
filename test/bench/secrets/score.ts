/**
 * `npm run bench:secrets:score -- FOLDER…`: prints how many of the secrets of each folder of sets are found and in how many
 * of its ordinary messages there is a false alarm, and nothing of the messages. See `messagesIn` for the files of a folder.
 */
import { countsOf, described, messagesIn } from "./marked.ts";

for (const folder of process.argv.slice(2))
  process.stdout.write(`${folder}: ${described(countsOf(messagesIn(folder)))}\n`);
