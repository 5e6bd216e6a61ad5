import { ArnFormat, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { EbsDeviceVolumeType } from "aws-cdk-lib/aws-ec2";
import {
  AccountRootPrincipal,
  type IRole,
  PolicyDocument,
  PolicyStatement,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { CfnResourcePolicy, type ILogGroup, LogGroup } from "aws-cdk-lib/aws-logs";
import {
  type CapacityConfig,
  CfnDomain,
  Domain,
  EngineVersion,
  TLSSecurityPolicy,
} from "aws-cdk-lib/aws-opensearchservice";
import { Construct } from "constructs";
import { type Deployment, zonesOf } from "../../config.ts";
import { stateWildcardReason } from "../nag.ts";
import type { Network } from "./network.ts";

const INDEX_PREFIX = "memories";

export interface SearchDomainProps {
  deployment: Deployment;
  removalPolicy: RemovalPolicy;
  /** The role that may change roles inside OpenSearch; absent if only IAM controls access. */
  masterRole: IRole | undefined;
  /** Customer-managed key of documents and logs; absent for AWS's own. */
  key: IKey | undefined;
  /** Absent if the domain is outside of a VPC. */
  network: Network | undefined;
}

/** The OpenSearch domain: encrypted, TLS only, only signed requests of this account. */
export class SearchDomain extends Construct {
  readonly domain: Domain;
  readonly domainName: string;
  readonly domainArn: string;
  /** Base URL of its HTTP interface. */
  readonly endpoint: string;
  /** Prefix of the service's index names. */
  readonly indexPrefix = INDEX_PREFIX;

  constructor(scope: Construct, id: string, props: SearchDomainProps) {
    super(scope, id);
    const { deployment, removalPolicy, masterRole, key, network } = props;
    const zones = zonesOf(deployment);
    this.domainName = `memory-service-${deployment.stage}`;
    this.domainArn = Stack.of(this).formatArn({
      service: "es",
      resource: "domain",
      resourceName: this.domainName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    const logging = this.logging(deployment, key);
    this.domain = new Domain(this, "Domain", {
      domainName: this.domainName,
      version: EngineVersion.OPENSEARCH_2_19,
      capacity: capacityOf(deployment),
      ebs: { volumeSize: deployment.searchVolumeGb, volumeType: EbsDeviceVolumeType.GP3 },
      zoneAwareness: zones > 1 ? { enabled: true, availabilityZoneCount: zones } : { enabled: false },
      enforceHttps: true,
      tlsSecurityPolicy: TLSSecurityPolicy.TLS_1_2_PFS,
      nodeToNodeEncryption: true,
      encryptionAtRest: { enabled: true, kmsKey: key },
      enableAutoSoftwareUpdate: true,
      enableVersionUpgrade: true,
      removalPolicy,
      suppressLogsResourcePolicy: true,
      logging,
      ...(network && vpcPropsOf(network, zones)),
      ...(masterRole === undefined ? {} : { fineGrainedAccessControl: { masterUserArn: masterRole.roleArn } }),
    });
    this.endpoint = `https://${this.domain.domainEndpoint}`;
    this.admitLogDelivery([logging.appLogGroup, logging.slowSearchLogGroup, logging.slowIndexLogGroup]);
    this.admitThisAccount();
    this.explainNag(deployment);
  }

  private logging({ logRetentionDays }: Deployment, encryptionKey: IKey | undefined) {
    const options = { retention: logRetentionDays, removalPolicy: RemovalPolicy.DESTROY, encryptionKey };
    const group = (id: string) => new LogGroup(this, id, options);
    return {
      appLogEnabled: true,
      appLogGroup: group("AppLogs"),
      slowSearchLogEnabled: true,
      slowSearchLogGroup: group("SlowSearchLogs"),
      slowIndexLogEnabled: true,
      slowIndexLogGroup: group("SlowIndexLogs"),
    };
  }

  /** OpenSearch writes logs as a service, which the log groups' policy must allow before the domain is created. */
  private admitLogDelivery(groups: ILogGroup[]): void {
    const stack = Stack.of(this);
    const statement = new PolicyStatement({
      principals: [new ServicePrincipal("es.amazonaws.com")],
      actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
      resources: groups.map(({ logGroupArn }) => logGroupArn),
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    });
    const policy = new CfnResourcePolicy(this, "LogDelivery", {
      policyName: `${stack.stackName}-search-logs`,
      policyDocument: stack.toJsonString(new PolicyDocument({ statements: [statement] })),
    });
    this.domain.node.addDependency(policy);
  }

  /**
   * Allows all principals of this account, which their own policies then restrict. Set on the CloudFormation resource,
   * because the L2 construct needs a custom resource.
   */
  private admitThisAccount(): void {
    const statement = new PolicyStatement({
      principals: [new AccountRootPrincipal()],
      actions: ["es:ESHttp*"],
      resources: [`${this.domainArn}/*`],
    });
    const domain = this.domain.node.defaultChild;
    if (!(domain instanceof CfnDomain)) throw new Error("the domain has no CloudFormation resource of its own");
    domain.accessPolicies = new PolicyDocument({ statements: [statement] });
    stateWildcardReason(this.domain, statement.resources, "Every path of this domain, for principals that IAM allows.");
  }

  private explainNag({ stage, vpc, searchMasterCount, searchInstanceCount }: Deployment): void {
    const reasons: Record<string, string> = {
      ...(!vpc && {
        "AwsSolutions-OS1":
          "Outside a VPC, unless one is asked for: every request is signed and authorized by IAM, and functions need no NAT.",
      }),
      "AwsSolutions-OS3": "Functions have no fixed addresses; IAM decides who may call.",
      ...(searchMasterCount === 0 && {
        "AwsSolutions-OS4": `The ${stage} domain is too small for dedicated managers.`,
      }),
      ...(searchInstanceCount === 1 && {
        "AwsSolutions-OS7": `The ${stage} domain has one node; its content can be rebuilt from the table.`,
      }),
    };
    Validations.of(this.domain).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
  }
}

function capacityOf(deployment: Deployment): CapacityConfig {
  const { searchInstanceType, searchInstanceCount, searchMasterCount, searchMasterInstanceType } = deployment;
  return {
    dataNodes: searchInstanceCount,
    dataNodeInstanceType: searchInstanceType,
    multiAzWithStandbyEnabled: false,
    ...(searchMasterCount > 0 && { masterNodes: searchMasterCount, masterNodeInstanceType: searchMasterInstanceType }),
  };
}

/** OpenSearch requires exactly one subnet per zone. */
function vpcPropsOf({ vpc, search }: Network, zones: number) {
  return { vpc, vpcSubnets: [{ subnets: vpc.privateSubnets.slice(0, zones) }], securityGroups: [search] };
}
