import type { CloudFormationCustomResourceEvent } from "aws-lambda";

/** Attributes of a custom resource for Fn::GetAtt. */
type Attributes = Record<string, string>;

/** Applies a custom resource's event. */
type Apply = (event: CloudFormationCustomResourceEvent) => Promise<void> | Promise<Attributes | undefined>;

/** Applies an event and reports the outcome to CloudFormation. */
export type CustomResource = (event: CloudFormationCustomResourceEvent) => Promise<void>;

/**
 * The Lambda entry point of a custom resource. CloudFormation waits an hour for a response, so failures are reported
 * too. `idOf` names the resource: a new id in an update makes CloudFormation delete the former one.
 */
export function customResource(
  idOf: (event: CloudFormationCustomResourceEvent) => string,
  apply: Apply,
): CustomResource {
  return async (event) => {
    const outcome = await outcomeOf(apply, event);
    const { StackId, RequestId, LogicalResourceId } = event;
    const body = { ...outcome, PhysicalResourceId: idOf(event), StackId, RequestId, LogicalResourceId };
    const { ok, status } = await fetch(event.ResponseURL, { method: "PUT", body: JSON.stringify(body) });
    if (!ok) throw new Error(`CloudFormation rejected the response: ${status}`);
  };
}

async function outcomeOf(apply: Apply, event: CloudFormationCustomResourceEvent) {
  try {
    return { Status: "SUCCESS", Data: await apply(event) };
  } catch (error) {
    return { Status: "FAILED", Reason: error instanceof Error ? error.message : String(error) };
  }
}
