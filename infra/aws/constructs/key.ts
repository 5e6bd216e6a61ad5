import type { RemovalPolicy } from "aws-cdk-lib";
import { Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";
import { stateWildcardReason } from "../nag.ts";
import type { Permission } from "./function-identity.ts";

const ENCRYPT_AND_DECRYPT = ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey"];

/** AWS services that write encrypted data themselves: alarms into the topic, schedules into their dead-letter queue. */
const SENDERS = ["cloudwatch.amazonaws.com", "events.amazonaws.com"];

/** A customer-managed key for all data, rotated yearly by AWS. */
export function createKey(scope: Construct, removalPolicy: RemovalPolicy): Key {
  const stack = Stack.of(scope);
  const key = new Key(scope, "Key", {
    description: `${stack.stackName}: records, documents, blobs, messages, backups and logs`,
    enableKeyRotation: true,
    removalPolicy,
  });
  const allow = (service: string, actions: string[], conditions: Record<string, Record<string, string>>) =>
    key.addToResourcePolicy(
      new PolicyStatement({ principals: [new ServicePrincipal(service)], actions, resources: ["*"], conditions }),
    );
  for (const service of SENDERS) {
    allow(service, ["kms:Decrypt", "kms:GenerateDataKey"], { StringEquals: { "aws:SourceAccount": stack.account } });
  }
  allow(
    `logs.${stack.region}.amazonaws.com`,
    [...ENCRYPT_AND_DECRYPT, "kms:GenerateDataKeyWithoutPlaintext", "kms:ReEncryptFrom", "kms:ReEncryptTo"],
    { ArnLike: { "kms:EncryptionContext:aws:logs:arn": stack.formatArn({ service: "logs", resource: "*" }) } },
  );
  stateWildcardReason(key, ["*"], "In the policy of a key, it means that key.");
  return key;
}

/** The permissions for reading and writing encrypted data; none without a customer-managed key. */
export function keyUse(key: IKey | undefined): Permission[] {
  return key === undefined ? [] : [{ actions: ENCRYPT_AND_DECRYPT, resources: [key.keyArn] }];
}
