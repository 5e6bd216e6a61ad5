import { Duration } from "aws-cdk-lib";
import { Alarm, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Alias, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { Deployment } from "../../config.ts";
import { acknowledgeManagedPolicy } from "../nag.ts";
import { errorPercent, sumOf } from "./error-rate.ts";

/** The alias that everything invokes: the current version. */
const ALIAS = "live";
const MANAGED_POLICY = "service-role/AWSCodeDeployRoleForLambdaLimited";

/** In a minute, and as a share of the calls: more than an occasional faulty message. */
const MIN_ERRORS = 3;
const PERCENT_THAT_ROLLS_BACK = 5;
const MINUTE = Duration.minutes(1);

interface Release {
  /** Counts requests that the function answers with an error itself. */
  failed: IMetric | undefined;
  /** The number of instances that Lambda keeps initialized. */
  provisioned: number | undefined;
}

/**
 * Rolls out new code function by function: a tenth of the calls for five minutes, then all. An alarm during the rollout
 * restores the previous version and makes CloudFormation roll back the deployment.
 */
export class CanaryRollout extends Construct {
  private readonly application: LambdaApplication;
  private readonly role: Role;
  private readonly scope: Deployment["alarmScope"];
  private shared: Alarm | undefined;

  constructor(scope: Construct, id: string, { alarmScope }: Deployment) {
    super(scope, id);
    this.scope = alarmScope;
    this.application = new LambdaApplication(this, "Application");
    this.role = new Role(this, "Role", { assumedBy: new ServicePrincipal("codedeploy.amazonaws.com") });
    acknowledgeManagedPolicy(
      this.role,
      MANAGED_POLICY,
      "CodeDeploy's own policy for shifting traffic between versions; CDK attaches it, and only CodeDeploy assumes the role.",
    );
  }

  /** Watches this metric during each rollout instead of the functions, if the alarms are those of the stack. */
  shareAlarm(metric: IMetric, threshold: number): void {
    if (this.scope === "stack") this.shared = rollbackAlarm(this, "RollbackServerErrors", metric, threshold);
  }

  /** The alias to invoke instead of the function. */
  release(scope: Construct, released: LambdaFunction, { failed, provisioned }: Release): Alias {
    const alias = new Alias(scope, "Live", {
      aliasName: ALIAS,
      version: released.currentVersion,
      ...(provisioned !== undefined && { provisionedConcurrentExecutions: provisioned }),
    });
    new LambdaDeploymentGroup(scope, "Deployment", {
      application: this.application,
      role: this.role,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [this.shared ?? this.alarmOf(scope, alias, failed)],
    });
    return alias;
  }

  private alarmOf(scope: Construct, alias: Alias, failed: IMetric | undefined): Alarm {
    const errors = alias.metricErrors({ period: MINUTE });
    // A small deployment has few calls, so their share says no more.
    if (this.scope === "stack") return rollbackAlarm(scope, "RollbackErrors", errors, MIN_ERRORS);
    const all = failed === undefined ? errors : sumOf([errors, failed], MINUTE);
    const share = errorPercent(all, alias.metricInvocations({ period: MINUTE }), MIN_ERRORS, MINUTE);
    return rollbackAlarm(scope, "RollbackErrors", share, PERCENT_THAT_ROLLS_BACK);
  }
}

function rollbackAlarm(scope: Construct, id: string, metric: IMetric, threshold: number): Alarm {
  return new Alarm(scope, id, {
    metric,
    threshold,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
    alarmDescription: "Restores the previous version while new code is rolled out.",
  });
}
