/** Who social sign-in is possible at, by the names that paths use. */
export const PROVIDERS = ["google", "github"] as const;

export type ProviderName = (typeof PROVIDERS)[number];

/** A person as the provider tells of them. */
export interface ProviderAccount {
  provider: ProviderName;
  /** The provider's own id of the person; never given to another one, unlike an e-mail address. */
  subject: string;
  name?: string;
  /** `isVerified`: the provider says that it made sure of it. */
  email?: { address: string; isVerified: boolean };
}

/** What ties one sign-in at a provider together: all of it is ours, made anew each time, and comes back or is checked. */
export interface Authorization {
  redirectUri: string;
  /** Names the sign-in when the browser comes back; 256 random bits. */
  state: string;
  /** PKCE (RFC 7636): the provider was shown its hash, so a stolen code is worth nothing. */
  verifier: string;
  /** Must be in the ID token (OpenID Connect Core 3.1.2.1). */
  nonce: string;
}

/** What the browser brings back from the provider. */
export interface AuthorizationAnswer {
  code: string;
  /** Who answered (RFC 9207), where the provider says so. */
  iss?: string;
}

/** One provider of identities: OAuth 2.0 with code and PKCE, or OpenID Connect on top of it. */
export interface IdentityProvider {
  /** Where the browser goes to sign in. */
  authorizationUrl(authorization: Authorization, scopes: readonly string[]): Promise<string>;
  /** Redeems the code and tells whose it is. Throws OAUTH_REFUSED or SERVICE_UNAVAILABLE. */
  identify(answer: AuthorizationAnswer, authorization: Authorization): Promise<ProviderAccount>;
}

/** What is known of this service at a provider. */
export interface ProviderClient {
  clientId: string;
  clientSecret: string;
}
