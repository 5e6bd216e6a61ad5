import { createServer } from "node:http";
import { afterEach, expect, it } from "vitest";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { Telemetry } from "./telemetry.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

/** The parts of OTLP's JSON that the tests read. */
interface Sent {
  resourceSpans: { resource: { attributes: object[] }; scopeSpans: { spans: object[] }[] }[];
  resourceMetrics: { scopeMetrics: { metrics: Histogram[] }[] }[];
}

interface Histogram {
  name: string;
  histogram: {
    dataPoints: {
      attributes: object[];
      count: string;
      sum: number;
      bucketCounts: string[];
      explicitBounds: number[];
    }[];
  };
}

let close: (() => void) | undefined;
afterEach(() => close?.());

/** A collector that keeps the bodies that it receives, by path. */
async function collector(status = 200) {
  const received: { path: string | undefined; headers: object; body: Sent }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    received.push({ path: request.url, headers: request.headers, body: JSON.parse(body) });
    response.writeHead(status).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => server.close();
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, received };
}

const open = (url: string) =>
  new Telemetry(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x, x-team=memory",
      OTEL_SERVICE_NAME: "mine",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
    },
    silentLogger,
  );

const served = { route: "GET /search", status: 200, durationMs: 30, startedAt: 1_700_000_000_000 };

it("sends spans that continue the caller's trace, with their resource and headers", async () => {
  const { url, received } = await collector();
  const telemetry = open(`${url}/`);
  telemetry.measure({ ...served, traceparent: `00-${TRACE}-${PARENT}-01` });
  telemetry.measure({ ...served, traceparent: `00-${TRACE}-${PARENT}-00` });
  telemetry.measure({ ...served, status: 503, traceparent: "nonsense" });
  await telemetry.close();
  const [traces, metrics] = received;
  expect([traces?.path, metrics?.path]).toEqual(["/v1/traces", "/v1/metrics"]);
  expect(traces?.headers).toMatchObject({ authorization: "Bearer x", "x-team": "memory" });
  const { resource, scopeSpans } = traces?.body.resourceSpans[0] ?? {};
  expect(resource?.attributes).toContainEqual({ key: "service.name", value: { stringValue: "mine" } });
  const spans = scopeSpans?.[0]?.spans ?? [];
  expect(spans).toHaveLength(2);
  expect(spans[0]).toMatchObject({
    ...{ traceId: TRACE, parentSpanId: PARENT, name: "GET /search", kind: 2 },
    ...{ startTimeUnixNano: "1700000000000000000", endTimeUnixNano: "1700000000030000000" },
  });
  expect(spans[1]).toMatchObject({ traceId: expect.stringMatching(/^[0-9a-f]{32}$/), status: { code: 2 } });
  expect(spans[1]).not.toHaveProperty("parentSpanId");
});

it("sends the durations of requests and of the work on memories as cumulative histograms", async () => {
  const { url, received } = await collector();
  const telemetry = open(url);
  telemetry.measure(served);
  telemetry.measure({ ...served, route: "GET /search/stats", durationMs: 20_000 });
  telemetry.measure({ ...served, route: "GET /agents" });
  await telemetry.close();
  const sent = received.find(({ path }) => path === "/v1/metrics")?.body.resourceMetrics[0];
  const [requests, memories] = sent?.scopeMetrics[0]?.metrics ?? [];
  expect([requests?.name, memories?.name]).toEqual([
    "http.server.request.duration",
    "gen_ai.memory.operation.duration",
  ]);
  expect(requests?.histogram.dataPoints).toHaveLength(3);
  const search = memories?.histogram.dataPoints[0];
  expect(search?.attributes).toEqual([{ key: "gen_ai.operation.name", value: { stringValue: "search" } }]);
  expect([search?.count, search?.sum, search?.bucketCounts.length]).toEqual(["2", 20.03, 15]);
  expect([search?.bucketCounts[2], search?.bucketCounts.at(-1)]).toEqual(["0", "1"]);
});

it("goes on when the collector fails or is gone", async () => {
  const { url } = await collector(500);
  const failing = open(url);
  failing.measure(served);
  await failing.close();
  close?.();
  const alone = open("http://127.0.0.1:9");
  alone.measure(served);
  await expect(alone.close()).resolves.toBeUndefined();
});
