import type { RemovalPolicy } from "aws-cdk-lib";
import { Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";
import { stateWildcardReason } from "../nag.ts";
import type { Permission } from "./function-identity.ts";

const ENCRYPT_AND_DECRYPT = ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey"];

/** Services that write encrypted things by themselves: alarms into the topic, schedules into their dead letters. */
const SENDERS = ["cloudwatch.amazonaws.com", "events.amazonaws.com"];

/** A key of our own for all that holds data: AWS rotates it every year. */
export function createKey(scope: Construct, removalPolicy: RemovalPolicy): Key {
  const stack = Stack.of(scope);
  const key = new Key(scope, "Key", {
    description: `${stack.stackName}: records, documents, blobs, messages, backups and logs`,
    enableKeyRotation: true,
    removalPolicy,
  });
  const admit = (service: string, actions: string[], conditions: Record<string, Record<string, string>>) =>
    key.addToResourcePolicy(
      new PolicyStatement({ principals: [new ServicePrincipal(service)], actions, resources: ["*"], conditions }),
    );
  for (const service of SENDERS) {
    admit(service, ["kms:Decrypt", "kms:GenerateDataKey"], { StringEquals: { "aws:SourceAccount": stack.account } });
  }
  admit(
    `logs.${stack.region}.amazonaws.com`,
    [...ENCRYPT_AND_DECRYPT, "kms:GenerateDataKeyWithoutPlaintext", "kms:ReEncryptFrom", "kms:ReEncryptTo"],
    { ArnLike: { "kms:EncryptionContext:aws:logs:arn": stack.formatArn({ service: "logs", resource: "*" }) } },
  );
  stateWildcardReason(key, ["*"], "In the policy of a key, it stands for that key.");
  return key;
}

/** What whoever reads and writes encrypted things needs; nothing where there is no key of ours. */
export function keyUse(key: IKey | undefined): Permission[] {
  return key === undefined ? [] : [{ actions: ENCRYPT_AND_DECRYPT, resources: [key.keyArn] }];
}
