import { type App, Tags, Validations } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { GroupManifest, WorkerManifest } from "../shared/platform/manifest.ts";
import type { Deployment } from "./config.ts";
import { ServiceChecks } from "./nag.ts";
import { ApiStack } from "./stacks/api.ts";
import { DataStack } from "./stacks/data.ts";
import { ObservabilityStack } from "./stacks/observability.ts";
import { WorkersStack } from "./stacks/workers.ts";

export interface ServiceParts {
  deployment: Deployment;
  /** Folder that holds every bundled handler: the one asset of all functions. */
  bundleFolder: string;
  groups: GroupManifest[];
  workers: WorkerManifest[];
}

/** The four stacks of one deployment. */
export interface Service {
  data: DataStack;
  workers: WorkersStack;
  api: ApiStack;
  observability: ObservabilityStack;
}

/** Puts the service's stacks into an app, each checked against the AwsSolutions rules when the app is synthesized. */
export function buildService(app: App, { deployment, bundleFolder, groups, workers }: ServiceParts): Service {
  const name = (part: string) => `memory-service-${deployment.stage}-${part}`;
  const env = { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION };
  const common = { env, terminationProtection: deployment.stage === "prod" };
  /** CDK ties a Code to one stack; equal content is uploaded once all the same. */
  const code = () => Code.fromAsset(bundleFolder);
  const data = new DataStack(app, name("data"), { ...common, deployment, code: code() });
  const { table, bucket, search, searchAccess, key, secretPrefix } = data;
  const environment = { deployment, table, bucket, search, searchAccess, key, secretPrefix };
  const workersStack = new WorkersStack(app, name("workers"), {
    ...common,
    environment: { ...environment, code: code() },
    manifests: workers,
  });
  const api = new ApiStack(app, name("api"), {
    ...common,
    environment: { ...environment, code: code(), queues: workersStack.queues },
    manifests: groups,
  });
  const observability = new ObservabilityStack(app, name("observability"), {
    ...common,
    deployment,
    data,
    workers: workersStack,
    api,
  });
  Tags.of(app).add("service", "memory-service");
  Tags.of(app).add("stage", deployment.stage);
  Validations.of(app).addPlugins(new ServiceChecks(app, { writeSuppressionsToCloudFormation: true }));
  return { data, workers: workersStack, api, observability };
}
