import { json } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { sha256 } from "../../shared/kernel/digest.ts";
import { type LoopbackServer, listenOnLoopback } from "../../test/fixtures/loopback-server.ts";
import { customResource } from "./answer.ts";
import { hashesOf, type SecretsApi } from "./origin-hashes.ts";
import { putRole, removeRole, type SecurityApi } from "./search-role.ts";

describe("customResource", () => {
  const answers: Record<string, unknown>[] = [];
  let status = 200;
  const own = { StackId: "stack", RequestId: "request", LogicalResourceId: "Logical" };
  let server: LoopbackServer;

  beforeEach(async () => {
    answers.length = 0;
    status = 200;
    server = await listenOnLoopback(async (request, response) => {
      answers.push(z.record(z.string(), z.unknown()).parse(await json(request)));
      response.writeHead(status).end();
    });
  });
  afterEach(() => server.close());

  /** Handles the event of a resource "thing" with this change. */
  function change(make: Parameters<typeof customResource>[1]) {
    const ServiceToken = "arn:aws:lambda:eu-central-1:123456789012:function:maker";
    const event = { ServiceToken, ResponseURL: server.url, ResourceType: "Custom::Thing", ...own } as const;
    return customResource(
      () => "thing",
      make,
    )({
      ...event,
      RequestType: "Create",
      ResourceProperties: { ServiceToken },
    });
  }

  it("reports success to CloudFormation", async () => {
    await change(async () => {});
    expect(answers).toEqual([{ Status: "SUCCESS", PhysicalResourceId: "thing", ...own }]);
  });

  it("returns the attributes that templates read", async () => {
    await change(async () => ({ Name: "of the thing" }));
    expect(answers).toEqual([expect.objectContaining({ Status: "SUCCESS", Data: { Name: "of the thing" } })]);
  });

  it("reports failure to CloudFormation, so that it does not wait for an hour", async () => {
    await change(() => Promise.reject<void>(new Error("no such domain")));
    expect(answers).toEqual([expect.objectContaining({ Status: "FAILED", Reason: "no such domain" })]);
  });

  it("fails and is retried if CloudFormation rejects the response", async () => {
    status = 503;
    await expect(change(async () => {})).rejects.toThrow("503");
  });
});

describe("a role inside OpenSearch", () => {
  const PROPERTIES = {
    Endpoint: "https://search.example.com",
    Role: "memory-service-dev-api",
    IndexPrefix: "memories",
    Members: ["arn:aws:iam::123456789012:role/search"],
  };

  type Call = Parameters<SecurityApi["request"]>[0];

  function recording(answer: (call: Call) => Promise<unknown> = async () => undefined) {
    const calls: Call[] = [];
    const request: SecurityApi["request"] = (call) => {
      calls.push(call);
      return answer(call);
    };
    return { calls, security: { request } };
  }

  const refusal = (statusCode: number) => Object.assign(new Error("refused"), { statusCode });

  it("is limited to the service's indexes and mapped to its members", async () => {
    const { calls, security } = recording();
    await putRole(security, PROPERTIES);
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "PUT /_plugins/_security/api/roles/memory-service-dev-api",
      "PUT /_plugins/_security/api/rolesmapping/memory-service-dev-api",
    ]);
    expect(calls[0]!.body).toMatchObject({
      // For pings, and for searches and writes of several indexes.
      cluster_permissions: ["cluster_composite_ops", "cluster:monitor/main"],
      index_permissions: [{ index_patterns: ["memories*"] }],
    });
    expect(calls[1]!.body).toEqual({ backend_roles: PROPERTIES.Members });
  });

  it("loses its members before it is deleted, and may be missing already", async () => {
    const { calls, security } = recording(() => Promise.reject(refusal(404)));
    await removeRole(security, PROPERTIES);
    expect(calls.map(({ path }) => path.split("/").at(-2))).toEqual(["rolesmapping", "roles"]);
  });

  it("remains if OpenSearch refuses its removal", async () => {
    const { security } = recording(() => Promise.reject(refusal(403)));
    await expect(removeRole(security, PROPERTIES)).rejects.toThrow("refused");
  });
});

describe("hashes of the secrets that CloudFront sends", () => {
  const ARNS = ["arn:of:one", "arn:of:other"];
  const VALUES: Record<string, string> = { "arn:of:one": "a".repeat(64), "arn:of:other": "b".repeat(64) };

  /** A Secrets Manager that refuses the first requests with an error of this name. */
  function secretsAfter(refusals: number, name = "AccessDeniedException") {
    let asked = 0;
    const send: SecretsApi["send"] = async ({ input: { SecretId = "" } }) => {
      asked += 1;
      if (asked <= refusals) throw Object.assign(new Error(`refused ${SecretId}`), { name });
      return { SecretString: VALUES[SecretId] };
    };
    return { secrets: { send }, asked: () => asked };
  }

  it("are in the order of the secrets", async () => {
    const { secrets } = secretsAfter(0);
    expect(await hashesOf(secrets, ARNS)).toBe(`${sha256("a".repeat(64))},${sha256("b".repeat(64))}`);
  });

  it("are retried until IAM allows the reading", async () => {
    const { secrets, asked } = secretsAfter(3);
    expect(await hashesOf(secrets, ARNS, 0)).toContain(sha256("a".repeat(64)));
    expect(asked()).toBe(5);
  });

  it("fail after the last retry, and at once because of another error", async () => {
    await expect(hashesOf(secretsAfter(Number.POSITIVE_INFINITY).secrets, ARNS, 0)).rejects.toThrow("refused");
    const absent = secretsAfter(1, "ResourceNotFoundException");
    await expect(hashesOf(absent.secrets, ARNS, 0)).rejects.toThrow("refused");
    expect(absent.asked()).toBe(1);
  });

  it.each([undefined, "", "short"])("are refused for a secret that could be guessed: %s", async (value) => {
    const secrets = { send: async () => ({ SecretString: value }) };
    await expect(hashesOf(secrets, ARNS)).rejects.toThrow(z.ZodError);
  });
});
