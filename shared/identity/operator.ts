import { ServiceError } from "../kernel/errors.ts";
import type { Principal } from "./principal.ts";

/** For what concerns the whole deployment. Throws FORBIDDEN for credentials of any other organization. */
export function requireOperator({ operator }: Pick<Principal, "operator">): void {
  if (operator) return;
  throw new ServiceError(
    "FORBIDDEN",
    "This concerns the whole deployment: only its operator's organization may do it.",
  );
}
