import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from "aws-cdk-lib";
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import { Key } from "aws-cdk-lib/aws-kms";
import type { Code } from "aws-cdk-lib/aws-lambda";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CorsRule,
  HttpMethods,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { TABLE_INDEXES, TABLE_KEY, type TableIndex, TTL_ATTRIBUTE } from "../../shared/platform/aws/table.ts";
import type { Deployment } from "../config.ts";
import type { DataResources } from "../constructs/resources.ts";
import { SearchAccess } from "../constructs/search-access.ts";
import { SearchDomain } from "../constructs/search-domain.ts";

const OLD_VERSIONS_KEPT = Duration.days(30);
const ABANDONED_UPLOADS_KEPT = Duration.days(2);

export interface DataStackProps extends StackProps {
  deployment: Deployment;
  /** The one asset that holds every handler. */
  code: Code;
}

/** What must outlive every deployment: the table, the search domain, the blobs and the key they are encrypted with. */
export class DataStack extends Stack implements DataResources {
  readonly table: Table;
  readonly bucket: Bucket;
  readonly search: SearchDomain;
  readonly key: Key | undefined;
  readonly secretPrefix: string;
  /** Absent where IAM alone decides who may search. */
  readonly searchAccess: SearchAccess | undefined;

  constructor(scope: Construct, id: string, { deployment, code, ...props }: DataStackProps) {
    super(scope, id, props);
    const removalPolicy = deployment.removalPolicy === "retain" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    this.secretPrefix = `memory-service/${deployment.stage}/`;
    this.key = deployment.stage === "prod" ? this.createKey() : undefined;
    this.table = this.createTable(removalPolicy);
    this.bucket = this.createBucket(removalPolicy, deployment.allowedOrigins);
    this.searchAccess = deployment.searchFineGrainedAccess
      ? new SearchAccess(this, "SearchAccess", { deployment, code })
      : undefined;
    this.search = new SearchDomain(this, "Search", { deployment, removalPolicy, masterRole: this.searchAccess?.role });
    this.searchAccess?.reach(this.search);
    new CfnOutput(this, "TableName", { value: this.table.tableName });
    new CfnOutput(this, "BucketName", { value: this.bucket.bucketName });
    new CfnOutput(this, "SearchEndpoint", { value: this.search.endpoint });
  }

  private createKey(): Key {
    return new Key(this, "Key", {
      description: `${this.stackName}: records and blobs`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  private createTable(removalPolicy: RemovalPolicy): Table {
    const table = new Table(this, "Table", {
      partitionKey: text(TABLE_KEY.partition),
      sortKey: text(TABLE_KEY.sort),
      billingMode: BillingMode.PAY_PER_REQUEST,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: TTL_ATTRIBUTE,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: removalPolicy === RemovalPolicy.RETAIN,
      removalPolicy,
      ...(this.key === undefined
        ? { encryption: TableEncryption.AWS_MANAGED }
        : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: this.key }),
    });
    for (const index of TABLE_INDEXES) addIndex(table, index);
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
        { noncurrentVersionExpiration: OLD_VERSIONS_KEPT, abortIncompleteMultipartUploadAfter: ABANDONED_UPLOADS_KEPT },
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

/** Signed links are followed by browsers as well. */
function browserLinks(allowedOrigins: string[]): CorsRule {
  return { allowedOrigins, allowedMethods: [HttpMethods.GET, HttpMethods.PUT], allowedHeaders: ["Content-Type"] };
}

function text(name: string) {
  return { name, type: AttributeType.STRING };
}

function addIndex(table: Table, { name, partition, sort, include }: TableIndex): void {
  table.addGlobalSecondaryIndex({
    indexName: name,
    partitionKey: text(partition),
    sortKey: text(sort),
    ...(include === undefined
      ? { projectionType: ProjectionType.ALL }
      : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...include] }),
  });
}
