import type * as z from "zod";
import { recordAudit } from "../../shared/audit/audit.ts";
import { OPERATOR_ORG } from "../../shared/identity/bootstrap.ts";
import { findOrMakeUser } from "../../shared/identity/oauth/accounts.ts";
import { refused } from "../../shared/identity/oauth/http.ts";
import { beginSignIn, PATIENCE_SECONDS, type PendingSignIn, takeSignIn } from "../../shared/identity/oauth/pending.ts";
import { PROVIDERS, type ProviderAccount, type ProviderName } from "../../shared/identity/oauth/provider.ts";
import { openProvider } from "../../shared/identity/oauth/providers.ts";
import { passFirstFactor, type SecondFactorRequired, type SignedIn } from "../../shared/identity/sign-in.ts";
import type { User } from "../../shared/identity/users.ts";
import { type Config, publicUrlOf } from "../../shared/kernel/config.ts";
import { invalid, notFound, ServiceError } from "../../shared/kernel/errors.ts";
import type { Home } from "../../shared/platform/context.ts";
import type * as schemas from "./social-schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

interface Scopes {
  /** Without these there is no telling who signed in. */
  needed: readonly string[];
  usual: readonly string[];
  /** More would give us what no sign-in needs, and a person who consents would not know why. */
  allowed: readonly string[];
}

const SCOPES: Record<ProviderName, Scopes> = {
  google: { needed: ["openid", "email"], usual: ["email", "profile"], allowed: ["openid", "email", "profile"] },
  github: { needed: ["user:email"], usual: ["user:email"], allowed: ["user:email", "read:user"] },
};

/** What an `error` of a provider may look like (RFC 6749, 4.1.2.1); anything else is not repeated. */
const ERROR_CODE = /^[a-z_]{1,64}$/;

function scopesOf(provider: ProviderName, given: string | undefined): string[] {
  const { needed, usual, allowed } = SCOPES[provider];
  const asked = given?.split(/[\s,]+/).filter((scope) => scope !== "") ?? usual;
  const excess = asked.filter((scope) => !allowed.includes(scope));
  if (excess.length > 0) {
    throw invalid({ field: "scope", problem: `may name ${allowed.join(", ")}, and not ${excess.join(", ")}` });
  }
  return [...new Set([...needed, ...asked])];
}

/** Where a sign-in may lead back to: the service's own callbacks, and pages that the operator named, letter by letter. */
function redirectsOf(provider: ProviderName, config: Config): [usual: string, ...others: string[]] {
  const base = publicUrlOf(config);
  const others = config.OAUTH_REDIRECT_URIS ?? [];
  return [`${base}/auth/${provider}/callback`, `${base}/auth/callback/${provider}`, ...others];
}

/** Tells where to send the browser. `state` in the answer is the client's own where it named one; ours stays in the URL. */
export async function startSocialSignIn(
  home: Home,
  provider: ProviderName,
  { redirect_uri, state: clientState, scope }: Input<typeof schemas.StartSocialSignIn>,
) {
  const scopes = scopesOf(provider, scope);
  const redirects = redirectsOf(provider, home.config);
  const redirectUri = redirect_uri ?? redirects[0];
  if (!redirects.includes(redirectUri)) {
    throw invalid({
      field: "redirect_uri",
      problem: "must be one that the operator registered in OAUTH_REDIRECT_URIS",
    });
  }
  const asked = await openProvider(provider, home);
  const pending = await beginSignIn(home, { provider, redirectUri, clientState });
  const authorization_url = await asked.authorizationUrl(pending, scopes);
  return { authorization_url, state: clientState ?? pending.state, expires_in: PATIENCE_SECONDS };
}

function providerNamed(name: string): ProviderName {
  const provider = PROVIDERS.find((known) => known === name);
  if (!provider) throw notFound("provider", name);
  return provider;
}

async function takeOwn(home: Home, provider: ProviderName, state: string | undefined): Promise<PendingSignIn> {
  const pending = state === undefined ? undefined : await takeSignIn(home, provider, state);
  if (pending) return pending;
  throw new ServiceError("OAUTH_STATE_INVALID", "This sign-in is unknown, over or too old. Start again.", { provider });
}

/** Ends a sign-in that a provider sent back here: with tokens, or the question for the second factor. */
export async function finishSocialSignIn(
  home: Home,
  named: string,
  { code, state, error, iss }: Input<typeof schemas.FinishSocialSignIn>,
) {
  const provider = providerNamed(named);
  const pending = await takeOwn(home, provider, state);
  let user: User | undefined;
  try {
    user = await findOrMakeUser(home, await identify(home, pending, { code, error, iss }));
    const outcome = await passFirstFactor(home, user, { method: provider });
    return { ...present(outcome, provider), state: pending.clientState };
  } catch (thrown) {
    await recordRefusal(home, provider, thrown, user);
    throw thrown;
  }
}

async function identify(
  home: Home,
  pending: PendingSignIn,
  { code, error, iss }: Omit<Input<typeof schemas.FinishSocialSignIn>, "state">,
): Promise<ProviderAccount> {
  if (error !== undefined) throw refused(pending.provider, ERROR_CODE.test(error) ? error : "unknown_error");
  if (code === undefined) throw invalid({ field: "code", problem: "must be what the provider added to the URL" });
  const provider = await openProvider(pending.provider, home);
  return provider.identify({ code, iss }, pending);
}

function present(outcome: SignedIn | SecondFactorRequired, provider: ProviderName) {
  if ("two_factor_required" in outcome) return outcome;
  const { id, email, name } = outcome.user;
  return { ...outcome, user: { id, email, name, provider } };
}

async function recordRefusal(home: Home, method: ProviderName, thrown: unknown, user: User | undefined): Promise<void> {
  const isAnswer = thrown instanceof ServiceError;
  await recordAudit(
    { ...home, org: user?.org ?? OPERATOR_ORG },
    {
      action: "auth.login",
      outcome: isAnswer ? "refused" : "failed",
      target: user?.id,
      details: { method, code: isAnswer ? thrown.code : "INTERNAL_ERROR" },
    },
  );
}
