import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Metrics } from "./metrics.ts";
import { toPrometheus } from "./prometheus.ts";

const counters = { successful: 3, refused: 1, failed: 0, duration_ms: 50, upto0: 3, upto40: 1 };

const METRICS: Metrics = {
  summary: {
    performance: { cpu_usage: 12.5, memory_usage: 50, disk_usage: null, resident_memory_mb: 1.5, uptime_seconds: 7 },
    api_metrics: {
      ...{ requests_total: 4, successful_requests: 3, refused_requests: 1, failed_requests: 0 },
      ...{ requests_per_second: 0.1, avg_response_time_ms: 12.5, p95_response_time_ms: 32, error_rate: 0 },
    },
    fact_reader: { state: "working", read: 8, failed: 1 },
    model_metrics: [],
    business_metrics: {
      ...{ active_users: 2, total_memories: null, total_sessions: 5, total_searches: 6 },
      ...{ total_rerankings: 4, failed_rerankings: 1 },
    },
    history: { requests: [], searches: [] },
  },
  requests: counters,
  routes: [{ route: 'GET /a\\b"c\n{id}', counters }],
};

/** Metric families by name, each with its type and sample lines. */
function familiesIn(text: string) {
  const families = new Map<string, { kind: string; samples: string[] }>();
  let last = "";
  for (const line of text.trimEnd().split("\n")) {
    const [, what, name = "", rest = ""] = /^# (HELP|TYPE) (\w+) (.+)$/.exec(line) ?? [];
    if (what === "HELP") {
      expect(families.has(name), `${name} occurs once`).toBe(false);
      last = name;
      families.set(name, { kind: "", samples: [] });
    } else if (what === "TYPE") {
      expect(name).toBe(last);
      Object.assign(families.get(name) ?? {}, { kind: rest });
    } else {
      families.get(last)?.samples.push(line);
    }
  }
  return families;
}

it("groups samples by family under their help and type, and names them by the conventions", () => {
  const text = toPrometheus(METRICS);
  expect(text.endsWith("\n")).toBe(true);
  const families = familiesIn(text);
  expect(families.size).toBeGreaterThan(8);
  for (const [name, { kind, samples }] of families) {
    expect(["counter", "gauge", "histogram"]).toContain(kind);
    expect(name.endsWith("_total"), name).toBe(kind === "counter");
    expect(samples.length, name).toBeGreaterThan(0);
    for (const sample of samples) {
      const own = kind === "histogram" ? `${name}_(bucket|sum|count)` : name;
      expect(sample).toMatch(new RegExp(`^${own}(\\{.*\\})? -?[\\d.]+(e[+-]?\\d+)?$`));
    }
  }
});

it("escapes the values of labels", () => {
  expect(toPrometheus(METRICS)).toContain(
    String.raw`memory_service_requests_total{route="GET /a\\b\"c\n{id}",outcome="successful"} 3`,
  );
});

it("uses seconds, bytes and shares, and omits metrics without a value", () => {
  const text = toPrometheus(METRICS);
  expect(text).toContain("\nmemory_service_cpu_usage_ratio 0.125\n");
  expect(text).toContain(`\nmemory_service_resident_memory_bytes ${1.5 * 1024 ** 2}\n`);
  expect(text).toContain("\nmemory_service_request_duration_seconds_sum 0.05\n");
  expect(text).toMatch(/\nmemory_service_route_duration_seconds_total\{[^}]*\} 0\.05\n|\{id\}"\} 0\.05\n/);
  expect(text).not.toMatch(/disk_usage|memory_service_memories/);
});

it("has a histogram with cumulative buckets, of which the last one equals the count", () => {
  const { samples = [] } = familiesIn(toPrometheus(METRICS)).get("memory_service_request_duration_seconds") ?? {};
  const buckets = samples.filter((sample) => sample.includes("_bucket{"));
  const counts = buckets.map((sample) => Number(sample.split(" ").at(-1)));
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(buckets.at(-1)).toBe('memory_service_request_duration_seconds_bucket{le="+Inf"} 4');
  expect(samples).toContain("memory_service_request_duration_seconds_count 4");
});

it("has every metric that the Grafana dashboard queries, and the dashboard shows every metric", () => {
  const dashboard = JSON.parse(readFileSync(new URL("../../docs/grafana-dashboard.json", import.meta.url), "utf8"));
  const models = [{ provider: "openai", calls: 1, fallbacks: 0, input_tokens: 1, output_tokens: 1 }];
  const { summary } = METRICS;
  const all: Metrics = {
    ...METRICS,
    summary: {
      ...summary,
      performance: { ...summary.performance, disk_usage: 5 },
      business_metrics: { ...summary.business_metrics, total_memories: 3 },
      model_metrics: models as Metrics["summary"]["model_metrics"],
    },
  };
  const families = familiesIn(toPrometheus(all));
  const labels = new Set([...toPrometheus(all).matchAll(/(\w+)="/g)].map(([, label]) => label));
  const queried = new Set<string>();
  for (const { targets } of dashboard.panels) {
    for (const { expr } of targets) {
      for (const [name] of expr.matchAll(/memory_service_\w+/g))
        queried.add(name.replace(/_(?:bucket|sum|count)$/, ""));
      for (const [, by] of expr.matchAll(/by \(([^)]+)\)/g)) {
        for (const label of by.split(", ")) expect(labels, expr).toContain(label);
      }
    }
  }
  expect([...queried].toSorted()).toEqual([...families.keys()].toSorted());
});
