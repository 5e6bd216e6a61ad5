/**
 * Measures the compression of LoCoMo's sessions by each algorithm relative to gzip of the same texts, and the tokens
 * that remain.
 */
import { gzipSync } from "node:zlib";
import { ALGORITHM_NAMES } from "../../shared/domain/compression/algorithms/index.ts";
import { loadTokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import { compressWith } from "../../shared/domain/compression/engine.ts";
import { measureCompression, readConversations, textsOf } from "./compression-quality.ts";
import { NO_LOCOMO } from "./locomo-files.ts";
import { type Figure, ratio, report, skip } from "./report.ts";
import { sized } from "./sizes.ts";
import { timeTogether } from "./timing.ts";

const MIN_RETENTION = 0.9;
const READINGS = sized(2, 1);
/** Minimum savings of lossy algorithms, in % of a session's tokens. */
const AIMS: Partial<Record<string, number>> = { smart_hybrid: 35, real_best: 35 };

type Algorithm = (typeof ALGORITHM_NAMES)[number];

const conversations = readConversations();
if (conversations === undefined) {
  skip(NO_LOCOMO);
} else {
  const { sessions } = textsOf(conversations);
  report(await measureAll(sessions));
}

async function measureAll(texts: string[]): Promise<Figure[]> {
  const tokens = await loadTokenCounter();
  const textOf = (run: number) => texts[run % texts.length] ?? "";
  const times = await timeTogether(texts.length * READINGS, {
    baseline: (run) => gzipSync(textOf(run)),
    ...Object.fromEntries(
      ALGORITHM_NAMES.map((algorithm) => [
        algorithm,
        (run: number) => compressWith(tokens, textOf(run), { algorithm, min_retention: MIN_RETENTION }),
      ]),
    ),
  } as Record<"baseline" | Algorithm, (run: number) => unknown>);
  const figures: Figure[] = [];
  for (const algorithm of ALGORITHM_NAMES) {
    figures.push(
      ratio(`${algorithm} of a LoCoMo session`, "zlib's gzip of it", [times[algorithm], times.baseline], {
        headline: true,
      }),
    );
    figures.push(await savedBy(algorithm, texts));
  }
  return figures;
}

async function savedBy(algorithm: Algorithm, texts: string[]): Promise<Figure> {
  const { reduction, retention, expansions } = await measureCompression(texts, {
    algorithm,
    min_retention: MIN_RETENTION,
  });
  const aim = AIMS[algorithm];
  return {
    what: `tokens saved by ${algorithm}, mean over sessions`,
    value: reduction * 100,
    unit: "%",
    ...(aim !== undefined && { limit: { atLeast: aim }, headline: true }),
    from: `retention ${retention.toFixed(3)}, ${expansions} of ${texts.length} texts longer`,
  };
}
