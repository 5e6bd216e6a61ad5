import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { lambdaHandler } from "../../bundle.ts";
import { keyUse } from "./key.ts";
import type { FunctionEnvironment } from "./resources.ts";
import { ServiceFunction } from "./service-function.ts";

export interface WorkerProps {
  environment: FunctionEnvironment;
  manifest: WorkerManifest;
}

/** The function of a worker; subclasses define what invokes it. */
export abstract class WorkerFunction extends ServiceFunction {
  /** The dead-letter queues of the worker, one per source. */
  abstract readonly deadLetters: Queue[];

  constructor(scope: Construct, id: string, { environment, manifest }: WorkerProps) {
    super(scope, id, {
      environment,
      handler: lambdaHandler.worker(manifest.name),
      description: `Worker ${manifest.name}`,
      samName: manifest.name,
      capabilities: manifest.capabilities,
      memoryMb: manifest.memoryMb,
      timeoutSeconds: manifest.timeoutSeconds,
    });
    // For its queues and dead-letter queues.
    for (const permission of keyUse(environment.key)) this.permit(permission);
  }
}
