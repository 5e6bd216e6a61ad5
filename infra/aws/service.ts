import { type App, Tags, Validations } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { GroupManifest, WorkerManifest } from "../../shared/ports/manifest.ts";
import { type Deployment, InvalidDeploymentError, usesEmbedder } from "../config.ts";
import { namePrefix } from "../names.ts";
import { FIREWALL_REGION } from "../regions.ts";
import { ServiceChecks } from "./nag.ts";
import { ApiStack } from "./stacks/api.ts";
import { DataStack } from "./stacks/data.ts";
import { FirewallStack } from "./stacks/firewall.ts";
import { ObservabilityStack } from "./stacks/observability.ts";
import { WorkersStack } from "./stacks/workers.ts";

export interface ServiceParts {
  deployment: Deployment;
  /** Returns the folder with the code of a function by its handler, so that a change rolls out only what it changes. */
  assetOf: (handler: string) => string;
  /** Folder of the layer for functions that run the embedding model. */
  onnxFolder?: string | undefined;
  groups: GroupManifest[];
  workers: WorkerManifest[];
}

/** The stacks of one deployment. */
export interface Service {
  data: DataStack;
  workers: WorkersStack;
  api: ApiStack;
  observability: ObservabilityStack;
  /** Absent by default. */
  firewall: FirewallStack | undefined;
}

/** Throws InvalidDeploymentError if an option names a function that does not exist. */
function requireKnown(
  option: "provisionedConcurrency" | "reservedConcurrency",
  deployment: Deployment,
  functions: { name: string; deployedName?: string }[],
): void {
  const known = new Set(functions.map(({ name, deployedName = name }) => deployedName));
  const unknown = [...deployment[option].keys()].filter((each) => !known.has(each));
  if (unknown.length === 0) return;
  throw new InvalidDeploymentError([`${option} names ${unknown.join(", ")}, but has: ${[...known].sort().join(", ")}`]);
}

/** Adds the service's stacks to an app; each is checked against the AwsSolutions rules at synthesis. */
export function buildService(app: App, { deployment, assetOf, onnxFolder, groups, workers }: ServiceParts): Service {
  if (usesEmbedder(deployment, "onnx") && onnxFolder === undefined) throw new Error("the model's layer was not packed");
  requireKnown("provisionedConcurrency", deployment, groups);
  requireKnown("reservedConcurrency", deployment, [...groups, ...workers]);
  const name = (part: string) => namePrefix(deployment) + part;
  const env = { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION };
  const common = { env, terminationProtection: deployment.production };
  const codeOf = (handler: string) => Code.fromAsset(assetOf(handler));
  const data = new DataStack(app, name("data"), { ...common, deployment });
  const { table, bucket, search, searchMaster, key, network, secretPrefix } = data;
  const environment = { deployment, table, bucket, search, searchMaster, key, network, secretPrefix };
  const workersStack = new WorkersStack(app, name("workers"), {
    ...common,
    environment: { ...environment, codeOf },
    onnxFolder,
    manifests: workers,
  });
  const inFirewallRegion = { ...common, env: { ...env, region: FIREWALL_REGION } };
  const firewall = deployment.waf
    ? new FirewallStack(app, name("firewall"), { ...inFirewallRegion, deployment })
    : undefined;
  const api = new ApiStack(app, name("api"), {
    ...common,
    environment: { ...environment, codeOf, queues: [...workersStack.queues.keys()] },
    onnxFolder,
    searchAccess: workersStack.searchAccess,
    webAclArn: firewall?.webAclArn,
    manifests: groups,
  });
  // Functions of the API refer to queues and the search access function by name.
  api.addStackDependency(workersStack);
  if (firewall !== undefined) api.addStackDependency(firewall);
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
  return { data, workers: workersStack, api, observability, firewall };
}
