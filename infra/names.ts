import type { Deployment } from "./config.ts";

/**
 * Prefix of a deployment's stack, queue and function names. Code stacks refer to each other by name, because
 * CloudFormation cannot delete or rename what another stack imports.
 */
export function namePrefix({ stage }: Pick<Deployment, "stage">): string {
  return `memory-service-${stage}-`;
}
