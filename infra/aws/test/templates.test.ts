import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { App, CfnResource, Stack, Validations } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { beforeAll, describe, expect, it } from "vitest";
import cdk from "../../../cdk.json" with { type: "json" };
import { FACETS } from "../../../shared/ports/facets.ts";
import { deployedNameOf, queueSentTo } from "../../../shared/ports/manifest.ts";
import { deadLettersOf } from "../../../shared/ports/queues.ts";
import { PURPOSES, type SecretPurpose } from "../../../shared/ports/secret-names.ts";
import { REQUEST_HEADERS } from "../../../shared/runtime/http/cors.ts";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import { ServiceChecks } from "../nag.ts";
import {
  allResources,
  type CfnTemplate,
  onlyResource,
  PROD,
  type Resource,
  resourceNamed,
  resourcesOf,
  type Synthesized,
  synthesize,
  templatesOf,
  variablesOf,
} from "./synth.ts";

/** All names and values together (AWS Lambda Developer Guide, "Lambda quotas"). */
const MAX_ENVIRONMENT_BYTES = 4096;

/** SearchAccess and FirstKeyMaker. */
const CUSTOM_RESOURCE_FUNCTIONS = 2;

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

/** The part of openapi.json that these tests read. */
interface ApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, DocumentedAnswer> }>>;
  components: {
    parameters: Record<string, { name: string; in: string }>;
    securitySchemes: { ApiKey: { name: string } };
    responses: Record<string, DocumentedAnswer>;
  };
}

interface DocumentedAnswer {
  headers?: Record<string, unknown>;
}

let dev: Synthesized;
let prod: Synthesized;

beforeAll(async () => {
  dev = await synthesize({
    stage: "dev",
    mailSender: "service@example.com",
    alarmEmail: "developer@example.com",
    alarmScope: "function",
  });
  const options = { allowedOrigins: "https://app.example.com", notionClientId: "client-at-notion" };
  prod = await synthesize({ ...PROD, ...options });
});

const functionsOf = (service: Synthesized) => allResources("AWS::Lambda::Function", service);
const policiesOf = (service: Synthesized) => allResources("AWS::IAM::Policy", service);

describe("exports of the table", () => {
  it.each(["dev", "prod"])("can be started and read only by the function that makes backups, in %s", (stage) => {
    const service = stage === "dev" ? dev : prod;
    const allowed = policiesOf(service).filter(([, policy]) => /"dynamodb:\w*Export\w*"/.test(JSON.stringify(policy)));
    expect(allowed).toHaveLength(1);
    const [, { Properties }] = allowed[0]!;
    const statements = Properties.PolicyDocument.Statement as { Action: string | string[]; Resource: unknown }[];
    const statementOf = (action: string) => statements.filter((each) => [each.Action].flat().includes(action));
    const [begin] = statementOf("dynamodb:ExportTableToPointInTime");
    expect(JSON.stringify(begin?.Resource)).toMatch(/ExportsOutputFnGetAttTable\w+Arn\w+"\}$/);
    expect(JSON.stringify(statementOf("dynamodb:DescribeExport")[0]?.Resource)).toMatch(/\/export\/\*/);
    expect(statementOf("s3:PutObjectAcl")).toHaveLength(1);
    expect(JSON.stringify(statementOf("s3:PutObjectAcl")[0]?.Resource)).toMatch(/\/backups\/exports\/\*"/);
    const exporters = functionsOf(service).filter(([, each]) => variablesOf(each).TABLE_EXPORT_PREFIX !== undefined);
    expect(exporters.map(([, each]) => variablesOf(each).POWERTOOLS_SERVICE_NAME)).toEqual(["make-backups"]);
    expect(Properties.Roles).toHaveLength(1);
    expect(JSON.stringify(exporters[0]?.[1].Properties.Role)).toContain(Properties.Roles[0].Ref);
  });
});

describe("secrets", () => {
  /** Every function that has any, by its name in log lines. */
  const PURPOSES_OF: Record<string, SecretPurpose[]> = {
    auth: ["signing", "sealing", "providers"],
    compat: ["sealing"],
    connections: ["sealing", "providers"],
    "deliver-webhooks": ["sealing"],
    FirstKeyMaker: ["bootstrap"],
    "make-backups": ["bootstrap", "sealing", "providers", "backups"],
    oauth: ["signing"],
    "stand-in": ["sealing", "providers"],
    "sync-connections": ["sealing", "providers"],
    webhooks: ["sealing"],
  };
  const ACTIONS: Record<SecretPurpose, string[]> = {
    bootstrap: ["GetSecretValue", "CreateSecret"],
    signing: ["GetSecretValue", "CreateSecret", "DeleteSecret"],
    sealing: ["GetSecretValue", "CreateSecret"],
    providers: ["GetSecretValue"],
    backups: ["GetSecretValue"],
    blobs: ["GetSecretValue", "CreateSecret"],
  };

  interface SecretStatement {
    Effect: string;
    Action: string | string[];
    Resource: unknown;
  }

  const nameOf = (lambda: Resource): string => variablesOf(lambda).POWERTOOLS_SERVICE_NAME;

  /** A function's permissions for secrets. A reference, or an import that contains the logical id, names its role. */
  function secretStatementsOf(service: Synthesized, { Properties }: Resource): SecretStatement[] {
    const role = JSON.stringify(Properties.Role);
    return policiesOf(service)
      .filter(([, policy]) => policy.Properties.Roles.some(({ Ref }: { Ref: string }) => role.includes(Ref)))
      .flatMap(([, policy]) => policy.Properties.PolicyDocument.Statement as SecretStatement[])
      .filter(({ Action }) => [Action].flat().some((action) => /^(secretsmanager:|\*)/.test(action)));
  }

  const patternOf = (stage: string, purpose: SecretPurpose) => ({
    "Fn::Join": [
      "",
      [
        "arn:",
        { Ref: "AWS::Partition" },
        ":secretsmanager:",
        { Ref: "AWS::Region" },
        ":",
        { Ref: "AWS::AccountId" },
        `:secret:memory-service/${stage}/${purpose}/*`,
      ],
    ],
  });

  const cases = ["dev", "prod"].flatMap((stage) => PURPOSES.map((purpose) => ({ stage, purpose })));

  it.each(cases)("of the purpose $purpose are granted in $stage only to the functions that use them", (each) => {
    const { stage, purpose } = each;
    const service = stage === "dev" ? dev : prod;
    const pattern = JSON.stringify(patternOf(stage, purpose));
    const seen: Record<string, string[]> = {};
    for (const [id, lambda] of functionsOf(service)) {
      const granted = secretStatementsOf(service, lambda).filter(({ Resource }) =>
        [Resource].flat().some((resource) => JSON.stringify(resource) === pattern),
      );
      if (granted.length > 0) seen[nameOf(lambda) ?? id] = granted.flatMap(({ Action }) => Action).sort();
    }
    const actions = ACTIONS[purpose].map((action) => `secretsmanager:${action}`).sort();
    const holders = Object.keys(PURPOSES_OF).filter((name) => PURPOSES_OF[name]?.includes(purpose));
    expect(seen).toEqual(Object.fromEntries(holders.map((name) => [name, actions])));
  });

  it.each(["dev", "prod"])("are granted in %s by one pattern per purpose and by no other", (stage) => {
    const service = stage === "dev" ? dev : prod;
    const patterns = new Set(PURPOSES.map((purpose) => JSON.stringify(patternOf(stage, purpose))));
    let granted = 0;
    for (const [id, lambda] of functionsOf(service)) {
      for (const { Resource } of secretStatementsOf(service, lambda)) {
        granted++;
        for (const resource of [Resource].flat()) expect(patterns, id).toContain(JSON.stringify(resource));
      }
    }
    expect(granted).toBeGreaterThan(10);
  });

  it("of clients at providers are passed with the names of these clients", () => {
    const readers = functionsOf(prod).filter(([, lambda]) => PURPOSES_OF[nameOf(lambda)]?.includes("providers"));
    expect(readers).toHaveLength(5);
    for (const [id, lambda] of functionsOf(prod)) {
      const isReader = PURPOSES_OF[nameOf(lambda)]?.includes("providers");
      expect(variablesOf(lambda).NOTION_CLIENT_ID, id).toBe(isReader ? "client-at-notion" : undefined);
    }
  });
});

describe("the checks of cdk synth", () => {
  it("fail for an AwsSolutions finding without a reason", () => {
    const app = new App({ outdir: temporaryFolder(), context: cdk.context });
    new Queue(new Stack(app, "careless"), "Queue");
    Validations.of(app).addPlugins(new ServiceChecks(app));
    expect(() => app.synth()).toThrow(/AwsSolutions-SQS3/);
  });

  it("fail for templates that CloudFormation would refuse", () => {
    const app = new App({ outdir: temporaryFolder(), context: cdk.context });
    new CfnResource(new Stack(app, "careless"), "Queue", {
      type: "AWS::SQS::Queue",
      properties: { VisibilityTimeout: 999_999 },
    });
    expect(() => app.synth()).toThrow(/VisibilityTimeout: 999999 is greater/);
  });

  it("can be suppressed only with a reason", () => {
    const acknowledged = templatesOf(prod).flatMap(({ Resources }) =>
      Object.values(Resources).flatMap(
        ({ Metadata }) => (Metadata?.cdk_nag?.rules_to_suppress ?? []) as { reason: string }[],
      ),
    );
    expect(acknowledged.length).toBeGreaterThan(5);
    for (const { reason } of acknowledged) expect(reason.length).toBeGreaterThan(20);
  });
});

describe("functions", () => {
  it("exist for every manifest, on the current runtime and arm64", () => {
    const own = functionsOf(dev);
    expect(own).toHaveLength(dev.groups.length + dev.workers.length + CUSTOM_RESOURCE_FUNCTIONS);
    for (const [, { Properties }] of own) {
      expect(Properties).toMatchObject({ Runtime: "nodejs24.x", Architectures: ["arm64"] });
    }
  });

  it("log to their own log group, which has a retention", () => {
    for (const [id, { Properties }] of functionsOf(prod)) {
      // Named by a reference, or by an import that contains the logical id.
      const reference = JSON.stringify(Properties.LoggingConfig.LogGroup);
      const group = allResources("AWS::Logs::LogGroup", prod).filter(([own]) => reference.includes(own));
      expect(group, id).toHaveLength(1);
      expect(group[0]![1].Properties.RetentionInDays, id).toBe(90);
    }
  });

  it("name no action with a wildcard", () => {
    for (const [id, { Properties }] of policiesOf(prod)) {
      const actions = Properties.PolicyDocument.Statement.flatMap(
        ({ Action }: { Action: string | string[] }) => Action,
      );
      for (const action of actions) expect(action, id).not.toContain("*");
    }
  });

  it("get exactly the permissions that they declare", () => {
    const [, policy] = policiesOf(dev).find(([id]) => id.startsWith("repeatstandin"))!;
    const services = policy.Properties.PolicyDocument.Statement.flatMap(
      ({ Action }: { Action: string | string[] }) => Action,
    ).map((action: string) => action.split(":")[0]);
    expect(new Set(services)).toEqual(new Set(["logs", "dynamodb", "sqs"]));
  });

  it("have an environment within Lambda's limits", () => {
    /** Replaces values that only CloudFormation knows: ARNs, URLs and names are shorter. */
    const unknown = "x".repeat(130);
    for (const [id, lambda] of functionsOf(prod)) {
      const variables = Object.entries(variablesOf(lambda));
      const texts = variables.flat().map((text) => (typeof text === "string" ? text : unknown));
      expect(Buffer.byteLength(texts.join("")), id).toBeLessThan(MAX_ENVIRONMENT_BYTES);
    }
  });

  it("contain no secret in their variables", () => {
    for (const [id, lambda] of [...functionsOf(dev), ...functionsOf(prod)]) {
      for (const [name, value] of Object.entries(variablesOf(lambda))) {
        expect(name, id).not.toMatch(/KEY|PASSWORD|TOKEN|SECRET$/);
        expect(JSON.stringify(value), id).not.toMatch(/resolve:(secretsmanager|ssm-secure)/);
      }
    }
  });
});

describe("the table", () => {
  it("has the indexes, the stream, TTL and point-in-time recovery", () => {
    const { Properties } = onlyResource("AWS::DynamoDB::Table", dev.templates.data);
    expect(Properties).toMatchObject({
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true },
    });
    const projections = Properties.GlobalSecondaryIndexes.map(
      ({ IndexName, Projection }: { IndexName: string; Projection: object }) => [IndexName, Projection],
    );
    expect(projections).toEqual([
      ["gsi1", { ProjectionType: "ALL" }],
      ["gsi2", { ProjectionType: "ALL" }],
      ["gsi3", { ProjectionType: "INCLUDE", NonKeyAttributes: expect.arrayContaining([...FACETS]) }],
    ]);
  });

  it("is protected from deletion, recoverable and encrypted with our key in prod", () => {
    const { Properties } = onlyResource("AWS::DynamoDB::Table", prod.templates.data);
    expect(Properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    expect(Properties.DeletionProtectionEnabled).toBe(true);
    expect(Properties.SSESpecification).toMatchObject({ SSEType: "KMS", KMSMasterKeyId: expect.anything() });
    expect(onlyResource("AWS::KMS::Key", prod.templates.data).Properties.EnableKeyRotation).toBe(true);
  });
});

describe("a resource that stores data", () => {
  const STATEFUL = ["AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::OpenSearchService::Domain", "AWS::KMS::Key"];

  it.each(STATEFUL)("is retained by its stack in prod: %s", (type) => {
    const found = resourcesOf(type, prod.templates.data);
    expect(found.length).toBeGreaterThan(0);
    for (const [, resource] of found) {
      expect(resource).toMatchObject({ DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
    }
  });

  it("is a private, versioned bucket that refuses plain HTTP and deletes old versions", () => {
    const { Properties } = onlyResource("AWS::S3::Bucket", prod.templates.data);
    expect(Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      VersioningConfiguration: { Status: "Enabled" },
      LifecycleConfiguration: { Rules: [{ NoncurrentVersionExpiration: { NoncurrentDays: 30 }, Status: "Enabled" }] },
    });
    const policy = onlyResource("AWS::S3::BucketPolicy", prod.templates.data).Properties.PolicyDocument;
    expect(policy.Statement).toContainEqual(
      expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
    );
  });

  it("is a search domain that is encrypted, TLS only and open only to signed requests of this account", () => {
    const { Properties } = onlyResource("AWS::OpenSearchService::Domain", prod.templates.data);
    expect(Properties).toMatchObject({
      EngineVersion: "OpenSearch_2.19",
      AdvancedSecurityOptions: {
        Enabled: true,
        InternalUserDatabaseEnabled: false,
        MasterUserOptions: { MasterUserARN: expect.anything() },
      },
      DomainEndpointOptions: { EnforceHTTPS: true, TLSSecurityPolicy: "Policy-Min-TLS-1-2-PFS-2023-10" },
      EncryptionAtRestOptions: { Enabled: true },
      NodeToNodeEncryptionOptions: { Enabled: true },
      ClusterConfig: { ZoneAwarenessEnabled: true, DedicatedMasterCount: 3 },
    });
    const principals = Properties.AccessPolicies.Statement.map(({ Principal }: { Principal: unknown }) =>
      JSON.stringify(Principal),
    );
    expect(principals).toEqual([expect.stringContaining(":root")]);
  });

  it("gives every searching function of a stack a role inside OpenSearch", () => {
    for (const template of [prod.templates.api, prod.templates.workers]) {
      const members = onlyResource("Custom::SearchRole", template).Properties.Members;
      const lambdas = resourcesOf("AWS::Lambda::Function", template);
      const searching = lambdas.filter(([, lambda]) => variablesOf(lambda).SEARCH_ENDPOINT !== undefined);
      expect(members).toEqual(expect.arrayContaining(searching.map(([, { Properties }]) => Properties.Role)));
      expect(members).toHaveLength(searching.length);
    }
  });
});

function queueNamesOf({ workers }: Synthesized): string[] {
  return workers.flatMap(({ source }) => ("queues" in source ? source.queues.names : []));
}

describe("queues", () => {
  it("move messages that their consumer cannot process to dead-letter queues", () => {
    const queues = resourcesOf("AWS::SQS::Queue", prod.templates.workers);
    const deadLetters = queues.filter(([id]) => id.includes("DeadLetters"));
    const working = queues.filter((queue) => !deadLetters.includes(queue));
    expect(working.length).toBe(queueNamesOf(prod).length);
    for (const [id, { Properties }] of working) {
      const target = Properties.RedrivePolicy.deadLetterTargetArn["Fn::GetAtt"][0];
      expect(Object.keys(Object.fromEntries(deadLetters)), id).toContain(target);
    }
  });

  it("hide a message for six times its consumer's timeout and redeliver as often as its manifest says", () => {
    const { Properties } = resourceNamed("queuestandincriticalQueue", "AWS::SQS::Queue", dev.templates.workers);
    expect(Properties).toMatchObject({ VisibilityTimeout: 180, RedrivePolicy: { maxReceiveCount: 3 } });
  });

  it("are all configured in a function that declares the capability", () => {
    const using = resourceNamed("standin", "AWS::Lambda::Function", dev.templates.api);
    const { QUEUES, QUEUE_URL_PREFIX } = variablesOf(using);
    const names: string[] = QUEUES.split(",");
    expect(names).toEqual(expect.arrayContaining(["stand-in-critical", "stand-in-critical-dead-letters"]));
    const made = resourcesOf("AWS::SQS::Queue", dev.templates.workers).map(([, queue]) => queue.Properties.QueueName);
    expect(made).toEqual(expect.arrayContaining(names.map((name) => `memory-service-dev-${name}`)));
    const at = ["https://sqs.", { Ref: "AWS::Region" }, ".", { Ref: "AWS::URLSuffix" }, "/", { Ref: "AWS::AccountId" }];
    expect(QUEUE_URL_PREFIX).toEqual({ "Fn::Join": ["", [...at, "/memory-service-dev-"]] });
  });
});

describe("workers", () => {
  const mappingOf = (worker: string) =>
    resourceNamed(worker, "AWS::Lambda::EventSourceMapping", dev.templates.workers).Properties;
  /** What functions may send messages to, by the policies of the templates. */
  const targetsIn = (...templates: CfnTemplate[]): unknown[] =>
    resourcesOf("AWS::IAM::Policy", ...templates)
      .flatMap(([, policy]) => policy.Properties.PolicyDocument.Statement)
      .filter(({ Action }) => Action.includes("sqs:SendMessage"))
      .map(({ Resource }) => Resource);

  it("read the change feed for their kinds, with partial failures and a queue for poison records", () => {
    expect(mappingOf("followstandin")).toMatchObject({
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      MaximumRecordAgeInSeconds: 23 * 60 * 60,
      // Failures during an outage count like others.
      MaximumRetryAttempts: -1,
      DestinationConfig: { OnFailure: { Destination: expect.anything() } },
      FilterCriteria: {
        Filters: ["NewImage", "OldImage"].map((image) => ({
          Pattern: JSON.stringify({ dynamodb: { [image]: { kind: { S: ["stand_in", "stand_in_version"] } } } }),
        })),
      },
    });
  });

  it("send failed change records to the same dead-letter queue as the event source", () => {
    const { DestinationConfig } = mappingOf("followstandin");
    const worker = resourceNamed("followstandin", "AWS::Lambda::Function", dev.templates.workers);
    const url = variablesOf(worker).DEAD_LETTERS_URL.Ref;
    expect(DestinationConfig.OnFailure).toEqual({ Destination: { "Fn::GetAtt": [url, "Arn"] } });
    expect(targetsIn(dev.templates.workers)).toContainEqual({ "Fn::GetAtt": [url, "Arn"] });
  });

  it("and groups may send only to the queues that they declare, and to their dead-letter queues", () => {
    const manifests = [...prod.groups, ...prod.workers.map((worker) => ({ ...worker, name: deployedNameOf(worker) }))];
    const policies = policiesOf(prod);
    for (const { name, capabilities } of manifests) {
      const id = name.replaceAll("-", "");
      const statements = policies
        .filter(([policy]) => policy.startsWith(`${id}Identity`))
        .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
        .filter(({ Action }) => [Action].flat().includes("sqs:SendMessage"));
      const named = statements.flatMap(({ Resource }) =>
        [...JSON.stringify(Resource).matchAll(/:memory-service-prod-([\w-]+)"/g)].map(([, queue]) => queue),
      );
      const declared = capabilities.flatMap((capability) => queueSentTo(capability) ?? []);
      expect(new Set(named), name).toEqual(new Set(declared.flatMap((queue) => [queue, deadLettersOf(queue)])));
    }
    expect(targetsIn(prod.templates.api).length).toBeGreaterThan(5);
  });

  it("consume each of their queues with partial failures", () => {
    const mappings = resourcesOf("AWS::Lambda::EventSourceMapping", dev.templates.workers);
    expect(mappings.filter(([id]) => id.startsWith("workoffstandin"))).toHaveLength(2);
    expect(mappingOf("workoffstandin")).toMatchObject({
      BatchSize: 10,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    });
  });

  it("on queues may enqueue their own next turn more often than Lambda allows by default; no other function may", () => {
    const allowed = functionsOf(dev).filter(([, { Properties }]) => Properties.RecursiveLoop === "Allow");
    const onQueues = dev.workers.filter(({ source }) => "queues" in source);
    expect(onQueues.length).toBeGreaterThan(1);
    expect(allowed).toHaveLength(onQueues.length);
  });

  it("run on schedule, and a failed run is stored", () => {
    const rule = resourceNamed("repeatstandin", "AWS::Events::Rule", dev.templates.workers);
    expect(rule.Properties).toMatchObject({
      ScheduleExpression: "rate(5 minutes)",
      Targets: [{ DeadLetterConfig: { Arn: expect.anything() } }],
    });
    const invoke = resourceNamed("repeatstandin", "AWS::Lambda::EventInvokeConfig", dev.templates.workers);
    expect(invoke.Properties.DestinationConfig.OnFailure.Destination).toBeDefined();
  });
});

describe("the API", () => {
  it("routes every group's prefixes, and all paths below them", () => {
    const keys = resourcesOf("AWS::ApiGatewayV2::Route", dev.templates.api).map(
      ([, { Properties }]) => Properties.RouteKey,
    );
    const expected = dev.groups
      .flatMap(({ prefixes }) => prefixes)
      .flatMap((prefix) => [`ANY ${prefix}`, `ANY ${prefix === "/" ? "" : prefix}/{proxy+}`]);
    expect(new Set(keys)).toEqual(new Set(expected));
  });

  it("limits requests, logs them, and allows the configured browser origins", () => {
    const { Properties } = onlyResource("AWS::ApiGatewayV2::Stage", prod.templates.api);
    expect(Properties).toMatchObject({
      StageName: "$default",
      DefaultRouteSettings: { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 },
      AccessLogSettings: { DestinationArn: expect.anything(), Format: expect.stringContaining("$context.requestId") },
    });
    const api = (service: Synthesized) => onlyResource("AWS::ApiGatewayV2::Api", service.templates.api).Properties;
    expect(api(prod).CorsConfiguration.AllowOrigins).toEqual(["https://app.example.com"]);
    expect(api(dev).CorsConfiguration).toBeUndefined();
    const bucket = (service: Synthesized) => onlyResource("AWS::S3::Bucket", service.templates.data).Properties;
    expect(bucket(prod).CorsConfiguration.CorsRules).toMatchObject([{ AllowedOrigins: ["https://app.example.com"] }]);
    expect(bucket(dev).CorsConfiguration).toBeUndefined();
  });
});

describe("a page in a browser", () => {
  const { paths, components } = JSON.parse(read("openapi.json")) as ApiDocument;

  /** Headers that no page sends, and headers that a page reads without permission (Fetch Standard) or never. */
  const NEVER_SENT = ["content-length", "transfer-encoding", "x-forwarded-for"];
  const ALWAYS_READABLE = ["cache-control", "content-type", "content-length", "location"];

  const cors = () => onlyResource("AWS::ApiGatewayV2::Api", prod.templates.api).Properties.CorsConfiguration;
  const lowered = (names: string[]) => names.map((name) => name.toLowerCase());

  /** Names in calls such as `headers.get("…")`, in the code that reads requests and answers them. */
  function namesIn(calls: RegExp): string[] {
    const files = globSync(["shared/{entry,runtime}/http/*.ts", "shared/domain/identity/credential.ts"], { cwd: ROOT });
    const sources = files.filter((file) => !file.endsWith(".test.ts"));
    const names = sources.flatMap((file) => [...read(file).matchAll(calls)].map(([, name = ""]) => name));
    expect(names.length).toBeGreaterThan(2);
    return lowered(names);
  }

  it("may use every method of the API", () => {
    const methods = Object.values(paths).flatMap((operations) => Object.keys(operations));
    expect(methods).toContain("patch");
    expect(new Set(cors().AllowMethods)).toEqual(new Set(methods.map((method) => method.toUpperCase())));
  });

  it("may send every header that the service reads", () => {
    const { parameters, securitySchemes } = components;
    const headers = Object.values(parameters).filter((parameter) => parameter.in === "header");
    const documented = [...headers.map(({ name }) => name), securitySchemes.ApiKey.name];
    const read = [...lowered(documented), ...namesIn(/\b(?:header|headers\.(?:get|has))\("([\w-]+)"\)/g)];
    expect(read).toEqual(expect.arrayContaining(["authorization", "x-api-key", "if-match", "content-type"]));
    const required = new Set(read.filter((name) => !NEVER_SENT.includes(name)));
    expect(lowered(cors().AllowHeaders)).toEqual(expect.arrayContaining([...required]));
    expect(cors().AllowHeaders).toEqual(REQUEST_HEADERS);
  });

  it("may read every header that the service sends", () => {
    const operations = Object.values(paths).flatMap((each) => Object.values(each));
    const answers = [
      ...operations.flatMap(({ responses }) => Object.values(responses)),
      ...Object.values(components.responses),
    ];
    const documented = answers.flatMap(({ headers = {} }) => Object.keys(headers));
    const sent = [...lowered(documented), ...namesIn(/\bheaders\.set\("([\w-]+)"/g)];
    expect(sent).toEqual(expect.arrayContaining(["etag", "retry-after", "ratelimit", "allow", "x-request-id"]));
    const exposed = new Set(sent.filter((name) => !ALWAYS_READABLE.includes(name)));
    expect(lowered(cors().ExposeHeaders)).toEqual(expect.arrayContaining([...exposed]));
  });
});

describe("alarms", () => {
  const headings = read("infra/README.md").match(/^#+ .+$/gm) ?? [];
  const anchors = headings.map((heading) => heading.replace(/^#+ /, "").toLowerCase().replaceAll(" ", "-"));

  it("each notify an operator and link an existing section of the runbook", () => {
    const alarms = resourcesOf("AWS::CloudWatch::Alarm", prod.templates.observability);
    expect(alarms.length).toBeGreaterThan(10);
    for (const [id, { Properties }] of alarms) {
      expect(Properties.AlarmActions, id).toHaveLength(1);
      expect(anchors, id).toContain(/Runbook: infra\/README\.md#(\S+)$/.exec(Properties.AlarmDescription)?.[1]);
    }
    expect(onlyResource("AWS::SNS::Subscription", prod.templates.observability).Properties.Endpoint).toBe(
      "operator@example.com",
    );
  });

  it("are all on the dashboard, with no more in a widget than CloudWatch allows", () => {
    const { DashboardBody } = onlyResource("AWS::CloudWatch::Dashboard", prod.templates.observability).Properties;
    const widgets = JSON.stringify(DashboardBody).split('{\\"type\\":\\"').slice(1);
    const shown = widgets
      .filter((widget) => widget.startsWith("alarm"))
      .map((widget) => widget.match(/"Fn::GetAtt":\["Alarms/g)?.length ?? 0);
    const alarms = resourcesOf("AWS::CloudWatch::Alarm", prod.templates.observability).length;
    expect(shown.reduce((sum, count) => sum + count, 0)).toBe(alarms);
    for (const count of shown) expect(count).toBeLessThanOrEqual(100);
  });

  it("watch metrics that functions write", () => {
    const [, { Properties }] = resourcesOf("AWS::CloudWatch::Alarm", prod.templates.observability).find(
      ([, alarm]) => alarm.Properties.MetricName === "SignInFailures",
    )!;
    const [service] = Properties.Dimensions;
    const writers = functionsOf(prod)
      .map(([, writer]) => variablesOf(writer))
      .filter((each) => each.POWERTOOLS_SERVICE_NAME === service.Value);
    expect(service.Name).toBe("service");
    expect(writers.map((each) => each.POWERTOOLS_METRICS_NAMESPACE)).toEqual([Properties.Namespace]);
  });

  it("watch every function, dead-letter queue, queue and consumer of the change feed", () => {
    const { observability } = dev.templates;
    const metrics = resourcesOf("AWS::CloudWatch::Alarm", observability).map(
      ([, { Properties }]) => Properties.MetricName,
    );
    const counted = Object.fromEntries(
      [...Map.groupBy(metrics, (name) => name)].map(([name, those]) => [name, those.length]),
    );
    const functions = dev.groups.length + dev.workers.length;
    const sources = dev.workers.map(({ source }) => Object.keys(source)[0]);
    expect(counted).toMatchObject({
      Errors: functions,
      Throttles: functions,
      Duration: functions,
      ApproximateNumberOfMessagesVisible:
        sources.filter((source) => source === "stream" || source === "schedule").length + queueNamesOf(dev).length,
      ApproximateAgeOfOldestMessage: queueNamesOf(dev).length,
      IteratorAge: sources.filter((source) => source === "stream").length,
      "ClusterStatus.red": 1,
      JVMMemoryPressure: 1,
      FreeStorageSpace: 1,
      SignInFailures: 1,
    });
  });
});
