import { cumulativeHistogram } from "../../shared/runtime/stats/histogram.ts";
import type { Metrics } from "./metrics.ts";
import type { Counters } from "./traffic.ts";

/** Version 0.0.4 of the text exposition format, which every scraper supports. */
export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Kind = "counter" | "gauge" | "histogram";

interface Sample {
  suffix?: string;
  labels?: Record<string, string>;
  value: number;
}

const OUTCOMES = ["successful", "refused", "failed"] as const;

/** The metrics as text for a scraper: counters since the first start of all processes; gauges of this process. */
export function toPrometheus({ summary, requests, routes }: Metrics): string {
  const { performance, business_metrics: business, fact_reader: reader, model_metrics: models } = summary;
  const ofModels = (name: "calls" | "fallbacks") =>
    models.map((use) => ({ labels: { provider: use.provider }, value: use[name] }));
  return [
    ...family("requests_total", "counter", "Requests answered, by route and outcome.", [
      ...routes.flatMap(({ route, counters }) =>
        OUTCOMES.map((outcome) => ({ labels: { route, outcome }, value: counters[outcome] ?? 0 })),
      ),
    ]),
    ...family("request_duration_seconds", "histogram", "How long requests took.", durations(requests)),
    ...family("route_duration_seconds_total", "counter", "Total seconds of requests, by route.", [
      ...routes.map(({ route, counters }) => ({ labels: { route }, value: (counters.duration_ms ?? 0) / 1000 })),
    ]),
    ...gauge("cpu_usage_ratio", "Processor time in use.", toRatio(performance.cpu_usage)),
    ...gauge("memory_usage_ratio", "Memory in use.", toRatio(performance.memory_usage)),
    ...gauge("disk_usage_ratio", "Disk in use.", toRatio(performance.disk_usage)),
    ...gauge("resident_memory_bytes", "Memory that the process holds.", performance.resident_memory_mb * 1024 ** 2),
    ...gauge("uptime_seconds", "Seconds since the process was ready.", performance.uptime_seconds),
    ...gauge("active_users", "Users who did anything in the last 30 days.", business.active_users),
    ...gauge("memories", "Memories in all organizations.", business.total_memories),
    ...family("sessions_begun_total", "counter", "Sessions begun.", [{ value: business.total_sessions }]),
    ...family("searches_total", "counter", "Searches run.", [{ value: business.total_searches }]),
    ...family("rerankings_total", "counter", "Searches whose results were sent to the reranker.", [
      { value: business.total_rerankings },
    ]),
    ...family(
      "rerankings_failed_total",
      "counter",
      "Searches that kept their first order because the reranker failed.",
      [{ value: business.failed_rerankings }],
    ),
    ...gauge(
      "fact_reader_working",
      "1 if the model reads facts, 0 if rules alone do.",
      reader.state === "working" ? 1 : 0,
    ),
    ...family("fact_readings_total", "counter", "Memories that the model read facts from.", [{ value: reader.read }]),
    ...family("fact_readings_failed_total", "counter", "Groups of memories that the model failed to read.", [
      { value: reader.failed },
    ]),
    ...family("model_requests_total", "counter", "Requests to language models, by provider.", ofModels("calls")),
    ...family(
      "model_fallbacks_total",
      "counter",
      "Tasks that the built-in rules did instead of a model.",
      ofModels("fallbacks"),
    ),
    ...family("model_tokens_total", "counter", "Tokens sent to and answered by language models.", [
      ...models.flatMap(({ provider, input_tokens, output_tokens }) => [
        { labels: { provider, direction: "input" }, value: input_tokens },
        { labels: { provider, direction: "output" }, value: output_tokens },
      ]),
    ]),
    "",
  ].join("\n");
}

function family(name: string, kind: Kind, help: string, samples: Sample[]): string[] {
  const full = `memory_service_${name}`;
  const lines = samples.map(({ suffix = "", labels = {}, value }) => {
    const named = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${full}${suffix}${named.length > 0 ? `{${named.join(",")}}` : ""} ${value}`;
  });
  return lines.length === 0 ? [] : [`# HELP ${full} ${help}`, `# TYPE ${full} ${kind}`, ...lines];
}

/** Values that do not exist on this platform are left out. */
function gauge(name: string, help: string, value: number | null): string[] {
  return family(name, "gauge", help, value === null ? [] : [{ value }]);
}

function durations(counters: Counters): Sample[] {
  const buckets = cumulativeHistogram(counters);
  const count = buckets.at(-1)?.count ?? 0;
  return [
    ...buckets.map(({ upTo, count: within }) => ({
      suffix: "_bucket",
      labels: { le: String(upTo / 1000) },
      value: within,
    })),
    { suffix: "_bucket", labels: { le: "+Inf" }, value: count },
    { suffix: "_sum", value: (counters.duration_ms ?? 0) / 1000 },
    { suffix: "_count", value: count },
  ];
}

function toRatio(percent: number | null): number | null {
  return percent === null ? null : percent / 100;
}

function escaped(text: string): string {
  return text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
}
