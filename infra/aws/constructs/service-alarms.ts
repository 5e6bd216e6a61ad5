import { Stack } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { Deployment } from "../../config.ts";

/** Sections of infra/README.md with instructions; each alarm's description links to its own. */
export type RunbookSection =
  | "api-errors"
  | "api-latency"
  | "function-errors"
  | "function-throttles"
  | "function-duration"
  | "change-feed-lag"
  | "dead-letters"
  | "queue-age"
  | "search-red"
  | "sign-in-failures"
  | "search-memory"
  | "search-disk"
  | "search-processor"
  | "search-rejections"
  | "search-write-block"
  | "search-snapshots"
  | "search-key"
  | "model-fallbacks"
  | "table-throttles";

export interface AlarmRule {
  metric: IMetric;
  /** The problem in one sentence. */
  problem: string;
  runbook: RunbookSection;
  /** Fires at this value or beyond, in the metric's unit. */
  threshold: number;
  /** Fires below instead of above. */
  falling?: true;
  /** Consecutive periods; 1 by default. */
  periods?: number;
}

/** The alarms of a deployment and their topic; none without a recipient. */
export class ServiceAlarms extends Construct {
  readonly all: Alarm[] = [];
  private readonly action: SnsAction | undefined;
  private readonly runbookUrl: string;

  constructor(scope: Construct, id: string, { alarmEmail, runbook }: Deployment, masterKey: IKey | undefined) {
    super(scope, id);
    this.action = alarmEmail === undefined ? undefined : new SnsAction(this.createTopic(alarmEmail, masterKey));
    this.runbookUrl = runbook;
  }

  /** Adds an alarm that notifies the operator when it fires and when it recovers. Missing data does not fire it. */
  watch(id: string, { metric, problem, runbook, threshold, falling, periods = 1 }: AlarmRule): void {
    if (this.action === undefined) return;
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: falling
        ? ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `${problem} Runbook: ${this.runbookUrl}#${runbook}`,
    });
    alarm.addAlarmAction(this.action);
    alarm.addOkAction(this.action);
    this.all.push(alarm);
  }

  private createTopic(alarmEmail: string, masterKey: IKey | undefined): Topic {
    const topic = new Topic(this, "Topic", { displayName: "Memory Service alarms", enforceSSL: true, masterKey });
    admitAlarms(topic);
    topic.addSubscription(new EmailSubscription(alarmEmail));
    return topic;
  }
}

/** A topic with its own policy, such as one that requires TLS, accepts alarms only if the policy allows them. */
function admitAlarms(topic: Topic): void {
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(topic).account } },
    }),
  );
}
