import type { Deployment } from "./config.ts";

/**
 * What the names of a deployment's stacks, queues and functions begin with. By them stacks of code know each other's parts:
 * CloudFormation lets no part go, or take another name, while another stack imports it.
 */
export function namePrefix({ stage }: Pick<Deployment, "stage">): string {
  return `memory-service-${stage}-`;
}
