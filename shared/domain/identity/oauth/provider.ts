/** Providers of social sign-in by their names in paths. */
export const PROVIDERS = ["google", "github"] as const;

export type ProviderName = (typeof PROVIDERS)[number];

/** A person as described by the provider. */
export interface ProviderAccount {
  provider: ProviderName;
  /** The provider's id of the person; never reassigned, unlike an email address. */
  subject: string;
  name?: string;
  /** `isVerified`: the provider verified the address. */
  email?: { address: string; isVerified: boolean };
}

/** The secrets that bind one sign-in at a provider; created for each sign-in and checked when the browser returns. */
export interface Authorization {
  redirectUri: string;
  /** Identifies the sign-in when the browser returns; 256 random bits. */
  state: string;
  /** PKCE (RFC 7636): the provider has its hash, so a stolen code is useless. */
  verifier: string;
  /** Must be in the ID token (OpenID Connect Core 3.1.2.1). */
  nonce: string;
}

/** The parameters with which the browser returns from the provider. */
export interface AuthorizationAnswer {
  code: string;
  /** The issuer (RFC 9207), if the provider sends it. */
  iss?: string;
}

/** An identity provider: OAuth 2.0 with code and PKCE, or OpenID Connect on top of it. */
export interface IdentityProvider {
  /** The URL for signing in. */
  authorizationUrl(authorization: Authorization, scopes: readonly string[]): Promise<string>;
  /** Redeems the code and returns the account. Throws OAUTH_REFUSED or SERVICE_UNAVAILABLE. */
  identify(answer: AuthorizationAnswer, authorization: Authorization): Promise<ProviderAccount>;
}

/** The registration of this service at a provider. */
export interface ProviderClient {
  clientId: string;
  clientSecret: string;
}
