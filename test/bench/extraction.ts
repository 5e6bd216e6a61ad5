/**
 * Built-in extraction of a conversation's turns, one after the other on one core, beside counting the tokens of the same
 * texts; and how well it finds what people named in them. Says what it missed where it runs alone.
 */
import { loadTokenCounter } from "../../shared/compression/tokens.ts";
import { extractTurn, measureEntities, readTurns } from "./entity-quality.ts";
import { NO_LOCOMO } from "./locomo-files.ts";
import { ratio, report, skip } from "./report.ts";
import { sized } from "./sizes.ts";
import { timeTogether } from "./timing.ts";

const CONVERSATION = "26";
/** Times that each turn is read: the first readings compile the code. */
const READINGS = sized(5, 2);
const LEAST_A_SECOND = 300;
const LEAST_RECALL = 0.8;
const LEAST_PRECISION = 0.7;

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
      limit: { atLeast: LEAST_A_SECOND },
      headline: true,
    },
    { what: `recall of ${labelled}`, value: quality.recall, unit: "", limit: { atLeast: LEAST_RECALL } },
    {
      what: "precision of the entities found there",
      value: quality.precision,
      unit: "",
      limit: { atLeast: LEAST_PRECISION },
    },
  ]);
  if (!process.send) console.log(`missed: ${quality.missed.join(", ")}\nwrong: ${quality.wrong.join(", ")}`);
}
