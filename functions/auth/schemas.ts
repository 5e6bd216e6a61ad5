import * as z from "zod";
import { PROVIDERS } from "../../shared/domain/identity/oauth/provider.ts";
import { EMAIL_LENGTH, normalizeEmail } from "../../shared/domain/identity/users.ts";
import { access, email, person, SecondFactorRequired, SignedIn, Tokens } from "../../shared/domain/identity/wire.ts";
import { filledText, metadata } from "../../shared/runtime/schemas/fields.ts";

export { SecondFactorRequired, SignedIn, Tokens };

const NAME_LENGTH = 200;
/** Longer than any of our passwords or tokens; longer texts would only cost time. */
const SECRET_LENGTH = 1024;

/** Any typed address; an unknown one gets the same response as a known one. */
const anyEmail = z
  .string()
  .max(EMAIL_LENGTH)
  .transform(normalizeEmail)
  .meta({ type: "string", maxLength: EMAIL_LENGTH, description: "An e-mail address" });
const secret = z.string().min(1).max(SECRET_LENGTH);
/** People type codes with a space in the middle. */
const otp = z
  .string()
  .max(SECRET_LENGTH)
  .transform((typed) => typed.replaceAll(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "must be the six digits that the app shows"))
  .meta({
    type: "string",
    maxLength: SECRET_LENGTH,
    pattern: "^\\s*(\\d\\s*){6}$",
    description: "Six digits of an authenticator app",
  });

export const Register = z.object({
  email,
  password: secret.describe("12 to 128 characters"),
  name: filledText(NAME_LENGTH),
  organization: filledText(NAME_LENGTH).optional().describe("Label of the new organization"),
  metadata: metadata.optional(),
});

export const Login = z.object({
  email: anyEmail,
  password: secret,
  remember_me: z.boolean().default(false).describe("The refresh token lasts 30 days, not 7"),
});

export const VerifySecondFactor = z
  .object({
    challenge_token: secret,
    otp: otp.optional(),
    recovery_code: secret
      .optional()
      .describe("One of the recovery codes from enabling two-factor authentication; each works once"),
  })
  .refine(({ otp: code, recovery_code }) => (code === undefined) !== (recovery_code === undefined), {
    path: ["otp"],
    message: "send otp or recovery_code, and not both",
  });

export const Refresh = z.object({ refresh_token: secret });

export const Logout = z.object({
  refresh_token: secret.optional().describe("Refresh token of another one of your sessions, which ends too"),
  all_sessions: z.boolean().default(false).describe("End all your sessions"),
});

const isConfirmed = ({ new_password, confirm_password }: { new_password: string; confirm_password?: string }) =>
  confirm_password === undefined || confirm_password === new_password;
const unconfirmed = { path: ["confirm_password"], message: "must be the same as new_password" };

export const ChangePassword = z
  .object({ current_password: secret, new_password: secret.describe("12 to 128 characters"), confirm_password: secret })
  .refine(isConfirmed, unconfirmed);

export const EnableSecondFactor = z.object({ otp });

export const DisableSecondFactor = z.object({
  otp: secret.describe("Six digits of the authenticator app, or a recovery code"),
  password: secret,
});

export const VerifyEmail = z.object({ token: secret });

export const ForgotPassword = z.object({ email: anyEmail });

export const ResetPassword = z
  .object({
    token: secret,
    new_password: secret.describe("12 to 128 characters"),
    confirm_password: secret.optional(),
  })
  .refine(isConfirmed, unconfirmed);

export const RegisteredUser = z.object({
  ...person,
  user_id: z.string(),
  organization: z.string(),
  email_verified: z.boolean(),
  verification_required: z.boolean(),
  created_at: z.string(),
});

export const LoginAnswer = z.union([SignedIn, SecondFactorRequired]);

export const LoggedOut = z.object({ logged_out: z.literal(true) });

export const BrowserSession = z.object({
  user: z.object(person),
  csrf_token: z.string().meta({
    description: "Send it as X-CSRF-Token with every request that is not a GET.",
    examples: ["5d41402abc4b2a76b9719d911017c592ae2b1f6e0c4f3d2a1b0c9d8e7f6a5b4c"],
  }),
});

export const OwnUser = z.object({
  ...person,
  user_id: z.string(),
  organization: z.string(),
  email_verified: z.boolean(),
  ...access,
  preferences: z.object({ theme: z.string(), language: z.string(), timezone: z.string() }),
  security: z.object({
    two_factor_enabled: z.boolean(),
    last_login: z.string().nullable(),
    login_count: z.int(),
  }),
  password_change_required: z.literal(true).optional(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const PasswordChanged = z.object({ changed_at: z.string(), sessions_revoked: z.int() });

export const SecondFactorOffer = z.object({ secret: z.string(), otpauth_url: z.string(), qr_svg: z.string() });

export const SecondFactorEnabled = z.object({
  two_factor_enabled: z.literal(true),
  recovery_codes: z.array(z.string()),
});

export const SecondFactorDisabled = z.object({ two_factor_enabled: z.literal(false) });

export const EmailVerified = z.object({ email_verified: z.literal(true) });

export const ResetRequested = z.object({
  accepted: z.literal(true).describe("Does not reveal whether the address has an account"),
});

export const RotateSigningKey = z.object({
  compromised: z
    .boolean()
    .default(false)
    .describe(
      "Whether the key may be compromised: its signatures are rejected from now on and the next key signs at once",
    ),
});

export const SigningKeys = z.object({
  signing_keys: z.array(
    z.object({
      kid: z.string(),
      status: z.enum(["next", "signing", "verifying"]),
      created_at: z.string(),
      signs_from: z.string(),
      verifies_until: z.string().nullable(),
    }),
  ),
});

const SCOPES_LENGTH = 500;
/** Enough for codes and states of any provider, and for a client's own state. */
const TOKEN_LENGTH = 2048;
const parameter = z.string().max(TOKEN_LENGTH).optional();

export const StartSocialSignIn = z.object({
  redirect_uri: parameter,
  state: filledText(TOKEN_LENGTH).optional(),
  scope: filledText(SCOPES_LENGTH).optional(),
});

export const SocialProviders = z.object({ providers: z.array(z.enum(PROVIDERS)) });

export const StartedSocialSignIn = z.object({
  authorization_url: z.string(),
  state: z.string(),
  expires_in: z.int(),
});

export const FinishSocialSignIn = z.object({ code: parameter, state: parameter, error: parameter, iss: parameter });

const state = z.string().optional();

export const SocialUser = z.object({ ...person, provider: z.string() });

export const FinishedSocialSignIn = z.union([
  z.object({
    user: SocialUser,
    ...Tokens.shape,
    password_change_required: z.literal(true).optional(),
    state,
  }),
  SecondFactorRequired.extend({ state }),
]);
