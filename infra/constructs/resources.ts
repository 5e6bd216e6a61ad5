import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { Code } from "aws-cdk-lib/aws-lambda";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { Deployment } from "../config.ts";
import type { DeadLetteredQueue } from "./dead-lettered-queue.ts";
import type { SearchAccess } from "./search-access.ts";
import type { SearchDomain } from "./search-domain.ts";

/** What outlives functions; made by the data stack. */
export interface DataResources {
  table: ITable;
  bucket: IBucket;
  search: SearchDomain;
  /** Who hands out roles inside OpenSearch; absent where IAM alone decides who may search. */
  searchAccess: SearchAccess | undefined;
  /** Customer-managed key of table and bucket; absent where AWS-managed keys do. */
  key: IKey | undefined;
  /** Prefix of Secrets Manager names. */
  secretPrefix: string;
}

/** All that a function may be given access to, and what it is made with. */
export interface FunctionEnvironment extends DataResources {
  deployment: Deployment;
  /** The one asset that holds every handler. */
  code: Code;
  /** By the name that manifests and `Queue.send` use. */
  queues: ReadonlyMap<string, DeadLetteredQueue>;
}
