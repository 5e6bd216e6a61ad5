/**
 * `npm run bench:compression`: measures how much each algorithm and mode saves and keeps of LoCoMo's sessions and
 * turns, and what their questions still find in them; and the same for the built-in corpora.
 */
import { ALGORITHM_NAMES } from "../../shared/domain/compression/algorithms/index.ts";
import { runBenchmark } from "../../shared/domain/compression/benchmarks.ts";
import { CORPUS_NAMES } from "../../shared/domain/compression/corpora/index.ts";
import { COMPRESSION_MODES, type CompressionOptions } from "../../shared/domain/compression/engine.ts";
import { measureAnswers, measureCompression, readConversations, textsOf } from "./compression-quality.ts";
import { NO_LOCOMO } from "./locomo-files.ts";

const MIN_RETENTION = 0.9;

const VARIANTS: { name: string; options: CompressionOptions }[] = [
  ...ALGORITHM_NAMES.map((algorithm) => ({ name: algorithm, options: { algorithm, min_retention: MIN_RETENTION } })),
  ...COMPRESSION_MODES.map((mode) => ({ name: `mode ${mode}`, options: { mode } })),
];

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

const conversations = readConversations();
if (conversations === undefined) {
  console.log(`skipped: ${NO_LOCOMO}`);
} else {
  const { sessions, turns } = textsOf(conversations);
  for (const [title, texts] of [
    [`LoCoMo, a session a text (headline), ${sessions.length} texts`, sessions],
    [`LoCoMo, a turn a text, ${turns.length} texts`, turns],
  ] as const) {
    console.log(`\n${title}, min_retention ${MIN_RETENTION} where no mode says otherwise`);
    const rows = [];
    for (const { name, options } of VARIANTS) {
      const { reduction, retention, expansions, latency } = await measureCompression(texts, options);
      const figures = { reduction: percent(reduction), retention: retention.toFixed(3), expansions };
      rows.push([name, { ...figures, "ms a text": latency.toFixed(2) }]);
    }
    console.table(Object.fromEntries(rows));
  }
  console.log("\nWhat LoCoMo's questions still find in the compressed sessions");
  const rows = [];
  for (const { name, options } of VARIANTS) {
    const { answers, evidence } = await measureAnswers(conversations, options);
    rows.push([name, { "answer words kept": answers.toFixed(3), "evidence turns kept": evidence.toFixed(3) }]);
  }
  console.table(Object.fromEntries(rows));
}

for (const corpus of CORPUS_NAMES) {
  const { results, sample_count } = await runBenchmark({
    corpus,
    algorithms: [...ALGORITHM_NAMES],
    iterations: 3,
    min_retention: MIN_RETENTION,
    include_examples: false,
  });
  console.log(`\nBuilt-in corpus ${corpus}, ${sample_count} texts`);
  const rows = Object.entries(results).map(([name, row]) => [
    name,
    {
      reduction: percent(row.avg_reduction),
      "of bytes": percent(row.avg_byte_reduction),
      retention: row.avg_retention.toFixed(3),
      expansions: row.expansion_count,
      errors: row.error_count,
      "below target": row.retention_below_target,
      "texts a second": Math.round(row.throughput_per_second),
    },
  ]);
  console.table(Object.fromEntries(rows));
}
