import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { Deployment } from "../config.ts";

/** Sections of infra/README.md that say what to do; each alarm's description links its own. */
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
  | "table-throttles";

export interface AlarmRule {
  metric: IMetric;
  /** What is wrong when it fires, in one sentence. */
  problem: string;
  runbook: RunbookSection;
  /** Fires at this value or beyond, in the metric's unit. */
  threshold: number;
  /** Fires below instead of above. */
  falling?: true;
  /** Periods in a row; one unless given. */
  periods?: number;
}

/** The alarms of a deployment and the topic that tells its operator. */
export class ServiceAlarms extends Construct {
  readonly all: Alarm[] = [];
  private readonly action: SnsAction;
  private readonly runbookUrl: string;

  constructor(scope: Construct, id: string, { alarmEmail, runbook }: Deployment) {
    super(scope, id);
    const topic = new Topic(this, "Topic", { displayName: "Memory Service alarms", enforceSSL: true });
    if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
    this.action = new SnsAction(topic);
    this.runbookUrl = runbook;
  }

  /** Adds an alarm that tells the operator both when it fires and when it is over. Silence is no news. */
  watch(id: string, { metric, problem, runbook, threshold, falling, periods = 1 }: AlarmRule): void {
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
}
