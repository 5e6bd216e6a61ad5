import { findOrMakeUser } from "../../shared/domain/identity/oauth/accounts.ts";
import { signInRefused } from "../../shared/domain/identity/oauth/http.ts";
import {
  beginSignIn,
  type PendingSignIn,
  TIMEOUT_SECONDS,
  takeSignIn,
} from "../../shared/domain/identity/oauth/pending.ts";
import { PROVIDERS, type ProviderName } from "../../shared/domain/identity/oauth/provider.ts";
import { configuredProviders, openProvider } from "../../shared/domain/identity/oauth/providers.ts";
import { passFirstFactor, type SignInOutcome } from "../../shared/domain/identity/sign-in.ts";
import type { User } from "../../shared/domain/identity/users.ts";
import { type Config, publicUrlOf } from "../../shared/kernel/config.ts";
import { existing, invalid, ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { recordAudit } from "../../shared/runtime/audit/audit.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

type StartRequest = Input<typeof schemas.StartSocialSignIn>;
type FinishRequest = Input<typeof schemas.FinishSocialSignIn>;

interface Scopes {
  /** Scopes required to identify the user. */
  required: readonly string[];
  defaults: readonly string[];
  /** Other scopes are refused, because a sign-in does not need them. */
  allowed: readonly string[];
}

const SCOPES: Record<ProviderName, Scopes> = {
  google: { required: ["openid", "email"], defaults: ["email", "profile"], allowed: ["openid", "email", "profile"] },
  github: { required: ["user:email"], defaults: ["user:email"], allowed: ["user:email", "read:user"] },
};

/** The form of a provider's `error` (RFC 6749, 4.1.2.1); other values are not repeated. */
const ERROR_CODE = /^[a-z_]{1,64}$/;

function scopesOf(provider: ProviderName, given: string | undefined): string[] {
  const { required, defaults, allowed } = SCOPES[provider];
  const requested = given?.split(/[\s,]+/).filter((scope) => scope !== "") ?? defaults;
  const excess = requested.filter((scope) => !allowed.includes(scope));
  if (excess.length > 0) {
    throw invalid({ field: "scope", problem: `may contain ${allowed.join(", ")}, but not ${excess.join(", ")}` });
  }
  return [...new Set([...required, ...requested])];
}

/** Allowed redirect URLs: the service's own callbacks and pages, and pages of the operator's, compared exactly. */
function redirectsOf(provider: ProviderName, config: Config): [defaultUrl: string, ...others: string[]] {
  const base = publicUrlOf(config);
  const others = config.OAUTH_REDIRECT_URIS ?? [];
  const own = [`${base}/auth/callback/${provider}`, `${base}/console/signin`, `${base}/oauth/connected`];
  return [`${base}/auth/${provider}/callback`, ...own, ...others];
}

/** The providers that a sign-in can be started with. */
export async function listProviders({ config }: Runtime) {
  return { providers: configuredProviders(config) };
}

/** Returns the URL for the browser. `state` in the response is the client's if given; the service's is in the URL. */
export async function startSocialSignIn(runtime: Runtime, provider: ProviderName, given: StartRequest) {
  const { redirect_uri, state: clientState, scope } = given;
  const scopes = scopesOf(provider, scope);
  const redirects = redirectsOf(provider, runtime.config);
  const redirectUri = redirect_uri ?? redirects[0];
  if (!redirects.includes(redirectUri)) {
    throw invalid({
      field: "redirect_uri",
      problem: "must be registered by the operator in OAUTH_REDIRECT_URIS",
    });
  }
  const client = await openProvider(provider, runtime);
  const pending = await beginSignIn(runtime, { provider, redirectUri, clientState });
  const authorization_url = await client.authorizationUrl(pending, scopes);
  return { authorization_url, state: clientState ?? pending.state, expires_in: TIMEOUT_SECONDS };
}

async function takePending(
  runtime: Runtime,
  provider: ProviderName,
  state: string | undefined,
): Promise<PendingSignIn> {
  const pending = state === undefined ? undefined : await takeSignIn(runtime, provider, state);
  if (pending) return pending;
  throw new ServiceError("OAUTH_STATE_INVALID", "This sign-in is unknown, finished or expired. Start again.", {
    provider,
  });
}

/** Completes a sign-in after a provider's redirect: with tokens, or a challenge for the second factor. */
export async function finishSocialSignIn(runtime: Runtime, named: string, { state, ...answer }: FinishRequest) {
  const known = PROVIDERS.find((provider) => provider === named);
  const provider = existing(known, "provider", named);
  const pending = await takePending(runtime, provider, state);
  let user: User | undefined;
  try {
    user = await findOrMakeUser(runtime, await identify(runtime, pending, answer));
    const outcome = await passFirstFactor(runtime, user, { method: provider });
    return { ...present(outcome, provider), state: pending.clientState };
  } catch (thrown) {
    await recordRefusal(runtime, provider, thrown, user);
    throw thrown;
  }
}

async function identify(runtime: Runtime, pending: PendingSignIn, { code, error, iss }: Omit<FinishRequest, "state">) {
  if (error !== undefined) throw signInRefused(pending.provider, ERROR_CODE.test(error) ? error : "unknown_error");
  if (code === undefined)
    throw invalid({ field: "code", problem: "must be the code that the provider added to the URL" });
  const provider = await openProvider(pending.provider, runtime);
  return provider.identify({ code, iss }, pending);
}

function present(outcome: SignInOutcome, provider: ProviderName) {
  if ("two_factor_required" in outcome) return outcome;
  const { id, email, name } = outcome.user;
  return { ...outcome, user: { id, email, name, provider } };
}

async function recordRefusal(runtime: Runtime, method: ProviderName, thrown: unknown, user: User | undefined) {
  const isServiceError = thrown instanceof ServiceError;
  await recordAudit(
    { ...runtime, org: user?.org ?? OPERATOR_ORG },
    {
      action: "auth.login",
      outcome: isServiceError ? "refused" : "failed",
      target: user?.id,
      details: { method, code: isServiceError ? thrown.code : "INTERNAL_ERROR" },
    },
  );
}
