import { RemovalPolicy } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Deployment } from "../../config.ts";
import { stateWildcardReason } from "../nag.ts";
import type { Network } from "./network.ts";

/** IAM actions on resources. `reason` explains a wildcard resource; without one, none is allowed. */
export interface Permission {
  actions: string[];
  resources: string[];
  reason?: string;
}

export interface FunctionIdentityProps {
  deployment: Deployment;
  /** Name of the function and its log group. */
  name: string;
  /** Customer-managed key of the log; absent for CloudWatch's own. */
  key: IKey | undefined;
  /** The function's network; absent outside of a VPC. */
  network: Network | undefined;
}

/** A function's role and log group: it may write that log and use its grants, nothing else. */
export class FunctionIdentity extends Construct {
  readonly role: Role;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, { deployment, name, key, network }: FunctionIdentityProps) {
    super(scope, id);
    this.logGroup = new LogGroup(this, "Logs", {
      logGroupName: logGroupPrefix(deployment) + name,
      retention: deployment.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
      encryptionKey: key,
    });
    this.role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    this.permit({
      actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
      resources: [this.logGroup.logGroupArn],
    });
    if (network !== undefined) this.permit(NETWORK_INTERFACES);
  }

  permit({ actions, resources, reason }: Permission): void {
    this.role.addToPolicy(new PolicyStatement({ actions, resources }));
    if (reason !== undefined) stateWildcardReason(this.role, resources, reason);
  }
}

const NETWORK_INTERFACES: Permission = {
  actions: [
    "ec2:AssignPrivateIpAddresses",
    "ec2:CreateNetworkInterface",
    "ec2:DeleteNetworkInterface",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSubnets",
    "ec2:UnassignPrivateIpAddresses",
  ],
  resources: ["*"],
  reason: "Lambda creates the function's network interfaces with its role, and their ids are not known before.",
};

/** Common prefix of all functions' log groups, so that they can be granted and searched together. */
export function logGroupPrefix({ stage }: Deployment): string {
  return `/memory-service/${stage}/`;
}
