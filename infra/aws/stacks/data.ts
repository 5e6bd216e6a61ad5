import {
  Arn,
  ArnFormat,
  CfnOutput,
  Duration,
  RemovalPolicy,
  Stack,
  type StackProps,
  Token,
  Validations,
} from "aws-cdk-lib";
import {
  AttributeType,
  BillingMode,
  ContributorInsightsMode,
  type ContributorInsightsSpecification,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CorsRule,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { TABLE_INDEXES, TABLE_KEY, type TableIndex, TTL_ATTRIBUTE } from "../../../shared/adapters/aws/table.ts";
import { type Deployment, InvalidDeploymentError } from "../../config.ts";
import { Backups } from "../constructs/backups.ts";
import { FunctionIdentity } from "../constructs/function-identity.ts";
import { createKey } from "../constructs/key.ts";
import { Network, selectedZones } from "../constructs/network.ts";
import type { DataResources } from "../constructs/resources.ts";
import { permitRoleChanges, SEARCH_ACCESS } from "../constructs/search-access.ts";
import { SearchDomain } from "../constructs/search-domain.ts";

const OLD_VERSIONS_KEPT = Duration.days(30);
const ABANDONED_UPLOADS_KEPT = Duration.days(2);

/** Only for throttled requests, because contributor insights are billed per event. */
const THROTTLED_KEYS: ContributorInsightsSpecification = {
  enabled: true,
  mode: ContributorInsightsMode.THROTTLED_KEYS,
};

export interface DataStackProps extends StackProps {
  deployment: Deployment;
}

/**
 * Resources that outlive deployments: the table, the search domain, the blobs, their key and their network. It contains
 * no code, so that new code does not change it.
 */
export class DataStack extends Stack implements DataResources {
  readonly table: ITable;
  readonly bucket: IBucket;
  readonly search: SearchDomain;
  readonly key: Key | undefined;
  readonly network: Network | undefined;
  readonly secretPrefix: string;
  readonly searchMaster: FunctionIdentity | undefined;
  private readonly deployment: Deployment;

  constructor(scope: Construct, id: string, { deployment, ...props }: DataStackProps) {
    super(scope, id, props);
    this.deployment = deployment;
    const removalPolicy = deployment.removalPolicy === "retain" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    this.secretPrefix = `memory-service/${deployment.stage}/`;
    this.key = deployment.production ? createKey(this, removalPolicy) : undefined;
    const { key } = this;
    const network = deployment.vpc ? new Network(this, "Network", { deployment, key }) : undefined;
    this.network = network;
    this.table =
      this.importTable(deployment) ??
      this.createTable(removalPolicy, deployment.size === "standard" ? THROTTLED_KEYS : undefined);
    this.bucket = this.importBucket(deployment) ?? this.createBucket(removalPolicy, deployment.allowedOrigins);
    this.searchMaster = deployment.searchFineGrainedAccess
      ? new FunctionIdentity(this, "SearchMaster", { deployment, name: SEARCH_ACCESS, key, network })
      : undefined;
    const masterRole = this.searchMaster?.role;
    this.search = new SearchDomain(this, "Search", { deployment, removalPolicy, masterRole, key, network });
    if (this.searchMaster !== undefined) permitRoleChanges(this.searchMaster, this.search);
    if (deployment.backupDays > 0) this.createBackups(deployment, removalPolicy);
    new CfnOutput(this, "TableName", { value: this.table.tableName });
    new CfnOutput(this, "BucketName", { value: this.bucket.bucketName });
    new CfnOutput(this, "SearchEndpoint", { value: this.search.endpoint });
  }

  /** A VPC needs zones, whose names only the account knows. */
  override get availabilityZones(): string[] {
    return selectedZones(this.deployment);
  }

  private createBackups({ backupDays, backupCopyVaultArn }: Deployment, removalPolicy: RemovalPolicy): void {
    const { table, bucket, key } = this;
    const kept = { daysKept: backupDays, copyVaultArn: backupCopyVaultArn, removalPolicy };
    new Backups(this, "Backups", { table, bucket, key, ...kept });
  }

  /** The table of a restored backup; the table that the stack created before is then no longer part of it. */
  private importTable({ tableArn, tableStreamArn }: Deployment): ITable | undefined {
    if (tableArn === undefined || tableStreamArn === undefined) return undefined;
    const { region, account } = Arn.split(tableArn, ArnFormat.SLASH_RESOURCE_NAME);
    this.requireSame("region", region, this.region);
    this.requireSame("account", account, this.account);
    return Table.fromTableAttributes(this, "Table", {
      tableArn,
      tableStreamArn,
      globalIndexes: TABLE_INDEXES.map(({ name }) => name),
      ...(this.key && { encryptionKey: this.key }),
    });
  }

  /** A stack synthesized for any region and account is checked at deployment. */
  private requireSame(what: "region" | "account", found: string | undefined, own: string): void {
    if (Token.isUnresolved(own) || found === own) return;
    throw new InvalidDeploymentError([
      `tableArn is of the ${what} ${found}, and the stack of ${own}: restore the table there`,
    ]);
  }

  private importBucket({ bucketName }: Deployment): IBucket | undefined {
    if (bucketName === undefined) return undefined;
    return Bucket.fromBucketAttributes(this, "Bucket", { bucketName, ...(this.key && { encryptionKey: this.key }) });
  }

  private createTable(removalPolicy: RemovalPolicy, insights: ContributorInsightsSpecification | undefined): Table {
    const table = new Table(this, "Table", {
      partitionKey: text(TABLE_KEY.partition),
      sortKey: text(TABLE_KEY.sort),
      billingMode: BillingMode.PAY_PER_REQUEST,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: TTL_ATTRIBUTE,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      contributorInsightsSpecification: insights,
      deletionProtection: removalPolicy === RemovalPolicy.RETAIN,
      removalPolicy,
      ...(this.key === undefined
        ? { encryption: TableEncryption.AWS_MANAGED }
        : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: this.key }),
    });
    for (const index of TABLE_INDEXES) addIndex(table, index, insights);
    return table;
  }

  private createBucket(removalPolicy: RemovalPolicy, allowedOrigins: string[]): Bucket {
    const bucket = new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: true,
      removalPolicy,
      cors: allowedOrigins.length === 0 ? [] : [browserLinks(allowedOrigins)],
      lifecycleRules: [
        {
          noncurrentVersionExpiration: OLD_VERSIONS_KEPT,
          expiredObjectDeleteMarker: true,
          abortIncompleteMultipartUploadAfter: ABANDONED_UPLOADS_KEPT,
        },
      ],
      ...(this.key === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey: this.key, bucketKeyEnabled: true }),
    });
    Validations.of(bucket).acknowledge({
      id: "AwsSolutions-S1",
      reason:
        "Only the service's functions and links they sign reach the bucket, and both are in the service's own log.",
    });
    return bucket;
  }
}

/** Allows browsers of these origins to use signed links. */
function browserLinks(allowedOrigins: string[]): CorsRule {
  return { allowedOrigins, allowedMethods: [HttpMethods.GET, HttpMethods.PUT], allowedHeaders: ["Content-Type"] };
}

function text(name: string) {
  return { name, type: AttributeType.STRING };
}

function addIndex(
  table: Table,
  { name, partition, sort, include }: TableIndex,
  insights: ContributorInsightsSpecification | undefined,
): void {
  table.addGlobalSecondaryIndex({
    indexName: name,
    partitionKey: text(partition),
    sortKey: text(sort),
    contributorInsightsSpecification: insights,
    ...(include === undefined
      ? { projectionType: ProjectionType.ALL }
      : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...include] }),
  });
}
