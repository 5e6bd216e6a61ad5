import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { Code, ILayerVersion } from "aws-cdk-lib/aws-lambda";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { Deployment } from "../../config.ts";
import type { CanaryRollout } from "./canary-rollout.ts";
import type { FunctionIdentity } from "./function-identity.ts";
import type { Network } from "./network.ts";
import type { SearchDomain } from "./search-domain.ts";

/** Resources of the data stack, which outlive functions. */
export interface DataResources {
  table: ITable;
  bucket: IBucket;
  search: SearchDomain;
  /** The identity that manages roles inside OpenSearch; absent if only IAM controls access. */
  searchMaster: FunctionIdentity | undefined;
  /** Customer-managed key for all data; absent for AWS-managed keys. */
  key: IKey | undefined;
  /** Absent if functions and search run outside of a VPC. */
  network: Network | undefined;
  /** Prefix of Secrets Manager names. */
  secretPrefix: string;
}

/** Everything that a function may be granted or is built with. */
export interface FunctionEnvironment extends DataResources {
  deployment: Deployment;
  /** Returns the code of a function by its handler. */
  codeOf: (handler: string) => Code;
  /** ONNX Runtime and the embedding model; absent for another embedder. */
  onnxLayer: ILayerVersion | undefined;
  /** Names of all queues, as in manifests and `Queue.send`. */
  queues: readonly string[];
  /** How new code is rolled out; absent if it takes effect at once. */
  rollout: CanaryRollout | undefined;
}
