import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from "aws-cdk-lib/aws-backup";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { Schedule } from "aws-cdk-lib/aws-events";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { acknowledgeManagedPolicy } from "../nag.ts";

/** AWS's managed policies for the selection: for tables and other resources, and for buckets. */
const POLICIES = ["service-role/AWSBackupServiceRolePolicyForBackup", "AWSBackupServiceRolePolicyForS3Backup"];
const HOUR_UTC = "3";

export interface BackupsProps {
  table: ITable;
  bucket: IBucket;
  key: IKey | undefined;
  daysKept: number;
  /** The vault that each backup is copied to. */
  copyVaultArn: string | undefined;
  removalPolicy: RemovalPolicy;
}

/** A nightly backup of table and bucket, in a vault that no role of the service can access. */
export class Backups extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { table, bucket, key, daysKept, copyVaultArn, removalPolicy }: BackupsProps,
  ) {
    super(scope, id);
    const plan = new BackupPlan(this, "Plan", {
      backupVault: new BackupVault(this, "Vault", {
        encryptionKey: key,
        removalPolicy,
        // A vault can be deleted with its stack only when it is empty.
        blockRecoveryPointDeletion: removalPolicy === RemovalPolicy.RETAIN,
      }),
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: "daily",
          scheduleExpression: Schedule.cron({ hour: HOUR_UTC, minute: "0" }),
          deleteAfter: Duration.days(daysKept),
          ...(copyVaultArn !== undefined && {
            copyActions: [
              {
                destinationBackupVault: BackupVault.fromBackupVaultArn(this, "CopyVault", copyVaultArn),
                deleteAfter: Duration.days(daysKept),
              },
            ],
          }),
        }),
      ],
    });
    const role = new Role(this, "Role", { assumedBy: new ServicePrincipal("backup.amazonaws.com") });
    for (const name of POLICIES) {
      role.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName(name));
      acknowledgeManagedPolicy(
        role,
        name,
        "AWS maintains it for its backup service, and only that service assumes the role.",
      );
    }
    plan.addSelection("Data", {
      role,
      disableDefaultBackupPolicy: true,
      resources: [BackupResource.fromDynamoDbTable(table), BackupResource.fromArn(bucket.bucketArn)],
    });
  }
}
