import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { Code, ILayerVersion } from "aws-cdk-lib/aws-lambda";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { Deployment } from "../config.ts";
import type { CanaryRollout } from "./canary-rollout.ts";
import type { FunctionIdentity } from "./function-identity.ts";
import type { Network } from "./network.ts";
import type { SearchDomain } from "./search-domain.ts";

/** What outlives functions; made by the data stack. */
export interface DataResources {
  table: ITable;
  bucket: IBucket;
  search: SearchDomain;
  /** Who hands out roles inside OpenSearch; absent where IAM alone decides who may search. */
  searchMaster: FunctionIdentity | undefined;
  /** Customer-managed key of all that holds data; absent where AWS-managed keys do. */
  key: IKey | undefined;
  /** Absent where functions and search run outside of a VPC. */
  network: Network | undefined;
  /** Prefix of Secrets Manager names. */
  secretPrefix: string;
}

/** All that a function may be given access to, and what it is made with. */
export interface FunctionEnvironment extends DataResources {
  deployment: Deployment;
  /** The one asset that holds every handler. */
  code: Code;
  /** ONNX Runtime and the embedding model; absent where the embedder is another one. */
  onnxLayer: ILayerVersion | undefined;
  /** Names of all queues, as manifests and `Queue.send` use them. */
  queues: readonly string[];
  /** How its new code takes over; absent where that happens at once. */
  rollout: CanaryRollout | undefined;
}
