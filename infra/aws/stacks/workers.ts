import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { CanaryRollout } from "../constructs/canary-rollout.ts";
import { DeadLetteredQueue } from "../constructs/dead-lettered-queue.ts";
import { OnnxLayer } from "../constructs/onnx-layer.ts";
import type { FunctionEnvironment } from "../constructs/resources.ts";
import { admitToSearch, SearchAccess } from "../constructs/search-access.ts";
import { WorkerFunction } from "../constructs/worker-function.ts";

export interface WorkersStackProps extends StackProps {
  environment: Omit<FunctionEnvironment, "queues" | "rollout" | "onnxLayer">;
  /** Folder of the layer for functions that run the embedding model. */
  onnxFolder: string | undefined;
  manifests: WorkerManifest[];
}

/** The queues, and the functions without HTTP requests: consumers of queues and of the change feed, and schedules. */
export class WorkersStack extends Stack {
  readonly workers: WorkerFunction[];
  /** The queues by their names in manifests and `Queue.send`. */
  readonly queues: ReadonlyMap<string, DeadLetteredQueue>;
  /** Absent if only IAM controls access to search. */
  readonly searchAccess: SearchAccess | undefined;

  constructor(scope: Construct, id: string, { environment, onnxFolder, manifests, ...props }: WorkersStackProps) {
    super(scope, id, props);
    const { deployment, search, searchMaster } = environment;
    const queues = new Map(manifests.flatMap((manifest) => this.createQueues(manifest, environment)));
    this.queues = queues;
    const rollout = deployment.rollout === "canary" ? new CanaryRollout(this, "Rollout", deployment) : undefined;
    const onnxLayer = onnxFolder === undefined ? undefined : new OnnxLayer(this, onnxFolder);
    const functionEnvironment = { ...environment, queues: [...queues.keys()], rollout, onnxLayer };
    this.workers = manifests.map(
      (manifest) => new WorkerFunction(this, { environment: functionEnvironment, manifest, queues }),
    );
    this.searchAccess = searchMaster && new SearchAccess(this, environment, searchMaster);
    admitToSearch(this, this.workers, search, this.searchAccess, deployment.searchRoles);
  }

  private createQueues(
    { source, timeoutSeconds }: WorkerManifest,
    { deployment, key }: WorkersStackProps["environment"],
  ): [string, DeadLetteredQueue][] {
    if (!("queues" in source)) return [];
    const { names, maxReceives } = source.queues;
    const consumerTimeout = Duration.seconds(timeoutSeconds);
    const queueProps = { deployment, key, consumerTimeout, maxReceives };
    return names.map((name) => [name, new DeadLetteredQueue(this, `queue-${name}`, { name, ...queueProps })]);
  }
}
