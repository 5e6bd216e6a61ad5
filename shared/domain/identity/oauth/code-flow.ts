import type { Configuration } from "openid-client";
import type { Authorization, AuthorizationAnswer } from "./provider.ts";

/** The authorization URL: a request for a code, with PKCE by SHA-256. */
export async function urlOfRequest(
  config: Configuration,
  { redirectUri, state, verifier, nonce }: Authorization,
  scopes: readonly string[],
  isOpenId: boolean,
): Promise<string> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import("openid-client");
  const url = buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: scopes.join(" "),
    state,
    ...(isOpenId ? { nonce } : {}),
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  return url.href;
}

/** Exchanges the code for tokens; `isOpenId` requires an ID token of this sign-in. */
export async function redeem(
  config: Configuration,
  { code, iss }: AuthorizationAnswer,
  { redirectUri, state, verifier, nonce }: Authorization,
  isOpenId: boolean,
) {
  const { authorizationCodeGrant } = await import("openid-client");
  const returned = new URL(redirectUri);
  returned.search = new URLSearchParams({ code, state, ...(iss === undefined ? {} : { iss }) }).toString();
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  return authorizationCodeGrant(
    config,
    returned,
    isOpenId ? { ...checks, expectedNonce: nonce, idTokenExpected: true } : checks,
  );
}
