import { toOAuthError } from "../../shared/domain/identity/authorization-server/errors.ts";
import type { RefusalForm } from "../../shared/runtime/http/group.ts";
import { OAuthError } from "./schemas.ts";

export const OAUTH_REFUSAL: RefusalForm = {
  schema: OAuthError,
  toBody: ({ code, message, details }) => ({ ...toOAuthError({ code, message }), code, details }),
};
