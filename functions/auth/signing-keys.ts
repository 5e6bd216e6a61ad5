import { signerAt, type VerificationKey } from "../../shared/domain/identity/signing-keys.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { requireOperator } from "../../shared/runtime/access/operator.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

type Rotation = Input<typeof schemas.RotateSigningKey>;

/**
 * Creates the next signing key and returns all keys. The new key signs tokens after a minute, when every process has
 * loaded it; the former key still verifies tokens. Another rotation within that minute changes nothing. A compromised
 * key is replaced at once.
 */
export async function rotateSigningKey(ctx: Context, { compromised }: Rotation) {
  requireOperator(ctx.principal);
  const { kind, id } = ctx.principal;
  const ring = await ctx.tokens.rotate(ctx, compromised ? "compromised" : "age", { kind, id });
  const now = ctx.clock();
  const signer = signerAt(ring, now);
  return { signing_keys: ring.keys.map((key) => present(key, key.kid === signer?.kid, now)) };
}

function present({ kid, created_at, signs_from, verifies_until }: VerificationKey, isSigning: boolean, now: number) {
  const status = signs_from > now ? ("next" as const) : isSigning ? ("signing" as const) : ("verifying" as const);
  return {
    kid,
    status,
    created_at,
    signs_from: timestamp(signs_from),
    verifies_until: verifies_until === undefined ? null : timestamp(verifies_until),
  };
}
