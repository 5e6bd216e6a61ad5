import { type MetricScope, metricsOf, readMetrics } from "../../shared/domain/sessions/metrics.ts";
import { countActive, inSight, listRecent } from "../../shared/domain/sessions/records.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { DAY_MS, HOUR_MS } from "../../shared/kernel/durations.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type { Granularity, Point } from "../../shared/runtime/stats/series.ts";
import type * as schemas from "./schemas.ts";

/** A range as the points of its series; the last is the current hour or day. */
interface Range {
  granularity: Granularity;
  pointMs: number;
  points: number;
}

const RANGES: Record<Input<typeof schemas.ReadAnalytics>["time_range"], Range> = {
  day: { granularity: "hour", pointMs: HOUR_MS, points: 24 },
  week: { granularity: "day", pointMs: DAY_MS, points: 7 },
  month: { granularity: "day", pointMs: DAY_MS, points: 30 },
};

/** Session statistics of a time range from counters kept as events happened; reads only those shown. */
export async function readAnalytics(ctx: Context, query: Input<typeof schemas.ReadAnalytics>) {
  const { time_range, limit, ...asked } = query;
  const scope = inSight(ctx, asked);
  const range = RANGES[time_range];
  const from = beginningOf(range, ctx.clock());
  const since = timestamp(from);
  await ctx.rollups.flush();
  const [series, active_sessions, recent_sessions] = await Promise.all([
    readPoints(ctx, scope, range, from),
    countActive(ctx, scope, since),
    listRecent(ctx, scope, since, limit),
  ]);
  const { begun, ended, messages, tokens, avg_session_duration, ...performance_metrics } = metricsOf(series);
  return {
    time_range,
    from: since,
    to: timestamp(ctx.clock()),
    summary: {
      total_sessions: begun,
      active_sessions,
      closed_sessions: ended,
      total_messages: messages,
      avg_session_duration,
      total_tokens_used: tokens,
    },
    performance_metrics,
    series: series.map(present),
    recent_sessions,
  };
}

/** Hours and days start as in UTC, which divides the epoch evenly. */
function beginningOf({ pointMs, points }: Range, now: number): number {
  return (Math.floor(now / pointMs) - points + 1) * pointMs;
}

/** All points of the range, including those without activity. */
async function readPoints(
  { ports, org }: Context,
  scope: MetricScope,
  { granularity, pointMs, points }: Range,
  from: number,
): Promise<Point[]> {
  const found = await readMetrics(ports.records, org, scope, granularity, from);
  const known = new Map(found.map((point) => [point.at, point]));
  return Array.from({ length: points }, (_, place) => {
    const at = timestamp(from + place * pointMs);
    return known.get(at) ?? { at, counters: {} };
  });
}

function present(point: Point) {
  const { begun, ended, messages, tokens } = metricsOf([point]);
  return { at: point.at, sessions_started: begun, sessions_closed: ended, messages, tokens };
}
