import { CustomResource } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { lambdaHandler } from "../../bundle.ts";
import { ANSWER_TIMEOUT } from "./logged-function.ts";
import type { FunctionEnvironment } from "./resources.ts";
import { ServiceFunction } from "./service-function.ts";

/** Creates the operator's organization and its key at the first deployment; the key is then in Secrets Manager. */
export function makeFirstKey(scope: Construct, environment: FunctionEnvironment): void {
  const maker = new ServiceFunction(scope, "FirstKeyMaker", {
    environment: { ...environment, rollout: undefined },
    handler: lambdaHandler.customResource("first-key"),
    description: "Creates the operator's key at the first deployment",
    capabilities: ["records", "secrets:bootstrap"],
    memoryMb: 256,
    timeoutSeconds: 60,
  });
  const firstKey = new CustomResource(scope, "FirstKey", {
    resourceType: "Custom::FirstKey",
    serviceToken: maker.function.functionArn,
    serviceTimeout: ANSWER_TIMEOUT,
  });
  firstKey.node.addDependency(maker.role);
}
