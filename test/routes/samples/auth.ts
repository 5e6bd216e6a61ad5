import type { GroupSamples } from "./sample.ts";

const password = "a password of the samples";

export const auth: GroupSamples = {
  routes: {
    register: { body: { email: "sample@example.com", password, name: "Sample" } },
    login: { body: { email: "nobody@example.com", password } },
    logout: { body: {} },
    readOwnUser: {},
    refreshTokens: { body: { refresh_token: "unknown" } },
    changePassword: { body: { current_password: password, new_password: password, confirm_password: password } },
    setUpSecondFactor: {},
    enableSecondFactor: { body: { otp: "123456" } },
    verifySecondFactor: { body: { challenge_token: "unknown", otp: "123456" } },
    disableSecondFactor: { body: { otp: "123456", password } },
    verifyEmail: { body: { token: "unknown" } },
    requestPasswordReset: { body: { email: "nobody@example.com" } },
    startGoogleSignIn: {},
    startGitHubSignIn: {},
    finishSocialSignIn: { params: { provider: "provider" } },
    finishSocialSignInAtProvider: { params: { provider: "provider" } },
    readVerificationPage: {},
    readResetPage: {},
    rotateSigningKey: { body: {} },
    resetPassword: { body: { token: "unknown", new_password: password } },
  },
  additions: [
    "GET /auth/reset-password",
    "GET /auth/verify-email",
    "GET /auth/{provider}/callback",
    "POST /admin/signing-keys/rotate",
    "POST /auth/2fa/setup",
    "POST /auth/2fa/verify",
    "POST /auth/forgot-password",
    "POST /auth/reset-password",
    "POST /auth/verify-email",
  ],
};
