import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { WorkerManifest } from "../../shared/platform/manifest.ts";
import { lambdaHandler } from "../bundle.ts";
import { keyUse } from "./key.ts";
import type { FunctionEnvironment } from "./resources.ts";
import { ServiceFunction } from "./service-function.ts";

export interface WorkerProps {
  environment: FunctionEnvironment;
  manifest: WorkerManifest;
}

/** The function of one worker; what invokes it is up to the subclass. */
export abstract class WorkerFunction extends ServiceFunction {
  /** Where that ends which the worker could not do for good: a queue for each of its sources. */
  abstract readonly deadLetters: Queue[];

  constructor(scope: Construct, id: string, { environment, manifest }: WorkerProps) {
    super(scope, id, {
      environment,
      handler: lambdaHandler.worker(manifest.name),
      description: `Worker ${manifest.name}`,
      capabilities: manifest.capabilities,
      memoryMb: manifest.memoryMb,
      timeoutSeconds: manifest.timeoutSeconds,
    });
    // Of its queues and dead letters.
    for (const permission of keyUse(environment.key)) this.permit(permission);
  }
}
