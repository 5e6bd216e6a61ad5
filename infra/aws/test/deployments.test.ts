import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ORIGIN_SECRET_HEADER } from "../../../shared/runtime/http/origin.ts";
import { monthlyCostOf } from "../monthly-cost.ts";
import { WILDCARD_REASONS } from "../nag.ts";
import {
  allResources,
  type CfnTemplate,
  documentedCosts,
  onlyResource,
  PROD,
  type Resource,
  resourcesOf,
  type Synthesized,
  synthesize,
  templatesOf,
  variablesOf,
} from "./synth.ts";

const ACCOUNT = "123456789012";
const HOST_NAME = "api.example.com";

const certificateIn = (region: string) => `arn:aws:acm:${region}:${ACCOUNT}:certificate/of-the-api`;

const APART = {
  vpc: "true",
  customDomain: HOST_NAME,
  certificateArn: certificateIn("eu-central-1"),
  hostedZoneId: "Z0123456789ABC",
};
const GUARDED = {
  ...PROD,
  vpc: true,
  waf: true,
  wafRequestsPerAddress: 500,
  customDomain: HOST_NAME,
  certificateArn: certificateIn("us-east-1"),
  hostedZoneId: "Z0123456789ABC",
};

/** Published by AWS about the rule sets (AWS WAF Developer Guide, "AWS Managed Rules rule groups list"). */
const AWS_RULES = {
  AWSManagedRulesAmazonIpReputationList: [
    "AWSManagedIPReputationList",
    "AWSManagedReconnaissanceList",
    "AWSManagedIPDDoSList",
  ],
  AWSManagedRulesKnownBadInputsRuleSet: [
    "JavaDeserializationRCE_HEADER",
    "JavaDeserializationRCE_BODY",
    "JavaDeserializationRCE_URIPATH",
    "JavaDeserializationRCE_QUERYSTRING",
    "Host_localhost_HEADER",
    "PROPFIND_METHOD",
    "ExploitablePaths_URIPATH",
    "Log4JRCE_HEADER",
    "Log4JRCE_QUERYSTRING",
    "Log4JRCE_BODY",
    "Log4JRCE_URIPATH",
    "ReactJSRCE_BODY",
  ],
  AWSManagedRulesCommonRuleSet: [
    "NoUserAgent_HEADER",
    "UserAgent_BadBots_HEADER",
    "SizeRestrictions_QUERYSTRING",
    "SizeRestrictions_Cookie_HEADER",
    "SizeRestrictions_BODY",
    "SizeRestrictions_URIPATH",
    "EC2MetaDataSSRF_BODY",
    "EC2MetaDataSSRF_COOKIE",
    "EC2MetaDataSSRF_URIPATH",
    "EC2MetaDataSSRF_QUERYARGUMENTS",
    "GenericLFI_QUERYARGUMENTS",
    "GenericLFI_URIPATH",
    "GenericLFI_BODY",
    "RestrictedExtensions_URIPATH",
    "RestrictedExtensions_QUERYARGUMENTS",
    "GenericRFI_QUERYARGUMENTS",
    "GenericRFI_BODY",
    "GenericRFI_URIPATH",
    "CrossSiteScripting_COOKIE",
    "CrossSiteScripting_QUERYARGUMENTS",
    "CrossSiteScripting_BODY",
    "CrossSiteScripting_URIPATH",
  ],
};

/** The deployments under test: both stages with the defaults, and with all options. */
let dev: Synthesized;
let devApart: Synthesized;
let prod: Synthesized;
let prodGuarded: Synthesized;

beforeAll(async () => {
  dev = await synthesize({});
  prod = await synthesize(PROD);
  // Sets the credentials that the CLI sets: CDK must send no request to an account even then.
  vi.stubEnv("CDK_DEFAULT_ACCOUNT", ACCOUNT);
  vi.stubEnv("CDK_DEFAULT_REGION", "eu-central-1");
  devApart = await synthesize(APART, { standInsOnly: true });
  prodGuarded = await synthesize(GUARDED, { standInsOnly: true });
});
afterAll(() => vi.unstubAllEnvs());

function variants(): Synthesized[] {
  return [dev, devApart, prod, prodGuarded];
}

/** The values of an environment variable in the functions of the API. */
function valuesOf(name: string, { templates }: Synthesized): Set<unknown> {
  const lambdas = resourcesOf("AWS::Lambda::Function", templates.api);
  return new Set(lambdas.flatMap(([, lambda]) => variablesOf(lambda)[name] ?? []));
}

/** Logical ids that a value refers to, in its own template or in the exports of another one. */
function refersTo(value: unknown, logicalId: string): boolean {
  return JSON.stringify(value ?? null).includes(logicalId);
}

it("the deployment is synthesized without warnings and without requests to an account", () => {
  for (const { remarks } of variants()) expect(remarks).toEqual([]);
});

/** CloudFormation allows 500 resources in a stack; some room is left for the next group. */
const MAX_RESOURCES = 450;

it("no stack comes near the maximum number of resources", () => {
  for (const { templates } of variants()) {
    for (const [name, { Resources: resources }] of Object.entries(templates)) {
      expect(Object.keys(resources).length, name).toBeLessThanOrEqual(MAX_RESOURCES);
    }
  }
});

describe("new code", () => {
  it("changes neither a stack that contains data, nor the dashboard and the firewall", async () => {
    const before = prodGuarded;
    const after = await synthesize(GUARDED, { code: "of the next release", standInsOnly: true });
    expect(after.templates.data).toEqual(before.templates.data);
    expect(after.templates.observability).toEqual(before.templates.observability);
    expect(after.firewall).toEqual(before.firewall);
    expect(after.templates.api).not.toEqual(before.templates.api);
    expect(after.templates.workers).not.toEqual(before.templates.workers);
  });

  it("rolls out only the function that it changes", async () => {
    const change = { code: "of the next release", changed: "stand-in.handler", standInsOnly: true } as const;
    const after = await synthesize(GUARDED, change);
    const changedIn = (name: "api" | "workers") => {
      const former = new Map(resourcesOf("AWS::Lambda::Function", prodGuarded.templates[name]));
      const functions = resourcesOf("AWS::Lambda::Function", after.templates[name]);
      expect(functions.length).toBeGreaterThan(0);
      return functions.flatMap(([id, { Properties }]) =>
        isDeepStrictEqual(Properties.Code, former.get(id)?.Properties.Code) ? [] : [Properties.Handler],
      );
    };
    expect(changedIn("api")).toEqual(["stand-in.handler"]);
    expect(changedIn("workers")).toEqual([]);
  });

  it("receives all calls at once in dev", () => {
    expect(allResources("AWS::Lambda::Alias", dev)).toEqual([]);
    expect(allResources("AWS::CodeDeploy::DeploymentGroup", dev)).toEqual([]);
  });

  it("receives a tenth of all calls first in prod, and an alarm rolls it back", () => {
    for (const [name, manifests] of [
      ["api", prod.groups],
      ["workers", prod.workers],
    ] as const) {
      const template = prod.templates[name];
      const groups = resourcesOf("AWS::CodeDeploy::DeploymentGroup", template);
      expect(groups).toHaveLength(manifests.length);
      for (const [id, { Properties }] of groups) {
        expect(Properties, id).toMatchObject({
          DeploymentConfigName: "CodeDeployDefault.LambdaCanary10Percent5Minutes",
          AlarmConfiguration: { Enabled: true },
          AutoRollbackConfiguration: {
            Enabled: true,
            Events: expect.arrayContaining(["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"]),
          },
        });
        const watched = Properties.AlarmConfiguration.Alarms.map(({ Name }: { Name: { Ref: string } }) => Name.Ref);
        const metrics = watched.map((alarm: string) => template.Resources[alarm]!.Properties);
        expect(watched, id).toHaveLength(1);
        const [{ Metrics, Threshold }] = metrics;
        const counted = Metrics.flatMap(({ MetricStat }: Resource["Properties"]) => MetricStat ?? []);
        const ofFunction = {
          Namespace: "AWS/Lambda",
          Dimensions: expect.arrayContaining([expect.objectContaining({ Name: "Resource" })]),
        };
        const expected = [
          { ...ofFunction, MetricName: "Errors" },
          ...(name === "api" ? [{ Namespace: "memory-service-prod", MetricName: "ServerErrors" }] : []),
          { ...ofFunction, MetricName: "Invocations" },
        ];
        expect(counted, id).toMatchObject(expected.map((Metric) => ({ Metric, Period: 60, Stat: "Sum" })));
        expect(Threshold, id).toBe(5);
      }
      const aliases = resourcesOf("AWS::Lambda::Alias", template);
      expect(aliases).toHaveLength(manifests.length);
      for (const [id, { UpdatePolicy }] of aliases) {
        expect(UpdatePolicy?.CodeDeployLambdaAliasUpdate, id).toMatchObject({ DeploymentGroupName: expect.anything() });
      }
    }
  });

  it("is called through the alias that shifts the traffic by every caller", () => {
    const { api, workers } = prod.templates;
    const aliasesOf = (template: CfnTemplate) => resourcesOf("AWS::Lambda::Alias", template).map(([id]) => id);
    const callers: [CfnTemplate, string, (properties: Resource["Properties"]) => unknown][] = [
      [api, "AWS::ApiGatewayV2::Integration", ({ IntegrationUri }) => IntegrationUri],
      [workers, "AWS::Lambda::EventSourceMapping", ({ FunctionName }) => FunctionName],
      [workers, "AWS::Events::Rule", ({ Targets }) => Targets[0].Arn],
    ];
    for (const [template, type, called] of callers) {
      const found = resourcesOf(type, template);
      expect(found.length, type).toBeGreaterThan(0);
      for (const [id, { Properties }] of found) {
        expect(
          aliasesOf(template).some((alias) => refersTo(called(Properties), alias)),
          id,
        ).toBe(true);
      }
    }
  });
});

describe("encryption", () => {
  /** Where each type names the key. */
  const KEYS: Record<string, (properties: Resource["Properties"]) => unknown> = {
    "AWS::DynamoDB::Table": ({ SSESpecification }) => SSESpecification.KMSMasterKeyId,
    "AWS::S3::Bucket": ({ BucketEncryption }) =>
      BucketEncryption.ServerSideEncryptionConfiguration[0].ServerSideEncryptionByDefault.KMSMasterKeyID,
    "AWS::OpenSearchService::Domain": ({ EncryptionAtRestOptions }) => EncryptionAtRestOptions.KmsKeyId,
    "AWS::SQS::Queue": ({ KmsMasterKeyId }) => KmsMasterKeyId,
    "AWS::SNS::Topic": ({ KmsMasterKeyId }) => KmsMasterKeyId,
    "AWS::Logs::LogGroup": ({ KmsKeyId }) => KmsKeyId,
    "AWS::Backup::BackupVault": ({ EncryptionKeyArn }) => EncryptionKeyArn,
  };

  it.each(Object.entries(KEYS))("uses our own key in prod: %s", (type, keyOf) => {
    for (const service of [prod, prodGuarded]) {
      const [[key]] = resourcesOf("AWS::KMS::Key", service.templates.data) as [[string, Resource]];
      const found = allResources(type, service);
      expect(found.length).toBeGreaterThan(0);
      for (const [id, { Properties }] of found) expect(refersTo(keyOf(Properties), key), id).toBe(true);
    }
  });

  it("includes the secrets that functions create in prod", () => {
    const [[key]] = resourcesOf("AWS::KMS::Key", prod.templates.data) as [[string, Resource]];
    const variables = allResources("AWS::Lambda::Function", prod).map(([, lambda]) => variablesOf(lambda));
    const makers = variables.filter((each) => each.SECRET_PREFIX !== undefined);
    expect(makers.length).toBeGreaterThan(0);
    for (const maker of makers) expect(refersTo(maker.SECRET_ENCRYPTION, key)).toBe(true);
  });

  it("costs nothing in dev, and leaves nothing unencrypted", () => {
    expect(allResources("AWS::KMS::Key", dev)).toEqual([]);
    for (const [id, { Properties }] of allResources("AWS::SQS::Queue", dev)) {
      expect(Properties.SqsManagedSseEnabled, id).toBe(true);
    }
    expect(onlyResource("AWS::OpenSearchService::Domain", dev.templates.data).Properties).toMatchObject({
      EncryptionAtRestOptions: { Enabled: true },
    });
  });
});

describe("availability zones", () => {
  it("are two for every store in prod, and a single node runs in dev", () => {
    const cluster = (service: Synthesized) =>
      onlyResource("AWS::OpenSearchService::Domain", service.templates.data).Properties.ClusterConfig;
    expect(cluster(prod)).toMatchObject({
      InstanceCount: 2,
      ZoneAwarenessEnabled: true,
      ZoneAwarenessConfig: { AvailabilityZoneCount: 2 },
      DedicatedMasterEnabled: true,
    });
    expect(cluster(dev)).toMatchObject({
      InstanceCount: 1,
      InstanceType: "t3.small.search",
      DedicatedMasterEnabled: false,
    });
    expect(cluster(dev).ZoneAwarenessEnabled).not.toBe(true);
  });
});

describe("backups", () => {
  it("include table and bucket every night in prod, and outlive the stack", () => {
    const { data } = prod.templates;
    const [rule] = onlyResource("AWS::Backup::BackupPlan", data).Properties.BackupPlan.BackupPlanRule;
    expect(rule).toMatchObject({ Lifecycle: { DeleteAfterDays: 35 }, ScheduleExpression: "cron(0 3 * * ? *)" });
    const selected = onlyResource("AWS::Backup::BackupSelection", data).Properties.BackupSelection.Resources;
    for (const type of ["AWS::DynamoDB::Table", "AWS::S3::Bucket"]) {
      const [[id]] = resourcesOf(type, data) as [[string, Resource]];
      expect(refersTo(selected, id), type).toBe(true);
    }
    expect(onlyResource("AWS::Backup::BackupVault", data)).toMatchObject({
      DeletionPolicy: "Retain",
      UpdateReplacePolicy: "Retain",
    });
  });

  it("do not exist in dev, which relies on point-in-time recovery", () => {
    expect(allResources("AWS::Backup::BackupPlan", dev)).toEqual([]);
    expect(onlyResource("AWS::DynamoDB::Table", dev.templates.data).Properties).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });
});

describe("a VPC", () => {
  it("exists only on request", () => {
    for (const service of [dev, prod]) {
      expect(allResources("AWS::EC2::VPC", service)).toEqual([]);
      for (const [id, { Properties }] of allResources("AWS::Lambda::Function", service)) {
        expect(Properties.VpcConfig, id).toBeUndefined();
      }
    }
  });

  it("contains every function in private subnets, and one node of the domain in each", () => {
    for (const [service, subnets] of [
      [devApart, 1],
      [prodGuarded, 2],
    ] as const) {
      for (const [id, { Properties }] of allResources("AWS::Lambda::Function", service)) {
        expect(Properties.VpcConfig?.SubnetIds, id).toHaveLength(2);
        expect(JSON.stringify(Properties.VpcConfig.SubnetIds), id).not.toContain("public");
      }
      const domain = onlyResource("AWS::OpenSearchService::Domain", service.templates.data).Properties;
      expect(domain.VPCOptions.SubnetIds).toHaveLength(subnets);
    }
  });

  it("allows only functions to connect to the domain, and the domain to connect to nothing", () => {
    const { data } = devApart.templates;
    const groups = Object.fromEntries(resourcesOf("AWS::EC2::SecurityGroup", data));
    const [search] = Object.entries(groups).find(([id]) => id.startsWith("NetworkSearch"))!;
    const [functions] = Object.entries(groups).find(([id]) => id.startsWith("NetworkFunctions"))!;
    const rule = onlyResource("AWS::EC2::SecurityGroupIngress", data).Properties;
    expect(rule).toMatchObject({ FromPort: 443, ToPort: 443, IpProtocol: "tcp" });
    expect(refersTo(rule.GroupId, search)).toBe(true);
    expect(refersTo(rule.SourceSecurityGroupId, functions)).toBe(true);
    expect(groups[search]!.Properties.SecurityGroupEgress).toMatchObject([{ CidrIp: "255.255.255.255/32" }]);
    expect(groups[functions]!.Properties.SecurityGroupIngress).toBeUndefined();
  });

  it("has NAT in one zone in dev and in both in prod, and endpoints for table and bucket", () => {
    for (const [service, gateways] of [
      [devApart, 1],
      [prodGuarded, 2],
    ] as const) {
      const { data } = service.templates;
      expect(resourcesOf("AWS::EC2::NatGateway", data)).toHaveLength(gateways);
      const endpoints = resourcesOf("AWS::EC2::VPCEndpoint", data).map(([, { Properties }]) => Properties);
      expect(endpoints.map(({ VpcEndpointType }) => VpcEndpointType)).toEqual(["Gateway", "Gateway"]);
      expect(JSON.stringify(endpoints)).toMatch(/dynamodb.*s3/);
    }
  });
});

describe("a custom host name", () => {
  it("is the API's only address, and functions use it in links", () => {
    const { api } = devApart.templates;
    expect(onlyResource("AWS::ApiGatewayV2::DomainName", api).Properties).toMatchObject({
      DomainName: HOST_NAME,
      DomainNameConfigurations: [{ CertificateArn: certificateIn("eu-central-1") }],
    });
    expect(resourcesOf("AWS::ApiGatewayV2::ApiMapping", api)).toHaveLength(1);
    expect(onlyResource("AWS::ApiGatewayV2::Api", api).Properties.DisableExecuteApiEndpoint).toBe(true);
    expect(valuesOf("PUBLIC_URL", devApart)).toEqual(new Set([`https://${HOST_NAME}`]));
    expect(api.Outputs?.Url?.Value).toBe(`https://${HOST_NAME}`);
  });

  it("is recorded in the hosted zone", () => {
    const record = (service: Synthesized) =>
      resourcesOf("AWS::Route53::RecordSet", service.templates.api).map(([, { Properties }]) => Properties);
    expect(record(devApart)).toMatchObject([{ Name: `${HOST_NAME}.`, Type: "A", HostedZoneId: "Z0123456789ABC" }]);
    expect(record(prodGuarded).map(({ Type }) => Type)).toEqual(["A", "AAAA"]);
  });

  it("does not exist by default", () => {
    for (const service of [dev, prod]) {
      expect(allResources("AWS::ApiGatewayV2::DomainName", service)).toEqual([]);
      expect(allResources("AWS::Route53::RecordSet", service)).toEqual([]);
      expect(
        onlyResource("AWS::ApiGatewayV2::Api", service.templates.api).Properties.DisableExecuteApiEndpoint,
      ).not.toBe(true);
    }
  });
});

describe("a firewall", () => {
  it("exists only on request", () => {
    for (const service of [dev, devApart, prod]) {
      expect(service.firewall).toBeUndefined();
      expect(allResources("AWS::CloudFront::Distribution", service)).toEqual([]);
    }
  });

  const rules = () => onlyResource("AWS::WAFv2::WebACL", prodGuarded.firewall!).Properties.Rules;

  it("has AWS's rules and a rate limit per address", () => {
    expect(onlyResource("AWS::WAFv2::WebACL", prodGuarded.firewall!).Properties.Scope).toBe("CLOUDFRONT");
    expect(rules().map(({ Name }: { Name: string }) => Name)).toEqual([
      ...Object.keys(AWS_RULES),
      "RequestsPerAddress",
    ]);
    const { Statement, Action } = rules().at(-1);
    expect(Statement.RateBasedStatement).toEqual({ Limit: 500, EvaluationWindowSec: 300, AggregateKeyType: "IP" });
    expect(Action.Block.CustomResponse).toEqual({
      ResponseCode: 429,
      ResponseHeaders: [
        { Name: "Retry-After", Value: "300" },
        { Name: "RateLimit-Policy", Value: '"RequestsPerAddress";q=500;w=300' },
        { Name: "RateLimit", Value: '"RequestsPerAddress";r=0;t=300' },
      ],
    });
  });

  it.each(Object.entries(AWS_RULES))("allows memories and queries that look like an attack to %s", (set, all) => {
    const { Statement, OverrideAction } = rules().find(({ Name }: { Name: string }) => Name === set);
    const { VendorName, RuleActionOverrides } = Statement.ManagedRuleGroupStatement;
    expect({ VendorName, OverrideAction }).toEqual({ VendorName: "AWS", OverrideAction: { None: {} } });
    const counting: string[] = (RuleActionOverrides ?? []).map(({ Name }: { Name: string }) => Name);
    expect(all).toEqual(expect.arrayContaining(counting));
    const readingTexts = all.filter((rule) => /_(BODY|QUERYARGUMENTS|QUERYSTRING)$/.test(rule));
    expect(counting).toEqual(expect.arrayContaining(readingTexts));
    for (const { ActionToUse } of RuleActionOverrides ?? []) expect(ActionToUse).toEqual({ Count: {} });
  });

  it("applies no rule to paths that end with the name of an entity", () => {
    const excepted = rules().flatMap(({ Statement }: { Statement: Resource["Properties"] }) => {
      const scope = Statement.ManagedRuleGroupStatement?.ScopeDownStatement;
      return scope === undefined ? [] : [scope.NotStatement.Statement.RegexMatchStatement];
    });
    expect(excepted).toHaveLength(2);
    for (const { RegexString, FieldToMatch } of excepted) {
      expect(FieldToMatch).toEqual({ UriPath: {} });
      const isExcepted = (path: string) => new RegExp(RegexString).test(path);
      expect(["/v1/entities/user/notes.log", "/v2/entities/user/10.0.0.1"].map(isExcepted)).toEqual([true, true]);
      expect(["/.env", "/entities/ent_1", "/memories/v1/entities/"].map(isExcepted)).toEqual([false, false, false]);
    }
  });

  it("is in front of the API at its host name, with TLS and without a cache", () => {
    const { api } = prodGuarded.templates;
    const { DistributionConfig } = onlyResource("AWS::CloudFront::Distribution", api).Properties;
    expect(DistributionConfig).toMatchObject({
      Aliases: [HOST_NAME],
      WebACLId: {
        "Fn::GetStackOutput": {
          StackName: "memory-service-prod-firewall",
          OutputName: "WebAclArn",
          Region: "us-east-1",
        },
      },
      ViewerCertificate: { MinimumProtocolVersion: "TLSv1.2_2021" },
      DefaultCacheBehavior: { ViewerProtocolPolicy: "https-only", AllowedMethods: expect.arrayContaining(["DELETE"]) },
      Origins: [{ CustomOriginConfig: { OriginProtocolPolicy: "https-only", OriginSSLProtocols: ["TLSv1.2"] } }],
    });
    expect(prodGuarded.firewall!.Outputs).toHaveProperty("WebAclArn");
    expect(resourcesOf("AWS::ApiGatewayV2::DomainName", api)).toEqual([]);
  });

  it("counts as a trusted proxy of the functions", () => {
    expect(valuesOf("TRUSTED_PROXIES", prodGuarded)).toEqual(new Set(["1"]));
    expect(valuesOf("TRUSTED_PROXIES", prod)).toEqual(new Set(["0"]));
  });
});

describe("the secret that CloudFront sends", () => {
  const secretsOf = ({ templates }: Synthesized) => resourcesOf("AWS::SecretsManager::Secret", templates.api);
  const hashesOf = ({ templates }: Synthesized) => resourcesOf("Custom::OriginHashes", templates.api);
  /** Functions that answer requests; the others do not have the API's address. */
  const answering = ({ templates }: Synthesized) =>
    resourcesOf("AWS::Lambda::Function", templates.api).filter(
      ([, lambda]) => variablesOf(lambda).PUBLIC_URL !== undefined,
    );
  const shownBy = ({ templates }: Synthesized): unknown => {
    const { DistributionConfig } = onlyResource("AWS::CloudFront::Distribution", templates.api).Properties;
    const [{ HeaderName, HeaderValue }] = DistributionConfig.Origins[0].OriginCustomHeaders;
    expect(HeaderName).toBe(ORIGIN_SECRET_HEADER);
    return HeaderValue;
  };
  const reference = (secret: string) => ({
    "Fn::Join": ["", ["{{resolve:secretsmanager:", { Ref: secret }, ":SecretString:::}}"]],
  });

  it("is random, encrypted with our key, and in no template", () => {
    const [[key]] = resourcesOf("AWS::KMS::Key", prodGuarded.templates.data) as [[string, Resource]];
    const secrets = secretsOf(prodGuarded);
    expect(secrets).toHaveLength(2);
    for (const [id, { Properties }] of secrets) {
      expect(Properties.GenerateSecretString.PasswordLength, id).toBeGreaterThanOrEqual(43);
      expect(Properties.SecretString, id).toBeUndefined();
      expect(refersTo(Properties.KmsKeyId, key), id).toBe(true);
    }
    expect(shownBy(prodGuarded)).toEqual(reference(secrets[0]![0]));
  });

  it("is known to every answering function only as a hash, and required after CloudFront sends it", () => {
    const [[hashes, { Properties }]] = hashesOf(prodGuarded) as [[string, Resource]];
    expect(Properties.Secrets).toEqual(secretsOf(prodGuarded).map(([id]) => ({ Ref: id })));
    const [[distribution]] = resourcesOf("AWS::CloudFront::Distribution", prodGuarded.templates.api) as [
      [string, Resource],
    ];
    expect(answering(prodGuarded)).toHaveLength(prodGuarded.groups.length);
    for (const [id, each] of answering(prodGuarded)) {
      const variables = each.Properties.Environment.Variables;
      expect(variables.ORIGIN_SECRET_HASHES, id).toEqual({ "Fn::GetAtt": [hashes, "Hashes"] });
      expect(each.DependsOn, id).toContain(distribution);
    }
  });

  it("can be read only by the function that hashes it", () => {
    const readers = resourcesOf("AWS::IAM::Policy", prodGuarded.templates.api).filter(([, { Properties }]) =>
      secretsOf(prodGuarded).some(([secret]) => refersTo(Properties.PolicyDocument, secret)),
    );
    expect(readers.map(([id]) => id)).toEqual([expect.stringMatching(/^OriginOriginSecretReader/)]);
  });

  it("is replaced by one that the functions know already", async () => {
    const next = await synthesize({ ...GUARDED, originSecretNumber: 2 }, { standInsOnly: true });
    const [, [second]] = secretsOf(prodGuarded) as [unknown, [string, Resource]];
    expect(secretsOf(next).map(([id]) => id)).toContain(second);
    expect(shownBy(next)).toEqual(reference(second));
    const versions = (service: Synthesized) =>
      resourcesOf("AWS::Lambda::Version", service.templates.api).map(([id]) => id);
    expect(versions(next)).toHaveLength(versions(prodGuarded).length);
    for (const version of versions(next)) expect(versions(prodGuarded)).not.toContain(version);
  });

  it("is required only with a firewall", () => {
    for (const service of [dev, devApart, prod]) {
      expect(secretsOf(service)).toEqual([]);
      for (const [id, each] of answering(service)) {
        expect(each.Properties.Environment.Variables.ORIGIN_SECRET_HASHES, id).toBeUndefined();
      }
    }
  });
});

describe("policies", () => {
  interface Statement {
    Effect: "Allow" | "Deny";
    Action: string | string[];
    Resource?: unknown;
    Principal?: unknown;
    Condition?: unknown;
  }

  /** Every statement of any policy below a value: of roles, keys, buckets, queues, topics, domains and vaults. */
  function statementsIn(value: unknown): Statement[] {
    if (typeof value !== "object" || value === null) return [];
    const own = "Statement" in value && Array.isArray(value.Statement) ? (value.Statement as Statement[]) : [];
    return [...own, ...Object.values(value).flatMap(statementsIn)].filter(({ Effect }) => Effect !== undefined);
  }

  function allowed(): { id: string; owner: Resource; statement: Statement }[] {
    return variants()
      .flatMap(templatesOf)
      .flatMap(({ Resources }) =>
        Object.entries(Resources).flatMap(([id, resource]) => {
          // A stand-alone policy applies to its role.
          const owner = Resources[resource.Properties?.Roles?.[0]?.Ref] ?? resource;
          return statementsIn(resource.Properties).map((statement) => ({ id, owner, statement }));
        }),
      )
      .filter(({ statement }) => statement.Effect === "Allow");
  }

  it("name a resource by wildcard only with a stated reason", () => {
    const types = new Set<string>();
    for (const { id, owner, statement } of allowed()) {
      const reasons: { resources: unknown[]; reason: string }[] = owner.Metadata?.[WILDCARD_REASONS] ?? [];
      for (const resource of [statement.Resource].flat()) {
        if (!JSON.stringify(resource ?? null).includes("*")) continue;
        types.add(owner.Type);
        const stated = reasons.find(({ resources }) => resources.some((each) => isSame(each, resource)));
        expect(stated?.reason.length ?? 0, `${id}: ${JSON.stringify(resource)}`).toBeGreaterThan(20);
      }
    }
    expect(types).toEqual(new Set(["AWS::IAM::Role", "AWS::KMS::Key", "AWS::OpenSearchService::Domain"]));
  });

  it("allow no principal by wildcard", () => {
    const admitting = allowed().filter(({ statement }) => statement.Principal !== undefined);
    expect(admitting.length).toBeGreaterThan(0);
    for (const { id, statement } of admitting) {
      const principals =
        typeof statement.Principal === "object" ? Object.values(statement.Principal!) : [statement.Principal];
      expect(principals.flat(), id).not.toContain("*");
    }
  });

  it("allow a service to call a function for one source only", () => {
    const permissions = variants().flatMap((service) => allResources("AWS::Lambda::Permission", service));
    expect(permissions.length).toBeGreaterThan(0);
    for (const [id, { Properties }] of permissions) expect(Properties.SourceArn, id).toBeDefined();
  });

  it("are AWS's own only with a stated reason", () => {
    const holders = variants()
      .flatMap((service) => allResources("AWS::IAM::Role", service))
      .filter(([, { Properties }]) => Properties.ManagedPolicyArns !== undefined);
    expect(holders.length).toBeGreaterThan(0);
    for (const [id, { Metadata }] of holders) {
      const reasons = (Metadata?.cdk_nag?.rules_to_suppress ?? []) as { id: string; reason: string }[];
      expect(
        reasons.some(({ id: rule, reason }) => rule.startsWith("AwsSolutions-IAM4") && reason.length > 20),
        id,
      ).toBe(true);
    }
  });

  it("allow CloudWatch to publish alarms, and log delivery only to write logs", () => {
    const publishing = allowed().filter(({ statement }) => [statement.Action].flat().includes("sns:Publish"));
    expect(publishing).toHaveLength(variants().flatMap((service) => allResources("AWS::SNS::Topic", service)).length);
    expect(publishing.length).toBeGreaterThan(0);
    for (const { statement } of publishing) {
      expect(statement.Principal).toEqual({ Service: "cloudwatch.amazonaws.com" });
      expect(statement.Condition).toMatchObject({ StringEquals: { "aws:SourceAccount": expect.anything() } });
    }
    const delivery = variants().flatMap((service) => allResources("AWS::Logs::ResourcePolicy", service));
    expect(delivery).toHaveLength(variants().length);
    for (const [id, { Properties }] of delivery)
      expect(JSON.stringify(Properties.PolicyDocument), id).not.toContain("*");
  });
});

describe("alarms", () => {
  it("are created only if there is a recipient", () => {
    expect(allResources("AWS::SNS::Topic", dev)).toEqual([]);
    expect(allResources("AWS::CloudWatch::Alarm", dev)).toEqual([]);
    expect(allResources("AWS::CloudWatch::Alarm", prod).length).toBeGreaterThan(0);
  });
});

/** Whether two values of a template are equal. */
function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

describe("infra/README.md", () => {
  it("states the monthly costs of the stages", () => {
    const { dev: documentedDev, prod: documentedProd } = documentedCosts();
    // The stand-ins cost a little, too.
    expect(Math.abs(documentedDev - monthlyCostOf(templatesOf(dev)).total)).toBeLessThan(4);
    expect(Math.abs(documentedProd - monthlyCostOf(templatesOf(prod)).total)).toBeLessThan(4);
  });
});
