import { redeem, urlOfRequest } from "./code-flow.ts";
import { type Fetch, signInRefused, TIMEOUT_SECONDS } from "./http.ts";
import type { IdentityProvider, ProviderClient } from "./provider.ts";

/** Reads the provider's metadata; its keys verify the signatures of ID tokens. */
async function discover(issuer: string, { clientId, clientSecret }: ProviderClient, send: Fetch) {
  const openId = await import("openid-client");
  // The settings allow http: only for localhost.
  const unencrypted = issuer.startsWith("http:") ? [openId.allowInsecureRequests] : [];
  return openId.discovery(new URL(issuer), clientId, undefined, openId.ClientSecretPost(clientSecret), {
    execute: [openId.enableNonRepudiationChecks, ...unencrypted],
    timeout: TIMEOUT_SECONDS,
    [openId.customFetch]: send,
  });
}

/** An OpenID provider: the ID token, whose issuer, audience, nonce, times and signature are checked, names the user. */
export async function openGoogle(issuer: string, client: ProviderClient, send: Fetch): Promise<IdentityProvider> {
  const config = await discover(issuer, client, send);
  return {
    authorizationUrl: (authorization, scopes) => urlOfRequest(config, authorization, scopes, true),
    async identify(answer, authorization) {
      const claims = (await redeem(config, answer, authorization, true)).claims();
      if (!claims) throw signInRefused("google", "no_id_token");
      const { sub, name, email, email_verified } = claims;
      return {
        provider: "google",
        subject: sub,
        name: typeof name === "string" ? name : undefined,
        email: typeof email === "string" ? { address: email, isVerified: email_verified === true } : undefined,
      };
    },
  };
}
