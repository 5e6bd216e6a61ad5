/** Names of the metrics that requests make in CloudWatch, which the dashboard and the alarms read. */
export const REQUEST_METRICS = {
  duration: "RequestDuration",
  serverErrors: "ServerErrors",
  signInFailures: "SignInFailures",
} as const;
