import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import { showConsentPage, showGrantsPage } from "./pages.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group, { permission: "any" });

routes.public.get("/oauth/authorize", "readConsentPage", {
  summary: "The page on which a person signs in and decides what a client may do",
  ignoresUnknownParameters: true,
  answer: "raw",
  produces: "text/html",
  handler: async () => showConsentPage(),
});

routes.public.get("/oauth/connected", "readGrantsPage", {
  summary: "The page on which a person sees and ends what clients may do; a provider returns to it after a sign-in",
  ignoresUnknownParameters: true,
  answer: "raw",
  produces: "text/html",
  handler: async () => showGrantsPage(),
});

routes.public.post("/oauth/authorization", "describeAuthorization", {
  summary: "Check an authorization request, and describe the client and what it asks for",
  readOnly: true,
  body: schemas.AuthorizationRequest,
  answer: schemas.DescribedRequest,
  errors: ["INVALID_CLIENT", "INVALID_REDIRECT_URI", "INVALID_SCOPE", "INVALID_TARGET", "UNSUPPORTED_RESPONSE_TYPE"],
  handler: (runtime, { body }) => service.describeRequest(runtime, body),
});

routes.post("/oauth/consent", "consentToClient", {
  summary: "Approve or deny an authorization request as the signed-in user",
  body: schemas.Consent,
  answer: schemas.Redirection,
  errors: [
    ...(["FORBIDDEN", "INVALID_CLIENT", "INVALID_REDIRECT_URI", "INVALID_SCOPE", "INVALID_TARGET"] as const),
    ...(["PASSWORD_CHANGE_REQUIRED", "UNSUPPORTED_RESPONSE_TYPE"] as const),
  ],
  handler: (ctx, { body }) => service.consent(ctx, body),
});
