/** Names of the CloudWatch metrics of requests, used by the dashboard and the alarms. */
export const REQUEST_METRICS = {
  duration: "RequestDuration",
  serverErrors: "ServerErrors",
  signInFailures: "SignInFailures",
} as const;
