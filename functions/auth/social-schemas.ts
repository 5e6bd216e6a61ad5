import * as z from "zod";
import { filledText } from "../../shared/runtime/schemas/fields.ts";

const SCOPES_LENGTH = 500;
/** Enough for codes and states of any provider, and for a client's own state. */
const TOKEN_LENGTH = 2048;

export const StartSocialSignIn = z.object({
  redirect_uri: z.string().max(TOKEN_LENGTH).optional(),
  state: filledText(TOKEN_LENGTH).optional(),
  scope: filledText(SCOPES_LENGTH).optional(),
});

export const StartedSocialSignIn = z.object({
  authorization_url: z.string(),
  state: z.string(),
  expires_in: z.int(),
});

export const FinishSocialSignIn = z.object({
  code: z.string().max(TOKEN_LENGTH).optional(),
  state: z.string().max(TOKEN_LENGTH).optional(),
  error: z.string().max(TOKEN_LENGTH).optional(),
  iss: z.string().max(TOKEN_LENGTH).optional(),
});

const state = z.string().optional();

export const SocialUser = z.object({ id: z.string(), email: z.string(), name: z.string(), provider: z.string() });

export const FinishedSocialSignIn = z.union([
  z.object({
    user: SocialUser,
    access_token: z.string(),
    refresh_token: z.string(),
    expires_in: z.int(),
    token_type: z.literal("Bearer"),
    password_change_required: z.literal(true).optional(),
    state,
  }),
  z.object({
    two_factor_required: z.literal(true),
    challenge_token: z.string(),
    expires_in: z.int(),
    state,
  }),
]);
