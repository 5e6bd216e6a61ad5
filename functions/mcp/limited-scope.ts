import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Principal } from "../../shared/runtime/access/principal.ts";
import type { Scope } from "./tools.ts";

/** The scope of a connection within what a user granted to an OAuth client. Throws PERMISSION_DENIED beyond it. */
export function limitedScope({ memoryUser }: Pick<Principal, "memoryUser">, scope: Scope): Scope {
  if (memoryUser === undefined) return scope;
  if (scope.user_id === undefined || scope.user_id === memoryUser) return { ...scope, user_id: memoryUser };
  const message = `The client was granted access to the memories of the user '${memoryUser}' only.`;
  throw new ServiceError("PERMISSION_DENIED", message, { user_id: memoryUser });
}
