/**
 * Measures built-in extraction of a conversation's turns, sequentially on one core, relative to counting the tokens of
 * the same texts; and the quality of the entities it finds. Prints missed entities if it runs alone.
 */
import { loadTokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import { extractTurn, measureEntities, readTurns } from "./entity-quality.ts";
import { NO_LOCOMO } from "./locomo-files.ts";
import { ratio, report, skip } from "./report.ts";
import { sized } from "./sizes.ts";
import { timeTogether } from "./timing.ts";

const CONVERSATION = "26";
/** Number of readings per turn: the first ones include JIT compilation. */
const READINGS = sized(5, 2);
const MIN_PER_SECOND = 300;
const MIN_RECALL = 0.8;
const MIN_PRECISION = 0.7;

const turns = readTurns(CONVERSATION);
const quality = await measureEntities();
if (turns === undefined || quality === undefined) {
  skip(NO_LOCOMO);
} else {
  const { count } = await loadTokenCounter();
  const turnOf = (run: number) => {
    const turn = turns[run % turns.length];
    if (!turn) throw new RangeError("the conversation has no turns");
    return turn;
  };
  const times = await timeTogether(turns.length * READINGS, {
    extraction: (run) => extractTurn(turnOf(run)),
    tokens: (run) => count(turnOf(run).text),
  });
  const labelled = `${quality.labelled} labelled entities of a LoCoMo conversation`;
  report([
    ratio("built-in extraction of a turn", "counting its o200k tokens", [times.extraction, times.tokens], {
      headline: true,
    }),
    {
      what: "turns read by built-in extraction on one core",
      value: 1000 / times.extraction.mean,
      unit: "/s",
      limit: { atLeast: MIN_PER_SECOND },
      headline: true,
    },
    { what: `recall of ${labelled}`, value: quality.recall, unit: "", limit: { atLeast: MIN_RECALL } },
    {
      what: "precision of the entities found there",
      value: quality.precision,
      unit: "",
      limit: { atLeast: MIN_PRECISION },
    },
  ]);
  if (!process.send) console.log(`missed: ${quality.missed.join(", ")}\nwrong: ${quality.wrong.join(", ")}`);
}
