import type { CloudFormationCustomResourceEvent } from "aws-lambda";

/** What templates read of a custom resource, by Fn::GetAtt. */
type Attributes = Record<string, string>;

/** Does what a custom resource's event asks for. */
type Apply = (event: CloudFormationCustomResourceEvent) => Promise<void> | Promise<Attributes | undefined>;

/** Does it and tells CloudFormation. */
export type CustomResource = (event: CloudFormationCustomResourceEvent) => Promise<void>;

/**
 * The Lambda entry of a custom resource. CloudFormation waits an hour for an answer, so a failure becomes one as well.
 * `idOf` names the resource: another id at an update makes CloudFormation delete the one before.
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
    if (!ok) throw new Error(`CloudFormation did not take the answer: ${status}`);
  };
}

async function outcomeOf(apply: Apply, event: CloudFormationCustomResourceEvent) {
  try {
    return { Status: "SUCCESS", Data: await apply(event) };
  } catch (error) {
    return { Status: "FAILED", Reason: error instanceof Error ? error.message : String(error) };
  }
}
