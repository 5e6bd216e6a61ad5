/**
 * What happens to secrets in texts. `store`: nothing. `mask`: they are stored, and only requests scoped to exactly their
 * user see them. `redact`: they are replaced before anything is stored. `block`: the text is refused.
 */
export const SECRET_POLICIES = ["store", "mask", "redact", "block"] as const;
export type SecretPolicy = (typeof SECRET_POLICIES)[number];

/** Maximum number of users with a policy of their own. */
export const MAX_USER_POLICIES = 200;
