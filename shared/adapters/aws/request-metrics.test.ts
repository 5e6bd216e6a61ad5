import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createRequestMetrics } from "./request-metrics.ts";

const written: string[] = [];

beforeEach(() => {
  vi.stubEnv("POWERTOOLS_METRICS_NAMESPACE", "memory-service-test");
  vi.stubEnv("POWERTOOLS_SERVICE_NAME", "auth");
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => written.push(String(chunk)) > 0);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  written.length = 0;
});

const lines = () => written.flatMap((chunk) => chunk.trim().split("\n")).map((line) => JSON.parse(line));

it("writes one line per request, from which CloudWatch derives metrics per service", () => {
  const measure = createRequestMetrics();
  measure({ route: "GET /auth/me", status: 503, durationMs: 12.5, user: "user_1" });
  measure({ route: "POST /auth/login", status: 401, durationMs: 80 });
  measure({ route: "POST /auth/login", status: 200, durationMs: 90 });
  const [failed, refused, let_in] = lines();
  expect(lines()).toHaveLength(3);
  const [directive] = failed._aws.CloudWatchMetrics;
  expect(directive).toMatchObject({ Namespace: "memory-service-test", Dimensions: [["service"]] });
  expect(directive.Metrics.map(({ Name }: { Name: string }) => Name)).toEqual(["RequestDuration", "ServerErrors"]);
  expect(failed).toMatchObject({ service: "auth", RequestDuration: 12.5, ServerErrors: 1, route: "GET /auth/me" });
  expect(refused).toMatchObject({ ServerErrors: 0, SignInFailures: 1 });
  expect(let_in).toMatchObject({ SignInFailures: 0 });
  expect(JSON.stringify(lines())).not.toContain("user_1");
});
