import { Fn, RemovalPolicy } from "aws-cdk-lib";
import {
  FlowLogDestination,
  GatewayVpcEndpointAwsService,
  type ISecurityGroup,
  type IVpc,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from "aws-cdk-lib/aws-ec2";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { type Deployment, zonesOf } from "../../config.ts";

const MIN_ZONES = 2;
const SUBNET_BITS = 20;
const HTTPS = Port.tcp(443);

export interface NetworkProps {
  deployment: Deployment;
  /** Customer-managed key of the flow log; absent for CloudWatch's own. */
  key: IKey | undefined;
}

/**
 * A VPC with private subnets in two zones or those of search, in which only functions can connect to the search domain, and nothing can
 * connect to functions.
 */
export class Network extends Construct {
  readonly vpc: IVpc;
  /** The security group of the functions, which call AWS, models, webhooks and sources. */
  readonly functions: ISecurityGroup;
  /** The security group of the search domain. */
  readonly search: ISecurityGroup;

  constructor(scope: Construct, id: string, { deployment, key }: NetworkProps) {
    super(scope, id);
    this.vpc = this.createVpc(deployment, key);
    this.functions = new SecurityGroup(this, "Functions", { vpc: this.vpc, description: "Functions of the service" });
    this.search = new SecurityGroup(this, "Search", {
      vpc: this.vpc,
      description: "The search domain",
      allowAllOutbound: false,
    });
    this.search.addIngressRule(this.functions, HTTPS, "Functions search");
  }

  private createVpc(deployment: Deployment, encryptionKey: IKey | undefined): Vpc {
    const { natGateways, logRetentionDays } = deployment;
    const flowLog = new LogGroup(this, "FlowLog", {
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
      encryptionKey,
    });
    return new Vpc(this, "Vpc", {
      availabilityZones: selectedZones(deployment),
      natGateways,
      subnetConfiguration: [
        { name: "public", subnetType: SubnetType.PUBLIC, cidrMask: SUBNET_BITS, mapPublicIpOnLaunch: false },
        { name: "private", subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: SUBNET_BITS },
      ],
      // Free of charge, and used by most of the functions' traffic instead of NAT.
      gatewayEndpoints: {
        DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        S3: { service: GatewayVpcEndpointAwsService.S3 },
      },
      flowLogs: { All: { destination: FlowLogDestination.toCloudWatchLogs(flowLog) } },
    });
  }
}

/** Availability zones, chosen by CloudFormation at deployment: CDK would look up their names at synthesis. */
export function selectedZones(deployment: Deployment): string[] {
  return Array.from({ length: Math.max(MIN_ZONES, zonesOf(deployment)) }, (_zone, index) =>
    Fn.select(index, Fn.getAzs()),
  );
}
