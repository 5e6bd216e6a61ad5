import type { Config } from "../../kernel/config.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import { readProjectSettings } from "./project.ts";
import type { SecretPolicy } from "./secret-policies.ts";

/** The policy where an organization has set none. */
function defaultSecretPolicy({ SECRETS_POLICY, PLATFORM }: Pick<Config, "SECRETS_POLICY" | "PLATFORM">): SecretPolicy {
  return SECRETS_POLICY ?? (PLATFORM === "local" ? "mask" : "redact");
}

/** Returns the policy for a user's texts: the user's own, the organization's, or the deployment's. */
export async function readSecretPolicy(runtime: OrgRuntime, user_id: string | undefined): Promise<SecretPolicy> {
  const { secrets_policy, secrets_policy_of_users } = await readProjectSettings(runtime);
  const own = secrets_policy_of_users?.find((each) => each.user_id === user_id);
  return own?.policy ?? secrets_policy ?? defaultSecretPolicy(runtime.config);
}
