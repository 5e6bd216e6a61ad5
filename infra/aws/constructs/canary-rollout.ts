import { Duration } from "aws-cdk-lib";
import { Alarm, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Alias, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { acknowledgeManagedPolicy } from "../nag.ts";

/** The alias that everything invokes: the current version. */
const ALIAS = "live";
const MANAGED_POLICY = "service-role/AWSCodeDeployRoleForLambdaLimited";

/** Per minute: more than an occasional faulty message. */
const ERRORS_THAT_ROLL_BACK = 3;

/**
 * Rolls out new code function by function: a tenth of the calls for five minutes, then all. An alarm during the rollout
 * restores the previous version and makes CloudFormation roll back the deployment.
 */
export class CanaryRollout extends Construct {
  private readonly application: LambdaApplication;
  private readonly role: Role;
  private readonly alarms: Alarm[] = [];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.application = new LambdaApplication(this, "Application");
    this.role = new Role(this, "Role", { assumedBy: new ServicePrincipal("codedeploy.amazonaws.com") });
    acknowledgeManagedPolicy(
      this.role,
      MANAGED_POLICY,
      "CodeDeploy's own policy for shifting traffic between versions; CDK attaches it, and only CodeDeploy assumes the role.",
    );
  }

  /** Also rolls back the current rollout when this metric's sum over a minute reaches the threshold. */
  watch(id: string, metric: IMetric, threshold: number): void {
    this.alarms.push(rollbackAlarm(this, id, metric, threshold));
  }

  /** The alias to invoke instead of the function. */
  release(scope: Construct, released: LambdaFunction): Alias {
    const alias = new Alias(scope, "Live", { aliasName: ALIAS, version: released.currentVersion });
    const errors = alias.metricErrors({ period: Duration.minutes(1) });
    new LambdaDeploymentGroup(scope, "Deployment", {
      application: this.application,
      role: this.role,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [rollbackAlarm(scope, "RollbackErrors", errors, ERRORS_THAT_ROLL_BACK), ...this.alarms],
    });
    return alias;
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
