import { ServiceError } from "../../kernel/errors.ts";
import type { Principal } from "./principal.ts";

/** The organization whose admins run the deployment. There is exactly one, so its id is fixed. */
export const OPERATOR_ORG = "org_operator";

/** Protects actions on the whole deployment. Throws FORBIDDEN for credentials of any other organization. */
export function requireOperator({ operator }: Pick<Principal, "operator">): void {
  if (operator) return;
  throw new ServiceError("FORBIDDEN", "This affects the whole deployment: only the operator's organization can do it.");
}
