import { randomBytes } from "node:crypto";
import type { Config } from "../../shared/kernel/config.ts";
import type { Logger } from "../../shared/kernel/logger.ts";
import { fetchConfigured } from "../../shared/runtime/fetching/fetch-configured.ts";
import { carry, type OutgoingSecret } from "../../shared/runtime/fetching/secret-destinations.ts";
import type { TracedRequest } from "../../shared/runtime/stats/traffic.ts";

type TelemetryConfig = Pick<
  Config,
  "OTEL_EXPORTER_OTLP_ENDPOINT" | "OTEL_EXPORTER_OTLP_HEADERS" | "OTEL_SERVICE_NAME" | "OTEL_RESOURCE_ATTRIBUTES"
>;

const EXPORT_EVERY_MS = 5_000;
const EXPORT_TIMEOUT_MS = 10_000;
/** Spans kept between two exports; the rest is dropped and counted. */
const MAX_SPANS = 4_096;
const MAX_ROUTES = 1_000;
const NANOSECONDS = 1_000_000;
/** Bounds of the histogram in seconds, as the semantic conventions of HTTP advise. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** `00-<trace id>-<parent id>-<flags>` of W3C Trace Context. */
const TRACEPARENT = /^00-(?<trace>(?!0{32})[0-9a-f]{32})-(?<parent>(?!0{16})[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/;
const SERVER_KIND = 2;
const ERROR_STATUS = 2;
const CUMULATIVE = 2;
const FIRST_FAILURE = 500;

type Attribute = { key: string; value: { stringValue: string } | { intValue: string } };

interface Series {
  attributes: Attribute[];
  count: number;
  sum: number;
  buckets: number[];
}

/** What memories a route works on, for `gen_ai.memory.operation.duration`. */
const OPERATIONS: readonly (readonly [route: RegExp, operation: string])[] = [
  [/^(?:GET|POST) \/(?:search|v3\/memories\/search)\b/, "search"],
  [/^POST \/recall$/, "recall"],
  [/^POST \/(?:memories(?:\/batch)?|v3\/memories\/add)$/, "add"],
  [/^(?:PUT|PATCH) \/memories\//, "update"],
  [/^DELETE \/memories\b/, "delete"],
  [/^GET \/memories\b/, "read"],
];

/**
 * Sends a span and the durations of each request to an OpenTelemetry collector, as JSON over HTTP. A trace continues
 * that of the caller; an unsampled one is not sent. Requests never wait for the collector.
 */
export class Telemetry {
  readonly #endpoint: string;
  readonly #secrets: OutgoingSecret[];
  readonly #resource: { attributes: Attribute[] };
  readonly #logger: Logger;
  readonly #startedAt = Date.now();
  readonly #durations = new Map<string, Series>();
  readonly #operations = new Map<string, Series>();
  readonly #timer: NodeJS.Timeout;
  #spans: object[] = [];
  #dropped = 0;

  constructor(config: TelemetryConfig & { OTEL_EXPORTER_OTLP_ENDPOINT: string }, logger: Logger) {
    this.#endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, "");
    this.#secrets = [carry("collector_headers", config, pairsIn(config.OTEL_EXPORTER_OTLP_HEADERS))];
    const attributes = { ...pairsIn(config.OTEL_RESOURCE_ATTRIBUTES), "service.name": config.OTEL_SERVICE_NAME };
    this.#resource = { attributes: Object.entries(attributes).map(([key, value]) => text(key, value)) };
    this.#logger = logger;
    this.#timer = setInterval(() => void this.flush(), EXPORT_EVERY_MS).unref();
  }

  /** Notes a request that was served. */
  readonly measure = (served: TracedRequest): void => {
    const { route, status, durationMs } = served;
    const [method = "", path = ""] = route.includes(" ") ? route.split(" ") : ["", route];
    const attributes = [
      text("http.request.method", method || "_OTHER"),
      text("http.route", path),
      { key: "http.response.status_code", value: { intValue: String(status) } },
    ];
    count(this.#durations, `${route} ${status}`, attributes, durationMs / 1000);
    const operation = OPERATIONS.find(([pattern]) => pattern.test(route))?.[1];
    if (operation !== undefined) {
      count(this.#operations, operation, [text("gen_ai.operation.name", operation)], durationMs / 1000);
    }
    this.#addSpan(served, attributes);
  };

  /** Sends what was noted; failures are logged, and the spans of a failed export are lost. */
  async flush(): Promise<void> {
    const spans = this.#spans;
    this.#spans = [];
    const scope = { name: "memory-service" };
    if (spans.length > 0)
      await this.#send("traces", { resourceSpans: [{ resource: this.#resource, scopeSpans: [{ scope, spans }] }] });
    const metrics = [
      this.#histogram("http.server.request.duration", this.#durations),
      this.#histogram("gen_ai.memory.operation.duration", this.#operations),
    ].filter(({ histogram }) => histogram.dataPoints.length > 0);
    if (metrics.length > 0)
      await this.#send("metrics", {
        resourceMetrics: [{ resource: this.#resource, scopeMetrics: [{ scope, metrics }] }],
      });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #addSpan({ route, status, durationMs, startedAt, traceparent = "" }: TracedRequest, attributes: Attribute[]): void {
    const { trace, parent, flags = "01" } = TRACEPARENT.exec(traceparent)?.groups ?? {};
    if (Number.parseInt(flags, 16) % 2 === 0) return;
    if (this.#spans.length >= MAX_SPANS) {
      this.#dropped++;
      return;
    }
    this.#spans.push({
      traceId: trace ?? randomBytes(16).toString("hex"),
      spanId: randomBytes(8).toString("hex"),
      ...(parent !== undefined && { parentSpanId: parent }),
      name: route,
      kind: SERVER_KIND,
      startTimeUnixNano: nanoseconds(startedAt),
      endTimeUnixNano: nanoseconds(startedAt + durationMs),
      attributes,
      ...(status >= FIRST_FAILURE && { status: { code: ERROR_STATUS } }),
    });
  }

  #histogram(name: string, series: Map<string, Series>) {
    const times = { startTimeUnixNano: nanoseconds(this.#startedAt), timeUnixNano: nanoseconds(Date.now()) };
    const dataPoints = [...series.values()].map(({ attributes, count: total, sum, buckets }) => ({
      attributes,
      ...times,
      count: String(total),
      sum,
      explicitBounds: BOUNDS,
      bucketCounts: buckets.map(String),
    }));
    return { name, unit: "s", histogram: { aggregationTemporality: CUMULATIVE, dataPoints } };
  }

  async #send(signal: "traces" | "metrics", body: object): Promise<void> {
    try {
      const response = await fetchConfigured(`${this.#endpoint}/v1/${signal}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        secrets: this.#secrets,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(EXPORT_TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok)
        this.#logger.warn("TELEMETRY_NOT_SENT", { signal, status: response.status, dropped: this.#dropped });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#logger.warn("TELEMETRY_NOT_SENT", { signal, reason, dropped: this.#dropped });
    }
  }
}

function count(all: Map<string, Series>, key: string, attributes: Attribute[], seconds: number): void {
  let series = all.get(key);
  if (!series) {
    if (all.size >= MAX_ROUTES) return;
    series = { attributes, count: 0, sum: 0, buckets: Array<number>(BOUNDS.length + 1).fill(0) };
    all.set(key, series);
  }
  series.count++;
  series.sum += seconds;
  const bound = BOUNDS.findIndex((upTo) => seconds <= upTo);
  const bucket = bound < 0 ? BOUNDS.length : bound;
  series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
}

/** `a=b,c=d` of the standard variables; values may be percent-encoded. */
function pairsIn(list = ""): Record<string, string> {
  return Object.fromEntries(
    list.split(",").flatMap((pair) => {
      const [name = "", ...value] = pair.split("=");
      return name.trim() === "" ? [] : [[name.trim(), decodeURIComponent(value.join("=").trim())]];
    }),
  );
}

function text(key: string, value: string): Attribute {
  return { key, value: { stringValue: value } };
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * BigInt(NANOSECONDS / 1000));
}
