import { ArnFormat, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { EbsDeviceVolumeType } from "aws-cdk-lib/aws-ec2";
import {
  AccountRootPrincipal,
  type IRole,
  PolicyDocument,
  PolicyStatement,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import { CfnResourcePolicy, type ILogGroup, LogGroup } from "aws-cdk-lib/aws-logs";
import {
  type CapacityConfig,
  CfnDomain,
  Domain,
  EngineVersion,
  TLSSecurityPolicy,
} from "aws-cdk-lib/aws-opensearchservice";
import { Construct } from "constructs";
import type { Deployment } from "../config.ts";

const INDEX_PREFIX = "memories";

export interface SearchDomainProps {
  deployment: Deployment;
  removalPolicy: RemovalPolicy;
  /** Role that may change roles inside OpenSearch; absent where IAM alone decides. */
  masterRole: IRole | undefined;
}

/** The OpenSearch domain: encrypted, TLS only, signed requests of this account only. */
export class SearchDomain extends Construct {
  readonly domain: Domain;
  readonly domainName: string;
  readonly domainArn: string;
  /** Base URL of its HTTP interface. */
  readonly endpoint: string;
  /** What names of the service's indexes begin with. */
  readonly indexPrefix = INDEX_PREFIX;

  constructor(scope: Construct, id: string, { deployment, removalPolicy, masterRole }: SearchDomainProps) {
    super(scope, id);
    this.domainName = `memory-service-${deployment.stage}`;
    this.domainArn = Stack.of(this).formatArn({
      service: "es",
      resource: "domain",
      resourceName: this.domainName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    const logging = this.logging(deployment);
    this.domain = new Domain(this, "Domain", {
      domainName: this.domainName,
      version: EngineVersion.OPENSEARCH_2_19,
      capacity: capacityOf(deployment),
      ebs: { volumeSize: deployment.searchVolumeGb, volumeType: EbsDeviceVolumeType.GP3 },
      zoneAwareness: { enabled: deployment.searchInstanceCount > 1, availabilityZoneCount: 2 },
      enforceHttps: true,
      tlsSecurityPolicy: TLSSecurityPolicy.TLS_1_2_PFS,
      nodeToNodeEncryption: true,
      encryptionAtRest: { enabled: true },
      enableAutoSoftwareUpdate: true,
      enableVersionUpgrade: true,
      removalPolicy,
      suppressLogsResourcePolicy: true,
      logging,
      ...(masterRole === undefined ? {} : { fineGrainedAccessControl: { masterUserArn: masterRole.roleArn } }),
    });
    this.endpoint = `https://${this.domain.domainEndpoint}`;
    this.admitLogDelivery([logging.appLogGroup, logging.slowSearchLogGroup, logging.slowIndexLogGroup]);
    this.admitThisAccount();
    this.explainNag(deployment);
  }

  private logging({ logRetentionDays }: Deployment) {
    const group = (id: string) =>
      new LogGroup(this, id, { retention: logRetentionDays, removalPolicy: RemovalPolicy.DESTROY });
    return {
      appLogEnabled: true,
      appLogGroup: group("AppLogs"),
      slowSearchLogEnabled: true,
      slowSearchLogGroup: group("SlowSearchLogs"),
      slowIndexLogEnabled: true,
      slowIndexLogGroup: group("SlowIndexLogs"),
    };
  }

  /** OpenSearch writes its logs as a service, which the log groups' policy must admit before the domain is made. */
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

  /** Whom of the account the domain answers is then up to each role's own policy. Set directly: the L2 takes a custom resource to do it. */
  private admitThisAccount(): void {
    const statement = new PolicyStatement({
      principals: [new AccountRootPrincipal()],
      actions: ["es:ESHttp*"],
      resources: [`${this.domainArn}/*`],
    });
    const domain = this.domain.node.defaultChild;
    if (!(domain instanceof CfnDomain)) throw new Error("the domain has no CloudFormation resource of its own");
    domain.accessPolicies = new PolicyDocument({ statements: [statement] });
  }

  private explainNag({ stage, searchMasterCount, searchInstanceCount }: Deployment): void {
    const reasons: Record<string, string> = {
      "AwsSolutions-OS1":
        "Outside a VPC: every request is signed and authorized by IAM; inside one, functions would need NAT to reach Bedrock and SES.",
      "AwsSolutions-OS3": "Functions have no fixed addresses; IAM decides who may call.",
      ...(searchMasterCount === 0 && {
        "AwsSolutions-OS4": `The ${stage} domain is too small for managers of its own.`,
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
