import type { Edit, Patch } from "../patch.ts";

const AUTHENTICATE = "shared/identity/authenticate.test.ts";
const TOKENS = "shared/identity/tokens.test.ts";
const AUTH = "test/e2e/auth.test.ts";
const SECOND_FACTOR = "test/e2e/auth-second-factor.test.ts";
const SOCIAL = "test/e2e/social.test.ts";
const INVITES = "test/e2e/invites.test.ts";
const CREDENTIALS = "test/routes/credentials.test.ts";

function guard(name: string, edit: Edit, tests: string[], only?: string, besides?: Edit[]): Patch {
  return { name, kind: "credential", ...edit, tests, ...(only && { only }), ...(besides && { besides }) };
}

const ofKeys: readonly Patch[] = [
  guard(
    "key: a revoked one is refused",
    {
      file: "shared/identity/authenticate.ts",
      find: `if (key?.status !== "active" || hasExpired) return undefined;`,
      replace: "if (key === undefined || hasExpired) return undefined;",
    },
    [AUTHENTICATE],
    "^a key",
  ),
  guard(
    "key: an expired one is refused",
    {
      file: "shared/identity/authenticate.ts",
      find: `if (key?.status !== "active" || hasExpired) return undefined;`,
      replace: `if (key?.status !== "active" || hasExpired === undefined) return undefined;`,
    },
    [AUTHENTICATE],
    "^a key",
  ),
  guard(
    "key: ends with its agent",
    { file: "shared/identity/authenticate.ts", find: "    if (!hasAgent) return undefined;\n", replace: "" },
    [AUTHENTICATE],
    "^a key made for an agent that is gone",
  ),
  guard(
    "key: stops with its owner",
    {
      file: "shared/identity/authenticate.ts",
      find: "if (!organization || (key.owner !== undefined && !answersFor(owner, key, this.#clock()))) return undefined;",
      replace: "if (!organization) return undefined;",
    },
    [AUTHENTICATE],
    "^a key that a user answers for",
  ),
  guard(
    "key: stops while its owner is suspended",
    {
      file: "shared/identity/authenticate.ts",
      find: `owner !== undefined && statusAt(owner, now) === "active" && created_at`,
      replace: "owner !== undefined && now > 0 && created_at",
    },
    [AUTHENTICATE],
    "^a key that a user answers for",
  ),
  guard(
    "key: made before the address was proven it is refused",
    {
      file: "shared/identity/authenticate.ts",
      find: `created_at >= (owner.keys_since ?? "")`,
      replace: `created_at >= ""`,
    },
    [AUTH],
    "^a forgotten password leaves no way back in",
  ),
  guard(
    "key: can no more than its owner",
    {
      file: "shared/identity/authenticate.ts",
      find: "return owner ? key.permissions.filter((permission) => covers(owner.permissions, permission)) : key.permissions;",
      replace: "return owner ? key.permissions : key.permissions;",
    },
    [AUTHENTICATE],
    "^a key that a user answers for",
  ),
  guard(
    "key: a changed one is read again at once",
    {
      file: "shared/identity/authenticate.ts",
      find: "    this.#keys.forgetWhere((key) => key.id === id);\n",
      replace: "",
    },
    ["test/e2e/api-keys.test.ts"],
    "^revoking a key",
  ),
  guard(
    "key: another process reads it again before long",
    {
      file: "shared/identity/authenticate.ts",
      find: "export const TRUST_MS = 10_000;",
      replace: "export const TRUST_MS = 10_000_000;",
    },
    [AUTHENTICATE],
  ),
  guard(
    "key: a revoked one stays as it is",
    {
      file: "shared/identity/records.ts",
      find: "{ update: apiKeyKey(org, id), set, add: { revision: 1 }, condition },",
      replace: "{ update: apiKeyKey(org, id), set, add: { revision: 1 } },",
    },
    ["test/e2e/api-keys.test.ts"],
    "^(revoking|rotating) a key",
  ),
  guard(
    "key: rotating gives back nothing that was taken away meanwhile",
    {
      file: "functions/api-keys/service.ts",
      find: "changeApiKey(old, gone, { seen: true })",
      replace: "changeApiKey(old, gone)",
    },
    ["test/e2e/api-keys.test.ts"],
    "^rotating a key gives back nothing",
  ),
  guard(
    "credential: none is refused",
    {
      file: "shared/http/app.ts",
      find: "principal = await home.authenticator.authenticate(http.req.raw.headers);\n    return serveGuarded",
      replace: `principal = await home.authenticator.authenticate(http.req.raw.headers).catch(() => ({ kind: "api_key" as const, id: "ak_none", org: "org_operator", operator: true, plan: "enterprise" as const, permissions: ["admin:all" as const] }));\n    return serveGuarded`,
    },
    ["test/e2e/api-keys.test.ts"],
    "^revoking a key stops it",
  ),
  guard(
    "credential: a token in the place of a key is none",
    {
      file: "shared/identity/authenticate.ts",
      find: `const isToken = !headers.has("x-api-key") && looksLikeToken(credential);`,
      replace: "const isToken = looksLikeToken(credential);",
    },
    [CREDENTIALS],
    "^GET /memories/\\{id\\} lets nobody in who shows a token in",
  ),
];

const ofTokens: readonly Patch[] = [
  guard(
    "token: the signature is verified",
    {
      file: "shared/identity/tokens.ts",
      find: "const { payload } = await jwtVerify(token, (header: JWTHeaderParameters) => this.#publicKey(header), expected);",
      replace: `const payload = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());\n      if (!expected || !jwtVerify) throw new errors.JWKSNoMatchingKey();`,
    },
    [TOKENS],
    "^access tokens are refused when (any part|another key)",
  ),
  guard(
    "token: one of another issuer is refused",
    { file: "shared/identity/tokens.ts", find: "      issuer: ISSUER,\n", replace: "" },
    [TOKENS],
    "are refused",
  ),
  guard(
    "token: one for another audience is refused",
    { file: "shared/identity/tokens.ts", find: "      audience: AUDIENCE,\n", replace: "" },
    [TOKENS],
    "are refused",
  ),
  guard(
    "token: one of another type is refused",
    { file: "shared/identity/tokens.ts", find: "      typ: TYPE,\n", replace: "" },
    [TOKENS],
    "are refused",
  ),
  guard(
    "token: one without an end is refused",
    {
      file: "shared/identity/tokens.ts",
      find: `      requiredClaims: ["exp", "iat", "sub"],\n`,
      replace: "",
    },
    [TOKENS],
    "are refused",
  ),
  guard(
    "token: an expired one is refused",
    {
      file: "shared/identity/tokens.ts",
      find: "currentDate: new Date(this.#clock()),",
      replace: "currentDate: new Date(this.#clock() - this.#clock()),",
    },
    [TOKENS],
    "^access tokens end",
  ),
  guard(
    "token: one that says too little is refused",
    {
      file: "shared/identity/tokens.ts",
      find: `const isComplete = sub && typeof org === "string" && typeof epoch === "number" && typeof session === "string";`,
      replace: "const isComplete = sub;",
    },
    [TOKENS],
    "are refused",
  ),
  guard(
    "token: one that a key signed whose time is over is refused",
    {
      file: "shared/identity/signing-keys.ts",
      find: "  return now < verifies_until;",
      replace: "  return now > 0 || verifies_until > 0;",
    },
    ["shared/identity/signing-keys.test.ts"],
  ),
  guard(
    "token: one of a compromised key is refused",
    {
      file: "shared/identity/signing-keys.ts",
      find: `const former = reason === "compromised" ? [] : keys.filter`,
      replace: "const former = keys.filter",
    },
    ["test/e2e/tokens.test.ts"],
    "of a compromised key",
  ),
  guard(
    "token: its user is of the organization that it names",
    {
      file: "shared/identity/authenticate.ts",
      find: "return this.#users.get(nameOf(org, id), () => findUser(this.#records, org, id));",
      replace: "return this.#users.get(id, () => findUser(this.#records, org, id));",
    },
    [AUTHENTICATE],
    "^a user of another organization is nobody",
  ),
  guard(
    "token: its user is active",
    {
      file: "shared/identity/users.ts",
      find: `    statusAt(user, now) === "active" &&\n    user.credential_epoch === token.epoch &&`,
      replace: "    now > 0 &&\n    user.credential_epoch === token.epoch &&",
    },
    [AUTHENTICATE],
    "^a user who is suspended",
    [
      {
        // A new status is a new epoch: the other layer.
        file: "shared/identity/users.ts",
        find: "    after.status !== before.status ||\n",
        replace: "",
      },
    ],
  ),
  guard(
    "token: one of before the credentials changed is refused",
    {
      file: "shared/identity/users.ts",
      find: "    user.credential_epoch === token.epoch &&\n",
      replace: "",
    },
    [AUTHENTICATE],
    "^a user who is of another password",
  ),
  guard(
    "token: one of a session that ended is refused",
    {
      file: "shared/identity/users.ts",
      find: "    !user.ended_sessions.some(({ id }) => id === token.session)",
      replace: "    user.ended_sessions !== undefined",
    },
    [AUTH],
    "^logging out ends this session",
  ),
  guard(
    "token: with a temporary password it holds nothing",
    {
      file: "shared/identity/users.ts",
      find: "  return must_change_password ? [] : permissions;",
      replace: "  return must_change_password ? permissions : permissions;",
    },
    [AUTHENTICATE],
    "^a user holds nothing while",
  ),
  guard(
    "user: a changed one is read again at once",
    {
      file: "shared/identity/authenticate.ts",
      find: "    this.#users.forgetWhere((user) => user.id === id);\n",
      replace: "",
    },
    [AUTHENTICATE],
    "^a user (may|who)",
  ),
];

const ofSignIns: readonly Patch[] = [
  guard(
    "refresh: of a family the last token alone is good",
    {
      file: "shared/identity/sign-ins.ts",
      find: "await records.write({ ...toRecord(renewed, now), condition: { token_hash: reading.hash } });",
      replace: "await records.write(toRecord(renewed, now));",
    },
    ["shared/identity/sign-ins.test.ts", AUTH],
  ),
  guard(
    "refresh: reuse ends the session",
    { file: "shared/identity/sign-ins.ts", find: "    await endSignIn(home, signIn);\n", replace: "" },
    ["shared/identity/sign-ins.test.ts", AUTH],
  ),
  guard(
    "refresh: goes by the user as they are",
    {
      file: "shared/identity/sign-ins.ts",
      find: "if (!user || !isAdmitted(user, { epoch: signIn.epoch, session: signIn.id }, now)) throw refused();",
      replace: "if (!user || !isAdmitted) throw refused();",
    },
    ["test/e2e/users.test.ts", AUTH],
    "^(suspending a user stops|changing the password ends)",
  ),
  guard(
    "refresh: ends after its time",
    {
      file: "shared/identity/sign-ins.ts",
      find: "    ttl: Math.ceil(now / 1000) + signIn.lifetime_seconds,\n",
      replace: "",
    },
    ["test/e2e/auth-times.test.ts"],
    "^tokens end: refresh tokens",
  ),
  guard(
    "sign-in: ends where the credentials change meanwhile",
    {
      file: "shared/identity/users.ts",
      find: "    condition: { credential_epoch },\n",
      replace: "",
    },
    ["shared/identity/sign-in.test.ts"],
  ),
  guard(
    "password: is verified",
    {
      file: "shared/identity/password-hash.ts",
      find: "return timingSafeEqual(await compute(password, recipe, expected.length), expected);",
      replace: "return timingSafeEqual((await compute(password, recipe, expected.length)).fill(0), expected.fill(0));",
    },
    ["shared/identity/password-hash.test.ts"],
  ),
  guard(
    "sign-in: a wrong password is refused",
    { file: "functions/auth/sign-in.ts", find: "  if (!user || !isRight) {", replace: "  if (!user) {" },
    [AUTH],
    "^signing in takes the address however",
  ),
  guard(
    "sign-in: an expired temporary password is refused",
    { file: "functions/auth/sign-in.ts", find: "  refuseStale(home, user);\n", replace: "" },
    ["test/e2e/auth-times.test.ts"],
    "^a temporary password is good for seven days",
  ),
  guard(
    "sign-in: who is not active is refused",
    {
      file: "shared/identity/sign-in.ts",
      find: `  if (status === "active") return;`,
      replace: `  if (status) return;`,
    },
    ["test/e2e/users.test.ts"],
    "^suspending a user refuses their sign-in",
  ),
  guard(
    "sign-in: the second factor is asked for",
    {
      file: "shared/identity/sign-in.ts",
      find: "  if (!user.two_factor?.enabled) return signInAs(home, user, options);",
      replace: "  if (user) return signInAs(home, user, options);",
    },
    [SECOND_FACTOR],
    "^signing in with two factors ends with a code",
  ),
  guard(
    "password: is asked for before it is changed",
    {
      file: "functions/auth/passwords.ts",
      find: "  if (!(await verifyPassword(password, user.password_hash))) throw wrongCredentials(field, remaining);",
      replace: "  if (remaining === undefined) throw wrongCredentials(field, remaining);",
    },
    [AUTH],
    "^changing the password",
  ),
  guard(
    "password: a change of another's credentials in between is refused",
    {
      file: "functions/auth/passwords.ts",
      find: "      if (credential_epoch !== user.credential_epoch) throw overtaken();\n",
      replace: "      if (credential_epoch === undefined) throw overtaken();\n",
    },
    [AUTH],
    "^changing the password lets one of two",
  ),
  guard(
    "password: a new one ends every session",
    {
      file: "shared/identity/users.ts",
      find: "    after.password_hash !== before.password_hash ||\n",
      replace: "",
    },
    [AUTH],
    "^changing the password ends every",
  ),
  guard(
    "logout: ends nobody else's session",
    {
      file: "functions/auth/sign-in.ts",
      find: "const isOwn = named?.org === user.org && named.user_id === user.id;",
      replace: "const isOwn = named !== undefined && user !== undefined;",
    },
    [AUTH],
    "^logging out ends nobody else's",
  ),
];

const ofOneTimeTokens: readonly Patch[] = [
  guard(
    "mailed token: is of one purpose",
    {
      file: "shared/identity/one-time-tokens.ts",
      find: "pk: `one_time_token#$" + "{purpose}#$" + "{sha256(token)}`",
      replace: "pk: `one_time_token#$" + "{sha256(token)}`",
    },
    [AUTH],
    "^verifying the address takes no token of another",
  ),
  guard(
    "mailed token: is used once",
    {
      file: "shared/identity/one-time-tokens.ts",
      find: `return { delete: tokenKey(purpose, token), condition: "present" };`,
      replace: `return { check: tokenKey(purpose, token), condition: "present" };`,
    },
    [AUTH],
    "^verifying the address takes the mailed token once",
  ),
  guard(
    "mailed token: two who use it at once are one",
    {
      file: "shared/identity/one-time-tokens.ts",
      find: `return { delete: tokenKey(purpose, token), condition: "present" };`,
      replace: "return { delete: tokenKey(purpose, token) };",
    },
    [SECOND_FACTOR],
    "^signing in with two factors takes a challenge once",
    // A challenge's code is used up with it: the other layer.
    [
      {
        file: "functions/auth/second-factor.ts",
        find: "step !== undefined && step > current.last_step ?",
        replace: "step !== undefined ?",
      },
    ],
  ),
  guard(
    "mailed token: ends after its time",
    { file: "shared/identity/one-time-tokens.ts", find: `stands, { ttl }) } };`, replace: "stands) } };" },
    ["test/e2e/auth-times.test.ts"],
    "^tokens end: (the verification's|a reset's|a challenge's)",
  ),
  guard(
    "mailed token: ends with the password that it was to replace",
    {
      file: "functions/auth/passwords.ts",
      find: "  if (!user || user.credential_epoch !== stands.epoch) throw uselessToken();",
      replace: "  if (!user) throw uselessToken();",
    },
    [AUTH],
    "^a forgotten password ends with",
  ),
  guard(
    "forgotten password: leaves no way back in to who registered another's address",
    {
      file: "functions/auth/passwords.ts",
      find: "  if (email_verified) return {};",
      replace: "  if (email_verified || home) return { email_verified: true };",
    },
    [AUTH],
    "^a forgotten password leaves no way back in",
  ),
  guard(
    "invite: a token is of its own invitation",
    {
      file: "functions/users/invites.ts",
      find: `  if (link?.invite_id !== id) throw notFound("invite", id);`,
      replace: `  if (!link) throw notFound("invite", id);`,
    },
    [INVITES],
    "^accepting an invitation needs",
    [
      {
        file: "functions/users/invites.ts",
        find: "getInvite({ ...home, org: link.org }, id)",
        replace: "getInvite({ ...home, org: link.org }, link.invite_id)",
      },
    ],
  ),
  guard(
    "invite: one that is over is refused",
    {
      file: "functions/users/invites.ts",
      find: `  if (state !== "pending") throw closed(invite, state);\n`,
      replace: "",
    },
    [INVITES],
    "^accepting an invitation is",
    [
      {
        // The other layer: its write is refused.
        file: "shared/identity/invites.ts",
        find: `    condition: { status: "pending", expires_at: { greaterThan: accepted_at } },\n`,
        replace: "",
      },
    ],
  ),
  guard(
    "invite: two who accept at once are one",
    {
      file: "shared/identity/invites.ts",
      find: `    condition: { status: "pending", expires_at: { greaterThan: accepted_at } },\n`,
      replace: "",
    },
    [INVITES],
    "^accepting an invitation is (once|no more)",
    // The address is one user's in the whole deployment: the other layer.
    [
      {
        file: "shared/identity/users.ts",
        find: `function claim(key: RecordKey, { org, id }: User): Write {\n  return { put: toItem(key, "user_claim", { org, user_id: id }), condition: "absent" };`,
        replace: `function claim(key: RecordKey, { org, id }: User): Write {\n  return { put: toItem(key, "user_claim", { org, user_id: id }) };`,
      },
    ],
  ),
  guard(
    "invite: an address counts as proven by the mailed link alone",
    {
      file: "functions/users/invites.ts",
      find: "return { invite, grantable, isAddressProven: link.is_mailed };",
      replace: "return { invite, grantable, isAddressProven: true };",
    },
    [INVITES],
    "^accepting an invitation",
  ),
];

/** What ends tokens is that a record of yesterday is none, whenever it is removed. */
const ofExpiry: readonly Patch[] = [
  guard(
    "record, one machine: an expired one is none",
    {
      file: "shared/platform/local/record-query.ts",
      find: `export const LIVE = "(ttl IS NULL OR ttl > ?)";`,
      replace: `export const LIVE = "(ttl IS NULL OR ? > 0)";`,
    },
    ["test/contract/local.test.ts"],
    "hides a record from the second",
  ),
  guard(
    "record, AWS: an expired one is none",
    {
      file: "shared/platform/aws/records.ts",
      find: "  return record.ttl !== undefined && record.ttl <= now;",
      replace: "  return record.ttl !== undefined && now < 0;",
    },
    ["shared/platform/aws/records.test.ts"],
    "show no expired item",
  ),
];

const ofSecondFactor: readonly Patch[] = [
  guard(
    "second factor: a wrong code is refused",
    {
      file: "shared/identity/totp.ts",
      find: "return result.valid ? result.timeStep : undefined;",
      replace: "return result.valid ? result.timeStep : epoch;",
    },
    ["shared/identity/totp.test.ts"],
  ),
  guard(
    "second factor: a code is good once",
    {
      file: "functions/auth/second-factor.ts",
      find: "step !== undefined && step > current.last_step ?",
      replace: "step !== undefined ?",
    },
    [SECOND_FACTOR],
    "^signing in with two factors takes a code once",
  ),
  guard(
    "second factor: a recovery code is good once",
    {
      file: "functions/auth/second-factor.ts",
      find: "return left.length < current.recovery_codes.length ? { ...current, recovery_codes: left } : undefined;",
      replace: "return left.length < current.recovery_codes.length ? current : undefined;",
    },
    [SECOND_FACTOR],
    "^signing in with two factors takes each recovery code once",
  ),
  guard(
    "second factor: a challenge ends with the credentials it was for",
    {
      file: "functions/auth/second-factor.ts",
      find: "  if (!user || !isOn(user) || user.credential_epoch !== challenge.epoch) throw challengeOver();",
      replace: "  if (!user || !isOn(user)) throw challengeOver();",
    },
    [SECOND_FACTOR],
    "^signing in with two factors ends a challenge",
    // Looked at again where the code is used up: the other layer.
    [
      {
        file: "functions/auth/second-factor.ts",
        find: "    if (current.credential_epoch !== challenge.epoch || !isOn(current)) throw challengeOver();",
        replace: "    if (!isOn(current)) throw challengeOver();",
      },
    ],
  ),
  guard(
    "second factor: turning it off takes the password",
    {
      file: "functions/auth/second-factor.ts",
      find: `  await requirePassword(ctx, user, password, "password");\n`,
      replace: "",
    },
    [SECOND_FACTOR],
    "^disabling",
  ),
  guard(
    "second factor: turning it off takes a code",
    {
      file: "functions/auth/second-factor.ts",
      find: `  const use = await check(ctx, user, user.two_factor, code, "otp");\n  const change = ({ two_factor }: User) => {\n    if (!two_factor?.enabled) throw overtaken();\n    use(two_factor);`,
      replace:
        "  const change = ({ two_factor }: User) => {\n    if (!two_factor?.enabled || !code) throw overtaken();",
    },
    [SECOND_FACTOR],
    "^disabling",
  ),
  guard(
    "second factor: turning it on takes a code",
    {
      file: "functions/auth/second-factor.ts",
      find: `  const use = await check(ctx, user, offered, { otp }, "otp");`,
      replace: "  const use = (current: TwoFactor) => ({ ...current, last_step: otp.length });",
    },
    [SECOND_FACTOR],
    "^enabling",
  ),
  guard(
    "second factor: is not set up anew while it is on",
    {
      file: "functions/auth/second-factor.ts",
      find: `    if (isOn(current)) throw new ServiceError("CONFLICT", "Two factors are on already. Disable them first.");\n`,
      replace: `    if (!current) throw new ServiceError("CONFLICT", "Two factors are on already. Disable them first.");\n`,
    },
    [SECOND_FACTOR],
    "^enabling and setting up",
  ),
];

const ofProviders: readonly Patch[] = [
  guard(
    "provider: the state is one of ours",
    {
      file: "functions/auth/social.ts",
      find: "  if (pending) return pending;",
      replace: `  if (pending) return pending;\n  if (state !== undefined) return { provider, state, verifier: "v", nonce: "n", redirectUri: redirectsOf(provider, home.config)[0] };`,
    },
    [SOCIAL],
    "refuses an unknown state",
  ),
  guard(
    "provider: a state is good once",
    {
      file: "shared/identity/oauth/pending.ts",
      find: `  if (!(await writeUnlessChanged({ ports }, { delete: key, condition: "present" }))) return undefined;`,
      replace: `  if (!(await writeUnlessChanged({ ports }, { check: key, condition: "present" }))) return undefined;`,
    },
    ["shared/identity/oauth/pending.test.ts"],
  ),
  guard(
    "provider: a state ends after its time",
    {
      file: "shared/identity/oauth/pending.ts",
      find: `"oauth_state", stored, { ttl })`,
      replace: `"oauth_state", stored)`,
    },
    ["shared/identity/oauth/pending.test.ts"],
  ),
  guard(
    "provider: a state is good for its provider",
    {
      file: "shared/identity/oauth/pending.ts",
      find: "  if (stored.provider !== provider) return undefined;\n",
      replace: "",
    },
    ["shared/identity/oauth/pending.test.ts"],
  ),
  guard(
    "provider: the code is asked for with PKCE",
    {
      file: "shared/identity/oauth/code-flow.ts",
      find: `    code_challenge: await calculatePKCECodeChallenge(verifier),\n    code_challenge_method: "S256",\n`,
      replace: "",
    },
    [SOCIAL],
    "asks for a code with PKCE",
  ),
  guard(
    "provider: the ID token is for this sign-in",
    {
      file: "shared/identity/oauth/code-flow.ts",
      find: "isOpenId ? { ...checks, expectedNonce: nonce, idTokenExpected: true } : checks,",
      replace: "isOpenId ? { ...checks, expectedNonce: undefined as never, idTokenExpected: true } : checks,",
    },
    [SOCIAL],
    "^refuses an ID token",
    [
      {
        file: "shared/identity/oauth/code-flow.ts",
        find: "...(isOpenId ? { nonce } : {}),",
        replace: "...(isOpenId && !nonce ? { nonce } : {}),",
      },
    ],
  ),
  guard(
    "provider: who answers is who was asked",
    {
      file: "shared/identity/oauth/code-flow.ts",
      find: "...(iss === undefined ? {} : { iss }) }",
      replace: "...(iss === undefined ? {} : { iss: config.serverMetadata().issuer }) }",
    },
    [SOCIAL],
    "^refuses an answer that another issuer gave",
  ),
  guard(
    "provider: the sign-in leads back to registered pages alone",
    {
      file: "functions/auth/social.ts",
      find: "  if (!redirects.includes(redirectUri)) {",
      replace: "  if (redirectUri === undefined) {",
    },
    [SOCIAL],
  ),
  guard(
    "provider: an address that it did not verify is none",
    {
      file: "shared/identity/oauth/accounts.ts",
      find: "if (email?.isVerified && email.address.length",
      replace: "if (email && email.address.length",
    },
    [SOCIAL],
    "refuses an address that the provider did not verify|links nobody when the provider",
  ),
  guard(
    "provider: nobody is linked to an address that was never verified here",
    {
      file: "shared/identity/oauth/accounts.ts",
      find: "  if (email_verified && !isAnothers) return;",
      replace: "  if ((email_verified || !email_verified) && !isAnothers) return;",
    },
    [SOCIAL],
    "^an address that a user has already",
  ),
  guard(
    "provider: an address' next owner is not let in",
    {
      file: "shared/identity/oauth/accounts.ts",
      find: "  if (email_verified && !isAnothers) return;",
      replace: "  if (email_verified) return;",
    },
    [SOCIAL],
    "^an address that a user has already",
  ),
  guard(
    "provider: registration may be closed",
    {
      file: "shared/identity/registration.ts",
      find: "  if (ALLOW_REGISTRATION) return;",
      replace: "  if (ALLOW_REGISTRATION !== undefined) return;",
    },
    ["test/e2e/auth-limits.test.ts"],
    "^registration may be closed",
  ),
];

/** Who a request is from, and how people prove it. */
export const CREDENTIAL_PATCHES: readonly Patch[] = [
  ...ofKeys,
  ...ofTokens,
  ...ofSignIns,
  ...ofOneTimeTokens,
  ...ofExpiry,
  ...ofSecondFactor,
  ...ofProviders,
];
