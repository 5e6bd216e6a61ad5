import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { Construct } from "constructs";

/** Percentages of the budget that are reported: of the costs so far, and of those forecast for the month. */
const REPORTED = { ACTUAL: 80, FORECASTED: 100 };

export interface BudgetProps {
  name: string;
  /** In US dollars a month. */
  limit: number;
  email: string;
}

/** A budget of the account. AWS can tell deployments apart only by tags that are activated for billing. */
export class Budget extends Construct {
  constructor(scope: Construct, id: string, { name, limit, email }: BudgetProps) {
    super(scope, id);
    new CfnBudget(this, "Budget", {
      budget: {
        budgetName: name,
        budgetType: "COST",
        timeUnit: "MONTHLY",
        budgetLimit: { amount: limit, unit: "USD" },
      },
      notificationsWithSubscribers: Object.entries(REPORTED).map(([notificationType, threshold]) => ({
        notification: { notificationType, threshold, thresholdType: "PERCENTAGE", comparisonOperator: "GREATER_THAN" },
        subscribers: [{ subscriptionType: "EMAIL", address: email }],
      })),
    });
  }
}
