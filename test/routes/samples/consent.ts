import type { GroupSamples } from "./sample.ts";

const request = { client_id: "oc_unknown", redirect_uri: "https://client.example/callback", response_type: "code" };

export const consent: GroupSamples = {
  routes: {
    readConsentPage: {},
    readGrantsPage: {},
    describeAuthorization: { body: request },
    consentToClient: { body: { ...request, approve: false } },
  },
  additions: ["GET /oauth/authorize", "GET /oauth/connected", "POST /oauth/authorization", "POST /oauth/consent"],
};
