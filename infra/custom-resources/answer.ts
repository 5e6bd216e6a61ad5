import type { CloudFormationCustomResourceEvent } from "aws-lambda";

/** Does what a custom resource's event asks for. */
export type CustomResource = (event: CloudFormationCustomResourceEvent) => Promise<void>;

/**
 * The Lambda entry of a custom resource. CloudFormation waits an hour for an answer, so a failure becomes one as well.
 * `idOf` names the resource: another id at an update makes CloudFormation delete the one before.
 */
export function customResource(
  idOf: (event: CloudFormationCustomResourceEvent) => string,
  apply: CustomResource,
): CustomResource {
  return async (event) => {
    const outcome = await apply(event).then(
      () => ({ Status: "SUCCESS" }),
      (error: unknown) => ({ Status: "FAILED", Reason: error instanceof Error ? error.message : String(error) }),
    );
    const { StackId, RequestId, LogicalResourceId } = event;
    const body = { ...outcome, PhysicalResourceId: idOf(event), StackId, RequestId, LogicalResourceId };
    const { ok, status } = await fetch(event.ResponseURL, { method: "PUT", body: JSON.stringify(body) });
    if (!ok) throw new Error(`CloudFormation did not take the answer: ${status}`);
  };
}
