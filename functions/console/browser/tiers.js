import { figures, h, table } from "./dom.js";
import { amount, count, percent, when, words } from "./format.js";
import { panelOf } from "./panel.js";
import { HOURS, shareBar, timePlot } from "./plot.js";

/** @typedef {import("./api.js").Answer<typeof import("../../compression/schemas.ts").TierPolicyInForce>} TierPolicy */
/** @typedef {import("./api.js").Answer<typeof import("../../compression/schemas.ts").CompressionStatistics>} CompressionStatistics */

const TIERS = /** @type {const} */ (["working_tier", "hot_tier", "cold_tier", "archive_tier"]);

/** @type {import("./main.js").View} */
export const tiers = {
  id: "tiers",
  title: "Tiers and compression",
  group: "Operate",
  changes: true,
  isFor: ({ permissions, agent_id }) => permissions.includes("memory:read") && agent_id === undefined,
  open: (page) => [
    panelOf(page, "Tiers", "/tier/policy", tierParts),
    panelOf(page, "Saved by compression", "/compression/stats", savings),
  ],
};

/** @param {TierPolicy} answer */
function tierParts({ policy, current_usage: usage, migration_stats: moves }) {
  const all = TIERS.reduce((sum, tier) => sum + usage[tier].memories, 0);
  const rows = TIERS.map((tier) => {
    const { memories, tokens } = usage[tier];
    const part = all === 0 ? 0 : memories / all;
    return [
      words(tier.replace("_tier", "")),
      count(memories),
      h("span", {}, shareBar(part), ` ${percent(part * 100)}`),
      count(tokens),
    ];
  });
  return [
    table("Memories by tier", ["Tier", "Memories", "Share", "Tokens"], rows),
    figures([
      ["Memories", count(all), `counted ${when(usage.counted_at)}`],
      ["Policy", policy],
      ["Moved so far", count(moves.total_migrations), `${count(moves.promoted)} up, ${count(moves.demoted)} down`],
      ["Archived", count(moves.archived), `${count(moves.recalled)} recalled`],
      ["Moves waiting", count(moves.pending), `last sweep ${when(moves.last_sweep_at)}`],
    ]),
  ];
}

/** @param {CompressionStatistics} answer */
function savings({ overall_metrics: all, compression_stats: saved, time_series: { hourly } }) {
  if (all.processed === 0) return [h("p", {}, "No text was processed yet.")];
  const left = saved.original_tokens === 0 ? 0 : saved.compressed_tokens / saved.original_tokens;
  return [
    figures([
      ["Tokens saved", count(saved.tokens_saved), percent(saved.reduction_percentage)],
      ["Texts compressed", count(saved.texts_compressed)],
      ["Texts processed", count(all.processed), `${count(all.failed)} failed`],
      ["95 % processed within", amount(all.p95_processing_time_ms, "ms")],
    ]),
    table(
      "Tokens of compressed texts",
      ["Texts", "Tokens", "Compared"],
      [
        ["before", count(saved.original_tokens), shareBar(saved.original_tokens === 0 ? 0 : 1)],
        ["after", count(saved.compressed_tokens), shareBar(left)],
      ],
    ),
    h(
      "div",
      { class: "plots" },
      timePlot({ title: "Tokens saved an hour, last day", kind: "bars", unit: "tokens" }, hourly, HOURS, {
        saved: (point) => point.tokens_saved,
      }),
    ),
  ];
}
